import type { ReplyFault } from '../../../facts/replyFault.ts';
import { marksOf, partsBehind } from '../prompt/turns/compound.ts';
import { parseUnknown } from '../prompt/turns/turnTextUnknown.ts';
import { isPlaceholder } from './foreignText.ts';
import type { Reading } from './reading.ts';
import { exitCodeOfEnd, type SaidEnd, type SaidOutcome } from './readShellReply.ts';

/** What a program does, in one reply: what it prints, how it ends, and what it changes. */
export interface SaidRun extends SaidOutcome {
  /** What the look behind it printed; absent: nothing was said of it, so it is asked for apart. */
  look?: { ok: true; text: string } | { ok: false; because: LookUnsaid };
}

/** Why of a program that was answered for nobody said what it changes. */
export type LookUnsaid = { kind: 'unknown'; says: string } | { kind: 'unusable'; fault: ReplyFault };

/**
 * Takes apart what a program and the look behind it are said to print. Where the look is missing, or not whole, only what
 * the program did is taken. `isLine`: a line can be one of the look.
 */
export function readRun(
  { stdout, stderr, end }: SaidOutcome,
  marker: string,
  isLine: (line: string) => boolean,
): Reading<SaidRun> {
  const { before, parts } = partsBehind(stdout, marker);
  const [first, ...others] = parts;
  if (!first) return { ok: true, value: { stdout, stderr, ...(end ? { end } : {}) } };
  // `(empty)` stands for nothing, also where a look follows.
  const printed = /^\((?:empty|none|no output)\)\n?$/.test(before) ? '' : before;
  if (isPlaceholder(printed)) return failed({ kind: 'placeholder' });
  const code = /^exit (0|[1-9]\d{0,2})$/.exec(first.says)?.[1];
  if (code === undefined || Number(code) > 255) {
    return failed({ kind: 'bad-exit-code', said: first.says.replace(/^exit ?/, '').slice(0, 40) || '(none)' });
  }
  const ended = agreedEnd(Number(code), end);
  if (!ended.ok) return ended;
  const look = lookOf(first.text, others, marker, isLine);
  return { ok: true, value: { stdout: printed, stderr, end: ended.value, ...(look ? { look } : {}) } };
}

/** What the line behind the program says of its end is more exact than what is said of the whole, but may not contradict it. */
function agreedEnd(code: number, end: SaidEnd | undefined): Reading<SaidEnd> {
  const exit: SaidEnd = { how: 'exit', code };
  if (!end) return { ok: true, value: exit };
  if (end.how === 'waits') return failed({ kind: 'bad-exit-code', said: `still running beside ${code}` });
  if (exitCodeOfEnd(end) === code) return { ok: true, value: end };
  // The look behind the program succeeds.
  if (end.how === 'exit' && end.code === 0) return { ok: true, value: exit };
  return failed({ kind: 'bad-exit-code', said: `${exitCodeOfEnd(end)} beside ${code}` });
}

function lookOf(
  text: string,
  others: readonly { says: string; text: string }[],
  marker: string,
  isLine: (line: string) => boolean,
): SaidRun['look'] {
  const unknown = parseUnknown(text);
  if (unknown) return { ok: false, because: { kind: 'unknown', says: unknown.reason } };
  const [last, ...more] = others;
  // Without the line that ends it, nobody knows whether it is whole.
  if (`${marker} ${last?.says}` !== marksOf(marker).end || last?.text.trim() !== '' || more.length > 0)
    return undefined;
  const isListing = text.split('\n').every((line) => line.trim() === '' || isLine(line));
  return isListing ? { ok: true, text } : undefined;
}

const failed = (fault: ReplyFault): Reading<never> => ({ ok: false, fault });
