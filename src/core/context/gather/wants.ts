import { posix } from 'node:path';
import { programOf } from '../../programs/programOf.ts';
import { workingFolder } from '../../programs/workingFolder.ts';
import { type Folders, matchPattern } from '../../shell/glob.ts';
import { worth } from './candidate.ts';
import { type Focus, focusOf } from './focus.ts';
import { compileGlob } from './pathPattern.ts';
import { pathKind, readFolder } from './plainFiles.ts';
import { defaultsToFolder, isRecursive, unnamedFilesOf } from './programFiles.ts';
import type { NamedProgram, NamedWord } from './scriptPrograms.ts';

/** A file that should be shown. */
export interface FileWant {
  path: string;
  why: string;
  worth: number;
  focus: Focus[];
  /** What it imports, sources or opens is wanted too. */
  follow: boolean;
}

/** A folder that should be shown: its listing, everything below it, or the files in which something is searched. */
export interface FolderWant {
  path: string;
  why: string;
  /** With owners, modes, sizes and times. */
  long: boolean;
  deep: boolean;
  search: RegExp[];
}

/** What an action is about, by path; a path that is wanted twice is there once. */
export interface Wants {
  files: Map<string, FileWant>;
  folders: Map<string, FolderWant>;
  sources: SourceWant[];
  /** What is named and not opened: its entry is removed, renamed or given another mode. */
  unopened: Set<string>;
  /** Paths of which only is asked whether they are there; `~` is the home folder. */
  probes: Set<string>;
}

/** All files below a folder that a pattern finds, by their paths from there. */
export interface SourceWant {
  folder: string;
  pattern: RegExp;
  why: string;
  worth: number;
  follow: boolean;
}

/** Nothing wanted yet. */
export function noWants(): Wants {
  return { files: new Map(), folders: new Map(), sources: [], unopened: new Set(), probes: new Set() };
}

const mostMatches = 300;

/** Adds what the words of a program name, and what it reads without being told. */
export async function addWants(
  wants: Wants,
  program: NamedProgram,
  origin: { why: string; worth: number },
): Promise<void> {
  const focus = focusOf(program);
  const known = programOf(program.name);
  const follow = known?.follows === true;
  const why = origin.why === '' ? 'the action names it' : origin.why;
  const file = (path: string, value: number, reason: string, options: { follow: boolean; focus?: Focus }) =>
    wantFile(wants, {
      path,
      why: reason,
      worth: value,
      focus: options.focus ? [options.focus] : [],
      follow: options.follow,
    });
  // Who reads sources asks for no modes and times; the names are in the tree of the workspace.
  const long = unnamedFilesOf(program).length === 0;
  const base = workingFolder(
    program.words.map(({ text }) => text),
    program.cwd,
  );
  let named = 0;
  const given: { folders: string[]; files: string[] } = { folders: [], files: [] };
  // What only changes or removes an entry does not ask what is in it.
  const opens = known?.harms !== true && known?.leavesContents !== true;
  const words = [...program.words.slice(1).flatMap(pathsInWord), ...program.inputs, ...program.outputs];
  const own = program.words[0];
  if (own && /[/]/.test(own.text) && !own.isGlob) {
    file(posix.resolve(program.cwd, own.text), Math.min(origin.worth, worth.script), why, { follow: true });
  }
  for (const word of words) {
    // `./...` of Go: this folder and all below.
    const whole = /^(.*)\/\.\.\.$/.exec(word.text)?.[1];
    for (const path of await expandWord(whole === undefined ? word : { text: whole, isGlob: false }, base)) {
      const kind = await pathKind(path);
      if (kind === 'file') {
        named++;
        given.files.push(path);
        if (opens) file(path, origin.worth, why, { follow, focus });
        else wants.unopened.add(path);
        if (known?.needsEntry || !opens) wantFolder(wants, posix.dirname(path), why, { long: true });
      } else if (kind === 'directory') {
        named++;
        given.folders.push(path);
        if (!opens) wants.unopened.add(path);
        const deep = isRecursive(program);
        wantFolder(wants, path, why, { long, deep, search: deep ? focus.patterns : [] });
      } else if (kind === undefined && looksLikePath(word.text)) {
        wantFolder(wants, posix.dirname(path), `${posix.basename(path)} is looked for there`, {});
      }
    }
  }
  if (named === 0 && program.isFed) {
    wantFolder(wants, program.cwd, why, { deep: true, search: focus.patterns });
  } else if (named === 0 && defaultsToFolder(program)) {
    const deep = isRecursive(program);
    wantFolder(wants, base, why, { long, deep, search: deep ? focus.patterns : [] });
  }
  await addUnnamed(wants, program, { base, ...given }, origin);
  for (const path of known?.probes ?? []) wants.probes.add(path);
}

/**
 * Manifests and settings are looked for in the folder where the program works, in the folders that it is given, and upwards
 * from there; sources below the folders that it is given, or below its own.
 */
async function addUnnamed(
  wants: Wants,
  program: NamedProgram,
  given: { base: string; folders: readonly string[]; files: readonly string[] },
  origin: { worth: number },
): Promise<void> {
  const unnamed = unnamedFilesOf(program);
  if (unnamed.length === 0) return;
  const why = `${program.name} reads it`;
  const isManifest = (path: string) =>
    unnamed.some(({ glob }) => !glob.startsWith('**/') && compileGlob(glob).test(posix.basename(path)));
  const manifests = given.files.filter(isManifest).map((path) => posix.dirname(path));
  const below = given.folders.length > 0 ? given.folders : manifests.length > 0 ? manifests : [given.base];
  for (const { glob, follow, whole } of unnamed) {
    if (glob.startsWith('**/')) {
      const pattern = compileGlob(glob);
      const isGiven = given.folders.length === 0 && given.files.some((path) => pattern.test(posix.basename(path)));
      const value = Math.min(origin.worth, worth.whole);
      const places = whole ? [given.base] : below;
      if (!isGiven) wants.sources.push(...places.map((folder) => ({ folder, pattern, why, worth: value, follow })));
      continue;
    }
    const starts = [given.base, ...given.folders, ...given.files.map((path) => posix.dirname(path))];
    for (const start of [...new Set(starts)].slice(0, 6)) await addUpwards(wants, { glob, follow, why }, start, origin);
  }
}

async function addUpwards(
  wants: Wants,
  { glob, follow, why }: { glob: string; follow: boolean; why: string },
  start: string,
  origin: { worth: number },
): Promise<void> {
  let folder = start;
  for (let level = 0; level < 8; level++) {
    const found = (await expandWord({ text: glob, isGlob: /[*?[]/.test(glob) }, folder)).slice(0, 20);
    const existing: string[] = [];
    for (const path of found) if ((await pathKind(path)) === 'file') existing.push(path);
    for (const path of existing) {
      const value = Math.min(origin.worth, worth.read) - (level > 0 ? 5 : 0);
      wantFile(wants, { path, why, worth: value, focus: [], follow });
    }
    // Globs are for the folder itself, manifests for the nearest one upwards.
    if (existing.length > 0 || /[*?/]/.test(glob) || folder === '/') return;
    folder = posix.dirname(folder);
  }
}

/** Adds a file, or raises what is known of it. */
export function wantFile(wants: Wants, want: FileWant): void {
  const known = wants.files.get(want.path);
  if (!known) {
    wants.files.set(want.path, want);
    return;
  }
  known.focus.push(...want.focus);
  known.follow ||= want.follow;
  if (want.worth <= known.worth) return;
  known.worth = want.worth;
  known.why = want.why;
}

/** Adds a folder, or what more of it is wanted. */
export function wantFolder(
  wants: Wants,
  path: string,
  why: string,
  options: { long?: boolean; deep?: boolean; search?: RegExp[] },
): void {
  const known = wants.folders.get(path);
  const { long = false, deep = false, search = [] } = options;
  if (!known) {
    wants.folders.set(path, { path, why, long, deep, search: [...search] });
    return;
  }
  known.long ||= long;
  known.deep ||= deep;
  known.search.push(...search);
}

/** The parts of an argument that can be a path: itself, the value of `--option=x`, `if=x`, `@x`, `x:3`, `HEAD:x`. */
function pathsInWord(word: NamedWord): NamedWord[] {
  const { text, isGlob } = word;
  if (text === '' || text.length > 4_096 || text.includes('\n\n')) return [];
  if (isGlob) return text.startsWith('-') ? [] : [word];
  const value = /^(?:-[\w-]*=|\w+=)(.+)$/s.exec(text)?.[1];
  if (value !== undefined) return [{ text: value.replace(/^@/, ''), isGlob: false }];
  if (text.startsWith('@')) return [{ text: text.slice(1), isGlob: false }];
  const bare = /^-[A-Za-z](.*[/.].*)$/s.exec(text)?.[1];
  if (bare !== undefined) return [{ text: bare, isGlob: false }, word];
  if (text.startsWith('-') && text !== '-') return [word];
  const line = /^(.+?):\d+(?::\d+)?$/.exec(text)?.[1] ?? /^[\w./~^-]+:(.+)$/.exec(text)?.[1];
  return line === undefined ? [word] : [word, { text: line, isGlob: false }];
}

function looksLikePath(text: string): boolean {
  return !text.startsWith('-') && /[/.]/.test(text) && /^[^\s*?"'$(){}|;<>]+$/.test(text);
}

/** The paths that a word stands for, absolute; a pattern only those that are there. */
export async function expandWord(word: NamedWord, base: string): Promise<string[]> {
  if (!word.isGlob) return [posix.resolve(base, word.text)];
  // Without options of its own, `**` is `*` to the shell.
  const found = (await matchPattern(word.text.replace(/\*{2,}/g, '*'), base, folders)) ?? [];
  return found.slice(0, mostMatches).map((path) => posix.resolve(base, path));
}

const folders: Folders = {
  names: async (folder) => (await readFolder(folder)).map(({ name }) => name),
  exists: async (path) => (await pathKind(path)) !== undefined,
  isFolder: async (path) => (await pathKind(path)) === 'directory',
};
