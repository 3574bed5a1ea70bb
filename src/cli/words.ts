import { cacheFolder } from '../core/context/cacheFolder.ts';
import { createForetell } from '../core/foretell.ts';
import { launcherPath } from '../core/launcherPath.ts';
import { commandShell } from '../core/shell/shells.ts';
import type { BenchProcess } from './bench/benchProcess.ts';
import type { CliProcess } from './cliProcess.ts';
import type { ConsentProcess } from './consent.ts';
import { lostFolder } from './currentFolder.ts';
import type { HookProcess } from './hooks/hook.ts';
import type { HooksProcess } from './hooks/hooks.ts';
import type { PolicyProcess } from './policy.ts';
import { complain } from './predicting.ts';
import { isWordName, type wordNames } from './wordNames.ts';

/** Does what a word asks for, and gives the exit status; `undefined` where the arguments name a program that is called so. */
type Word = (args: string[], around: CliProcess) => Promise<number | undefined>;

/** Words that are more than a prediction. What they need is loaded when one is asked for: most calls are predictions. */
const words: Readonly<Record<(typeof wordNames)[number], Word>> = {
  agent: loopWord,
  world: loopWord,
  failure: loopWord,
  serve: loopWord,
  async bench(args, around) {
    const { asksForBench, runBench } = await import('./bench/bench.ts');
    return asksForBench(args) ? inFolder(around, (bench) => runBench(args.slice(1), bench)) : undefined;
  },
  async trajectory(args, around) {
    const { asksForTrajectory, runTrajectory } = await import('./trajectory.ts');
    return asksForTrajectory(args) ? inFolder(around, (bench) => runTrajectory(args.slice(1), bench)) : undefined;
  },
  async hook(args, around) {
    const { asksForHook, runHook } = await import('./hooks/hook.ts');
    return asksForHook(args) ? runHook(args.slice(1), hookProcess(around)) : undefined;
  },
  async hooks(args, around) {
    const { asksForHooks, runHooks } = await import('./hooks/hooks.ts');
    return asksForHooks(args) ? runHooks(args.slice(1), await hooksProcess(around)) : undefined;
  },
  async agents(args, around) {
    const { asksForAgents, runAgents } = await import('./hooks/agents.ts');
    return asksForAgents(args) ? runAgents(args.slice(1), { ...plain(around), signal: signalOf() }) : undefined;
  },
  async service(args, around) {
    const { asksForService, runService } = await import('./service/service.ts');
    return asksForService(args) ? runService(args.slice(1), plain(around)) : undefined;
  },
  async enter(args, around) {
    const { asksForEnter, runEnter } = await import('./enter/enter.ts');
    if (!asksForEnter(args)) return undefined;
    const { provideProgram } = await import('./hooks/hookProgram.ts');
    const { distFolder, env } = around;
    return runEnter(args.slice(1), { ...plain(around), provide: () => provideProgram(distFolder, env) });
  },
  async allow(args, around) {
    const { asksForAllow, runAllow } = await import('./hooks/allow.ts');
    return asksForAllow(args) ? runAllow(args.slice(1), plain(around)) : undefined;
  },
  async memory(args, around) {
    const { asksForMemory, runMemory } = await import('./memory.ts');
    return asksForMemory(args) ? runMemory(args.slice(1), plain(around)) : undefined;
  },
  async restore(args, around) {
    const { asksForRestore, runRestore } = await import('./restore.ts');
    if (!asksForRestore(args)) return undefined;
    return runRestore(args.slice(1), { ...consentProcess(around), launcher: launcherPath(around.distFolder) });
  },
  async policy(args, around) {
    const { asksForPolicy, runPolicy } = await import('./policy.ts');
    return asksForPolicy(args) ? runPolicy(args.slice(1), policyProcess(around)) : undefined;
  },
  async consent(args, around) {
    const { asksForConsent, runConsent } = await import('./consent.ts');
    return asksForConsent(args) ? runConsent(args.slice(1), consentProcess(around)) : undefined;
  },
};

/** What the first argument does where it is a word of ours, and not a program that is called so. */
export function wordOf([first]: readonly string[]): Word | undefined {
  return isWordName(first) ? words[first] : undefined;
}

async function loopWord(args: string[], around: CliProcess): Promise<number | undefined> {
  const { asksForLoop, runLoop } = await import('./loop/loop.ts');
  return asksForLoop(args) ? inFolder(around, (bench) => runLoop(args, bench)) : undefined;
}

/** For words that need a working directory. */
async function inFolder(around: CliProcess, run: (bench: BenchProcess) => Promise<number>): Promise<number> {
  if (around.cwd === undefined) return complain(lostFolder(), around);
  const { benchProcess } = await import('./bench/benchProcess.ts');
  return run(benchProcess(around.distFolder));
}

/** Is aborted by Ctrl+C. */
function signalOf(): AbortSignal {
  const abort = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => abort.abort());
  return abort.signal;
}

/** What most words need of the process around them. */
function plain(around: CliProcess) {
  const { distFolder, cwd = '', env, say, warn, terminals } = around;
  const isAtTerminal = terminals.input && terminals.output;
  return { distFolder, cwd, env, say, tell: (line: string) => warn(`${line}\n`), isAtTerminal };
}

/** What `foretell hook` needs of this process. */
function hookProcess(around: CliProcess): HookProcess {
  return {
    ...plain(around),
    cwd: around.cwd ?? '/',
    isAtTerminal: around.terminals.input,
    input: { [Symbol.asyncIterator]: () => around.input()[Symbol.asyncIterator]() },
    sinceStart: () => performance.now(),
  };
}

/** What `foretell hooks` needs of this process. */
async function hooksProcess(around: CliProcess): Promise<HooksProcess> {
  const { hookProgram, provideProgram } = await import('./hooks/hookProgram.ts');
  const { distFolder, env } = around;
  return {
    ...consentProcess(around),
    foretell: () => createForetell({ launcher: launcherPath(distFolder), ownHost: true, spareLaunchers: 0 }),
    program: hookProgram(distFolder, env),
    provide: () => provideProgram(distFolder, env),
  };
}

/** What `foretell policy` needs of this process. */
function policyProcess(around: CliProcess): PolicyProcess {
  const { distFolder, env } = around;
  return {
    ...plain(around),
    shell: commandShell(env['SHELL']),
    foretell: () =>
      createForetell({
        launcher: launcherPath(distFolder),
        storageFolder: cacheFolder(env),
        ownHost: true,
        spareLaunchers: 0,
      }),
  };
}

/** What `foretell consent` and `foretell restore` need of this process. */
function consentProcess(around: CliProcess): ConsentProcess {
  const { cwd, env, say, tell, isAtTerminal } = plain(around);
  return { cwd, env, say, tell, ...(isAtTerminal && around.ask ? { ask: around.ask } : {}) };
}
