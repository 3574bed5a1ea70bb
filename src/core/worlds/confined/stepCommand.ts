import fs from 'node:fs';
import type { PredictRequest } from '../../prediction/rehearsal.ts';
import type { ConfinedParts } from './confinedParts.ts';
import type { HeldPatch } from './edits/patchFile.ts';
import { shellCommand, shellProblem } from './shell/shell.ts';
import type { StepContext } from './stepContext.ts';

/** What is started in a view. */
export interface StepCommand {
  argv: string[];
  env: string[];
  cwd: string;
}

/** What an action starts: a shell, or the tool that applies a patch. A problem where that cannot be: a code and a sentence. */
export async function commandOf(
  { request, parts, state }: StepContext,
  patch: HeldPatch | undefined,
): Promise<StepCommand | { code: string; message: string }> {
  const { action } = request;
  if (action.kind === 'edit') {
    const env = Object.entries(request.env).map(([name, value]) => `${name}=${value}`);
    return { argv: patch?.argv ?? [], env, cwd: request.cwd };
  }
  const shell = request.interactive ? await parts.shellState(action.shell, request.env) : undefined;
  const command = shellCommand(action, request.env, shell);
  if ('code' in command) return command;
  // Whoever is asked may imagine all of it; without that nothing would be known, and much be assumed.
  const runs = request.openGate || request.consent?.programs === 'all';
  const problem = runs || request.handOver ? undefined : shellProblem(command.file, parts.inert());
  if (problem) return problem;
  // Only bash reads a start file for a script; of other shells the working directory alone goes on.
  if (action.shell !== 'bash' || request.interactive) state.carried = undefined;
  return { argv: command.argv, env: command.env, cwd: action.cwd };
}

/** What the user's interactive shell would begin with; `undefined` where it was not asked for, or is none. */
export async function stateText(
  { action, interactive, env }: PredictRequest,
  parts: Pick<ConfinedParts, 'shellState'>,
): Promise<string | undefined> {
  if (action.kind !== 'command' || !interactive) return undefined;
  const state = await parts.shellState(action.shell, env);
  return state && fs.readFileSync(state.file, 'latin1');
}
