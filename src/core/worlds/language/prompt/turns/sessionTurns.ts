import path from 'node:path';
import type { EditAction, FileOperation, ToolCall } from '../../../../action/action.ts';
import { patchArgv } from '../../../../action/edit/patchCommand.ts';
import type { TurnAction } from '../../../../action/turnAction.ts';
import { cutText } from '../../../../context/cutText.ts';
import { estimateTokens } from '../../../../context/estimateTokens.ts';
import { redactAtOnce, redactForPrompt } from '../../../../context/secrets/redactForPrompt.ts';
import type { LeftOut, Redacted } from '../../../../context/workspaceContext.ts';
import { quoteCall, quoteWord } from '../../../../shell/quoteWord.ts';
import { sweTools } from '../toolDefinitions.ts';
import type { EarlierStep } from './session.ts';
import { type ChangedStretch, changedStretch, unifiedDiff } from './sessionStretch.ts';
import type { Dialect, Turn } from './turn.ts';
import { type PromptStyle, quickstartShellTool } from './turnText.ts';
import { exitCodeQuestion, renderScreen, type TerminalPlace, typeCommand } from './turnTextScreen.ts';
import { renderShellReply } from './turnTextShell.ts';
import { editAction, renderEditReply, renderWriteReply, shellAction, writeAction } from './turnTextTools.ts';
import { unknownMarker } from './turnTextUnknown.ts';

/** How the steps are worded. */
export interface SessionTurnsOptions {
  domain: 'terminal' | 'swe';
  style: PromptStyle;
  dialect: Dialect;
  place: TerminalPlace;
  /** Most tokens of all steps together; what is oldest is left out first. */
  budgetTokens: number;
}

/** Steps as turns, without secrets. */
export interface SessionTurns {
  turns: Turn[];
  leftOut: LeftOut[];
  redacted: Redacted[];
}

/** What was done in one turn: a command, the call of a tool as it was made, or what became of one file. */
type Doing =
  | {
      kind: 'shell';
      command: string;
      cwd: string;
      stdout: string;
      stderr: string;
      exitCode: number;
      /** Why nobody knows what it printed and how it ended. */
      unknown?: string;
    }
  | { kind: 'call'; call: ToolCall; observation: string }
  | { kind: 'edit'; path: string; stretch: ChangedStretch; after: string }
  | { kind: 'write'; path: string; content: string; existed: boolean };

/**
 * The earlier steps of a session as turns of the trajectory, oldest first: commands with their predicted output, calls of
 * tools of the dialect with their exact observation, patches and operations on files as commands; any other edit by what it
 * did to each file. Nothing in them is unredacted. Rejects when the scanner for secrets cannot be loaded.
 */
export async function sessionTurns(
  steps: readonly EarlierStep[],
  options: SessionTurnsOptions,
  /** Words that are secrets wherever they stand. */
  secretWords: readonly string[],
): Promise<SessionTurns> {
  const told: SessionTurns = { turns: [], leftOut: [], redacted: [] };
  const groups: Turn[][] = [];
  for (const [index, step] of steps.entries()) {
    const doings = doingsOf(step, options, told.leftOut);
    const note = `step ${index + 1} of the session`;
    const turns: Turn[] = [];
    // What comes behind a prediction rests on it.
    const isPredicted = steps.slice(0, index + 1).some((one) => one.isPredicted);
    for (const doing of doings) {
      const safe = await redactedDoing(shortened(doing, options.budgetTokens / 2, told.leftOut), {
        secretWords,
        found: (kind, count) => told.redacted.push({ where: note, kind, count }),
      });
      turns.push({ ...turnOf(safe, options), part: 'history', note, ...(isPredicted ? { isPredicted } : {}) });
    }
    groups.push(turns);
  }
  let left = options.budgetTokens;
  for (const [back, turns] of groups.toReversed().entries()) {
    const tokens = estimateTokens(JSON.stringify(turns.map(({ action, observation }) => [action, observation])));
    left -= tokens;
    if (left >= 0) told.turns.unshift(...turns);
    else {
      const what = `step ${groups.length - back} of the session`;
      told.leftOut.push({ what, why: 'the steps before this prediction are long', tokens });
    }
  }
  return told;
}

function doingsOf(step: EarlierStep, options: SessionTurnsOptions, leftOut: LeftOut[]): Doing[] {
  const { action, cwd, exitCode } = step;
  const rests = step.unknown === undefined ? {} : { unknown: step.unknown };
  const stdout = printedOn(step, 'stdout');
  const stderr = printedOn(step, 'stderr');
  if (action.kind === 'command') {
    return [{ kind: 'shell', command: action.script, cwd, stdout, stderr, exitCode, ...rests }];
  }
  const { patch, operations = [], calls = [] } = action;
  if (patch && patch.encoding !== 'base64') {
    const words = quoteCall(patchArgv(patch));
    return [{ kind: 'shell', command: hereDocument(words, patch.text), cwd, stdout, stderr, exitCode, ...rests }];
  }
  const doings: Doing[] = [];
  if (operations.length > 0) {
    const command = operations.map((one) => operationCommand(one, cwd)).join('; ');
    const failed = action.changes.length === 0 && calls.length === 0 ? exitCode : 0;
    doings.push({ kind: 'shell', command, cwd, stdout: '', stderr, exitCode: failed });
  }
  const said = step.pieces.filter(({ stream }) => stream === 'stdout').map(({ text }) => text.replace(/\n$/, ''));
  const known = new Set(sweTools[options.dialect].map(({ name }) => name));
  const isSpoken = calls.length > 0 && calls.every(({ name }) => known.has(name)) && said.length === calls.length;
  if (isSpoken && options.domain === 'swe' && options.style === 'benchmark') {
    for (const [index, call] of calls.entries()) doings.push({ kind: 'call', call, observation: said[index] ?? '' });
    return doings;
  }
  return [...doings, ...doingsByFile(step, action, leftOut)];
}

/** What an edit did, file by file; files that an operation speaks of are told by it. */
function doingsByFile({ changes, contents, cwd }: EarlierStep, edit: EditAction, leftOut: LeftOut[]): Doing[] {
  const operated = (edit.operations ?? []).flatMap((one) => ('path' in one ? [one.path] : [one.from, one.to]));
  const isOperated = (file: string) => operated.some((one) => file === one || file.startsWith(`${one}/`));
  const isWritten = new Set(edit.changes.map((one) => one.path));
  const shell = (command: string): Doing => ({ kind: 'shell', command, cwd, stdout: '', stderr: '', exitCode: 0 });
  return changes.flatMap((change): Doing[] => {
    const { path: file, type, mode, target } = change;
    if (isOperated(file) && !isWritten.has(file)) return [];
    const name = shellPath(file, cwd);
    if (change.change === 'deleted') return type === 'directory' ? [] : [shell(`rm ${name}`)];
    if (type === 'symlink' && target !== undefined) return [shell(`ln -sfn ${quoteWord(target)} ${name}`)];
    if (type !== 'file') return [];
    if (change.change === 'mode') return [shell(`chmod ${mode} ${name}`)];
    const moved = change.from === undefined ? [] : [shell(`mv ${shellPath(change.from, cwd)} ${name}`)];
    const content = contents.get(file);
    const after = textOf(content?.after);
    if (after === undefined) {
      const why = content?.after ? 'it is binary' : 'it is large, or one of many';
      leftOut.push({ what: `the new content of ${file}`, why });
      return moved;
    }
    const before = textOf(content?.before);
    if (before === after) return moved;
    const stretch = before === undefined || before === '' ? undefined : changedStretch(before, after);
    if (!stretch || stretch.before.length + stretch.after.length > after.length + 200)
      return [...moved, { kind: 'write', path: file, content: after, existed: content?.before !== undefined }];
    return [...moved, { kind: 'edit', path: file, stretch, after }];
  });
}

function operationCommand(operation: FileOperation, cwd: string): string {
  const name = (file: string) => shellPath(file, cwd);
  switch (operation.kind) {
    case 'delete':
      return `rm -r ${name(operation.path)}`;
    case 'create':
      return `${operation.isFolder ? 'mkdir -p' : 'touch'} ${name(operation.path)}`;
    case 'rename':
      return `mv ${operation.overwrite ? '-f' : '-n'} ${name(operation.from)} ${name(operation.to)}`;
    case 'copy':
      return `cp -a ${name(operation.from)} ${name(operation.to)}`;
  }
}

function shellPath(file: string, cwd: string): string {
  const shown = file.startsWith(`${cwd}/`) ? file.slice(cwd.length + 1) : file;
  return quoteWord(shown.startsWith('-') ? `./${shown}` : shown);
}

function hereDocument(command: string, text: string): string {
  let mark = 'EOF';
  while (text.split('\n').includes(mark)) mark = `${mark}_`;
  return `${command} <<'${mark}'\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${mark}`;
}

function printedOn({ pieces }: EarlierStep, stream: 'stdout' | 'stderr'): string {
  return pieces
    .filter((piece) => piece.stream === stream)
    .map(({ text }) => text)
    .join('');
}

/** Text of bytes; `undefined` where there are none, or where they are no text. */
function textOf(bytes: Uint8Array | undefined): string | undefined {
  const text = bytes && Buffer.from(bytes).toString('utf8');
  return text === undefined || text.includes('\0') || text.includes('\ufffd') ? undefined : text;
}

/** Long outputs and contents are cut to their beginning and end, and it is said. */
function shortened(doing: Doing, mostTokens: number, leftOut: LeftOut[]): Doing {
  const cut = (text: string, what: string) => {
    // What goes over several lines (keys) would not be recognised in a part.
    const whole = text.length < mostTokens * 2 ? text : redactAtOnce(text, what).text;
    const shorter = cutText(whole, mostTokens, { patterns: [], ranges: [] });
    if (shorter.leftOutLines > 0) leftOut.push({ what: `${shorter.leftOutLines} lines of ${what}`, why: 'it is long' });
    return shorter.text;
  };
  switch (doing.kind) {
    case 'shell':
      return {
        ...doing,
        command: cut(doing.command, 'an earlier command'),
        stdout: cut(doing.stdout, 'an earlier output'),
        stderr: cut(doing.stderr, 'an earlier output'),
      };
    case 'write':
      return { ...doing, content: cut(doing.content, doing.path) };
    case 'edit': {
      const { stretch } = doing;
      const [before, after] = [cut(stretch.before, doing.path), cut(stretch.after, doing.path)];
      return { ...doing, stretch: { ...stretch, before, after } };
    }
    case 'call': {
      const entries = Object.entries(doing.call.arguments);
      const words = entries.map(([name, value]) => [name, typeof value === 'string' ? cut(value, name) : value]);
      return { ...doing, call: { ...doing.call, arguments: Object.fromEntries(words) } };
    }
  }
}

interface Redacting {
  secretWords: readonly string[];
  found(kind: string, count: number): void;
}

async function redactedDoing(doing: Doing, redacting: Redacting): Promise<Doing> {
  const clean = async (text: string, file?: string) => {
    const result = await redactForPrompt(text, file === undefined ? {} : { path: file });
    for (const { kind, count } of result.found) redacting.found(kind, count);
    return redacting.secretWords.reduce((left, word) => left.replaceAll(word, '[redacted: secret]'), result.text);
  };
  switch (doing.kind) {
    case 'shell': {
      const { command, stdout, stderr } = doing;
      return { ...doing, command: await clean(command), stdout: await clean(stdout), stderr: await clean(stderr) };
    }
    case 'write':
      return { ...doing, content: await clean(doing.content, doing.path) };
    case 'edit': {
      const { path: file, stretch, after } = doing;
      const safe = { ...stretch, before: await clean(stretch.before, file), after: await clean(stretch.after, file) };
      return { ...doing, stretch: safe, after: await clean(after, file) };
    }
    case 'call': {
      const { call, observation } = doing;
      const named = call.arguments['file_path'] ?? call.arguments['path'];
      const file = typeof named === 'string' ? named : undefined;
      const cleanValue = async (value: unknown): Promise<unknown> => {
        if (typeof value === 'string') return clean(value, file);
        if (Array.isArray(value)) return Promise.all(value.map(cleanValue));
        if (typeof value !== 'object' || value === null) return value;
        const entries = Object.entries(value).map(async ([name, one]) => [name, await cleanValue(one)] as const);
        return Object.fromEntries(await Promise.all(entries));
      };
      const words = (await cleanValue(call.arguments)) as Record<string, unknown>;
      return { ...doing, call: { ...call, arguments: words }, observation: await clean(observation, file) };
    }
  }
}

function turnOf(doing: Doing, options: SessionTurnsOptions): { action: TurnAction; observation: string } {
  const { domain, style, dialect, place } = options;
  if (domain === 'terminal' || style === 'quickstart') return typed(asShell(doing, place.cwd), options);
  switch (doing.kind) {
    case 'shell': {
      const { command, unknown } = doing;
      const observation = unknown === undefined ? renderShellReply(dialect, doing) : unknownMarker(unknown);
      return { action: shellAction(dialect, command, doing.cwd), observation };
    }
    case 'call': {
      const action = { kind: 'tool' as const, name: doing.call.name, arguments: doing.call.arguments };
      return { action, observation: doing.observation };
    }
    case 'edit': {
      const { path: file, stretch, after } = doing;
      const observation = renderEditReply(dialect, file, {
        replacements: 1,
        after,
        firstChangedLine: stretch.firstChangedLine,
      });
      return { action: editAction(dialect, file, stretch.before, stretch.after), observation };
    }
    case 'write': {
      const { path: file, content, existed } = doing;
      return { action: writeAction(dialect, file, content), observation: renderWriteReply(dialect, file, existed) };
    }
  }
}

type ShellDoing = Doing & { kind: 'shell' };

/** The same as somebody at a terminal would do it. */
function asShell(doing: Doing, cwd: string): ShellDoing {
  const shell = (command: string, stdout = ''): ShellDoing => ({
    kind: 'shell',
    command,
    cwd,
    stdout,
    stderr: '',
    exitCode: 0,
  });
  switch (doing.kind) {
    case 'shell':
      return doing;
    case 'write':
      return shell(hereDocument(`cat > ${shellPath(doing.path, cwd)}`, doing.content));
    case 'edit': {
      const name = doing.path.startsWith(`${cwd}/`) ? doing.path.slice(cwd.length + 1) : doing.path;
      return shell(
        hereDocument(`patch ${shellPath(doing.path, cwd)}`, unifiedDiff(name, doing.stretch)),
        `patching file ${name}\n`,
      );
    }
    case 'call':
      // Calls are told by what they did to each file where there are no tools.
      throw new Error('a call of a tool cannot be typed');
  }
}

function typed(doing: ShellDoing, { domain, style, place }: SessionTurnsOptions) {
  const { cwd, command: words, stdout, stderr, exitCode } = doing;
  // In brackets, so that the shell of the terminal stays where it is.
  const command = cwd === place.cwd ? words : `(cd ${quoteWord(path.relative(place.cwd, cwd) || '.')} && ${words})`;
  const printed = doing.unknown === undefined ? `${stdout}${stderr}` : unknownMarker(doing.unknown);
  if (domain === 'swe' || style === 'quickstart') {
    const action: TurnAction = { kind: 'tool', name: quickstartShellTool, arguments: { command } };
    return { action, observation: printed };
  }
  const action = typeCommand(command, { durationSeconds: 1 });
  if (doing.unknown !== undefined) return { action, observation: printed };
  if (exitCode === 0) return { action, observation: renderScreen(place, command, printed) };
  const asked = { keystrokes: `${exitCodeQuestion}\n`, duration: 0.1 };
  return {
    action: { ...action, keystrokes: [...action.keystrokes, asked] },
    observation: renderScreen(place, command, printed, { exitCode }),
  };
}
