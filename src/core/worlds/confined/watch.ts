import type { Channel } from '../../prediction/channel.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import type { PredictRequest } from '../../prediction/rehearsal.ts';
import type { RunSettings } from './run.ts';
import type { RunRecord } from './wire/runRecord.ts';

/** Nothing is told of what is over by then, where only inert programs run. */
const quietMs = 150;

/** How often it is told that a silent program is still at work, the first time a little later. */
const pauseMs = 250;

/** How often it is looked whether it is time to tell something. */
const lookMs = 20;

/** What comes behind it is told no more often than this. */
const betweenMs = 100;

/** Tells that a prediction is at work, and what the run that will be shown has printed so far. */
export class Watch {
  private readonly channel: Channel<FactEvent>;
  /** Later by what it has waited for somebody since. */
  private startedAtMs: number;
  private readonly quietUntilMs: number;
  private nextMs: number;
  private soonestMs: number;
  private shown: RunRecord | undefined;
  private asking: RunRecord | undefined;
  private toldPieces = 0;
  private waitsSinceMs: number | undefined;
  private ended: NonNullable<Prediction['progress']>['ended'];
  private isChecking = false;

  constructor(
    channel: Channel<FactEvent>,
    startedAt: Date,
    { openGate, consent }: Partial<Pick<PredictRequest, 'openGate' | 'consent'>> = {},
  ) {
    this.channel = channel;
    this.startedAtMs = startedAt.getTime();
    this.nextMs = this.startedAtMs + 400;
    // Somebody waits for the first words of programs that are let run.
    this.quietUntilMs = this.startedAtMs + (openGate || consent ? 0 : quietMs);
    this.soonestMs = this.quietUntilMs;
  }

  /** Of the runs that are made, this one is to be shown: what it prints first is told at once. */
  shows(): Pick<RunSettings, 'onBegin' | 'onPrinted' | 'onEnded'> {
    return { onBegin: (record) => this.begin(record), onPrinted: () => this.tell(), onEnded: () => this.end() };
  }

  private begin(record: RunRecord): void {
    this.shown = record;
    this.toldPieces = 0;
    this.ended = undefined;
  }

  /** The run that is shown is over while the other one still looks for what varies: how it ended is told at once. */
  private end(): void {
    const { finished, unsure } = this.shown ?? {};
    const now = Date.now();
    if (!this.isChecking || finished?.how !== 'exited' || unsure !== false) return;
    this.ended = { exitCode: finished.exitCode, durationMs: now - this.startedAtMs };
    if (now >= this.quietUntilMs) this.report(now);
  }

  /** This run waits for somebody to type: what it has printed is shown at once, until the run that is to be shown has printed more. */
  stopsAt(record: RunRecord): void {
    this.asking = record;
    this.waitsSinceMs = Date.now();
    this.report(this.waitsSinceMs);
  }

  /** Somebody has typed. The time until then was nobody's work. */
  goesOn(): void {
    const now = Date.now();
    const waitedMs = now - (this.waitsSinceMs ?? now);
    this.waitsSinceMs = undefined;
    this.startedAtMs += waitedMs;
    this.report(now);
  }

  /** The run beside the shown one, which finds what varies. */
  async checking<T>(run: Promise<T>): Promise<T> {
    this.isChecking = true;
    try {
      return await run;
    } finally {
      this.isChecking = false;
    }
  }

  /** While the work lasts, told again and again. */
  async during<T>(work: Promise<T>): Promise<T> {
    const timer = setInterval(() => this.tell(), lookMs);
    try {
      return await work;
    } finally {
      clearInterval(timer);
    }
  }

  private tell(): void {
    if (this.waitsSinceMs !== undefined) return;
    const now = Date.now();
    const pieces = this.shown?.output.length ?? 0;
    if (now < (pieces > this.toldPieces ? this.soonestMs : this.nextMs)) return;
    this.nextMs = now + pauseMs;
    if (pieces > this.toldPieces) this.soonestMs = now + betweenMs;
    this.toldPieces = pieces;
    this.report(now);
  }

  private report(now: number): void {
    // Questions are asked in one run, and those before are still on their way in the other.
    const [shown, asking] = [this.shown, this.asking].map((record) => record && printedSoFar(record));
    const printed = (asking?.length ?? 0) > (shown?.length ?? 0) ? asking : shown;
    const { ended } = this;
    this.channel.push({
      type: 'progress',
      text: ended
        ? `Ended with exit code ${ended.exitCode} after ${seconds(ended.durationMs)}; a second run looks for what varies`
        : `Running on a copy for ${seconds(now - this.startedAtMs)}`,
      ...(printed === undefined ? {} : { printed }),
      ...(ended ? { ended } : {}),
    });
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** So much of the end is shown, in bytes. */
const shownBytes = 8 * 1024;

/** The end of what a run has printed so far, from the begin of a line; `undefined` where that is nothing, or not certain. */
export function printedSoFar({ output, unsure }: RunRecord): string | undefined {
  if (output.length === 0 || unsure !== false) return undefined;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let index = output.length - 1; index >= 0 && length < shownBytes; index -= 1) {
    const piece = output[index];
    if (!piece) break;
    pieces.unshift(piece.bytes);
    length += piece.bytes.length;
  }
  const isWhole = pieces.length === output.length && length <= shownBytes;
  const text = Buffer.concat(pieces).subarray(-shownBytes).toString('utf8');
  return isWhole ? text : text.slice(text.indexOf('\n') + 1);
}
