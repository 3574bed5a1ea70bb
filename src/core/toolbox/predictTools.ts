import * as z from 'zod/mini';
import { AgentName, type CommandAction, ShellName } from '../action/action.ts';
import { readNamedAgent } from '../action/edit/agentVersions.ts';
import { isTooDeep } from '../action/edit/nesting.ts';
import { type ReadEdit, readEdit } from '../action/edit/readEdit.ts';
import {
  inOwnSession,
  noSession,
  type Place,
  placeOf,
  predictAction,
  sessionCharacters,
  withSession,
} from './predictIn.ts';
import { isFailed, type Predicted, predictionData, predictionReply, predictionText } from './predictionReply.ts';
import { toolOf } from './readInput.ts';
import type { BadArguments, ToolAround, ToolReply } from './tool.ts';
import type { ToolSession } from './toolSessions.ts';

/** Arguments that several tools have. */
export const cwdArgument = z.optional(
  z.string().check(z.describe('The folder in which it would be run, absolute. Default: where the server runs.')),
);
const sessionArgument = z.optional(
  z
    .string()
    .check(
      z.describe(
        'Go on from what an earlier step would leave: "new" opens a session and answers with its handle; give that handle in the next call. Files and the working directory go on, variables do not.',
      ),
    ),
);
/** Whether programs may be rehearsed that the user consented to. */
export const rehearseArgument = z.optional(
  z
    .boolean()
    .check(
      z.describe(
        'false: programs that are not known to be harmless stay stopped even where the user has consented to rehearse them. Default: true.',
      ),
    ),
);
/** A patch, or a call of an editing tool. */
export const editArgument = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .check(
    z.describe(
      'A unified diff, a patch for apply_patch, blocks of SEARCH and REPLACE, or the call of an editing tool: {"name": "Edit", "arguments": {…}}.',
    ),
  );
/** Whose tool a call is of. */
const agentArgument = z.optional(
  z
    .string()
    .check(
      z.describe(
        `Whose editing tool a call is of, with its version where that is known, such as claude@2.1.330: ${AgentName.options.join(', ')}. What the tool would answer is only claimed for versions that were checked.`,
      ),
    ),
);

/** What an action is of a call: the edit that a text or a call means. */
export function readEditArgument(
  edit: z.infer<typeof editArgument>,
  cwd: string,
  agent: string | undefined,
): ReadEdit | BadArguments {
  const named = agent === undefined ? undefined : readNamedAgent(agent);
  if (named && 'problem' in named) return named;
  const text = typeof edit === 'string' ? edit : JSON.stringify(edit);
  if (isTooDeep(text))
    return { problem: 'The edit is nested too deeply; give it as text, or as a call with name and arguments.' };
  return readEdit(text, { cwd, ...named });
}

/** Shows what a shell command would do. */
export const predictCommand = toolOf(
  {
    name: 'predict_command',
    title: 'Predict command',
    description:
      'Shows what a shell command would do on this machine (output, exit code, file diffs, what would be lost for good and how to get it back) without doing it, usually in well under a second. Nothing is touched. Use it before any command that deletes, overwrites, moves, resets, cleans or rewrites files, before sed -i, and to try alternatives. Not for starting servers or for network access: programs that need those are not run, and the answer says what is then not known.',
  },
  z.strictObject({
    command: z.string().check(z.minLength(1), z.describe('The command or script, as it would be run.')),
    cwd: cwdArgument,
    shell: z.optional(ShellName.check(z.describe('The language of the command. Default: bash.'))),
    session: sessionArgument,
    rehearse: rehearseArgument,
  }),
  async ({ command, shell, rehearse = true, ...given }, around) => {
    const place = placeOf(given, around);
    if ('problem' in place) return place;
    const action: CommandAction = { kind: 'command', script: command, shell: shell ?? around.shell, cwd: place.cwd };
    const predicted = await predictAction(action, place, around, rehearse);
    return withSession(await predictionReply(predicted, roomIn(place.session, around)), place.session);
  },
);

function roomIn(session: ToolSession | undefined, { mostCharacters }: ToolAround): number {
  return session ? mostCharacters - sessionCharacters : mostCharacters;
}

/** Shows what an edit would do, and a command behind it. */
export const predictEdit = toolOf(
  {
    name: 'predict_edit',
    title: 'Predict edit',
    description:
      'Shows what a patch or a call of an editing tool would do to files (whether it applies, the exact diff, new and fixed syntax errors, who names what it changes, what would be lost) without doing it. With "then" it also shows what a command would do on the edited files, such as a formatter or a test. Nothing is touched.',
  },
  z.strictObject({
    edit: editArgument,
    cwd: cwdArgument,
    session: sessionArgument,
    // biome-ignore lint/suspicious/noThenProperty: it is the name of an argument.
    then: z.optional(
      z.string().check(z.minLength(1), z.describe('A command that is predicted on what the edit leaves.')),
    ),
    agent: agentArgument,
    rehearse: rehearseArgument,
  }),
  async ({ edit, then, agent, rehearse = true, ...given }, around) => {
    const place = placeOf(given, around);
    if ('problem' in place) return place;
    const read = readEditArgument(edit, place.cwd, agent);
    if ('problem' in read) return read;
    if (then === undefined || place.session) return editThen(read, then, place, around, rehearse);
    return inOwnSession(around, (session) => editThen(read, then, { ...place, session }, around, rehearse));
  },
);

async function editThen(
  read: ReadEdit,
  then: string | undefined,
  place: Place,
  around: ToolAround,
  rehearse: boolean,
): Promise<ToolReply> {
  const edited = await predictAction(read.action, place, around, rehearse);
  edited.prediction.notices.unshift(...read.notices);
  const shown = place.session?.handle === '' ? undefined : place.session;
  const room = roomIn(shown, around);
  if (then === undefined || isFailed(edited.prediction)) return withSession(await predictionReply(edited, room), shown);
  const action: CommandAction = { kind: 'command', script: then, shell: around.shell, cwd: place.cwd };
  const next = await predictAction(action, place, around, rehearse);
  return withSession(await both(edited, next, room), shown);
}

async function both(edited: Predicted, next: Predicted, room: number): Promise<ToolReply> {
  const half = Math.floor(room / 2) - 20;
  const [first, second] = await Promise.all([predictionText(edited, half), predictionText(next, half)]);
  return {
    text: `The edit\n${first}\n\nThen the command\n${second}`,
    // biome-ignore lint/suspicious/noThenProperty: it is the name of an argument.
    structured: { ...(await predictionData(edited)), then: await predictionData(next) },
    ...(isFailed(next.prediction) ? { isError: true } : {}),
  };
}

/** Ends a session. */
export const closeSession = toolOf(
  {
    name: 'close_session',
    title: 'Close session',
    description: 'Ends a session that predict_command or predict_edit opened, and frees its copy.',
  },
  z.strictObject({ session: z.string().check(z.describe('The handle of the session.')) }),
  async ({ session }, around) => {
    if (!(await around.sessions.close(session))) return { problem: noSession(session) };
    return { text: 'The session is closed; nothing was touched.', structured: { closed: session } };
  },
);
