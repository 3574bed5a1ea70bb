import { posix } from 'node:path';
import { parse } from 'jsonc-parser';
import { asRecord } from '../../programs/jsonRecord.ts';
import { pathKind } from './plainFiles.ts';
import type { NamedWord } from './scriptPrograms.ts';
import { type NamedSource, scriptFiles } from './sourceReads.ts';
import { expandWord } from './wants.ts';

/** Where languages keep the sources of a project, below its folder. */
const sourceFolders = ['', 'src', 'lib', 'include', 'app', 'src/main/java', 'src/main/kotlin'];
const highest = 16;
const mostPackages = 200;

/**
 * Finds what source files name, as compilers and interpreters do: at the file, at the roots of its project, by the paths of
 * `tsconfig.json`, among the packages of a workspace, by the module of `go.mod`. What is asked twice is read once.
 */
export class ModulePaths {
  private readonly cwd: string;
  private readonly readText: (path: string) => Promise<string | undefined>;
  private readonly kept = new Map<string, Promise<unknown>>();

  constructor(cwd: string, readText: (path: string) => Promise<string | undefined>) {
    this.cwd = cwd;
    this.readText = readText;
  }

  /** Absolute paths of files and folders that are there. `file`: where it is named, absolute. */
  async find(named: NamedSource, file: string): Promise<string[]> {
    const folder = posix.dirname(file);
    if (named.module !== undefined) return this.mapped(named.module, folder);
    const bases = named.from === 'file' ? [folder] : named.from === 'cwd' ? [this.cwd] : await this.rootsOf(folder);
    for (const base of bases) {
      const found: string[] = [];
      for (const name of named.names) {
        for (const path of await expandWord(asWord(name), base)) {
          if ((await pathKind(path)) === undefined) continue;
          found.push(path);
          if (!named.all) return found;
        }
      }
      if (found.length > 0) return found;
    }
    return [];
  }

  /** The folder, those above it as far as its repository goes, where the command runs, and where sources stand in these. */
  private rootsOf(folder: string): Promise<string[]> {
    return this.once(`roots ${folder}`, async () => {
      const above = await this.above(folder);
      if (!above.includes(this.cwd)) above.push(this.cwd);
      return above.flatMap((one) => sourceFolders.map((name) => posix.join(one, name)));
    });
  }

  /** The folder and those above it, the root of its repository last. */
  private async above(folder: string): Promise<string[]> {
    const found: string[] = [];
    for (let at = folder; found.length < highest; at = posix.dirname(at)) {
      found.push(at);
      if (at === '/' || (await pathKind(posix.join(at, '.git'))) !== undefined) break;
    }
    return found;
  }

  private async mapped(module: string, folder: string): Promise<string[]> {
    const byPaths = await firstFile(await this.byCompilerPaths(module, folder));
    if (byPaths !== undefined) return [byPaths];
    const place = await this.packageOf(module, folder);
    if (place === undefined) return this.byGoModule(module, folder);
    const manifest = posix.join(place.folder, 'package.json');
    const entry = await firstFile(entriesOf(asRecord(jsonOf(await this.readText(manifest))), place));
    return entry === undefined ? [manifest] : [entry, manifest];
  }

  /** `paths` and `baseUrl` of the nearest `tsconfig.json`, or of one that it extends. */
  private async byCompilerPaths(module: string, folder: string): Promise<string[]> {
    for (const at of await this.above(folder)) {
      const found = await this.compilerPaths(posix.join(at, 'tsconfig.json'), 0);
      if (!found) continue;
      for (const [pattern, targets] of found.paths) {
        const star = pattern.indexOf('*');
        const [head, tail] = star < 0 ? [pattern, ''] : [pattern.slice(0, star), pattern.slice(star + 1)];
        if (star < 0 ? module !== pattern : !(module.startsWith(head) && module.endsWith(tail))) continue;
        const middle = star < 0 ? '' : module.slice(head.length, module.length - tail.length);
        return targets.flatMap((target) => scriptFiles(posix.resolve(found.base, target.replace('*', middle))));
      }
      return found.hasBase ? scriptFiles(posix.resolve(found.base, module)) : [];
    }
    return [];
  }

  private compilerPaths(file: string, depth: number): Promise<CompilerPaths | undefined> {
    return this.once(`paths ${file}`, async () => {
      const text = depth > 4 ? undefined : await this.readText(file);
      if (text === undefined) return undefined;
      const whole = asRecord(parse(text, [], { allowTrailingComma: true }));
      const options = asRecord(whole['compilerOptions']);
      const paths = options['paths'];
      const base = options['baseUrl'];
      const parent = whole['extends'];
      if (paths === undefined && base === undefined && typeof parent === 'string' && parent.startsWith('.')) {
        const above = posix.resolve(posix.dirname(file), parent.endsWith('.json') ? parent : `${parent}.json`);
        return this.compilerPaths(above, depth + 1);
      }
      const lists = Object.entries(asRecord(paths)).map(([pattern, list]): [string, string[]] => [
        pattern,
        texts(list),
      ]);
      const hasBase = typeof base === 'string';
      return { base: posix.resolve(posix.dirname(file), hasBase ? base : '.'), hasBase, paths: lists };
    });
  }

  /** The package of the same workspace that is meant, and the part of it that is named. */
  private async packageOf(module: string, folder: string): Promise<{ folder: string; part: string } | undefined> {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? module;
    for (const at of await this.above(folder)) {
      const place = (await this.packagesOf(at)).get(name);
      if (place !== undefined) return { folder: place, part: `.${module.slice(name.length)}` };
    }
    return undefined;
  }

  /** The packages that the manifest of a folder makes one workspace of, folder by name. */
  packagesOf(folder: string): Promise<Map<string, string>> {
    return this.once(`packages ${folder}`, async () => {
      const found = new Map<string, string>();
      const whole = asRecord(jsonOf(await this.readText(posix.join(folder, 'package.json'))));
      const list = whole['workspaces'];
      const pnpm = (await this.readText(posix.join(folder, 'pnpm-workspace.yaml'))) ?? '';
      const patterns = [
        ...texts(Array.isArray(list) ? list : asRecord(list)['packages']),
        ...[...pnpm.matchAll(/^[ \t]*-[ \t]*['"]?([^'"\n#!]+?)['"]?[ \t]*$/gm)].map((match) => match[1] ?? ''),
      ];
      for (const pattern of patterns) {
        const places = await expandWord(asWord(pattern.replace(/\/\*\*$/, '/*')), folder);
        for (const place of places.slice(0, mostPackages)) {
          const inner = asRecord(jsonOf(await this.readText(posix.join(place, 'package.json'))))['name'];
          if (typeof inner === 'string') found.set(inner, place);
        }
      }
      return found;
    });
  }

  /** All files of the package of Go that an import path names, where it is in the same module. */
  private async byGoModule(module: string, folder: string): Promise<string[]> {
    for (const at of await this.above(folder)) {
      const text = await this.readText(posix.join(at, 'go.mod'));
      const own = text === undefined ? undefined : /^module[ \t]+(\S+)/m.exec(text)?.[1];
      if (own === undefined) continue;
      if (module !== own && !module.startsWith(`${own}/`)) return [];
      return expandWord(asWord('*.go'), posix.join(at, module.slice(own.length)));
    }
    return [];
  }

  private once<T>(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.kept.get(key);
    if (known !== undefined) return known as Promise<T>;
    const asked = ask();
    this.kept.set(key, asked);
    return asked;
  }
}

interface CompilerPaths {
  base: string;
  hasBase: boolean;
  paths: [pattern: string, targets: string[]][];
}

/** Where a part of a package may begin: as its manifest says, also where that is only built, or as is usual. */
function entriesOf(manifest: Record<string, unknown>, { folder, part }: { folder: string; part: string }): string[] {
  const usual =
    part === '.'
      ? texts([manifest['source'], manifest['module'], manifest['main'], './src/index', './index'])
      : [part, `./src/${part}`];
  return [...exported(manifest['exports'], part), ...usual]
    .flatMap((entry) => [entry, entry.replace(/^(\.?\/?)(?:dist|build|lib)\//, '$1src/')])
    .flatMap((entry) => scriptFiles(posix.join(folder, entry)));
}

async function firstFile(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if ((await pathKind(path)) === 'file') return path;
  return undefined;
}

/** The files behind a part of a package; conditions in the order in which they are written. */
function exported(exports: unknown, part: string): string[] {
  if (typeof exports === 'string') return part === '.' ? [exports] : [];
  if (Array.isArray(exports)) return exports.flatMap((one) => exported(one, part));
  const record = asRecord(exports);
  if (Object.keys(record).some((key) => key.startsWith('.'))) return part in record ? exported(record[part], '.') : [];
  return Object.values(record).flatMap((one) => exported(one, part));
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
}

function jsonOf(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `*` stands for any part of a name; every other letter for itself. */
function asWord(text: string): NamedWord {
  return { text, isGlob: text.includes('*') };
}
