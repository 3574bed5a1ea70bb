import type { BenchProcess } from '../bench/benchProcess.ts';
import { runAgentWord } from './loopAgent.ts';
import { runFailureWord } from './loopFailure.ts';
import { runServeWord } from './loopServe.ts';
import { runWorldWord } from './loopWorlds.ts';

/** Whether the arguments ask for an agent, a world, a failure or a service of ours, not for programs that are called so. */
export function asksForLoop([first, ...rest]: readonly string[]): boolean {
  const wants = (names: readonly string[]) =>
    rest.length === 0 || rest.some((one) => names.includes(one.split('=')[0] ?? ''));
  if (first === 'agent') return wants(['--task', '--help', '-h']);
  if (first === 'world') return wants(['--model-url', '--help', '-h']);
  if (first === 'failure') return wants(['--text', '--from', '--exit', '--model-url', '--help', '-h']);
  return first === 'serve' && wants(['--environment', '--help', '-h']);
}

/** Runs `foretell agent …`, `foretell world …`, `foretell failure …` or `foretell serve …`. */
export function runLoop([first, ...rest]: readonly string[], around: BenchProcess): Promise<number> {
  if (first === 'world') return runWorldWord([...rest], around);
  if (first === 'failure') return runFailureWord([...rest], around);
  return first === 'agent' ? runAgentWord([...rest], around) : runServeWord([...rest], around);
}
