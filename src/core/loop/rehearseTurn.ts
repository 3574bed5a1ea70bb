import path from 'node:path';
import type { CommandAction, EditAction } from '../action/action.ts';
import { agentOfTool, isEditCall } from '../action/edit/editTools.ts';
import type { TurnAction } from '../action/turnAction.ts';
import { type Inexact, whyInexact } from '../bench/collect/exactness.ts';
import { type StepForm, type StepParts, wordStep } from '../bench/collect/trueStep.ts';
import { folderAfter, terminalEnvironment } from '../bench/collect/typedCommand.ts';
import { ownEnvironment, userOf } from '../context/user.ts';
import { type ForetellRequest, foldAll, type Session } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import type { View } from '../view/view.ts';
import { placeOf } from '../worlds/language/prompt/turns/trajectory.ts';
import type { Dialect } from '../worlds/language/prompt/turns/turn.ts';
import { commandOf, withoutLastBreaks } from '../worlds/language/prompt/turns/turnText.ts';
import { parseListing, renderListReply, renderReadReply } from '../worlds/language/prompt/turns/turnTextTools.ts';

/** Where an agent's action is rehearsed. */
export interface TurnPlace {
  session: Session;
  /** Where the agent's tools are at home, absolute. */
  root: string;
  /** Where the shell of a terminal stands, absolute. */
  at: string;
  /** That of tools whose name does not tell. */
  dialect: Dialect;
  env?: Readonly<Record<string, string>>;
  /** What is asked of each command besides: what may run, who answers for the rest, limits, faults. */
  asks: Pick<ForetellRequest, 'openGate' | 'consent' | 'trusted' | 'language' | 'limits' | 'faults' | 'hash'>;
  signal: AbortSignal;
}

/** What an action shows in a rehearsal; `script`: what of it was typed or called as a command. */
export interface RehearsedTurn extends Omit<StepParts, 'turn'> {
  prediction: Prediction;
  /** Files as they are then; it ends with the session. */
  view: View;
  script?: string;
}

/** It was rehearsed, or `why` it cannot be. `after`: where the shell of a terminal stands then. */
export type TurnTruth = (RehearsedTurn | { why: string }) & { after?: string };

/**
 * Rehearses what an agent does, in a session: shell commands run, editing tools are computed, reading tools read; what
 * else there is cannot be rehearsed. The text is as the agent is shown it, with its secrets.
 */
export async function rehearseTurn(turn: TurnAction, place: TurnPlace): Promise<TurnTruth> {
  if (turn.kind === 'text') return { why: 'An action in words cannot be rehearsed.' };
  if (turn.kind === 'keystrokes') return typed(turn, place);
  const command = commandOf(turn);
  if (command !== undefined) return called(turn, command, place);
  if (isEditCall(turn)) return edited(turn, place);
  return read(turn, place);
}

async function typed(turn: TurnAction & { kind: 'keystrokes' }, place: TurnPlace): Promise<TurnTruth> {
  const waits = turn.keystrokes.filter((one) => one.keystrokes !== '');
  const line = waits.map((one) => one.keystrokes).join('');
  if (waits.length === 0) return { why: 'Nothing is typed.' };
  if (!line.endsWith('\n') || waits.some((one) => /^[CM]-.$/.test(one.keystrokes)))
    return { why: 'Keys that are no command line cannot be rehearsed.' };
  return ran({ domain: 'terminal' }, withoutLastBreaks(line), place.at, place);
}

function called(turn: TurnAction & { kind: 'tool' }, command: string, place: TurnPlace): Promise<TurnTruth> {
  const { directory } = turn.arguments;
  const cwd = typeof directory === 'string' && directory !== '' ? path.resolve(place.root, directory) : place.root;
  const spoken = turn.name === 'Bash' ? 'claude' : turn.name === 'run_shell_command' ? 'qwen' : place.dialect;
  return ran({ domain: 'swe', dialect: spoken }, command, cwd, place);
}

async function ran(form: StepForm, script: string, cwd: string, place: TurnPlace): Promise<TurnTruth> {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd };
  const own = place.env ?? ownEnvironment(script);
  const isTerminal = form.domain === 'terminal';
  const env = isTerminal ? { ...own, ...terminalEnvironment } : own;
  let asks = false;
  const { events, view } = place.session.predict({
    ...place.asks,
    action,
    env,
    workspaceFolders: [place.root],
    signal: place.signal,
    ...(isTerminal ? { terminal: { columns: 120, rows: 40 }, answers: nobodyTypes() } : {}),
  });
  const prediction = await foldAll(action, events, ({ type }) => {
    asks ||= type === 'asks';
  });
  const after = isTerminal ? (folderAfter(script, cwd, prediction.cwd) ?? cwd) : undefined;
  const one = { script, cwd, root: place.root, place: placeOf(userOf(env), cwd), prediction, asks };
  const { turn: _, ...parts } = wordStep(form, one);
  return { ...parts, prediction, view, script, ...(after === undefined ? {} : { after }) };
}

async function* nobodyTypes(): AsyncGenerator<string> {}

async function edited(turn: TurnAction & { kind: 'tool' }, place: TurnPlace): Promise<TurnTruth> {
  const calls = [{ name: turn.name, arguments: { ...turn.arguments } }];
  // The agent speaks the dialect, so its words are those of the tool.
  const agent = agentOfTool(turn.name);
  const action: EditAction = { kind: 'edit', changes: [], cwd: place.root, calls, ...agent };
  const { events, view } = place.session.predict({ ...place.asks, action, signal: place.signal });
  const prediction = await foldAll(action, events);
  return certain(prediction, view, withoutLastBreaks(said(prediction)));
}

/** Reading and listing, worded as the tool words it. */
async function read(turn: TurnAction & { kind: 'tool' }, place: TurnPlace): Promise<TurnTruth> {
  const { name } = turn;
  const given = turn.arguments;
  const named = given['absolute_path'] ?? given['file_path'] ?? given['path'];
  const at = typeof named === 'string' ? path.resolve(place.root, named) : place.root;
  const isRead = name === 'read_file' || name === 'Read';
  if (!isRead && name !== 'list_directory' && name !== 'LS') return { why: `What ${name} shows is not rehearsed.` };
  const spoken: Dialect =
    name === 'Read' || name === 'LS'
      ? 'claude'
      : name === 'read_file' || name === 'list_directory'
        ? 'qwen'
        : place.dialect;
  const script = isRead ? `cat -- ${quoteWord(at)}` : `ls -1Ap -- ${quoteWord(at)}`;
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place.root };
  const env = place.env ?? ownEnvironment(script);
  const { events, view } = place.session.predict({ ...place.asks, action, env, signal: place.signal });
  const prediction = await foldAll(action, events);
  const shown = said(prediction);
  if (prediction.ending === 'done' && prediction.exitCode !== 0) {
    const inexact: Inexact = { kind: 'not-plain', why: `How ${name} says that it cannot be read is not rehearsed.` };
    return { prediction, view, text: `Error: ${withoutLastBreaks(shown)}`, inexact };
  }
  if (!isRead) return certain(prediction, view, renderListReply(spoken, at, parseListing(shown)));
  return certain(prediction, view, readReply(spoken, shown, given));
}

function readReply(dialect: Dialect, whole: string, given: Readonly<Record<string, unknown>>): string {
  const { offset, limit } = given;
  const lines = whole.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = typeof offset === 'number' ? (dialect === 'claude' ? Math.max(1, offset) : offset + 1) : 1;
  const last = typeof limit === 'number' ? Math.min(lines.length, first + limit - 1) : lines.length;
  if (first === 1 && last === lines.length) return renderReadReply(dialect, whole);
  const text = lines.slice(first - 1, last).join('\n');
  return renderReadReply(dialect, text, { firstLine: first, lastLine: last, totalLines: lines.length });
}

function certain(prediction: Prediction, view: View, text: string): RehearsedTurn {
  const inexact = whyInexact(prediction);
  return { prediction, view, text, ...(inexact ? { inexact } : {}) };
}

function said({ output }: Prediction): string {
  return output.map(({ text = '' }) => text).join('');
}
