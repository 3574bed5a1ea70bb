import { posix } from 'node:path';
import { quoteCall } from '../../shell/quoteWord.ts';
import { isPosixShell, shebangProgram } from '../../shell/shells.ts';
import { secretFormOf } from '../secrets/secretFiles.ts';
import { type Candidate, type Gathered, worth } from './candidate.ts';
import { mergeFocus, outline } from './focus.ts';
import { ModulePaths } from './modulePaths.ts';
import { namedScripts } from './namedScripts.ts';
import {
  filesBelow,
  findCommand,
  type PlainFile,
  pathKind,
  type ReadBytes,
  readFolder,
  readPlainFile,
  walkFolder,
} from './plainFiles.ts';
import { codeOf } from './programFiles.ts';
import { projectScripts } from './projectScripts.ts';
import { findNamedPrograms, type NamedProgram } from './scriptPrograms.ts';
import { sourceReads } from './sourceReads.ts';
import { addWants, type FileWant, type FolderWant, noWants, type Wants, wantFile, wantFolder } from './wants.ts';

/** Where and under which rules the action is looked at. */
export interface GatherPlace {
  home: string;
  readBytes?: ReadBytes | undefined;
  /** Why a path is never shown (a setting), if it is not. */
  excludedBy(path: string): string | undefined;
  /** The rule of `.gitignore` that it falls under. */
  ignoredBy(path: string): string | undefined;
  /** It is another one in the state that is looked at than really. */
  isChanged(path: string): boolean;
  /** A path as it is shown: relative to the working directory where it is below it. */
  shown(path: string): string;
  cwd: string;
  /** Where the program starts: what code opens by a relative name is meant from there. */
  startedIn: string;
  signal: AbortSignal;
}

/** Of front ends and scripts that start others. */
const deepestFollow = 4;
/** Of files that name others. */
const deepestImport = 10;
const mostFiles = 400;
const mostChanged = 40;
const mostBytes = 8 * 1024 * 1024;
/** A file is read whole up to here, and its first part beyond. */
const mostBytesOfFile = 4 * 1024 * 1024;
const bigIgnoredBytes = 64 * 1024;
const searchedFiles = 1_500;
const searchedBytes = 256 * 1024;

/** What an action is about, found by reading its words and the scripts that it starts: nothing is run. */
export class ActionReading {
  private readonly place: GatherPlace;
  private readonly wants: Wants = noWants();
  private readonly texts = new Map<string, Promise<PlainFile>>();
  private readonly modules: ModulePaths;
  /** Files below folders that were walked through. */
  private readonly walked = new Map<string, string[]>();
  private bytes = 0;
  private changed = 0;
  /** Files that are no text, which other programs can look into. */
  readonly binaries: FileWant[] = [];
  readonly result: Gathered = { candidates: [], leftOut: [] };

  constructor(place: GatherPlace) {
    this.place = place;
    this.modules = new ModulePaths(place.startedIn, async (path) => {
      const file = await this.read(path);
      return file.ok ? file.text : undefined;
    });
  }

  /** Paths of which only is asked whether they are there, absolute. */
  probes(): string[] {
    return [...this.wants.probes].map((path) => path.replace(/^~(?=\/)/, this.place.home));
  }

  /** Adds a program with all that it would start. */
  async addProgram(program: NamedProgram, origin: { why: string; worth: number }, depth = 0): Promise<void> {
    if (this.place.signal.aborted) return;
    await addWants(this.wants, program, origin);
    for (const { path, text } of codeOf(program)) await this.addNamed(path, text, 'its code reads it', 0);
    if (depth >= deepestFollow) return;
    const readText = async (path: string) => {
      const file = await this.read(path);
      return file.ok ? file.text : undefined;
    };
    const { home } = this.place;
    const named = await namedScripts(program, {
      home,
      readText,
      isThere: async (path) => (await pathKind(path)) !== undefined,
    });
    const project = await projectScripts(program, {
      home,
      readText,
      packagesOf: (folder) => this.modules.packagesOf(folder),
    });
    for (const module of project.modules)
      await this.addNamed(posix.join(program.cwd, 'code.py'), `import ${module}\n`, 'the project installs it', 0);
    for (const path of named?.files ?? [])
      wantFile(this.wants, { path, why: `${program.name} reads it`, worth: worth.script, focus: [], follow: true });
    for (const inner of [...(named?.programs ?? []), ...project.programs])
      await this.addProgram(inner.program, { why: inner.why, worth: worth.script }, depth + 1);
  }

  /** A file that the action writes or names itself. */
  addFile(path: string, why: string): void {
    wantFile(this.wants, { path, why, worth: worth.named, focus: [], follow: true });
    wantFolder(this.wants, posix.dirname(path), why, {});
  }

  /** A file that was changed before the action, in the state in which it is then. */
  addChanged(path: string, isNamed: boolean): void {
    if (/\/(?:\.git|node_modules)\//.test(path) || this.changed >= mostChanged) return;
    this.changed += 1;
    const value = isNamed ? worth.named : worth.found;
    wantFile(this.wants, { path, why: 'it was changed before', worth: value, focus: [], follow: isNamed });
  }

  /** A file that the same action read when it was rehearsed. */
  addReadLastTime(path: string): void {
    wantFile(this.wants, { path, why: 'it was read the last time', worth: worth.read, focus: [], follow: false });
  }

  /** Files that the action names and that are shown as they really are, absolute: programs count what is in them. */
  async counted(): Promise<string[]> {
    const named = [...this.wants.files.values()].filter(({ path, worth: value }) => {
      if (value < worth.named || this.place.isChanged(path) || secretFormOf(path)) return false;
      return this.place.excludedBy(path) === undefined;
    });
    const files = await Promise.all(named.map(async ({ path }) => ({ path, file: await this.read(path) })));
    return files.flatMap(({ path, file }) => (file.ok && file.missingBytes === 0 ? [path] : []));
  }

  /** Folders whose long listing is wanted. */
  longListings(): FolderWant[] {
    return [...this.wants.folders.values()].filter((folder) => folder.long && !this.place.excludedBy(folder.path));
  }

  /** What is shown or was passed over, absolute: files, and folders that are removed or only renamed. */
  settled(): Set<string> {
    return new Set([...this.wants.files.keys(), ...this.wants.unopened]);
  }

  /** The folders of what the action names, absolute. */
  near(): string[] {
    const named = [...this.wants.files.values()].filter((want) => want.worth >= worth.script);
    return [...new Set([this.place.startedIn, ...named.map(({ path }) => posix.dirname(path))])].slice(0, 20);
  }

  /** Reads everything that is wanted, and what that names in turn. */
  async gather(): Promise<void> {
    const done = new Set<string>();
    for (let depth = 0; depth <= deepestImport; depth++) {
      // A script that was followed starts programs that read folders, too.
      await this.addSources();
      const open = [...this.wants.files.values()]
        .filter((want) => !done.has(want.path))
        .slice(0, mostFiles - done.size);
      if (open.length === 0 || this.place.signal.aborted) break;
      for (const want of open) done.add(want.path);
      await Promise.all(open.map((want) => this.follow(want, depth)));
    }
    for (const folder of this.wants.folders.values()) await this.addFolder(folder);
    await this.addFiles();
  }

  private read(path: string): Promise<PlainFile> {
    const known = this.texts.get(path);
    if (known !== undefined) return known;
    const maxBytes = this.bytes > mostBytes ? 64 * 1024 : mostBytesOfFile;
    const reading = readPlainFile(path, { maxBytes, readBytes: this.place.readBytes }).then((file) => {
      if (file.ok) this.bytes += file.text.length;
      return file;
    });
    this.texts.set(path, reading);
    return reading;
  }

  private async follow(want: FileWant, depth: number): Promise<void> {
    if (this.place.excludedBy(want.path)) return;
    const file = await this.read(want.path);
    if (!file.ok || !want.follow) return;
    const { text } = file;
    const why = `${this.place.shown(want.path)} reads it`;
    if (isShellScript(want.path, text)) {
      // Relative words of a script are meant from where it is started, mostly the working directory.
      const programs = findNamedPrograms(text.slice(0, 100_000), {
        cwd: this.place.startedIn,
        home: this.place.home,
      });
      for (const program of programs.slice(0, 100))
        await this.addProgram(program, { why, worth: worth.read }, depth + 1);
      return;
    }
    await this.addNamed(want.path, text, why, depth);
  }

  /** What a text names: files, and folders with all that is in them. */
  private async addNamed(path: string, text: string, why: string, depth: number): Promise<void> {
    for (const named of sourceReads(path, text)) {
      for (const found of await this.modules.find(named, path)) {
        if (found.includes('/node_modules/')) continue;
        const kind = await pathKind(found);
        if (kind === 'directory') wantFolder(this.wants, found, why, { deep: !named.follow });
        if (kind !== 'file') continue;
        wantFile(this.wants, { path: found, why, worth: worth.read - depth, focus: [], follow: named.follow });
      }
    }
  }

  /** All that a program reads of whole folders. */
  private async addSources(): Promise<void> {
    for (const { folder, pattern, why, worth: value, follow } of this.wants.sources.splice(0)) {
      const files = this.walked.get(folder) ?? (await filesBelow(folder, this.place));
      this.walked.set(folder, files);
      for (const path of files)
        if (pattern.test(path.slice(folder.length + 1)))
          wantFile(this.wants, { path, why, worth: value, focus: [], follow });
    }
  }

  private async addFolder(folder: FolderWant): Promise<void> {
    const { path, why, deep, search } = folder;
    const excluded = this.place.excludedBy(path);
    if (excluded !== undefined) {
      this.result.leftOut.push({ what: path, why: `excluded by ${excluded}` });
      return;
    }
    if (!deep) {
      if (!folder.long) {
        const entries = (await readFolder(path)).filter(
          (entry) => !this.place.excludedBy(posix.join(path, entry.name)),
        );
        const text = entries.map((entry) => `${entry.name}${entry.isDirectory() ? '/' : ''}\n`).join('');
        if (text !== '')
          this.add({ look: { kind: 'list', path }, text, why, volatility: 3, worth: worth.listing, part: 'action' });
      }
      return;
    }
    const { entries, cut, notEntered } = await walkFolder(path, {
      mostEntries: 5_000,
      mostFolders: 1_000,
      alsoHeavy: true,
      skip: (one) => this.place.excludedBy(one) !== undefined,
      signal: this.place.signal,
    });
    if (cut) this.result.leftOut.push({ what: `below ${path}`, why: 'there are more files than are looked at' });
    const name = this.place.shown(path);
    const lines = [name, ...entries.map((entry) => name + entry.path.slice(path.length))].sort((a, b) =>
      a < b ? -1 : a > b ? 1 : 0,
    );
    const command = findCommand(name, notEntered);
    this.add({
      look: { kind: 'run', command, cwd: this.place.cwd, exitCode: 0 },
      text: `${lines.join('\n')}\n`,
      why,
      volatility: 3,
      worth: worth.tree,
      part: 'action',
    });
    const files = entries
      .filter((entry) => entry.isFile && !this.place.ignoredBy(entry.path))
      .map((entry) => entry.path);
    if (search.length > 0) await this.search(files.slice(0, searchedFiles), search, path);
    else
      for (const file of files.slice(0, 60))
        wantFile(this.wants, { path: file, why: `it is below ${name}`, worth: worth.nearby, focus: [], follow: false });
  }

  private async search(files: readonly string[], patterns: RegExp[], below: string): Promise<void> {
    for (let at = 0; at < files.length && this.bytes < mostBytes; at += 32) {
      await Promise.all(
        files.slice(at, at + 32).map(async (path) => {
          const file = await readPlainFile(path, { maxBytes: searchedBytes, readBytes: this.place.readBytes });
          if (!file.ok) return;
          this.bytes += file.text.length;
          if (
            !patterns.some(
              (pattern) => pattern.test(file.text) || file.text.split('\n', 5_000).some((line) => pattern.test(line)),
            )
          )
            return;
          const why = `what is searched below ${this.place.shown(below)} stands in it`;
          wantFile(this.wants, { path, why, worth: worth.found, focus: [{ patterns, ranges: [] }], follow: false });
        }),
      );
    }
  }

  private async addFiles(): Promise<void> {
    const groups = new Map<string, { want: FileWant; text: string }[]>();
    for (const want of [...this.wants.files.values()].slice(0, mostFiles)) {
      const excluded = this.place.excludedBy(want.path);
      if (excluded !== undefined) {
        this.result.leftOut.push({ what: want.path, why: `excluded by ${excluded}` });
        continue;
      }
      const file = await this.read(want.path);
      if (!file.ok) {
        if (file.why === 'binary' && want.worth >= worth.nearby + 1) this.binaries.push(want);
        if (file.why === 'binary') this.result.leftOut.push({ what: want.path, why: 'it is binary' });
        else if (file.why === 'denied') this.result.leftOut.push({ what: want.path, why: 'it may not be read' });
        continue;
      }
      const ignored =
        file.sizeBytes > bigIgnoredBytes && want.worth < worth.named ? this.place.ignoredBy(want.path) : undefined;
      if (ignored !== undefined) {
        this.result.leftOut.push({ what: want.path, why: `big, and ignored by git (${ignored})` });
        continue;
      }
      if (file.missingBytes > 0)
        this.result.leftOut.push({ what: want.path, why: `only its first ${file.text.length} characters are read` });
      const key = `${want.worth}:${posix.dirname(want.path)}`;
      if (file.text.length <= smallFile && !secretFormOf(want.path) && !this.place.isChanged(want.path))
        groups.set(key, [...(groups.get(key) ?? []), { want, text: file.text }]);
      else this.addRead(want, file.text);
    }
    const isMany = [...groups.values()].flat().length > mostSingleFiles;
    for (const group of groups.values()) {
      if (isMany && group.length >= groupedFiles) this.addGroup(group);
      else for (const { want, text } of group) this.addRead(want, text);
    }
  }

  private addRead({ path, why, worth: value, focus }: FileWant, text: string): void {
    this.add({
      look: { kind: 'read', path },
      text,
      why,
      volatility: 3,
      worth: value,
      part: 'action',
      path,
      focus: focus.length > 0 || value >= worth.named || !isSource(path) ? mergeFocus(focus) : outline,
    });
  }

  /** Many small files of one folder as one look: `tail -n +1 a b` prints a heading before each. */
  private addGroup(group: readonly { want: FileWant; text: string }[]): void {
    for (let at = 0; at < group.length; at += 40) {
      const some = group.slice(at, at + 40);
      const names = some.map(({ want }) => this.place.shown(want.path));
      const text = some.map((one, index) => `==> ${names[index]} <==\n${one.text}`).join('\n');
      this.add({
        look: {
          kind: 'run',
          command: quoteCall(['tail', '-n', '+1', ...names]),
          cwd: this.place.cwd,
          exitCode: 0,
        },
        text,
        why: some[0]?.want.why ?? '',
        volatility: 3,
        worth: some[0]?.want.worth ?? 0,
        part: 'action',
      });
    }
  }

  private add(candidate: Candidate): void {
    this.result.candidates.push(candidate);
  }
}

const smallFile = 300;
const groupedFiles = 4;
/** A file that has a look of its own stays at its place in the next prompt; of more small files than this that costs too much. */
const mostSingleFiles = 80;

function isShellScript(path: string, text: string): boolean {
  return isPosixShell(path.slice(path.lastIndexOf('.') + 1)) || isPosixShell(shebangProgram(text) ?? '');
}

/** Declarations tell most of it. */
function isSource(path: string): boolean {
  return /\.(?:[cm]?[jt]sx?|vue|svelte|pyi?|go|rs|rb|php|java|kt|cs|swift|c|h|cc|cpp|hpp)$/.test(path);
}
