import { constants } from 'node:os';
import type { ReplyFault } from '../../../facts/replyFault.ts';
import type { Dialect } from '../prompt/turns/turn.ts';
import { parseShellEnvelope } from '../prompt/turns/turnTextShell.ts';
import { faultOfFormless, faultOfFreeText, isPlaceholder, saysEnd } from './foreignText.ts';
import type { Reading } from './reading.ts';
import { shellFields } from './shellGrammar.ts';

/** How a program is said to end. `waits`: not by itself, as a server or a watcher. */
export type SaidEnd =
  | { how: 'exit'; code: number }
  | { how: 'signal'; signal: string; number: number }
  | { how: 'waits' };

/** What a program is said to print, and how it is said to end; `end` is absent only where the form has no place for it. */
export interface SaidOutcome {
  stdout: string;
  stderr: string;
  end?: SaidEnd;
}

/** The exit code as a shell sees it: 128 + n for signal n. Somebody has to end what does not end by itself: Ctrl+C. */
export function exitCodeOfEnd(end: SaidEnd): number {
  if (end.how === 'exit') return end.code;
  return 128 + (end.how === 'signal' ? end.number : constants.signals.SIGINT);
}

/** 128 + n for a signal that there is, by its name or number. */
export function exitCodeOfSignal(text: string): number | undefined {
  const signal = readSignal(text);
  return signal === undefined || signal === 'none' ? undefined : 128 + signal.number;
}

// Older and newer versions of the tool write `Stdout:` and `Stderr:`.
const field = new RegExp(
  `^(${[...shellFields.map(({ name }) => name), 'Stdout', 'Stderr'].join('|')}):[ \\t]*(.*)$`,
  'i',
);
const nothing = /^(?:\((?:none|empty|null)\)|none|null|n\/a|-)?$/i;
const running =
  /^(?!.*\b(?:not running|no longer|stopped)\b)[^\d\n]{0,50}\b(?:running|in progress|does not (?:end|exit|terminate)|never (?:ends|exits|terminates))\b[^\d\n]{0,50}$/i;
const wholeNumber = /^(?:0|[1-9]\d{0,8})$/;

/**
 * Reads what a model says a shell tool replies. Unlike `parseShellReply()`, which makes the best of what others recorded,
 * it takes only what is certain: the fields of the tool with an exit code from 0 to 255, or a signal, or the word that the
 * program still runs; in the dialect of Claude what is printed, unless it is plain that nothing was printed there.
 * `isFormless`: the style of the prompt asks for no form at all, so that the exit code is absent.
 */
export function readShellReply(
  dialect: Dialect,
  text: string,
  { isFormless = false }: { isFormless?: boolean } = {},
): Reading<SaidOutcome> {
  const plain = withoutBlankEnds(text.replaceAll('\r\n', '\n'));
  const first = field.exec(plain.split('\n', 1)[0] ?? '')?.[1]?.toLowerCase();
  if (first === 'command' || first === 'directory' || first === 'output' || first === 'stdout')
    return readEnvelope(plain);
  const bare = readBare(plain);
  if (bare) return bare;
  if (dialect === 'qwen' && !isFormless) return { ok: false, fault: faultOfFormless(plain) };
  if (plain === '') return failed({ kind: 'empty' });
  const fault = faultOfFreeText(plain) ?? (saysEnd(plain) ? { kind: 'other-fields' as const } : undefined);
  if (fault) return { ok: false, fault };
  return { ok: true, value: { stdout: ended(plain), stderr: '', ...(isFormless ? {} : { end: exit(0) }) } };
}

const exit = (code: number): SaidEnd => ({ how: 'exit', code });
const failed = (fault: ReplyFault): Reading<never> => ({ ok: false, fault });

function readEnvelope(plain: string): Reading<SaidOutcome> {
  const lines = plain.split('\n');
  if (!lines.some((line) => /^(?:Output|Stdout):/i.test(line)))
    return failed({ kind: 'field-missing', field: 'Output' });
  if (hasSecondEnvelope(lines)) return failed({ kind: 'several-answers' });
  const reply = parseShellEnvelope(plain);
  const end = readEnd(tailFields(lines));
  if (!end.ok) return end;
  if (!reply) return failed({ kind: 'field-missing', field: 'Command' });
  if (isPlaceholder(reply.stdout)) return failed({ kind: 'placeholder' });
  return { ok: true, value: { stdout: reply.stdout, stderr: reply.stderr, end: end.value } };
}

/** The fields of one line each that end an envelope; what is above them was printed. */
function tailFields(lines: readonly string[]): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let at = lines.length - 1; at > 0; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '') continue;
    const [, name = '', value = ''] =
      /^(Exit Code|Signal|Background PIDs|Process Group PGID):[ \t]*(.*)$/i.exec(line) ?? [];
    if (name === '' || fields.has(name.toLowerCase())) break;
    fields.set(name.toLowerCase(), value.trim());
  }
  return fields;
}

function readEnd(fields: ReadonlyMap<string, string>): Reading<SaidEnd> {
  const code = fields.get('exit code');
  const signal = readSignal(fields.get('signal') ?? '');
  if (signal === undefined) return failed({ kind: 'bad-signal', said: shortened(fields.get('signal') ?? '') });
  if (code === undefined && signal === 'none') return failed({ kind: 'field-missing', field: 'Exit Code' });
  if (code !== undefined && running.test(code)) {
    return signal === 'none'
      ? { ok: true, value: { how: 'waits' } }
      : failed({ kind: 'bad-exit-code', said: shortened(code) });
  }
  if (code === undefined || nothing.test(code)) {
    if (signal === 'none') return failed({ kind: 'bad-exit-code', said: shortened(code ?? '') || '(none)' });
    return { ok: true, value: signal };
  }
  const number = readCode(code);
  if (number === undefined) return failed({ kind: 'bad-exit-code', said: shortened(code) });
  if (signal === 'none') return { ok: true, value: exit(number) };
  // A shell reports a signal as 128 + n; anything else contradicts it.
  if (number === 128 + signal.number) return { ok: true, value: signal };
  return failed({ kind: 'bad-signal', said: `${shortened(fields.get('signal') ?? '')} beside exit code ${number}` });
}

function readCode(text: string): number | undefined {
  return wholeNumber.test(text) && Number(text) <= 255 ? Number(text) : undefined;
}

/** `SIGKILL`, `KILL`, `9`, `SIGKILL (9)`; undefined: no signal that there is. */
function readSignal(text: string): (SaidEnd & { how: 'signal' }) | 'none' | undefined {
  if (nothing.test(text) || text === '0') return 'none';
  const match = /^(?:(?:SIG)?([A-Z]+[0-9]?)(?: ?\((\d+)\))?|(\d+)(?: ?\((?:SIG)?([A-Z]+[0-9]?)\))?)$/i.exec(text);
  const name = match?.[1] ?? match?.[4];
  const number = match?.[2] ?? match?.[3];
  const known = Object.entries(constants.signals).find(([one, value]) =>
    name === undefined ? value === Number(number) : one === `SIG${name.toUpperCase()}`,
  );
  if (!match || !known || (number !== undefined && known[1] !== Number(number))) return undefined;
  return { how: 'signal', signal: known[0], number: known[1] };
}

/** Behind the end of one envelope another one begins. What a program printed may hold whole ones, as brackets hold others. */
function hasSecondEnvelope(lines: readonly string[]): boolean {
  let depth = 1;
  for (const [index, line] of lines.entries()) {
    const name = field.exec(line)?.[1]?.toLowerCase();
    const holdsOne = /^(?:Output|Stdout):[ \t]*Command:/i.test(line);
    const isBegin = index > 0 && (name === 'command' || (depth === 0 && (name === 'output' || name === 'stdout')));
    const isWhole = () => lines.slice(index).some((one) => /^(?:Output|Stdout):/i.test(one));
    if (depth === 0 && isBegin && isWhole()) return true;
    if ((index > 0 && name === 'command') || holdsOne) depth += 1;
    if (name === 'exit code' && depth > 0) depth -= 1;
  }
  return false;
}

/** The forms of Claude's tool, into which models of the other dialect fall as well. */
function readBare(plain: string): Reading<SaidOutcome> | undefined {
  if (
    /^(?:\((?:Bash completed with no output|no output)\)|<system>Tool ran without output or errors<\/system>)$/i.test(
      plain,
    )
  )
    return { ok: true, value: { stdout: '', stderr: '', end: exit(0) } };
  const stops =
    /^(?:Command (?:timed out|running in (?:the )?background|is (?:still )?running)\b[^\n]*|<status>running<\/status>)/i.exec(
      plain,
    );
  if (stops) {
    const behind = plain.slice(stops[0].length).replace(/^\n/, '');
    return { ok: true, value: { stdout: ended(behind), stderr: '', end: { how: 'waits' } } };
  }
  const [first = ''] = plain.split('\n', 1);
  const said = /^(?:Error:\s*)?Exit[ _-]code\b:?[ \t]*(\S.*)?$/i.exec(first);
  if (!said) return undefined;
  const code = said[1]?.trim() ?? '';
  const number = readCode(code);
  // `Exit code 1 is what it returns`: a sentence that is printed.
  if (number === undefined && code.split(/\s+/).length > 3) return undefined;
  if (number === undefined) return failed({ kind: 'bad-exit-code', said: shortened(code) || '(none)' });
  return { ok: true, value: { stdout: ended(plain.slice(first.length + 1)), stderr: '', end: exit(number) } };
}

function withoutBlankEnds(text: string): string {
  return text
    .replace(/^(?:[ \t\ufeff]*\n)+/, '')
    .replace(/^\ufeff/, '')
    .trimEnd();
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}
