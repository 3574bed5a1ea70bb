import type { CommandAction } from '../action/action.ts';
import type { Incomparable } from '../facts/alternative.ts';
import { type Foretell, type ForetellRequest, foldAll, type Session } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { changedRepositories, type EndState, endStateOf, gitQuestion, incomparable } from './endState.ts';

/** What each of some alternatives would do, and the state that it leaves; that is absent where it is not known. */
export interface RehearsedAlternative {
  action: CommandAction;
  prediction: Prediction;
  state: EndState | undefined;
  /** Why there is no state. */
  because: Incomparable | undefined;
}

/** Everything of a request but the action: it is the same for all. */
export type SharedRequest = Omit<ForetellRequest, 'action' | 'memory' | 'answers'>;

/** So many are rehearsed at once: each of them starts two runs. */
const atOnce = 2;

/**
 * Predicts each of some commands from the real files, each in a session of its own, and reads the state that it leaves there.
 * `known`: folders of repositories that are asked about in any case.
 */
export async function rehearseAlternatives(
  foretell: Foretell,
  actions: readonly CommandAction[],
  request: SharedRequest,
  known: readonly string[] = [],
): Promise<{ alternatives: RehearsedAlternative[]; repositories: string[] }> {
  const sessions = actions.map(() => foretell.openSession({ newShells: true }));
  try {
    const predictions = await inTurn(actions, (action, at) => predictIn(sessions[at], action, request));
    const repositories = [...new Set([...known, ...changedRepositories(predictions)])].sort();
    const alternatives = await inTurn(actions, async (action, at) => {
      const prediction = predictions[at] as Prediction;
      const because = incomparable(prediction);
      if (because) return { action, prediction, state: undefined, because };
      const answer = repositories.length === 0 ? undefined : await readGit(sessions[at], action, request, repositories);
      const state = endStateOf(prediction, repositories, answer);
      return { action, prediction, state, because: state ? undefined : ({ kind: 'gitUnread' } as const) };
    });
    return { alternatives, repositories };
  } finally {
    await Promise.all(sessions.map((session) => session.close()));
  }
}

async function predictIn(
  session: Session | undefined,
  action: CommandAction,
  request: SharedRequest,
): Promise<Prediction> {
  // Whoever has no session has no prediction; there is one for each.
  if (!session) throw new Error('An alternative has no session.');
  return foldAll(action, session.predict({ ...request, action, hash: true }).events);
}

/** The folder of the action may be gone by now, and the user's shell may be any: it is asked from the root, by bash. */
async function readGit(
  session: Session | undefined,
  { cwd }: CommandAction,
  { language: _, terminal: _terminal, ...request }: SharedRequest,
  repositories: readonly string[],
): Promise<Prediction> {
  const action: CommandAction = { kind: 'command', script: gitQuestion(repositories), shell: 'bash', cwd: '/' };
  const workspaceFolders = request.workspaceFolders ?? [cwd];
  return predictIn(session, action, { ...request, interactive: false, workspaceFolders });
}

async function inTurn<T, R>(items: readonly T[], work: (item: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T, at);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
