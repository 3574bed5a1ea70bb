import path from 'node:path';
import type { LiveAction } from '../action/action.ts';
import { redactAtOnce } from '../context/secrets/redactForPrompt.ts';
import { foldAll, type Session } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { inSentence } from '../view/quantity.ts';
import { changedTexts } from './changedTexts.ts';
import type { Predicted } from './predictionReply.ts';
import type { BadArguments, ToolAround, ToolReply } from './tool.ts';
import type { ToolSession } from './toolSessions.ts';

/** Where an action is predicted: in a folder, and in a session where it goes on from earlier ones. */
export interface Place {
  cwd: string;
  session: ToolSession | undefined;
}

/** The word that asks for a new session. */
const newSession = 'new';

/** Where a call means to be, or why that cannot be. A new session is opened. */
export function placeOf(given: { cwd?: string; session?: string }, around: ToolAround): Place | BadArguments {
  if (given.cwd !== undefined && !path.posix.isAbsolute(given.cwd))
    return { problem: `cwd ${inSentence(given.cwd)} is not absolute; give a path that begins with /.` };
  const handle = given.session;
  const known = handle === undefined || handle === newSession ? undefined : around.sessions.find(handle);
  if (handle !== undefined && handle !== newSession && !known) return { problem: noSession(handle) };
  const cwd = given.cwd ?? known?.cwd ?? around.cwd;
  if (cwd === undefined) return { problem: 'Nothing says where it would be run; give cwd, an absolute path.' };
  return { cwd, session: handle === newSession ? around.sessions.open() : known };
}

/** What is said of a handle that is none (any more). */
export function noSession(handle: string): string {
  return `There is no open session ${inSentence(handle)}; open one with session "${newSession}" and repeat its steps.`;
}

/** Predicts one action and reads the texts that it changes; what the next one needs is kept in the session. */
export async function predictAction(
  action: LiveAction,
  place: Place,
  around: ToolAround,
  rehearse: boolean,
): Promise<Predicted> {
  const { cwd, session } = place;
  if (!session) return predictNow(action, place, around, rehearse);
  const predicted = await around.sessions.inTurn(session, () => predictNow(action, place, around, rehearse));
  // Its copy was given up in the middle, so nothing can go on from there.
  if (around.signal.aborted) void around.sessions.close(session.handle);
  session.steps += 1;
  const { prediction } = predicted;
  if (action.kind === 'edit') session.cwd ??= cwd;
  else {
    // Where a command leaves its shell that was ended early nobody knows: the next one begins where it began.
    const leavesIn = prediction.cwd ?? cwd;
    session.cwd = isGone(leavesIn, prediction) ? undefined : leavesIn;
  }
  return predicted;
}

/** Whether a folder is deleted. Linux may name a working directory that is gone as it was called, and say so behind it. */
function isGone(cwd: string, { files }: Prediction): boolean {
  const isIn = (folder: string) => cwd === folder || cwd === `${folder} (deleted)` || cwd.startsWith(`${folder}/`);
  return files.some(({ path: deleted, change }) => change === 'deleted' && isIn(deleted));
}

async function predictNow(
  action: LiveAction,
  { cwd, session }: Place,
  { foretell, requestIn, progress, signal }: ToolAround,
  rehearse: boolean,
): Promise<Predicted> {
  const { events, view } = (session?.session ?? foretell).predict({ ...requestIn(cwd, rehearse), action, signal });
  const prediction = await foldAll(action, events, (event) => {
    if (event.type === 'progress') progress(redactAtOnce(event.text).text);
    else if (event.type === 'question') progress(redactAtOnce(`imagining ${event.title}`).text);
  });
  const changed = await changedTexts(prediction.files, view, cwd);
  // The copy of a session is that of the steps that follow.
  if (!session) await view.close();
  return { prediction, changed, cwd, view };
}

/** Does work in a session that nobody else sees. */
export async function inOwnSession<T>(around: ToolAround, work: (session: ToolSession) => Promise<T>): Promise<T> {
  const session: Session = around.foretell.openSession({ newShells: true });
  // No handle is told, so no call can come between.
  const own: ToolSession = { handle: '', session, cwd: undefined, steps: 0 };
  try {
    return await work(own);
  } finally {
    await session.close();
  }
}

/** A reply that also says how to go on in its session. */
export function withSession(reply: ToolReply, session: ToolSession | undefined): ToolReply {
  if (!session) return reply;
  const { handle, steps, cwd } = session;
  const said = `Session ${handle}, step ${steps}${cwd === undefined ? '' : `, in ${inSentence(cwd)}`}. Give this handle as session to predict what comes next.`;
  return {
    ...reply,
    text: `${reply.text}\n\n${said}`,
    structured: { ...reply.structured, session: { handle, steps, ...(cwd === undefined ? {} : { cwd }) } },
  };
}

/** Room for the line of a session. */
export const sessionCharacters = 600;
