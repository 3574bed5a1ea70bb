import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { StreamName } from '../wire/codes.ts';
import { basisOf, outputEvent, unknownOutput } from '../wire/events.ts';
import { type RunRecord, streamBytes } from '../wire/runRecord.ts';
import { tellsDuration } from './durations.ts';
import { madeTimeFinder, type Span } from './madeTimes.ts';
import { hasNumber, uptimeFinder } from './moment.ts';
import { namesOverlayNode } from './overlayNodes.ts';
import { namesPack } from './packing.ts';
import { joinMarks, type MarkedText, markedByLine, markVolatile } from './volatile.ts';

/** True when two runs printed the same and ended the same. */
export function sameOutcome(a: RunRecord, b: RunRecord): boolean {
  return (
    a.finished?.how === b.finished?.how &&
    a.finished?.exitCode === b.finished?.exitCode &&
    a.finished?.cwd === b.finished?.cwd &&
    streamBytes(a, 'stdout').equals(streamBytes(b, 'stdout')) &&
    streamBytes(a, 'stderr').equals(streamBytes(b, 'stderr'))
  );
}

/** What is known of lines besides what the runs have differently. */
export interface CompareOptions {
  isVolatileLine: ((line: string) => boolean) | undefined;
  /** Chance decides which of its programs begins, so that what only another run prints may come in every run. */
  startsTogether: boolean;
}

/** Whether one of two runs prints nothing where the other prints something. */
export function isSilentByChance(shown: RunRecord, other: RunRecord): boolean {
  return (['stdout', 'stderr'] as const).some(
    (stream) => streamBytes(shown, stream).length === 0 && streamBytes(other, stream).length > 0,
  );
}

/**
 * The output of `shown` in the order in which it came, with the lines marked that one of `others` has differently, or that
 * `isVolatileLine` knows to be so although two runs agree on them.
 */
export function* outputEvents(
  shown: RunRecord,
  others: readonly RunRecord[],
  options: CompareOptions,
): Generator<FactEvent> {
  const marks = {
    stdout: marksOf(shown, others, 'stdout', options),
    stderr: marksOf(shown, others, 'stderr', options),
  };
  const at = { stdout: 0, stderr: 0 };
  const unknown = { stdout: false, stderr: false };
  for (const piece of shown.output) {
    const from = at[piece.stream];
    const to = from + piece.bytes.length;
    at[piece.stream] = to;
    if (piece.dependsOn) {
      if (unknown[piece.stream]) continue;
      unknown[piece.stream] = true;
      yield unknownOutput(piece.stream, piece.dependsOn);
      continue;
    }
    for (const marked of cut(marks[piece.stream], from, to)) {
      const isOfMoment = shown.lookedAt === true && piece.unsure;
      const event = outputEvent(
        piece.stream,
        isOfMoment ? { ...marked, volatile: true } : marked,
        basisOf(shown, piece.unsure),
      );
      yield piece.isOffline ? { ...event, offline: true } : event;
    }
  }
  // What prints nothing here may print something there.
  if (shown.dependsOn.length > 0 && !unknown.stdout) yield unknownOutput('stdout', shown.dependsOn);
}

function marksOf(
  shown: RunRecord,
  others: readonly RunRecord[],
  stream: StreamName,
  { isVolatileLine, startsTogether }: CompareOptions,
): MarkedText[] {
  const bytes = streamBytes(shown, stream);
  const marks = others
    .map((other) => markVolatile(bytes, streamBytes(other, stream), startsTogether))
    .reduce((one, two) => joinMarks([...eitherMark(one, two)]));
  if (!isVolatileLine) return marks;
  return joinMarks(
    marks.flatMap((piece) => (piece.volatile ? [piece] : [...markedByLine(piece.bytes, isVolatileLine)])),
  );
}

/** What one of two markings of the same text calls volatile. */
function* eitherMark(one: readonly MarkedText[], two: readonly MarkedText[]): Generator<MarkedText> {
  let at = 0;
  let end = 0;
  let index = -1;
  for (const piece of one) {
    for (let from = 0; from < piece.bytes.length; ) {
      if (at >= end) {
        index += 1;
        end += two[index]?.bytes.length ?? Number.POSITIVE_INFINITY;
      }
      const to = Math.min(piece.bytes.length, from + end - at);
      yield { bytes: piece.bytes.subarray(from, to), volatile: piece.volatile || (two[index]?.volatile ?? false) };
      at += to - from;
      from = to;
    }
  }
}

/**
 * Lines that two runs may agree on and that differ all the same: the time of a file that was just written, a duration
 * that the shell or a program measured. `undefined` where there is no reason to look for any.
 */
export function volatileLines(options: {
  /** When files were written, by this command or by a step before it. */
  spans: readonly Span[];
  /** Programs ran that are not known to be inert. */
  isForeign: boolean;
  /** It may tell how long something took. */
  isTimed: boolean;
  script: string;
  /** It reads what the machine's state is at this moment. */
  readsMoment: boolean;
  packsInThreads: boolean;
  /** Lines of its programs that tell how their processes kept pace. */
  pacedLines: readonly RegExp[];
  inAnyOrder: boolean;
  /** How long the prediction has taken so far. */
  tookMs: number;
}): ((line: string) => boolean) | undefined {
  const { isTimed, readsMoment, packsInThreads, pacedLines } = options;
  if (options.inAnyOrder) return () => true;
  if (options.spans.length + pacedLines.length === 0 && !options.isForeign && !isTimed && !readsMoment)
    return undefined;
  const namesMadeTime = madeTimeFinder(options.spans);
  const tellsUptime = options.isForeign ? uptimeFinder(options.tookMs) : () => false;
  return (line) =>
    (readsMoment && hasNumber(line)) ||
    (packsInThreads && namesPack(line)) ||
    pacedLines.some((one) => one.test(line)) ||
    namesMadeTime(line) ||
    tellsUptime(line) ||
    (options.isForeign && namesOverlayNode(line)) ||
    (isTimed && tellsDuration(line, options.script));
}

/** The part of marked text between two offsets; characters are not cut, because pieces end where the marks end. */
function cut(marks: readonly MarkedText[], from: number, to: number): MarkedText[] {
  const result: MarkedText[] = [];
  let at = 0;
  for (const mark of marks) {
    const start = Math.max(from, at);
    const end = Math.min(to, at + mark.bytes.length);
    if (end > start) result.push({ bytes: mark.bytes.subarray(start - at, end - at), volatile: mark.volatile });
    at += mark.bytes.length;
    if (at >= to) break;
  }
  return result;
}

/** Joins neighbouring output of one kind, so that a character that two frames share is whole. */
export function joinOutput(record: RunRecord): void {
  const joined: RunRecord['output'] = [];
  let open: { piece: RunRecord['output'][number]; parts: Uint8Array[] } | undefined;
  const flush = () => {
    if (open) joined.push({ ...open.piece, bytes: Buffer.concat(open.parts) });
  };
  for (const piece of record.output) {
    const joins =
      open !== undefined &&
      open.piece.stream === piece.stream &&
      open.piece.unsure === piece.unsure &&
      open.piece.isOffline === piece.isOffline &&
      (open.piece.dependsOn === undefined) === (piece.dependsOn === undefined);
    if (open && joins) {
      open.parts.push(piece.bytes);
      continue;
    }
    flush();
    open = { piece, parts: [piece.bytes] };
  }
  flush();
  record.output = joined;
}
