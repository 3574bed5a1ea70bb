import path from 'node:path';
import type { Action } from '../../../../action/action.ts';
import { captureContext } from '../../../../context/captureContext.ts';
import type { ContextMemory } from '../../../../context/gather/contextMemory.ts';
import { findSecrets } from '../../../../context/secrets/findSecrets.ts';
import type { User } from '../../../../context/user.ts';
import type { Observation, WorkspaceContext } from '../../../../context/workspaceContext.ts';
import type { Looker } from '../../../../view/view.ts';
import type { LanguageRequest } from '../../imagine/languageRequest.ts';
import { groundingTurns } from './groundingTurns.ts';
import { pathsOfSession, type SessionSoFar, unseenInSession } from './session.ts';
import { sessionTurns } from './sessionTurns.ts';
import type { Turn } from './turn.ts';
import type { TerminalPlace } from './turnTextScreen.ts';

/** Tokens of workspace context in a prompt where the request says nothing. */
export const defaultBudgetTokens = 16_000;

/** What a prompt is grounded in, whoever asks. */
export interface Grounds extends User {
  language: LanguageRequest;
  action: Action;
  /** Looks at the real files. */
  looker: Looker;
  workspaceFolders: readonly string[];
  /** Files that the same action read when it was rehearsed; absent: nobody remembers. */
  readLastTime?: readonly string[];
  /** What was predicted before the action, from whose state it starts. */
  session?: SessionSoFar;
  signal: AbortSignal;
}

/** Earlier turns, in the order of time. */
export interface Grounding {
  /** What is really there before anything happens, then the earlier steps of the session. */
  turns: Turn[];
  /** Looks at files that these steps and the script itself have changed, as they are by then. */
  later: Turn[];
  context: WorkspaceContext;
  place: TerminalPlace;
}

/**
 * Looks at the workspace and words what it sees as earlier turns. `program`: the one that is asked about; `readFile` reads
 * files as it would find them, and `changed` are those that the script has changed by then.
 */
export async function groundingOf(
  grounds: Grounds,
  domain: 'terminal' | 'swe',
  asked: {
    cwd: string;
    program?: { argv: readonly string[]; cwd: string; path?: string };
    readFile?: (path: string, maxBytes: number) => Promise<Uint8Array | undefined>;
    changed?: readonly string[];
    /** Files that nobody has really seen as they are by then, and why: no look at them is shown. */
    unseen?: ReadonlyMap<string, string>;
    /** What is remembered of earlier looks; default: what this process remembers. */
    memory?: ContextMemory;
  },
): Promise<Grounding> {
  const { language, action, looker, workspaceFolders, session, signal } = grounds;
  const steps = session?.steps ?? [];
  const changed = new Set([...pathsOfSession(steps), ...(asked.changed ?? [])]);
  const readFile = asked.readFile ?? session?.readFile;
  const budgetTokens = language.budgetTokens ?? defaultBudgetTokens;
  const captured = await captureContext({
    action,
    looker,
    workspaceFolders,
    cwd: asked.cwd,
    home: grounds.home,
    budgetTokens,
    changed,
    terminalHistory: language.terminalHistory ?? [],
    excludes: language.excludes ?? [],
    signal,
    ...(grounds.readLastTime ? { readLastTime: grounds.readLastTime } : {}),
    ...(asked.program ? { program: asked.program } : {}),
    ...(readFile ? { readFile } : {}),
    ...(asked.memory ? { memory: asked.memory } : {}),
  });
  const scripts = [action, ...steps.map((step) => step.action)].map((one) =>
    one.kind === 'command' ? one.script : '',
  );
  const secrets = scripts.flatMap(secretWords);
  const unseen = new Map([...unseenInSession(steps), ...(asked.unseen ?? [])]);
  const placeOfLook = ({ look }: Observation) =>
    look.kind === 'read' ? path.resolve(asked.cwd, look.path) : undefined;
  const seen = captured.observations.filter((one) => !unseen.has(placeOfLook(one) ?? ''));
  const observations = seen.map((one) => withoutWordsOf(one, secrets));
  const place = placeOf(grounds, asked.cwd);
  const wording = { domain, style: language.style ?? 'benchmark', dialect: language.dialect ?? 'qwen', place };
  const looks = groundingTurns({ ...captured, observations }, wording);
  const told = await sessionTurns(steps, { ...wording, budgetTokens: budgetTokens / 2 }, secrets);
  // A look at what was changed is taken after the change.
  const isLater = (index: number) => {
    const one = observations[index];
    const place = one && placeOfLook(one);
    return place !== undefined && changed.has(place);
  };
  const turns = [...looks.filter((_, index) => !isLater(index)), ...told.turns];
  const isPredicted = steps.some((step) => step.isPredicted);
  const later = looks
    .filter((_, index) => isLater(index))
    .map((turn) => ({
      ...turn,
      ...(isPredicted ? { isPredicted: true as const } : {}),
      part: 'history' as const,
      ...(turn.note ? { note: `${turn.note}, as it would be by then` } : {}),
    }));
  const unshown = captured.observations.filter((one) => !seen.includes(one)).map(placeOfLook);
  const why = (place: string | undefined) => unseen.get(place ?? '') ?? '';
  const leftOut = [
    ...captured.leftOut,
    ...told.leftOut,
    ...unshown.map((place) => ({ what: path.relative(asked.cwd, place ?? ''), why: why(place) })),
  ];
  const context = { ...captured, observations, leftOut, redacted: [...captured.redacted, ...told.redacted] };
  return { turns, later, context, place };
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

/** Who sits at the terminal, in a folder (absolute). The machine's name is nobody's business and changes nothing. */
export function placeOf({ home, userId }: Pick<User, 'home' | 'userId'>, cwd: string): TerminalPlace {
  return { user: userId === 0 ? 'root' : 'user', host: 'host', home, cwd };
}
