import { setMaxListeners } from 'node:events';
import path from 'node:path';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import { type Action, ShellName } from '../core/action/action.ts';
import { isTooDeep } from '../core/action/edit/nesting.ts';
import { readEdit } from '../core/action/edit/readEdit.ts';
import { type Foretell, type ForetellRequest, foldAll, type Session } from '../core/foretell.ts';
import { emptyPrediction, fold } from '../core/prediction/fold.ts';
import { type PredictionJson, toJson } from '../core/prediction/json.ts';
import type { LanguageRequest } from '../core/worlds/language/imagine/languageRequest.ts';
import { lostFolder } from './currentFolder.ts';
import { jsonLines } from './lines.ts';
import { createTurns } from './turns.ts';

/** One line of input. Commands of one `session` are predicted one after the other, each from the state before. */
const BatchRequest = z.object({
  id: z.optional(z.union([z.string(), z.number()])),
  script: z.optional(z.string()),
  /** In the place of a script: a patch or tool calls as text, a tool call, or an edit. */
  edit: z.optional(z.unknown()),
  cwd: z.optional(z.string()),
  shell: z.optional(ShellName),
  env: z.optional(z.record(z.string(), z.string())),
  session: z.optional(z.string()),
  tty: z.optional(z.object({ columns: z.number(), rows: z.number() })),
  openGate: z.optional(z.boolean()),
  trusted: z.optional(z.boolean()),
  timeLimitMs: z.optional(z.number()),
  workspaceFolders: z.optional(z.array(z.string())),
});
type BatchRequest = z.infer<typeof BatchRequest>;

/** A session and where its last command ended. */
interface OpenSession {
  session: Session;
  cwd: string | undefined;
}

export interface BatchOptions {
  input: Readable;
  write(line: string): Promise<void>;
  cwd: string;
  shell: ShellName;
  openGate: boolean;
  /** Programs that are known by the form of their words may run. */
  trusted: boolean;
  /** The user's consent for a folder, as a request has it; default: none. */
  consentIn?(cwd: string): Pick<ForetellRequest, 'consent' | 'looks'>;
  /** What is remembered; default: nothing. */
  memory?: ForetellRequest['memory'];
  language: LanguageRequest | undefined;
  timeLimitMs: number | undefined;
  concurrency: number;
  signal: AbortSignal;
}

/** Reads requests, writes predictions in the same order. A bad line gives an object with `ending: "failed"`. */
export async function runBatch(foretell: Foretell, options: BatchOptions): Promise<void> {
  const sessions = new Map<string, OpenSession>();
  const turns = createTurns(options.concurrency);
  // The commands of one session wait for each other.
  const turnOf = new Map<string, Promise<unknown>>();
  let written: Promise<void> = Promise.resolve();
  let number = 0;
  // Every prediction under way listens to it, and there may be any number of them.
  setMaxListeners(0, options.signal);
  for await (const line of jsonLines(options.input, options.signal)) {
    if (options.signal.aborted) break;
    if (line.trim() === '') continue;
    number += 1;
    const request = readRequest(line, number);
    await turns.take();
    const before = 'session' in request ? turnOf.get(request.session ?? '') : undefined;
    const answer = Promise.resolve(before)
      .then(() => answerOne(foretell, sessions, request, options))
      .finally(() => turns.give());
    if ('session' in request && request.session !== undefined) turnOf.set(request.session, answer);
    // Answers leave in the order of the questions, whichever is ready first.
    written = written.then(async () => options.write(JSON.stringify(await answer)));
  }
  await written;
  await Promise.all([...sessions.values()].map(({ session }) => session.close()));
}

function readRequest(line: string, number: number): BatchRequest | { id: string; problem: string } {
  if (isTooDeep(line)) {
    const problem = `Line ${number} is nested too deeply; give the edit as text, or as a call with name and arguments.`;
    return { id: String(number), problem };
  }
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { id: String(number), problem: `Line ${number} is not JSON.` };
  }
  const parsed = BatchRequest.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return {
    id: String(number),
    problem: `Line ${number}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not a request'}.`,
  };
}

async function answerOne(
  foretell: Foretell,
  sessions: Map<string, OpenSession>,
  request: BatchRequest | { id: string; problem: string },
  options: BatchOptions,
): Promise<PredictionJson> {
  if ('problem' in request) return refusal(request.id, { ...options, script: '', reason: request.problem });
  const session = request.session === undefined ? undefined : sessionOf(foretell, sessions, request.session);
  const cwd = folderOf(request.cwd ?? session?.cwd, options.cwd);
  const read = cwd === undefined ? { problem: lostFolder(request.cwd) } : actionOf(request, cwd, options.shell);
  if ('problem' in read) {
    const { script = '', shell = options.shell } = request;
    return refusal(String(request.id ?? ''), { script, shell, cwd: cwd ?? options.cwd, reason: read.problem });
  }
  const { action } = read;
  const timeLimitMs = request.timeLimitMs ?? options.timeLimitMs;
  const predictRequest: ForetellRequest = {
    action,
    hash: true,
    signal: options.signal,
    openGate: request.openGate ?? options.openGate,
    trusted: request.trusted ?? options.trusted,
    ...options.consentIn?.(cwd ?? options.cwd),
    ...(options.memory && request.openGate !== true ? { memory: options.memory } : {}),
    ...(options.language ? { language: options.language } : {}),
    ...(request.env ? { env: request.env } : {}),
    ...(request.tty ? { terminal: request.tty } : {}),
    ...(request.workspaceFolders ? { workspaceFolders: request.workspaceFolders } : {}),
    ...(timeLimitMs === undefined ? {} : { limits: { wallMs: timeLimitMs } }),
  };
  const { events, view } = (session?.session ?? foretell).predict(predictRequest);
  const prediction = await foldAll(action, events);
  if (!session) await view.close();
  // Where a command leaves its shell that was ended early nobody knows: the next one begins where it began.
  else if (action.kind === 'command') session.cwd = prediction.cwd ?? action.cwd;
  return toJson(prediction, String(request.id ?? ''));
}

/** What a request that cannot be read is answered with: all of a prediction, so that whoever reads it finds every field. */
function refusal(
  id: string,
  { script, shell, cwd, reason }: { script: string; shell: ShellName; cwd: string; reason: string },
): PredictionJson {
  const prediction = emptyPrediction({ kind: 'command', script, shell, cwd });
  return toJson(fold(prediction, { type: 'failed', code: 'bad-request', message: reason, durationMs: 0 }), id);
}

/** `here`: empty where there is no working directory; `undefined`: so nothing says which folder is meant. */
function folderOf(named: string | undefined, here: string): string | undefined {
  if (named !== undefined && path.isAbsolute(named)) return named;
  return here === '' ? undefined : path.resolve(here, named ?? '');
}

function actionOf(request: BatchRequest, cwd: string, shell: ShellName): { action: Action } | { problem: string } {
  const { script, edit } = request;
  if (edit !== undefined) return readEdit(typeof edit === 'string' ? edit : JSON.stringify(edit), { cwd });
  if (script === undefined) return { problem: 'A request has a script or an edit.' };
  return { action: { kind: 'command', script, shell: request.shell ?? shell, cwd } };
}

function sessionOf(foretell: Foretell, sessions: Map<string, OpenSession>, name: string): OpenSession {
  const known = sessions.get(name);
  if (known) return known;
  const session: OpenSession = { session: foretell.openSession(), cwd: undefined };
  sessions.set(name, session);
  return session;
}
