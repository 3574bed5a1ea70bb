import type { Dialect } from './turn.ts';

/** What a shell tool replied. Absent: the reply does not say. */
export interface ShellReply {
  /** Ends with a line break unless it is empty: a reply does not say whether the last line had one. */
  stdout: string;
  stderr: string;
  exitCode?: number;
  /** For example `SIGKILL`. */
  signal?: string;
  /** Process ids that still run. */
  backgroundPids: number[];
}

/** What a shell command did, as far as a reply tells it. */
export interface ShellOutcome {
  command: string;
  /** Absolute; absent: the root of the workspace. */
  cwd?: string;
  stdout: string;
  stderr?: string;
  exitCode: number;
}

/**
 * The reply of a shell tool in a dialect. Qwen: the envelope from `Command:` to `Process Group PGID:`, with `(none)` for
 * what there is not (packages/core/src/tools/shell.ts of gemini-cli and qwen-code). Claude: what was printed, after
 * `Exit code N` where it failed. Process numbers are left out: they would differ every time.
 */
export function renderShellReply(dialect: Dialect, outcome: ShellOutcome): string {
  const stdout = withoutLastBreak(outcome.stdout);
  const stderr = withoutLastBreak(outcome.stderr ?? '');
  if (dialect === 'claude') {
    const printed = [stdout, stderr].filter((text) => text !== '').join('\n');
    if (outcome.exitCode === 0) return printed === '' ? '(Bash completed with no output)' : printed;
    return printed === '' ? `Exit code ${outcome.exitCode}` : `Exit code ${outcome.exitCode}\n${printed}`;
  }
  return [
    `Command: ${outcome.command}`,
    `Directory: ${outcome.cwd ?? '(root)'}`,
    `Output: ${stdout === '' ? '(empty)' : stdout}`,
    `Error: ${stderr === '' ? '(none)' : stderr}`,
    `Exit Code: ${outcome.exitCode}`,
    'Signal: (none)',
    'Background PIDs: (none)',
    'Process Group PGID: (none)',
  ].join('\n');
}

const nothing = /^(?:\((?:none|empty|no output)\)|none|null)?$/i;
const noOutput =
  /^(?:\((?:Bash completed with no output|no output|empty)\)|<system>Tool ran without output or errors<\/system>)?$/i;
const tail = /^(Exit Code|Signal|Background PIDs|Process Group PGID):[ \t]*(.*)$/i;

/**
 * Reads a reply of `run_shell_command` back; undefined where the text is no such envelope. Tolerant: fields may be
 * missing, `Stdout:` and `Stderr:` (as older and newer versions write) count as `Output:` and `Error:`, cases and blanks
 * do not matter. A program may itself print lines that begin with `Error:`: where the last one says `(none)` it is the
 * field, otherwise the first one is.
 */
export function parseShellEnvelope(text: string): ShellReply | undefined {
  const lines = unfence(text).replaceAll('\r\n', '\n').split('\n');
  const outputAt = lines.findIndex((line) => /^(?:Output|Stdout):/i.test(line));
  if (outputAt < 0) return undefined;
  const fields = new Map<string, string>();
  let end = lines.length;
  // The last fields are one line each; what a program printed stands above them, and may look like them.
  while (end > outputAt + 1) {
    const line = lines[end - 1] ?? '';
    const [, name = '', value = ''] = tail.exec(line) ?? [];
    if (line.trim() !== '' && (name === '' || fields.has(name.toLowerCase()))) break;
    if (name !== '') fields.set(name.toLowerCase(), value.trim());
    end -= 1;
  }
  const begins = lines.slice(0, outputAt).some((line) => /^(?:Command|Directory):/i.test(line));
  const goesOn = fields.size > 0 || lines.some((line) => /^(?:Error|Stderr):/i.test(line));
  if (!begins && !(outputAt === 0 && goesOn)) return undefined;
  const { stdout, stderr } = splitPrinted(lines.slice(outputAt, end));
  const code = fields.get('exit code') ?? '';
  const signal = fields.get('signal') ?? '';
  return {
    stdout,
    stderr,
    ...(/^-?\d+$/.test(code) ? { exitCode: Number(code) } : {}),
    ...(nothing.test(signal) ? {} : { signal }),
    backgroundPids: [...(fields.get('background pids') ?? '').matchAll(/\d+/g)].map(([pid]) => Number(pid)),
  };
}

function splitPrinted(lines: readonly string[]): { stdout: string; stderr: string } {
  const labels = lines.flatMap((line, index) => (index > 0 && /^Error:/i.test(line) ? [index] : []));
  const last = labels.at(-1);
  const lastIsNothing =
    last !== undefined && nothing.test([fieldText(lines[last] ?? ''), ...lines.slice(last + 1)].join('\n').trim());
  const errorAt = lastIsNothing ? last : labels[0];
  const separate = lines.findIndex((line, index) => index > 0 && /^Stderr:/i.test(line));
  const outputEnd = separate > 0 ? separate : (errorAt ?? lines.length);
  const stdout = block(lines.slice(0, outputEnd));
  const errorEnd = errorAt !== undefined && errorAt > separate ? errorAt : lines.length;
  const parts = [
    separate > 0 ? block(lines.slice(separate, errorEnd)) : '',
    errorAt !== undefined && errorAt > separate ? block(lines.slice(errorAt)) : '',
  ];
  return { stdout, stderr: parts.join('') };
}

function fieldText(line: string): string {
  return line.replace(/^[A-Za-z]+:[ \t]?/, '');
}

function block(lines: readonly string[]): string {
  const [first = '', ...rest] = lines;
  // A text that begins with a line break stands behind `Output: `, with its blank; without it the field's text follows.
  const beginsBelow = /^[A-Za-z]+:$/.test(first) && rest.length > 0;
  const text = (beginsBelow ? rest : [fieldText(first), ...rest]).join('\n');
  // `node -p null` prints the word.
  const isOutput = /^(?:Output|Stdout):/i.test(first);
  const isNothing = isOutput ? /^(?:\((?:none|empty|no output)\))?$/i.test(text.trim()) : nothing.test(text.trim());
  return isNothing ? '' : withLastBreak(text);
}

/**
 * Reads a reply of Claude Code's `Bash` back. It has one stream: everything is `stdout`. Without `Exit code N` at its
 * beginning the command succeeded.
 */
export function parseBashReply(text: string): ShellReply {
  const plain = unfence(text).replaceAll('\r\n', '\n');
  const match = /^(?:Error:\s*)?Exit code:?\s*(-?\d+)[ \t]*(?:\n|$)/i.exec(plain);
  const printed = match ? plain.slice(match[0].length) : plain;
  return {
    stdout: noOutput.test(printed.trim()) ? '' : withLastBreak(printed),
    stderr: '',
    exitCode: match ? Number(match[1]) : 0,
    backgroundPids: [],
  };
}

/**
 * Reads a shell reply of either dialect: the envelope where there is one, else the bare form. Models fall into the other
 * dialect now and then.
 */
export function parseShellReply(dialect: Dialect, text: string): ShellReply {
  const envelope = parseShellEnvelope(text);
  if (envelope) return envelope;
  const bare = parseBashReply(text);
  if (dialect === 'claude' || /^(?:Error:\s*)?Exit code:?\s*-?\d+/i.test(unfence(text))) return bare;
  // An envelope was asked for and something else came: what it printed counts, the exit code is not known.
  const { exitCode: _unsaid, ...rest } = bare;
  return rest;
}

function unfence(text: string): string {
  return /^(`{3,})[a-z]*\n([\s\S]*)\n\1$/.exec(text.trim())?.[2] ?? text;
}

function withoutLastBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}

function withLastBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
