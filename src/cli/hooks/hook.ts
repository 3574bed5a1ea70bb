import path from 'node:path';
import { isTooDeep } from '../../core/action/edit/nesting.ts';
import type { CallSurroundings } from '../../core/hooks/answerCall.ts';
import type { HookOutcome } from '../../core/hooks/answerHook.ts';
import { hookAgents } from '../../core/hooks/hookAgents.ts';
import {
  type Fields,
  type HookAgent,
  type HookAgentName,
  type HookAnswer,
  type HookCall,
  isFields,
} from '../../core/hooks/hookCall.ts';
import type { TellWhen } from '../../core/hooks/judgeCall.ts';
import { launcherPath } from '../../core/launcherPath.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { readArguments } from '../readArguments.ts';

/** What `foretell hook` needs of the process around it. */
export interface HookProcess {
  /** Of the built command line; the launchers are beside it. */
  distFolder: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Somebody types here: no agent calls. */
  isAtTerminal: boolean;
  input: AsyncIterable<Uint8Array>;
  say(text: string): Promise<unknown>;
  tell(line: string): void;
  /** Milliseconds since the process was started. */
  sinceStart(): number;
  /** The process that waits for the answer, where it is not this one, and launchers that wait for its calls. */
  served?: Pick<CallSurroundings, 'callerId' | 'launchers'>;
  /** Default: the engine, loaded when it is needed. */
  answer?(call: HookCall, around: CallSurroundings): Promise<HookOutcome>;
}

const flags = {
  tell: {
    type: 'string',
    value: 'WHEN',
    help: 'when the agent is told what its call would do: caution (default), changes (commands that change files, too) or danger (only what is denied is told)',
  },
  within: {
    type: 'string',
    value: 'SECONDS',
    help: 'answer within that time, by what is known by then; later only where the machine is too busy to judge the words (default: 2)',
  },
  keep: {
    type: 'string',
    value: 'MEGABYTES',
    help: 'room for what calls that are let pass would lose, kept for a week: foretell restore (default: 1024; 0: nothing is kept)',
  },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell hook AGENT     (claude, codex, gemini, vscode, copilot, cursor or opencode)

Answers an agent that is about to run a command or to edit a file: it reads the agent's event from standard input and writes
the answer in the agent's own form. Where work would be lost for good, or worse, the call is denied, with what would be lost;
else the agent is told what it is about to do where that is worth a word. It never allows anything and always ends with 0.
foretell hooks install writes it into an agent's settings.

${optionsText({ Options: flags })}`;

/** The event of an agent is small; what is larger is no call that could be predicted in time. In bytes. */
const mostInputBytes = 16 * 1024 ** 2;
/** Of the time that there is, so much is left for what comes behind the rehearsal. In milliseconds. */
const afterwardsMs = 600;
/** So much is left to judge what is known, and to say it. In milliseconds. */
const judgingMs = 350;

/**
 * Where the machine is so busy that not even the words were judged in time, so many times that time is waited for it: a danger that is
 * let pass because nobody looked is worse than an agent that waits.
 */
const graceShare = 1.5;

/** Whether the arguments of the command line ask for a hook, not for a program that is called so. */
export function asksForHook([first, second]: readonly string[]): boolean {
  return first === 'hook' && (second === undefined || second.startsWith('-') || isAgent(second));
}

function isAgent(name: string | undefined): name is HookAgentName {
  return name !== undefined && Object.hasOwn(hookAgents, name);
}

/**
 * Answers one event; `args` come after `hook`. Nothing is ever written to standard error but for a person, and the exit status
 * is 0: agents take any other for a denial, or for a failure after which the call is made.
 */
export async function runHook(args: string[], around: HookProcess): Promise<number> {
  const parsed = readArguments(args, flags, { word: 'foretell hook' });
  const problem = 'problem' in parsed ? parsed.problem : optionProblem(parsed.values, parsed.positionals);
  if ('problem' in parsed || problem !== undefined || parsed.values.help) {
    if (problem === undefined) await around.say(usage);
    else if (around.isAtTerminal) around.tell(`foretell: ${problem}`);
    return problem !== undefined && around.isAtTerminal ? 64 : 0;
  }
  const { values, positionals } = parsed;
  const [name] = positionals;
  if (!isAgent(name)) return 0;
  const tell = (values.tell ?? 'caution') as TellWhen;
  const { text, close } = await answerWithin(hookAgents[name], around, {
    tell,
    withinMs: Number(values.within ?? 2) * 1_000,
    keepBytes: Number(values.keep ?? 1024) * 1024 ** 2,
  });
  await around.say(text);
  await close();
  return 0;
}

function optionProblem(
  values: { tell?: string; within?: string; keep?: string; help?: boolean },
  names: readonly string[],
) {
  if (values.help) return undefined;
  const [name, ...more] = names;
  if (!isAgent(name) || more.length > 0)
    return `hook takes one AGENT: ${Object.keys(hookAgents).join(', ')}; see foretell hook --help.`;
  if (values.tell !== undefined && !['changes', 'caution', 'danger'].includes(values.tell))
    return `--tell takes changes, caution or danger, not ${values.tell}.`;
  if (values.keep !== undefined && !/^\d{1,7}$/.test(values.keep))
    return `--keep takes a number of megabytes, not ${values.keep}.`;
  const seconds = Number(values.within ?? 2);
  return seconds > 0 && seconds <= 600 ? undefined : `--within takes a number of seconds, not ${values.within}.`;
}

interface HookOptions {
  tell: TellWhen;
  withinMs: number;
  keepBytes: number;
}

/** The answer as it goes to standard output: there is one, whatever happens. `close`: what is to be done behind it. */
async function answerWithin(
  agent: HookAgent,
  around: HookProcess,
  options: HookOptions,
): Promise<{ text: string; close(): Promise<void> }> {
  let event: Fields | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const abort = new AbortController();
  const late = new Promise<HookOutcome>((resolve) => {
    timer = setTimeout(
      () => {
        abort.abort();
        resolve(event === undefined ? nothing : only(lateAnswer(options.withinMs)));
      },
      Math.max(0, options.withinMs - around.sinceStart()) + graceShare * options.withinMs,
    );
  });
  const answered = (async (): Promise<HookOutcome> => {
    event = readEvent(await textOf(around.input));
    return event === undefined ? nothing : answerEvent(agent, event, around, options, abort.signal);
  })();
  try {
    // What goes wrong in here must not stand in the way of the agent.
    const { answer, close } = await Promise.race([answered.catch(() => only(failedAnswer)), late]);
    // What comes too late is ended all the same.
    if (abort.signal.aborted) void answered.then((outcome) => outcome.close()).catch(() => {});
    return { text: agent.write(answer, event), close };
  } finally {
    clearTimeout(timer);
  }
}

const nothing = only({ kind: 'nothing' });

/** An answer behind which nothing is to be done. */
function only(answer: HookAnswer): HookOutcome {
  return { answer, close: async () => {} };
}

function lateAnswer(withinMs: number): HookAnswer {
  const text = `Foretell could not predict this call within ${withinMs / 1_000} s, so nothing is known of it.`;
  return { kind: 'note', toAgent: text, toUser: text };
}

const failedText =
  'Foretell could not predict this call, so nothing is known of it; foretell status says what works here.';
const failedAnswer: HookAnswer = { kind: 'note', toAgent: failedText, toUser: failedText };

async function textOf(input: AsyncIterable<Uint8Array>): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunk.length;
    if (bytes > mostInputBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readEvent(text: string | undefined): Fields | undefined {
  if (text === undefined || isTooDeep(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function answerEvent(
  agent: HookAgent,
  event: Fields,
  { distFolder, cwd, env, sinceStart, served, answer }: HookProcess,
  { tell, withinMs, keepBytes }: HookOptions,
  signal: AbortSignal,
): Promise<HookOutcome> {
  const call = agent.read(event);
  if (call === undefined) return nothing;
  // Only a call that concerns us loads the engine.
  const answerCall = answer ?? (await import('../../core/hooks/answerCall.ts')).answerCall;
  return answerCall(call, {
    launcher: launcherPath(distFolder),
    env,
    cwd: path.isAbsolute(cwd) ? cwd : '/',
    tell,
    keepBytes,
    wallMs: Math.max(50, Math.min(0.6 * withinMs, withinMs - sinceStart() - afterwardsMs)),
    signal,
    due: AbortSignal.timeout(Math.max(1, Math.round(withinMs - sinceStart() - judgingMs))),
    ...served,
  });
}
