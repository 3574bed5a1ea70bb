import { posix } from 'node:path';
import { asRecord } from '../../programs/jsonRecord.ts';
import { programNamed } from '../../programs/programOf.ts';
import type { ReadText } from '../../programs/startedStep.ts';
import { findNamedPrograms, type NamedProgram, programOf } from './scriptPrograms.ts';

/** What a call starts in the packages of a project, besides what its own words and scripts tell. */
export interface ProjectScripts {
  programs: { program: NamedProgram; why: string }[];
  /** Modules of Python that it begins with. */
  modules: string[];
}

/** The folders of the packages of a workspace, by their names. */
type PackagesOf = (folder: string) => Promise<ReadonlyMap<string, string>>;

const mostPackages = 40;

/**
 * Scripts that run in every package of a workspace (`pnpm -r run x`, `turbo run x`, `npm run x --workspaces` …) or in one of
 * them, scripts of Composer's events, and the module behind a command that a Python project installs.
 */
export async function projectScripts(
  program: NamedProgram,
  place: { home: string; readText: ReadText; packagesOf: PackagesOf },
): Promise<ProjectScripts> {
  const words = program.words.map(({ text }) => text);
  return {
    programs: [
      ...(await inPackages(program, words, place.packagesOf)),
      ...(programNamed(program.name)?.startsNamed === 'composer' ? await onEvents(program, words, place) : []),
    ],
    modules: await entryModules(program, place.readText),
  };
}

const everywhere = /^(?:-r|--recursive|--workspaces|-ws|workspaces|run-many|affected|--filter=\.\.\.)$/;
const choosers = /^(?:--filter|-F|--workspace|-w|workspace|--scope|-p|--projects?)(?:=(.+))?$/;

/** `npm run x` in each package that is meant. */
async function inPackages(
  { name, cwd }: NamedProgram,
  words: readonly string[],
  packagesOf: PackagesOf,
): Promise<ProjectScripts['programs']> {
  const inPackages = programNamed(name)?.inPackages;
  if (inPackages === undefined) return [];
  const chosen = words.flatMap((word, at) => {
    const match = choosers.exec(word);
    return match ? [match[1] ?? words[at + 1] ?? ''] : [];
  });
  if (inPackages === 'asked' && chosen.length === 0 && !words.some((one) => everywhere.test(one))) return [];
  const scripts = words.slice(1).filter((word, at) => {
    const isValue = choosers.test(words[at] ?? '') && !(words[at] ?? '').includes('=');
    return /^[\w:.-]+$/.test(word) && !word.startsWith('-') && !isValue && !notScripts.test(word);
  });
  const packages = [...(await packagesOf(cwd))].filter(
    ([own]) => chosen.length === 0 || chosen.some((one) => isMeant(own, one)),
  );
  return packages
    .slice(0, mostPackages)
    .flatMap(([own, folder]) =>
      scripts
        .slice(0, 3)
        .map((script) => ({ program: programOf(['npm', 'run', script], folder), why: `run by ${name} in ${own}` })),
    );
}

const notScripts = /^(?:run|run-many|exec|workspaces?|foreach|affected|-t|--target|run-script)$/;

/** Patterns of names, with what depends on them (`...`); paths are not told apart. */
function isMeant(own: string, pattern: string): boolean {
  const bare = pattern.replace(/^\.{3}\^?|\^?\.{3}$/g, '').replace(/^[{!]|}$/g, '');
  if (bare === own || bare.startsWith('.') || own.endsWith(`/${bare}`)) return true;
  const parts = bare.split('*');
  return parts.length > 1 && own.startsWith(parts[0] ?? '') && own.endsWith(parts.at(-1) ?? '');
}

const events: Readonly<Record<string, readonly string[]>> = {
  install: ['pre-install-cmd', 'post-install-cmd', 'pre-update-cmd', 'post-update-cmd', 'post-autoload-dump'],
  update: ['pre-update-cmd', 'post-update-cmd', 'post-autoload-dump'],
  'dump-autoload': ['pre-autoload-dump', 'post-autoload-dump'],
};

/** What `composer install` and others run before and behind their work. */
async function onEvents(
  { cwd }: NamedProgram,
  words: readonly string[],
  { home, readText }: { home: string; readText: ReadText },
): Promise<ProjectScripts['programs']> {
  const names = words.flatMap(
    (word) => events[{ i: 'install', require: 'update', remove: 'update', u: 'update' }[word] ?? word] ?? [],
  );
  const text = names.length > 0 ? await readText(posix.join(cwd, 'composer.json')) : undefined;
  const scripts = asRecord(asRecord(jsonOf(text))['scripts']);
  return names.flatMap((name) =>
    [scripts[name]].flat().flatMap((line) => {
      if (typeof line !== 'string') return [];
      const script = line.replace(/^@(php|composer)\b/, '$1');
      return findNamedPrograms(script, { cwd, home }).map((program) => ({
        program,
        why: `run by ${name} of composer.json`,
      }));
    }),
  );
}

/** `loom = "loom.cli:main"` of the nearest pyproject.toml, for a command of that name. */
async function entryModules({ name, words, cwd }: NamedProgram, readText: ReadText): Promise<string[]> {
  if (!/^[\w.-]+$/.test(name) || words[0]?.text.includes('/')) return [];
  for (let folder = cwd; folder !== '/'; folder = posix.dirname(folder)) {
    const text = await readText(posix.join(folder, 'pyproject.toml'));
    if (text === undefined) continue;
    const target = scriptsOf(text).get(name);
    const module = target?.split(':')[0]?.trim();
    return module !== undefined && /^[\w.]+$/.test(module) ? [module] : [];
  }
  return [];
}

/** The tables of scripts of a pyproject.toml; values are texts in one line. */
function scriptsOf(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let isScripts = false;
  for (const line of text.split('\n')) {
    const table = /^[ \t]*\[([^\]]*)\]/.exec(line)?.[1]?.trim();
    if (table !== undefined) isScripts = table === 'project.scripts' || table === 'tool.poetry.scripts';
    const pair = isScripts ? /^[ \t]*['"]?([\w.-]+)['"]?[ \t]*=[ \t]*['"]([^'"]+)['"]/.exec(line) : null;
    if (pair) found.set(pair[1] ?? '', pair[2] ?? '');
  }
  return found;
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
