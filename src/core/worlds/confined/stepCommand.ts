import fs from 'node:fs';
import type { PredictRequest, PromptShell } from '../../prediction/rehearsal.ts';
import type { ConfinedParts } from './confinedParts.ts';
import type { HeldPatch } from './edits/patchFile.ts';
import { readingStart } from './shell/readingStart.ts';
import { shellCommand, shellProblem } from './shell/shell.ts';
import type { BashStart, ShellStart, StartState, UnreadStart } from './shell/startState.ts';
import { zshFlags } from './shell/zshState.ts';
import type { StepContext } from './stepContext.ts';
import type { Launcher } from './wire/launcher.ts';

/** What is started in a view. */
export interface StepCommand {
  argv: string[];
  env: string[];
  cwd: string;
}

/** What an action starts: a shell, or the tool that applies a patch. A problem where that cannot be: a code and a sentence. */
export async function commandOf(
  { request, parts, state, channel }: StepContext,
  patch: HeldPatch | undefined,
): Promise<StepCommand | { code: string; message: string }> {
  const { action } = request;
  if (action.kind === 'edit') {
    const env = Object.entries(request.env).map(([name, value]) => `${name}=${value}`);
    return { argv: patch?.argv ?? [], env, cwd: request.cwd };
  }
  const start = await readingStart(shellStart(request, parts), action.shell, { channel, signal: request.signal });
  const command = shellCommand(action, request.env, { start, prompt: promptOf(request) });
  if ('code' in command) return command;
  // Whoever is asked may imagine all of it; without that nothing would be known, and much be assumed.
  const runs = request.openGate || request.consent?.programs === 'all';
  const problem = runs || request.handOver ? undefined : shellProblem(command.file, parts.inert());
  if (problem) return problem;
  // Only bash reads a start file for a script; of other shells the working directory alone goes on.
  if (action.shell !== 'bash' || request.interactive) state.carried = undefined;
  return { argv: command.argv, env: [...command.env, ...standInsOf(request, 'shown')], cwd: action.cwd };
}

/** Names of the variables that a command is given only where it names them. */
export function secretsOf({ withheld, namedSecrets }: Pick<PredictRequest, 'withheld' | 'namedSecrets'>): string[] {
  return [...withheld.map(({ name }) => name), ...namedSecrets];
}

/** Values in the place of secrets, `name=value`: others in the run that finds out what varies, so that what depends on them does. */
export function standInsOf({ withheld }: Pick<PredictRequest, 'withheld'>, run: 'shown' | 'check'): string[] {
  return withheld.map(({ name, standIns: [shown, check] }) => `${name}=${run === 'shown' ? shown : check}`);
}

/** The variables of one of the runs. `env`: those of the command; `isShown`: absent where its view tells. */
export function envOfRun(
  env: readonly string[],
  { state: { checker, shown, carried }, request }: Pick<StepContext, 'state' | 'request'>,
  { launcher, isShown }: { launcher: Launcher; isShown: boolean | undefined },
): string[] {
  const isCheck = launcher === checker || isShown === false;
  const own = isCheck ? inCheck(env, request) : env;
  return launcher === checker || launcher === shown ? [...own, ...(carried?.env ?? [])] : [...own];
}

function inCheck(env: readonly string[], request: Pick<PredictRequest, 'withheld'>): readonly string[] {
  if (request.withheld.length === 0) return env;
  const shown = standInsOf(request, 'shown');
  const check = standInsOf(request, 'check');
  return env.map((variable) => check[shown.indexOf(variable)] ?? variable);
}

/** What the user's interactive shell would begin with; `undefined` where it was not asked for, or is none. */
export async function stateText(
  request: PredictRequest,
  parts: Pick<ConfinedParts, 'shellState' | 'zshState'>,
): Promise<string | undefined> {
  const start = await shellStart(request, parts);
  if (start) return fs.readFileSync(start.file, 'latin1');
  const prompt = request.action.kind === 'command' && request.action.shell === 'zsh' ? promptOf(request) : undefined;
  const flags = prompt ? zshFlags(prompt) : [];
  return flags.length === 0 ? undefined : flags.join(' ');
}

/** What the start files of the request's shell define; `undefined` where nobody asked it, or they could not be read. */
export async function startStateOf(
  request: PredictRequest,
  parts: Pick<ConfinedParts, 'shellState' | 'zshState'>,
): Promise<StartState | undefined> {
  const { action, interactive, env } = request;
  if (action.kind !== 'command' || !interactive) return undefined;
  const prompt = promptOf(request);
  if (action.shell === 'zsh' && prompt) return parts.zshState(prompt, env);
  const state = await readStart(request, parts);
  if (state === undefined || state === 'unread') return undefined;
  return prompt ? state.at(prompt) : state;
}

/** Whether the start files count for this request, and could not be read. */
export async function isStartUnread(
  request: PredictRequest,
  parts: Pick<ConfinedParts, 'shellState'>,
): Promise<boolean> {
  return (await readStart(request, parts)) === 'unread';
}

/** What came of reading the start files as they were when the request's shell began; `undefined`: nobody asked for them. */
async function readStart(
  request: PredictRequest,
  parts: Pick<ConfinedParts, 'shellState'>,
): Promise<BashStart | UnreadStart | undefined> {
  const { action, interactive, env } = request;
  if (action.kind !== 'command' || !interactive) return undefined;
  // Of a zsh at its prompt its memory tells more.
  if (action.shell === 'zsh' && promptOf(request)) return undefined;
  return parts.shellState(action.shell, promptOf(request)?.startedWith ?? env);
}

async function shellStart(
  request: PredictRequest,
  parts: Pick<ConfinedParts, 'shellState' | 'zshState'>,
): Promise<ShellStart | undefined> {
  if (request.action.kind !== 'command') return undefined;
  const state = await startStateOf(request, parts);
  const place = { isAtPrompt: promptOf(request) !== undefined, hasTerminal: request.terminal !== undefined };
  return state?.start(request.action.script, place);
}

function promptOf({ promptShell }: PredictRequest): PromptShell | undefined {
  return promptShell === 'unseen' ? undefined : promptShell;
}
