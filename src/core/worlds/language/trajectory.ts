import os from 'node:os';
import type { Action } from '../../action/action.ts';
import { captureContext } from '../../context/captureContext.ts';
import { findSecrets } from '../../context/redact.ts';
import type { Observation, WorkspaceContext } from '../../context/workspaceContext.ts';
import type { Looker } from '../../view/view.ts';
import { groundingTurns } from './groundingTurns.ts';
import type { LanguageRequest } from './languageRequest.ts';
import type { Turn } from './turn.ts';
import type { TerminalPlace } from './turnTextScreen.ts';

/** Tokens of workspace context in a prompt where the request says nothing. */
const defaultBudgetTokens = 16_000;

/** What a prompt is grounded in, whoever asks. */
export interface Grounds {
  language: LanguageRequest;
  action: Action;
  /** Looks at the real files. */
  looker: Looker;
  workspaceFolders: readonly string[];
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/** Earlier turns with what is really there. */
export interface Grounding {
  turns: Turn[];
  context: WorkspaceContext;
  place: TerminalPlace;
}

/** Looks at the workspace and words what it sees as earlier turns. `program`: the one that is asked about. */
export async function groundingOf(
  grounds: Grounds,
  domain: 'terminal' | 'swe',
  asked: {
    cwd: string;
    program?: { argv: readonly string[]; cwd: string };
    readFile?: (path: string, maxBytes: number) => Promise<Uint8Array | undefined>;
  },
): Promise<Grounding> {
  const { language, action, looker, workspaceFolders, signal } = grounds;
  const captured = await captureContext({
    action,
    looker,
    workspaceFolders,
    cwd: asked.cwd,
    budgetTokens: language.budgetTokens ?? defaultBudgetTokens,
    terminalHistory: language.terminalHistory ?? [],
    excludes: language.excludes ?? [],
    signal,
    ...(asked.program ? { program: asked.program } : {}),
    ...(asked.readFile ? { readFile: asked.readFile } : {}),
  });
  const script = action.kind === 'command' ? action.script : '';
  const observations = captured.observations.map((one) => withoutWordsOf(one, secretWords(script)));
  const context = { ...captured, observations };
  const place = placeOf(grounds.env, asked.cwd);
  const style = language.style ?? 'benchmark';
  const turns = groundingTurns(context, { domain, style, dialect: language.dialect ?? 'qwen', place });
  return { turns, context, place };
}

/** Words of a script that are secrets where they stand (`--password x`); alone they look like any other word. */
function secretWords(script: string): string[] {
  return findSecrets(script)
    .map(({ start, end }) => script.slice(start, end))
    .filter((word) => word.length >= 6);
}

/** A look may repeat words of the action, as paths for example. */
function withoutWordsOf(observation: Observation, words: readonly string[]): Observation {
  const clean = (text: string) => words.reduce((left, word) => left.replaceAll(word, '[redacted: secret]'), text);
  const { look } = observation;
  const cleaned = look.kind === 'run' ? { ...look, command: clean(look.command) } : { ...look, path: clean(look.path) };
  return { ...observation, look: cleaned, text: clean(observation.text) };
}

/** Who sits at the terminal. The machine's name is nobody's business and changes nothing. */
function placeOf(env: Readonly<Record<string, string>>, cwd: string): TerminalPlace {
  const home = env['HOME'] ?? os.homedir();
  return { user: process.getuid?.() === 0 ? 'root' : 'user', host: 'host', home, cwd };
}
