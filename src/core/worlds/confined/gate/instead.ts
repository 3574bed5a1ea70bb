import { asOneProgram, lookThrough } from '../../../programs/lookThrough.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { namedArgv } from '../wire/runRecord.ts';
import { environmentOf } from './askedOutcomes.ts';
import type { Instead } from './gatekeeperOptions.ts';
import { findInPath } from './inert.ts';

/** Longest file that is read to see what a program would start, in bytes. */
const maxReadBytes = 1024 ** 2;

/**
 * What a stopped program would start (`sudo rm x` → `rm x`, `npm run build` → `sh -c …`), so that it can be started in
 * its place. Files are read from the view, because the script itself may have written them.
 */
export async function instead(launcher: Launcher, gated: Gated): Promise<Instead | undefined> {
  const env = environmentOf(gated.env);
  const argv = namedArgv(gated);
  const readText = async (path: string) => {
    const bytes = await launcher.read(path, 'after', maxReadBytes);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString('utf8');
  };
  const isThere = async (path: string) => (await launcher.stat(path, 'after')) !== undefined;
  const seen = await lookThrough({ argv, cwd: gated.cwd, env }, readText, isThere);
  if (!seen?.ok) return undefined;
  const program = asOneProgram(seen.steps);
  if (!program) return undefined;
  const goesElsewhere = program.cwd !== gated.cwd;
  const started = goesElsewhere ? ['sh', '-c', 'cd "$0" && exec "$@"', program.cwd, ...program.argv] : program.argv;
  const newEnv = { ...env, ...program.env };
  const searchPath = newEnv['PATH'] ?? '/usr/local/bin:/usr/bin:/bin';
  const [name = ''] = started;
  const path = name.includes('/') ? name : (findInPath(name, searchPath) ?? name);
  return {
    path,
    argv: started,
    env: Object.entries(newEnv).map(([key, value]) => `${key}=${value}`),
    stdout: program.stdout,
    exact: seen.exact,
    stand: { steps: program.steps, ours: goesElsewhere ? [started, ...program.ours] : program.ours },
    assumes: seen.isLike
      ? { kind: 'doesAs', argv: [...program.argv] }
      : { kind: 'onlyStarts', ...(seen.exact ? {} : { because: seen.inexactBecause }) },
  };
}
