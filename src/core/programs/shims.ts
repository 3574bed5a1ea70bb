import { posix } from 'node:path';
import type { ProgramFact } from '../facts/programFact.ts';
import type { ProgramLabel } from '../facts/programLabel.ts';
import { shellOf } from '../shell/shells.ts';
import { programName } from './programName.ts';
import { programOf, programs } from './programOf.ts';

/** Programs of one run in the order of their start; `label`: what is known of them already. */
export type LabelledProgram = Pick<ProgramFact, 'id' | 'parent' | 'argv' | 'cwd' | 'label' | 'gate'>;

const starts = /^(exec|x|run)$/;

/** What a manager does for itself, mostly because a login shell's settings ask for it. */
const upkeep = /^(init|virtualenv-init|rehash|reshim|hooks|commands)$/;

/** A stand-in of a version manager, and what it found. */
interface Shim<P> {
  /** The stand-in, and the script whose interpreter it stands for: nobody asked for both. The first was started first. */
  fronts: P[];
  /** The program that is wanted, as the stand-in was called. */
  wanted: readonly string[];
  by: string;
  /** Folder of the manager: what works in there is a part of it. */
  folder: string;
}

/**
 * What version managers do before the real program runs (`python3` is a script that runs `pyenv exec python3`): nobody asked for these programs. The stand-in and the manager's own
 * parts are `shim`, and the program that they find is `behindShim`, called as the stand-in was.
 */
export function shimLabels<P extends LabelledProgram>(programs: readonly P[]): Map<P, ProgramLabel> {
  const labels = new Map<P, ProgramLabel>();
  const byId = new Map<number, P>();
  for (const program of programs) if (program.id !== undefined) byId.set(program.id, program);
  const parentOf = (program: P) => (program.parent === undefined ? undefined : byId.get(program.parent));
  const shims = new Map<P, Shim<P>>();
  for (const program of programs) {
    const parent = parentOf(program);
    if (!parent) continue;
    const outer = shims.get(parent);
    const by = managerOf(program, parent);
    const isOuterDone = outer !== undefined && isFound(parent, outer);
    if (by !== undefined && (!outer || isOuterDone)) {
      const shim = shimOf(program, parent, by, parentOf, shims);
      for (const one of [...shim.fronts, program]) shims.set(one, shim);
    } else if (outer && !outer.fronts.includes(parent) && !isOuterDone) shims.set(program, outer);
  }
  if (shims.size === 0) return labels;
  const all = [...new Set(shims.values())];
  const settled = new Set<P>();
  for (const program of programs) {
    const parent = parentOf(program);
    const own = shims.get(program);
    if (own && !own.fronts.includes(program) && isFound(program, own)) {
      labels.set(program, { kind: 'behindShim', by: own.by, argv: [...askedOf(own)] });
      settled.add(program);
    } else if (own) labels.set(program, { kind: 'shim', by: own.by });
    else if (!parent || !isBehind(parent, settled, parentOf)) {
      const part = all.find((shim) => isPartOf(program, parent, shim));
      if (part) labels.set(program, { kind: 'shim', by: part.by });
    }
  }
  // Without the program that was looked for, the stand-in is all there is to show.
  const found = new Set(
    [...labels].flatMap(([program, { kind }]) => (kind === 'behindShim' ? shims.get(program) : [])),
  );
  for (const [program, shim] of shims) if (!found.has(shim) && shim.fronts.includes(program)) labels.delete(program);
  // What was stopped is shown, whoever started it: nobody knows what it would do.
  for (const [program, { kind }] of labels) if (kind === 'shim' && program.gate !== undefined) labels.delete(program);
  return labels;
}

/**
 * The steps of a version manager's upkeep, beneath the call that a person or a shell's settings made: `pyenv init -` starts
 * forty programs. They are `shim`, unless one was stopped.
 */
export function upkeepLabels<P extends LabelledProgram>(programs: readonly P[]): Map<P, ProgramLabel> {
  const labels = new Map<P, ProgramLabel>();
  const within = new Map<number, string>();
  const folders = foldersOfParts(programs);
  for (const program of programs) {
    const { id, parent, argv, cwd } = program;
    const name = programName(argv[0] ?? '');
    const outer = parent === undefined ? undefined : within.get(parent);
    const place = [...folders].find(([folder]) => parent === undefined && isWithin(cwd, folder))?.[1];
    const by = outer ?? place;
    const begins = programOf(name)?.managesVersions === true && upkeep.test(argv[1] ?? '') ? name : undefined;
    if (id !== undefined && (by ?? begins) !== undefined) within.set(id, by ?? begins ?? '');
    if (by === undefined) continue;
    if (program.gate === undefined) labels.set(program, { kind: 'shim', by });
  }
  return labels;
}

/** Folders of version managers whose parts were started, with the manager: `~/.pyenv/libexec/pyenv-init` tells one. */
function foldersOfParts(programs: readonly LabelledProgram[]): Map<string, string> {
  const folders = new Map<string, string>();
  for (const { argv } of programs) {
    const [by = ''] = programName(argv[0] ?? '').split('-');
    const folder = folderOf(argv[0] ?? '');
    if (folder.length > 1 && isNamedAsPart(argv, by) && programOf(by)?.managesVersions) folders.set(folder, by);
  }
  return folders;
}

function isBehind<P>(program: P, settled: ReadonlySet<P>, parentOf: (program: P) => P | undefined): boolean {
  for (let at: P | undefined = program; at; at = parentOf(at)) if (settled.has(at)) return true;
  return false;
}

/** The stand-in that a manager was started by. Where it is the interpreter of a script, that one is what was asked for. */
function shimOf<P extends LabelledProgram>(
  manager: P,
  front: P,
  by: string,
  parentOf: (program: P) => P | undefined,
  shims: ReadonlyMap<P, Shim<P>>,
): Shim<P> {
  const wanted = calledAs(front.argv);
  const folder = folderOf(manager.argv[0] ?? '');
  const script = parentOf(front);
  if (!script || !isScriptOf(wanted, script.argv)) return { fronts: [front], wanted, by, folder };
  // `yarn` is found by its own stand-in, and is a script for `node`, which has one as well.
  const outer = shims.get(script);
  const fronts = outer && !outer.fronts.includes(script) ? outer.fronts : [];
  return { fronts: [...fronts, script, front], wanted, by, folder };
}

/** A stand-in is a script: `bash ~/.asdf/shims/node x.js` was called as `node x.js`. */
function calledAs(argv: readonly string[]): readonly string[] {
  return shellOf(argv[0] ?? '') && argv[1]?.includes('/') ? argv.slice(1) : argv;
}

/** Whether these words make an interpreter run a script that was called so: `node /w/bin/tsc -p .`, `tsc -p .`. */
function isScriptOf([, file = '', ...words]: readonly string[], script: readonly string[]): boolean {
  const isSame = words.length === script.length - 1 && words.every((word, index) => word === script[index + 1]);
  return isSame && programName(file) === programName(script[0] ?? '');
}

/** What was asked for in the first place. */
function askedOf<P extends LabelledProgram>({ fronts, wanted }: Shim<P>): readonly string[] {
  return calledAs(fronts[0]?.argv ?? wanted);
}

/** The version manager that a program is, where it is asked to run the program that started it. */
function managerOf({ argv }: LabelledProgram, parent: LabelledProgram): string | undefined {
  const name = programName(argv[0] ?? '');
  if (!programOf(name)?.managesVersions || !starts.test(argv[1] ?? '')) return undefined;
  return argv.slice(2).includes(programName(calledAs(parent.argv)[0] ?? '')) ? name : undefined;
}

/** `~/.pyenv/libexec/pyenv` is a part of `~/.pyenv`. */
function folderOf(file: string): string {
  return file.startsWith('/') ? posix.dirname(posix.dirname(file)) : '';
}

/** Whether a program is the one that was wanted: found under its name, or looked through and told as it was asked for. */
function isFound<P extends LabelledProgram>({ argv }: P, shim: Shim<P>): boolean {
  if (isNamedAsPart(argv, shim.by)) return false;
  const asked = askedOf(shim);
  if (argv.length === asked.length && argv.every((word, index) => word === asked[index])) return true;
  return programName(argv[0] ?? '') === programName(shim.wanted[0] ?? '') && sameArguments(argv, shim.wanted);
}

// An interpreter's own path or options may stand before what the user gave.
function sameArguments(argv: readonly string[], front: readonly string[]): boolean {
  const given = front.slice(1);
  return given.every((word, index) => argv[argv.length - given.length + index] === word);
}

function isNamedAsPart(argv: readonly string[], by: string): boolean {
  return programName(argv[0] ?? '').startsWith(`${by}-`);
}

/** What a subshell of the manager's scripts starts has no known parent, but its name (`pyenv-which`) or its place tell. */
function isPartOf<P extends LabelledProgram>(program: P, parent: P | undefined, shim: Shim<P>): boolean {
  if (isNamedAsPart(program.argv, shim.by)) return true;
  if (parent !== undefined || shim.folder.length < 2) return false;
  return isWithin(program.cwd, shim.folder) && !shim.fronts.some((front) => isWithin(front.cwd, shim.folder));
}

function isWithin(place: string, folder: string): boolean {
  return place === folder || place.startsWith(`${folder}/`);
}

let prefixes: ReadonlySet<string> | undefined;

/** Whether a variable is one of those that a version manager sets for itself: `PYENV_VERSION`, `ASDF_DIR`, `_PYENV_INSTALL_PREFIX`. */
export function isOfVersionManager(variable: string): boolean {
  prefixes ??= new Set(
    programs.filter((row) => row.managesVersions).flatMap(({ names }) => names.toUpperCase().split(' ')),
  );
  const [, prefix = ''] = /^_*([^_]+)_/.exec(variable) ?? [];
  return prefixes.has(prefix);
}
