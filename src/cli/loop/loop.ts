import type { BenchProcess } from '../bench/benchProcess.ts';
import { runAgentWord } from './loopAgent.ts';
import { runServeWord } from './loopServe.ts';

/** Whether the arguments ask for an agent or a service of ours, not for programs that are called so. */
export function asksForLoop([first, ...rest]: readonly string[]): boolean {
  const wants = (names: readonly string[]) =>
    rest.length === 0 || rest.some((one) => names.includes(one.split('=')[0] ?? ''));
  if (first === 'agent') return wants(['--task', '--help', '-h']);
  return first === 'serve' && wants(['--environment', '--help', '-h']);
}

/** Runs `foretell agent …` or `foretell serve …`. */
export function runLoop([first, ...rest]: readonly string[], around: BenchProcess): Promise<number> {
  return first === 'agent' ? runAgentWord([...rest], around) : runServeWord([...rest], around);
}
