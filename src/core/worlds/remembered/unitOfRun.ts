import type { FactEvent } from '../../prediction/factEvent.ts';
import type { TracedRun } from '../../prediction/rehearsal.ts';
import type { LineUnit } from '../../programs/lineUnit.ts';
import { digestIn, type KeptRun, type KeptUnit, keepRun, type MemoryUse, makeMemory } from './memoryStore.ts';

/** Of one variable after another, in no order. */
export function environmentDigest(env: readonly string[], digest: (text: string) => string): string {
  return digest([...env].sort().join('\0'));
}

/**
 * What a run of a unit tells of its program, where that can stand in for it elsewhere: it is the only one that was let run, it ended
 * by itself and in both runs alike, and no more came of it than what it printed and changed.
 */
export function unitOf(
  unit: LineUnit,
  { letIn = [], other, paths }: TracedRun,
  told: readonly FactEvent[],
  digest: (text: string) => string,
): KeptUnit | undefined {
  const [program] = letIn;
  if (!program || letIn.length !== 1 || !other) return undefined;
  const { argv, cwd, realPath, env, exitCode, otherExitCode } = program;
  // A shell reports a signal as 128 and its number: how it is told apart from such a code only the shell knows.
  if (exitCode === undefined || exitCode !== otherExitCode || exitCode > 128) return undefined;
  // Who signals its whole group ends `cat` and the shell as well.
  if (told.some((event) => event.type === 'exit' && event.code !== 0)) return undefined;
  if (told.some(({ type }) => type === 'effect' || type === 'notice')) return undefined;
  // Another process of the same line is looked at by its number.
  if (paths.some(({ path }) => /^\/proc\/\d/.test(path))) return undefined;
  const errors = told.some((event) => event.type === 'output' && event.stream === 'stderr');
  const output = told.some((event) => event.type === 'output' && event.stream === 'stdout');
  // In which order both come is not kept.
  if (errors && (output || unit.isPiped)) return undefined;
  if (told.some((event) => event.type === 'file' && event.change.volatile && event.change.type !== 'file'))
    return undefined;
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const kept = { stdout: base64(other.stdout), stderr: base64(other.stderr) };
  return { argv, cwd, realPath, env: environmentDigest(env, digest), exitCode, other: kept };
}

/** Notes that a unit says nothing of its program that could be kept, so that it is not rehearsed for that again. */
export function keepUnfit(use: MemoryUse, key: string, memory: Pick<KeptRun, 'script' | 'cwd' | 'workspace'>): void {
  if (!makeMemory(use.folder) || !digestIn(use.folder)) return;
  const none = { variables: {}, machine: {}, inputs: [], events: [], contents: [] };
  keepRun(use, key, { format: 1, ...memory, madeAt: new Date().toISOString(), ...none, isUnfit: true }, []);
}
