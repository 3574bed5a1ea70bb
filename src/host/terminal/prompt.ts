import type * as vscode from 'vscode';
import type { GivenRequest } from '../../core/prediction/request.ts';
import { stateInMemory, type ToldState } from '../typedLine/stateInMemory.ts';
import { holderOf } from './holder.ts';

/** The shell of a terminal, in which a command would be typed. */
export interface Prompt {
  /** What a request says of it as it is now. `usual`: the environment of a new terminal. */
  request(usual: Readonly<Record<string, string>>): Promise<Pick<GivenRequest, 'env' | 'promptShell'>>;
}

/**
 * The prompt of a terminal. It is looked at anew for each prediction; of a terminal that was closed the last look holds. `told`: what it said when it was asked for the typed line.
 */
export function createPrompt(
  terminal: vscode.Terminal,
  told: (terminal: vscode.Terminal) => ToldState | undefined,
): Prompt {
  let last: ToldState | undefined;
  return {
    async request(usual) {
      if (terminal.exitStatus === undefined) last = await stateOf(terminal, told);
      if (!last) return { env: usual, promptShell: 'unseen' };
      const { env, aliases, globalAliases, suffixAliases, functions, options, definitions } = last;
      // A shell that is given one command counts no level of its own for it (SHLVL).
      return {
        env,
        promptShell: { startedWith: usual, aliases, globalAliases, suffixAliases, functions, options, definitions },
      };
    },
  };
}

async function stateOf(terminal: vscode.Terminal, told: (terminal: vscode.Terminal) => ToldState | undefined) {
  const processId = await terminal.processId;
  const holder = await holderOf(terminal);
  // In a shell that was started in this one, other variables hold, and nobody knows which.
  if (processId === undefined || !holder.shell || holder.isShellWithin) return undefined;
  return (await stateInMemory(processId, holder.shell)) ?? told(terminal);
}
