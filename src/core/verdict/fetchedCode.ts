import { posix } from 'node:path';
import type { Risk } from '../facts/risk.ts';
import { readsCodeFromInput } from '../programs/codeFromInput.ts';
import { clonedFolder, fetches, unpackedInto } from '../programs/fetchedPlaces.ts';
import { outputsOf } from '../programs/outputs.ts';
import { programName } from '../programs/programName.ts';
import { holds, programOf } from '../programs/programOf.ts';
import { fileRunBy, foldersRunBy, packagesInstalledBy } from '../programs/runsCode.ts';
import { isAtOrAbove, type Place, resolveTarget } from '../programs/targets.ts';
import type { StaticProgram, StaticRedirect } from '../shell/evaluated.ts';
import { patternExpression } from '../shell/glob.ts';
import type { ScriptCommand } from '../shell/scriptReading.ts';
import { readsCode, readsCommands, upstream } from './dataRisks.ts';
import { callAsEvidence, callOf, namesAsEvidence, type ToldCall } from './evidence.ts';

/** What is known around a script. */
export interface FetchingPlace extends Place {
  /** The variable of this name: where programs are looked for. */
  path: string | undefined;
  /** Programs that are nowhere, as they are written. */
  absent: readonly string[];
}

/** Whether a program runs what it reads as code. */
export function runsInput(program: StaticProgram): boolean {
  const name = programName(program.argv[0] ?? '');
  if (programOf(name)?.evaluates) return true;
  return readsCode(name) && readsCodeFromInput(program.argv);
}

/** Whether a program hands what it reads to a shell: `xargs -I{} sh -c {}`. */
export function feedsShell({ argv }: StaticProgram): boolean {
  return programOf(argv[0] ?? '')?.feeds === true && argv.slice(1).some((word) => readsCommands(programName(word)));
}

/** Code that a script fetches to files or folders and runs later: `curl -o a.sh …; sh a.sh`, `git clone … && cd x && make`. */
export function downloadRisks(programs: readonly StaticProgram[], place: FetchingPlace): Risk[] {
  const fetched = new FetchedPlaces(place);
  for (const program of programs) {
    const found = fetched.runBy(program);
    if (found) {
      const { source, ...what } = found;
      const fact = { kind: 'runsDownload', ...what, ...source } as const;
      return [{ level: 'danger', fact, evidence: [...namesAsEvidence([what.file]), callAsEvidence(program)] }];
    }
    fetched.note(program);
  }
  return [];
}

/** What is run of what was fetched, and the call that fetched it. */
interface RunDownload {
  file: string;
  isFolder?: true;
  isPackage?: true;
  source: ToldCall;
}

// A class, because what was fetched grows from call to call.
class FetchedPlaces {
  /** Each with the call that fetched it. */
  private readonly files = new Map<string, ToldCall>();
  private readonly folders = new Map<string, ToldCall>();
  /** Folders into which archives were unpacked, among what is there. */
  private readonly among = new Map<string, ToldCall>();
  /** The folder of these that the shell has gone to, where nobody knows its name. */
  private entered: string | undefined;
  private readonly redirects = new Map<ScriptCommand, readonly StaticRedirect[]>();
  private readonly place: FetchingPlace;

  constructor(place: FetchingPlace) {
    this.place = place;
  }

  runBy(program: StaticProgram): RunDownload | undefined {
    const { argv } = program;
    if (this.files.size + this.folders.size + this.among.size === 0) return undefined;
    for (const word of [...this.named(program), ...this.readBy(program)]) {
      const source = this.sourceOf(word, program) ?? this.sourceOfAbsent(word, program);
      if (source) return { file: plainName(word), source };
    }
    const onPath = argv[0]?.includes('/') ? undefined : this.foundOnPath(argv[0] ?? '');
    if (onPath) return { file: argv[0] ?? '', source: onPath };
    return this.folderRunBy(program) ?? this.installedBy(program);
  }

  private installedBy(program: StaticProgram): RunDownload | undefined {
    for (const word of packagesInstalledBy(program.argv)) {
      const source = this.sourceOf(word, program) ?? this.sourceOfMatching(word, program);
      if (source) return { file: plainName(word), isPackage: true, source };
    }
    return undefined;
  }

  private named({ argv }: StaticProgram): string[] {
    const file = fileRunBy(argv);
    return file === undefined ? [] : [file];
  }

  /** Files that it reads as code from its input, or from what stands in its words. */
  private readBy(program: StaticProgram): string[] {
    const name = programName(program.argv[0] ?? '');
    const found: string[] = [];
    if (runsInput(program) || feedsShell(program)) {
      const own = program.redirects.length > 0 ? program.redirects : this.redirectsOf(program);
      found.push(...own.filter(({ operator }) => operator === '<').map(({ target }) => target));
      found.push(...upstream(program).flatMap(passedOn));
    }
    if (readsCode(name) || programOf(name)?.evaluates) found.push(...program.substituted.flatMap(passedOn));
    return found;
  }

  /** What starts another program has its redirections: `sudo sh < a.sh`. */
  private redirectsOf({ command }: StaticProgram): readonly StaticRedirect[] {
    return (command && this.redirects.get(command)) ?? [];
  }

  private folderRunBy(program: StaticProgram): RunDownload | undefined {
    const run = foldersRunBy(program.argv, this.at(program));
    if (!run) return undefined;
    for (const folder of [run.works, ...run.named]) {
      const path = this.pathOf(folder, program);
      const above = [...this.folders].find(([one]) => isAtOrAbove(one, path));
      const [root, source] = above ?? [...this.among].find(([one]) => one !== path && isAtOrAbove(one, path)) ?? [];
      if (root !== undefined && source) return { file: this.shown(above ? root : path), isFolder: true, source };
    }
    return undefined;
  }

  note(program: StaticProgram): void {
    const { argv, command, redirects } = program;
    if (command && redirects.length > 0) this.redirects.set(command, redirects);
    const row = programOf(argv[0] ?? '');
    if (/^(cd|pushd)$/.test(argv[0] ?? '')) this.enter(program);
    const folder = clonedFolder(argv, { ...this.place, cwd: this.at(program) });
    if (folder !== undefined) this.folders.set(this.pathOf(folder, program), callOf(program));
    const fetching = [program, ...upstream(program)].find(fetches);
    if (fetching) this.keep(writtenBy(program), program, callOf(fetching));
    if (!row?.passesOn && !row?.links && !row?.decodes) return;
    const words = wordsOf(program);
    const [last] = words.slice(-1);
    const from = row.does?.lastIsPlace && words.length > 1 ? words.slice(0, -1) : words;
    const known = from.find((word) => this.sourceOf(word, program));
    const source = (known !== undefined && this.sourceOf(known, program)) || (fetching && callOf(fetching));
    if (!source) return;
    // A copy or a link of what was fetched is fetched as well, and what is made of it.
    this.keep([...(row.links ? [] : words), ...words.map(unpackedName), ...writtenBy(program)], program, source);
    if (row.does?.lastIsPlace && last !== undefined && known !== undefined)
      this.keep([posix.join(last, posix.basename(known))], program, source);
    this.unpack(program, source);
  }

  private unpack(program: StaticProgram, source: ToldCall): void {
    const cwd = this.at(program);
    const into = unpackedInto(program.argv, { ...this.place, cwd });
    if (!into) return;
    const path = this.pathOf(into.folder, program);
    const isApart = into.isNamed && !isAtOrAbove(path, this.pathOf(cwd, program));
    (isApart ? this.folders : this.among).set(path, source);
  }

  private enter(program: StaticProgram): void {
    const target = program.argv.slice(1).find((word) => !word.startsWith('-'));
    const path = target === undefined ? undefined : this.pathOf(target, program);
    this.entered = path !== undefined && this.folders.has(path) ? path : undefined;
  }

  private keep(names: readonly string[], program: StaticProgram, source: ToldCall): void {
    for (const name of names) if (!/^-|^$/.test(name)) this.files.set(this.pathOf(name, program), source);
  }

  private sourceOf(word: string, program: StaticProgram): ToldCall | undefined {
    const path = this.pathOf(word, program);
    const isBelow = ([folder]: [string, ToldCall]) => isAtOrAbove(folder, path);
    const isDeep = ([folder]: [string, ToldCall]) => isAtOrAbove(folder, path) && posix.dirname(path) !== folder;
    return (
      this.files.get(path) ?? [...this.folders].find(isBelow)?.[1] ?? [...this.among].find(isDeep)?.[1] ?? undefined
    );
  }

  /** `dpkg -i *.deb` */
  private sourceOfMatching(word: string, program: StaticProgram): ToldCall | undefined {
    const pattern = program.fields.find(({ text }) => text === word)?.pattern;
    const expression = pattern === undefined ? undefined : patternExpression(pattern.replace(/^(?:\.\/)+/, ''));
    if (!expression) return undefined;
    const folder = this.pathOf('.', program);
    const isMeant = (file: string) =>
      expression.test(file) || (isAtOrAbove(folder, file) && expression.test(posix.relative(folder, file)));
    return [...this.files].find(([file]) => isMeant(file))?.[1];
  }

  /** A program that was nowhere before lies where an archive was unpacked. */
  private sourceOfAbsent(word: string, program: StaticProgram): ToldCall | undefined {
    return this.place.absent.includes(word) ? this.among.get(posix.dirname(this.pathOf(word, program))) : undefined;
  }

  private foundOnPath(name: string): ToldCall | undefined {
    const folders = new Set((this.place.path ?? '').split(':'));
    for (const [file, source] of this.files)
      if (posix.basename(file) === name && folders.has(posix.dirname(file))) return source;
    return undefined;
  }

  private at({ cwd, isLost }: StaticProgram): string {
    return isLost && this.entered !== undefined ? this.entered : cwd;
  }

  /** Folders of another machine are told apart from those here. */
  private pathOf(word: string, program: StaticProgram): string {
    const path = resolveTarget(word, { ...this.place, cwd: this.at(program) });
    return program.inside?.elsewhere === undefined ? path : `${program.inside.elsewhere}:${path}`;
  }

  private shown(path: string): string {
    const { cwd } = this.place;
    return path !== cwd && isAtOrAbove(cwd, path) ? posix.relative(cwd, path) : path;
  }
}

/** The files whose content a program prints as it is, as its words name them. */
function passedOn(program: StaticProgram): string[] {
  return programOf(program.argv[0] ?? '')?.passesOn ? wordsOf(program) : [];
}

function wordsOf({ argv, redirects }: StaticProgram): string[] {
  const read = redirects.filter(({ operator }) => operator === '<').map(({ target }) => target);
  return [...argv.slice(1).filter((word) => !word.startsWith('-')), ...read];
}

/** `gunzip a.gz` makes `a`. */
function unpackedName(word: string): string {
  return word.replace(/\.(?:gz|xz|bz2|zst|lz4|Z)$/, '');
}

function writtenBy({ argv, redirects }: StaticProgram): string[] {
  const row = programOf(argv[0] ?? '');
  const saved = row?.savesAs;
  const files = redirects.filter(({ operator }) => operator.includes('>')).map(({ target }) => target);
  files.push(...outputsOf(argv));
  if (saved === 'words') files.push(...argv.slice(1).filter((word) => !word.startsWith('-')));
  // Without another name a file gets that of the address.
  const keepsName = saved === 'address' ? files.length === 0 : saved instanceof RegExp && holds(saved, argv.slice(1));
  if (keepsName) {
    const folder = row?.savesIn ? argv[argv.findIndex((word) => row.savesIn?.test(word)) + 1] : undefined;
    const isNamed = folder !== undefined && folder !== argv[0];
    const addresses = argv.filter((word) => /\/[\w.-]+$/.test(word) && word !== folder);
    const names = addresses.map((word) => word.slice(word.lastIndexOf('/') + 1));
    files.push(...names.map((name) => (isNamed ? posix.join(folder, name) : name)));
  }
  return files.filter((file) => file !== '' && file !== '-');
}

function plainName(word: string): string {
  return word.replace(/^(\.\/)+/, '');
}
