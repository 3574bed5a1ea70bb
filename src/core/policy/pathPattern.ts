import path from 'node:path';
import { patternExpression } from '../shell/glob.ts';

/** Where patterns begin. */
export interface PatternPlace {
  /** Where relative patterns begin, absolute; absent: they match nothing. */
  root: string | undefined;
  /** Where `~/` begins, absolute. */
  home: string;
}

/**
 * Whether a pattern matches a path: `*`, `?` and sets within a name, `**` over any number of folders; what stands below
 * `dist/**` and, of folders, `dist` itself. A pattern that cannot be read matches nothing.
 */
export function matchesPattern(
  pattern: string,
  file: { path: string; isFolder?: boolean },
  place: PatternPlace,
): boolean {
  const absolute = absolutePattern(pattern, place);
  if (absolute === undefined) return false;
  const wanted = absolute.split('/').filter((part) => part !== '' && part !== '.');
  const names = file.path.split('/').filter((part) => part !== '');
  if (wanted.includes('..')) return false;
  if (matchesNames(wanted, names)) return true;
  return file.isFolder === true && wanted.at(-1) === '**' && matchesNames(wanted.slice(0, -1), names);
}

function absolutePattern(pattern: string, { root, home }: PatternPlace): string | undefined {
  // Letters of the folder itself are no pattern.
  const below = (folder: string, rest: string) => `${folder.replace(/[\\*?[\]]/g, '\\$&')}/${rest}`;
  if (pattern.startsWith('/')) return pattern;
  if (pattern.startsWith('~/')) return home === '/' ? undefined : below(home, pattern.slice(2));
  return root === undefined ? undefined : below(root, pattern);
}

function matchesNames(wanted: readonly string[], names: readonly string[]): boolean {
  let ends = new Set([0]);
  for (const [index, part] of wanted.entries()) {
    const next = new Set<number>();
    const expression = part === '**' ? undefined : patternExpression(part);
    // `**` at the end stands for something below.
    const least = index === wanted.length - 1 ? 1 : 0;
    for (const at of ends) {
      if (part === '**') for (let to = at + least; to <= names.length; to++) next.add(to);
      else if (at < names.length && expression?.test(names[at] ?? '')) next.add(at + 1);
    }
    ends = next;
  }
  return ends.has(names.length);
}

/** The folder of a project in which a call is made; `undefined` where nothing says so, or it holds the home folder. */
export function projectRoot(
  cwd: string,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  isThere: (file: string) => boolean,
): string | undefined {
  const told = ['CLAUDE_PROJECT_DIR', 'GEMINI_PROJECT_DIR']
    .map((name) => env[name])
    .find((folder) => folder !== undefined && path.isAbsolute(folder));
  if (told !== undefined) return mayBeRoot(path.resolve(told), home);
  for (let at = path.resolve(cwd); at !== path.dirname(at); at = path.dirname(at)) {
    if (isThere(path.join(at, '.git')) || isThere(path.join(at, '.foretell'))) return mayBeRoot(at, home);
  }
  return undefined;
}

function mayBeRoot(folder: string, home: string): string | undefined {
  return folder === '/' || folder === home || home.startsWith(`${folder}/`) ? undefined : folder;
}
