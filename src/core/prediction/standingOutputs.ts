import { realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path/posix';
import { outputPaths } from '../programs/outputs.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import type { Moment, View } from '../view/view.ts';
import type { Prediction } from './prediction.ts';

const mostOutputs = 32;

/** Files that programs which nobody ran would write, by their arguments, and which are there: absolute paths. */
export async function standingOutputs({ programs }: Prediction, view: View): Promise<string[]> {
  const named = programs
    .filter(({ basis }) => basis === 'assumed' || basis === 'imagined')
    .flatMap(({ argv, cwd }) => outputPaths(argv, cwd));
  const standing: string[] = [];
  for (const path of [...new Set(named)].slice(0, mostOutputs)) {
    // An empty file has nothing to lose.
    if ((await view.read(path, 'after', 1))?.length) standing.push(path);
  }
  return standing;
}

/**
 * What the calls and redirections of a script name to be written and the prediction does not change, where nothing is: absolute
 * paths. Empty where the view tells only contents; `userId`: whose view it is.
 */
export async function missingOutputs(
  written: readonly StaticProgram[],
  { files }: Pick<Prediction, 'files'>,
  view: View,
  userId: number,
): Promise<string[]> {
  const named = new Set(written.flatMap(writtenPaths));
  if (named.size === 0) return [];
  const changed = new Set(files.map(({ path }) => path));
  const missing: string[] = [];
  for (const path of [...named].filter((one) => !changed.has(one)).slice(0, mostOutputs)) {
    const place = await throughLinks(path, changed);
    if (changed.has(place)) continue;
    if ((await isNothing(place, 'before', view, userId)) && (await isNothing(place, 'after', view, userId)))
      missing.push(path);
  }
  return missing;
}

/** The same path by the real name of its folder, or of what is there of that; not where the action changes a link on the way. */
async function throughLinks(path: string, changed: ReadonlySet<string>): Promise<string> {
  const rest: string[] = [];
  for (let above = path; above !== '/'; above = dirname(above)) {
    if (changed.has(above)) return path;
    rest.unshift(basename(above));
    const real = await realpath(dirname(above)).catch(() => undefined);
    if (real !== undefined) return join(real, ...rest);
  }
  return path;
}

/** Nothing is there, and the user may look into the folder in which it would be. */
async function isNothing(path: string, moment: Moment, view: View, userId: number): Promise<boolean> {
  if (await view.status?.(path, moment)) return false;
  for (let above = dirname(path); ; above = dirname(above)) {
    const status = await view.status?.(above, moment);
    if (status) {
      const { type, mode, uid } = status;
      return type === 'directory' && (userId === 0 || (mode & (uid === userId ? 0o100 : 0o001)) !== 0);
    }
    // Whoever does not see the root sees nothing.
    if (above === '/') return false;
  }
}

/** Where all of a path is known, and it is one of this machine. */
function writtenPaths({ argv, fields, redirects, cwd, isLost, inside }: StaticProgram): string[] {
  if (inside?.elsewhere) return [];
  const open = new Set(fields.filter(({ isOpen, pattern }) => isOpen || pattern !== undefined).map(({ text }) => text));
  const isKnown = (path: string) => !isLost || path.startsWith('/');
  const own = redirects.filter(({ operator, fields: target }) => {
    const [field, ...others] = target;
    return operator.includes('>') && others.length === 0 && field?.isOpen === false && field.pattern === undefined;
  });
  const outputs = open.size === 0 ? outputPaths(argv, cwd) : [];
  return [
    ...(isLost ? [] : outputs),
    ...own.flatMap(({ target }) => (isKnown(target) ? resolve(cwd, target) : [])),
  ].filter((path) => !/^\/(?:dev|proc)\//.test(path));
}
