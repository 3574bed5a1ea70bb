import { joinOutput } from './certainty/compare.ts';
import type { StepContext } from './stepContext.ts';
import { basisOf, outputEvent, unknownOutput } from './wire/events.ts';
import type { RunRecord } from './wire/runRecord.ts';

/** What a command asks while it runs, and what the user types. */
export class Questions {
  /** What the user typed while the first run asked, for the second, which asks the same. */
  typed: string[] = [];
  /** Pieces of output that were shown already. */
  flushedPieces = 0;
  private readonly channel: StepContext['channel'];
  private readonly answers: AsyncIterator<string> | undefined;

  constructor({ channel, request }: StepContext) {
    this.channel = channel;
    this.answers = request.answers?.[Symbol.asyncIterator]();
  }

  /** Shows what was printed so far, and the question; waits for what the user types. */
  async ask(record: RunRecord): Promise<string | undefined> {
    if (!this.answers) return undefined;
    joinOutput(record);
    for (const piece of record.output.slice(this.flushedPieces)) {
      const marked = { bytes: Buffer.from(piece.bytes), volatile: false };
      this.channel.push(
        piece.dependsOn
          ? unknownOutput(piece.stream, piece.dependsOn)
          : outputEvent(piece.stream, marked, basisOf(record, piece.unsure)),
      );
    }
    this.flushedPieces = record.output.length;
    const last = Buffer.from(record.output.at(-1)?.bytes ?? []).toString('utf8');
    this.channel.push({ type: 'asks', prompt: last.slice(last.lastIndexOf('\n') + 1) });
    const answer = await this.answers.next();
    if (answer.done) return undefined;
    this.typed.push(answer.value);
    return answer.value;
  }
}
