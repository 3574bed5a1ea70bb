import { Action } from '../../action/action.ts';
import { TurnAction } from '../../action/turnAction.ts';
import { commandOf } from '../../worlds/language/prompt/turns/turnText.ts';

/** An action as a person edits it. */
export interface ActionText {
  text: string;
  /** `shell`: the command alone. `json`: the whole action. `text`: in the words of its domain. */
  form: 'shell' | 'json' | 'text';
}

/** The action as a text that `withActionText` takes back. */
export function actionText(action: Action): ActionText {
  if (action.kind === 'command') return { text: action.script, form: 'shell' };
  if (action.kind === 'edit') return { text: JSON.stringify(action, null, 2), form: 'json' };
  const { turn } = action;
  if (turn.kind === 'text') return { text: turn.text, form: 'text' };
  const command = turn.kind === 'tool' ? commandOf(turn) : undefined;
  if (command !== undefined) return { text: command, form: 'shell' };
  return { text: JSON.stringify(turn.kind === 'tool' ? turn : turn.keystrokes, null, 2), form: 'json' };
}

/** The action with another text; one sentence where the text is none. */
export function withActionText(
  action: Action,
  text: string,
): { ok: true; action: Action } | { ok: false; message: string } {
  const { form } = actionText(action);
  if (form === 'shell' && text.trim() === '') {
    return { ok: false, message: 'The command is empty; type what is to be run.' };
  }
  if (action.kind === 'command') return { ok: true, action: { ...action, script: text } };
  if (action.kind === 'turn' && form === 'text')
    return { ok: true, action: { ...action, turn: { kind: 'text', text } } };
  if (action.kind === 'turn' && form === 'shell' && action.turn.kind === 'tool') {
    const turn = { ...action.turn, arguments: { ...action.turn.arguments, command: text } };
    return { ok: true, action: { ...action, turn } };
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `The action is not JSON (${why}); correct it.` };
  }
  if (action.kind === 'edit') return checked(Action.safeParse(value));
  const turn = action.turn.kind === 'keystrokes' ? { kind: 'keystrokes', keystrokes: value } : value;
  const read = TurnAction.safeParse(turn);
  return read.success ? { ok: true, action: { ...action, turn: read.data } } : checked(read);
}

function checked(
  read:
    | { success: true; data: unknown }
    | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } },
): { ok: true; action: Action } | { ok: false; message: string } {
  if (read.success) return { ok: true, action: read.data as Action };
  const [issue] = read.error.issues;
  const where = issue?.path.map(String).join('.') || 'it';
  return {
    ok: false,
    message: `This is no such action: ${where} is wrong (${issue?.message ?? 'unknown'}); correct it.`,
  };
}

/** The action in one short line, for a list. */
export function actionTitle(action: Action, mostCharacters = 160): string {
  return oneLine(titleOf(action), mostCharacters);
}

function titleOf(action: Action): string {
  if (action.kind === 'command') return action.script;
  if (action.kind === 'edit') {
    const [call] = action.calls ?? [];
    if (call) return `${call.name} ${namedFile(call.arguments)}`;
    if (action.patch) return `patch ${/^\+\+\+ (?:b\/)?(\S+)/m.exec(action.patch.text)?.[1] ?? ''}`;
    const paths = action.changes.map(({ path }) => path);
    return paths.length > 0
      ? `edit ${paths.join(' ')}`
      : `edit ${(action.operations ?? []).map(({ kind }) => kind).join(' ')}`;
  }
  const { turn } = action;
  if (turn.kind === 'text') return turn.text;
  const command = commandOf(turn);
  if (command !== undefined) return command;
  return turn.kind === 'tool' ? `${turn.name} ${namedFile(turn.arguments)}` : '';
}

function namedFile(given: Readonly<Record<string, unknown>>): string {
  const named = given['absolute_path'] ?? given['file_path'] ?? given['path'] ?? given['query'] ?? given['url'];
  return typeof named === 'string' ? named : Object.keys(given).length === 0 ? '' : JSON.stringify(given);
}

function oneLine(text: string, most: number): string {
  const line = text
    .slice(0, most * 4)
    .trim()
    .replace(/\s*\n\s*/g, ' ⏎ ');
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
