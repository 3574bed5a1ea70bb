import { posix } from 'node:path';
import { programOf } from '../../programs/programOf.ts';
import { workingFolder } from '../../programs/workingFolder.ts';
import { type Folders, matchPattern } from '../../shell/glob.ts';
import { worth } from './candidate.ts';
import { type Focus, focusOf } from './focus.ts';
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
}

/** Nothing wanted yet. */
export function noWants(): Wants {
  return { files: new Map(), folders: new Map() };
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
  const base = workingFolder(
    program.words.map(({ text }) => text),
    program.cwd,
  );
  let named = 0;
  const words = [...program.words.slice(1).flatMap(pathsInWord), ...program.inputs, ...program.outputs];
  const own = program.words[0];
  if (own && /[/]/.test(own.text) && !own.isGlob) {
    file(posix.resolve(program.cwd, own.text), Math.min(origin.worth, worth.script), why, { follow: true });
  }
  for (const word of words) {
    for (const path of await expandWord(word, base)) {
      const kind = await pathKind(path);
      if (kind === 'file') {
        named++;
        file(path, origin.worth, why, { follow, focus });
        if (known?.needsEntry) wantFolder(wants, posix.dirname(path), why, { long: true });
      } else if (kind === 'directory') {
        named++;
        const deep = isRecursive(program);
        wantFolder(wants, path, why, { long: true, deep, search: deep ? focus.patterns : [] });
      } else if (kind === undefined && looksLikePath(word.text)) {
        wantFolder(wants, posix.dirname(path), `${posix.basename(path)} is looked for there`, {});
      }
    }
  }
  if (named === 0 && program.isFed) {
    wantFolder(wants, program.cwd, why, { deep: true, search: focus.patterns });
  } else if (named === 0 && defaultsToFolder(program)) {
    const deep = isRecursive(program);
    wantFolder(wants, base, why, { long: true, deep, search: deep ? focus.patterns : [] });
  }
  await addUnnamed(wants, program, base, origin);
}

async function addUnnamed(wants: Wants, program: NamedProgram, base: string, origin: { worth: number }): Promise<void> {
  const files = unnamedFilesOf(program);
  if (files.length === 0) return;
  for (const glob of files) {
    let folder = base;
    for (let level = 0; level < 8; level++) {
      const found = (await expandWord({ text: glob, isGlob: /[*?[]/.test(glob) }, folder)).slice(0, 20);
      const existing: string[] = [];
      for (const path of found) if ((await pathKind(path)) === 'file') existing.push(path);
      for (const path of existing) {
        const value = Math.min(origin.worth, worth.read) - (level > 0 ? 5 : 0);
        wantFile(wants, { path, why: `${program.name} reads it`, worth: value, focus: [], follow: /test/.test(glob) });
      }
      // Globs are for the folder itself, manifests for the nearest one upwards.
      if (existing.length > 0 || /[*?/]/.test(glob) || folder === '/') break;
      folder = posix.dirname(folder);
    }
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

/** The paths that a word stands for, absolute. */
async function expandWord(word: NamedWord, base: string): Promise<string[]> {
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
