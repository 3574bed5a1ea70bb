import type { Findings } from '../../../loss/git/gitTask.ts';
import { plannedNamesEffects } from '../../../loss/git/plannedNames.ts';
import { programName } from '../../../programs/programName.ts';
import { holds, programNamed } from '../../../programs/programOf.ts';
import { mayBeSameCall } from '../../../programs/sameCall.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import type { StaticProgram } from '../../../shell/evaluated.ts';
import { readScript } from '../../../shell/script.ts';
import { isPosixShell, shebangProgram } from '../../../shell/shells.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import type { Looker, View } from '../../../view/view.ts';
import type { RecordedProgram } from '../wire/runRecord.ts';
import { lessKnown, type ReaderTools, type Reading } from './call.ts';
import { plannedChanges, plannedView } from './changes.ts';
import { decidedElse } from './decidedElse.ts';
import { createPlannedDisk, type PlannedDisk } from './disk.ts';
import { overwrite } from './fileReaders.ts';
import { hasReader, readCall } from './readers.ts';
import { programsBehind } from './runsOn.ts';
import { startedByStopped } from './startedByStopped.ts';
import { expandField } from './words.ts';

/** What is known when a run ended before the script did. */
export interface PlanInput {
  /** The text of the command; empty of a patch. */
  script: string;
  /** The shell that reads it. */
  shell?: string | undefined;
  cwd: string;
  home: string;
  env: Readonly<Record<string, string>>;
  /** Programs that were started, in their order; those without an exit code were at work. */
  started: readonly RecordedProgram[];
  /** What has happened to the files already. */
  changed: readonly FileChange[];
  /** It ended right before its first change: nothing has happened yet, and what was at work begins with it. */
  isUntouched: boolean;
  /** Reads what has happened already. */
  view: View;
  looker: Looker;
  signal: AbortSignal;
  /** The command has ended; these processes, by their arguments, go on without it. */
  leftRunning?: readonly (readonly string[])[];
  /** It went on to its end, and might have gone another way. */
  goesOn?: boolean;
}

/** A program that would still be started. */
export interface ProgramAhead {
  argv: string[];
  cwd: string;
  /** Started by another program (`sudo`, `bash -c`). */
  inside: boolean;
  basis: 'computed' | 'assumed';
}

/** What a script would still do to files: computed from the words of its programs and the real disk. */
export interface Plan {
  /** Of each program that was at work: whether all that it would destroy is found. */
  atWork: Map<RecordedProgram, 'computed' | 'assumed'>;
  ahead: ProgramAhead[];
  /** The first that would be started. */
  next: readonly string[] | undefined;
  files: FileChange[];
  /** What becomes of branches, tags and stashes. */
  git: Findings;
  /** `computed`: exactly this would happen. */
  basis: 'computed' | 'assumed';
  /** More would change than is listed. */
  isCut: boolean;
  view: View;
}

/** Longest script file that is read, in bytes. */
const maxScriptBytes = 256 * 1024;

/** Finds out what had not happened yet when a run ended. Only looks; never rejects for what a file is or is not. */
export async function planRest(input: PlanInput): Promise<Plan> {
  const disk = createPlannedDisk(input.changed);
  const tools: ReaderTools = {
    disk,
    looker: input.looker,
    names: [],
    signal: input.signal,
    look: lookWith(input),
    contentOf: contentWith(disk, input.view),
  };
  const plan: Plan = {
    atWork: new Map(),
    ahead: [],
    next: undefined,
    files: [],
    git: { facts: [], loss: [] },
    basis: 'assumed',
    isCut: false,
    view: input.view,
  };
  let least: Reading = 'exact';
  for (const program of input.leftRunning ? [] : input.started) {
    if (program.exitCode !== undefined || program.gate !== undefined) continue;
    const [name = '', ...words] = program.argv;
    const call = { name: programName(name), words: words.map((text) => ({ text, isOpen: false })), cwd: program.cwd };
    const reading = await readCall({ ...call, env: input.env }, tools);
    plan.atWork.set(program, reading === 'unknown' ? 'assumed' : 'computed');
    least = lessKnown(least, reading);
  }
  const { leftRunning } = input;
  const pending = leftRunning ? programsBehind({ ...input, leftRunning }) : await pendingPrograms(input, tools);
  plan.next = pending[0]?.argv;
  for (const program of pending) least = lessKnown(least, await planOne(program, input, tools, plan));
  for (const { call, held } of startedByStopped(input.started, input)) {
    for (const { from, isReadOnly } of held) {
      // What is mounted twice may be written by its other name.
      if (from !== undefined && disk.held.get(from) !== 'writable')
        disk.held.set(from, isReadOnly ? 'readOnly' : 'writable');
    }
    least = lessKnown(least, await planOne(call, input, tools, plan));
    disk.held.clear();
  }
  const { files, isCut } = await plannedChanges(disk, input.signal);
  const told = new Set(input.changed.map(({ path }) => path));
  plan.files = files.filter((file) => !told.has(file.path));
  for (const names of tools.names) {
    const { facts, loss } = await plannedNamesEffects({ looker: input.looker, signal: input.signal }, names);
    plan.git.facts.push(...facts);
    plan.git.loss.push(...loss);
  }
  plan.isCut = isCut || disk.isCut;
  plan.view = plannedView(disk, input.view, plan.files);
  const isWhole = input.isUntouched && pending.length === 0 && plan.atWork.size > 0;
  if (isWhole && least === 'exact' && !plan.isCut) plan.basis = 'computed';
  return plan;
}

function lookWith({ looker, signal }: PlanInput): ReaderTools['look'] {
  return async (argv, { cwd, env, inputText }) => {
    const stdin = inputText === undefined ? {} : { stdin: Buffer.from(inputText) };
    const { exitCode, stdout } = await looker.look(argv, { cwd, env, limitMs: 5_000, signal, ...stdin });
    return exitCode === 0 ? Buffer.from(stdout) : undefined;
  };
}

function contentWith(disk: PlannedDisk, view: View): ReaderTools['contentOf'] {
  return async (path) => {
    const node = await disk.node(path);
    if (node?.type !== 'file') return undefined;
    if (node.content) return node.content;
    const bytes = await view.read(node.real ?? path, node.real === undefined ? 'after' : 'before');
    return bytes && bytes.length === node.sizeBytes ? bytes : undefined;
  };
}

/** Programs of the texts that the run had not come to, in order. */
async function pendingPrograms(input: PlanInput, tools: ReaderTools): Promise<StaticProgram[]> {
  const { home, env, started } = input;
  const script = readScript(input.script);
  const statics = findStaticPrograms(script, { cwd: input.cwd, home, env, shell: input.shell });
  const elseRun = decidedElse(script, started);
  const isReached = (one: StaticProgram) => started.some(({ argv }) => mayBeSameCall(one, argv));
  const behind = new Set(input.goesOn ? [] : notReached(statics, started));
  const pending = statics.filter(
    (one) => behind.has(one) || (one.command && elseRun.has(one.command) && !isReached(one)),
  );
  for (const program of input.started) {
    if (program.exitCode !== undefined) continue;
    const inner = await innerScript(program, input, tools);
    if (inner === undefined) continue;
    const place = { cwd: program.cwd, home, env, shell: inner.shell };
    pending.push(...notReached(findStaticPrograms(readScript(inner.text), place), input.started));
  }
  return pending;
}

/** The text that a program at work goes through, and the shell that reads it: a script file, or the recipes of make. */
async function innerScript(
  { argv, cwd, realPath }: RecordedProgram,
  { env }: PlanInput,
  { look, contentOf, disk }: ReaderTools,
): Promise<{ text: string; shell: string } | undefined> {
  const name = programName(argv[0] ?? '');
  if (/^g?make$/.test(name)) {
    const recipes = (
      await look([argv[0] ?? 'make', '-n', ...argv.slice(1)], { cwd, env, inputText: undefined })
    )?.toString();
    return recipes === undefined ? undefined : { text: recipes.replace(/^g?make(\[\d+\])?: .*$/gm, ''), shell: 'sh' };
  }
  const word = isPosixShell(name) ? argv.slice(1).find((one) => !/^[-+]/.test(one)) : undefined;
  if (argv.slice(1).some((one) => /^-[a-z]*c$/.test(one))) return undefined; // Its text is among the words of the script.
  const file = word === undefined ? realPath : await disk.place(cwd, word);
  if (file === '' || (word === undefined && !argv[0]?.includes('/'))) return undefined;
  const bytes = await contentOf(file);
  if (!bytes || bytes.length > maxScriptBytes || bytes.includes(0)) return undefined;
  const text = Buffer.from(bytes).toString('utf8');
  const shell = word === undefined ? (shebangProgram(text) ?? '') : name;
  return isPosixShell(shell) ? { text, shell } : undefined;
}

function notReached(statics: readonly StaticProgram[], started: readonly RecordedProgram[]): StaticProgram[] {
  const left = new Set(started);
  let reached = -1;
  for (const [index, one] of statics.entries()) {
    for (const program of left) {
      if (!mayBeSameCall(one, program.argv)) continue;
      left.delete(program);
      reached = index;
    }
  }
  const readBefore = new Set(started);
  return statics.filter((one, index) => {
    if (one.inside?.elsewhere || (one.inside && programNamed(one.inside.by)?.walks === true)) return false;
    if (index > reached) return true;
    // In loops, functions and what goes on beside, the order of the text is not the order of time.
    const { inLoop, inFunction, background } = one.command ?? {};
    const isAgain = inLoop || inFunction !== undefined || background;
    return Boolean(isAgain) && ![...readBefore].some((program) => mayBeSameCall(one, program.argv));
  });
}

async function planOne(program: StaticProgram, input: PlanInput, tools: ReaderTools, plan: Plan): Promise<Reading> {
  const { disk } = tools;
  const { cwd } = program;
  if (!program.isLost && !(await isFolder(cwd, disk))) return withoutFolder(program, plan);
  const expanded = await Promise.all(program.fields.map((field) => expandField(field, cwd, disk)));
  const [first, ...words] = expanded.flat();
  const env = { ...input.env, ...program.env };
  const name = programName(first?.text ?? '');
  const rest = words.map((word) => (program.isLost && !word.text.startsWith('/') ? { ...word, isOpen: true } : word));
  const call = { name, words: rest, cwd, env, inputText: program.inputText };
  const wasRoot = disk.asRoot;
  if (program.inside?.asUser !== undefined) disk.asRoot = program.inside.asUser === 'root';
  let reading: Reading = 'exact';
  if (first) {
    const lacksWords = program.inside?.moreArguments && program.inputText === undefined;
    // One round after the other takes its own name: together they are known, where only one word has it.
    const isPaired = program.fields.filter(({ isEach }) => isEach).length > 1;
    reading = first.isOpen || lacksWords || isPaired ? 'unknown' : await readCall(call, tools);
    if (hasReader(name)) {
      const isCertain = reading !== 'unknown' && !program.isUncertain && !program.isLost;
      const argv = program.argv;
      plan.ahead.push({ argv, cwd, inside: program.inside !== undefined, basis: isCertain ? 'computed' : 'assumed' });
    }
  }
  for (const redirect of program.redirects) {
    if (!/^(>|>\||&>|>&)$/.test(redirect.operator)) continue;
    if (redirect.operator === '>&' && /^[\d-]+$/.test(redirect.target)) continue;
    const targets = (await Promise.all(redirect.fields.map((field) => expandField(field, cwd, disk)))).flat();
    const [target] = targets;
    if (targets.length !== 1 || !target || target.isOpen || program.isLost) reading = 'unknown';
    else if (!(await overwrite(cwd, target.text, await printedBy(program, redirect, call, tools), tools)))
      reading = 'unknown';
  }
  disk.asRoot = wasRoot;
  return lessKnown(reading, 'known');
}

async function isFolder(path: string, disk: PlannedDisk): Promise<boolean> {
  return (await disk.follow(await disk.place('/', path))).node?.type === 'directory';
}

/** `cd` would not find its folder: behind `&&` nothing runs then, behind `;` it runs where the shell is by then. */
function withoutFolder({ argv, cwd, inside }: StaticProgram, plan: Plan): Reading {
  if (hasReader(programName(argv[0] ?? ''))) {
    plan.ahead.push({ argv, cwd, inside: inside !== undefined, basis: 'assumed' });
  }
  return 'unknown';
}

/** What a call that only prints would print: empty where there is no program at all. */
async function printedBy(
  program: StaticProgram,
  { descriptor }: { descriptor?: number | string },
  call: Parameters<typeof readCall>[0],
  { look, disk }: ReaderTools,
): Promise<Uint8Array | undefined> {
  if (program.argv.length === 0) return new Uint8Array();
  if (descriptor !== undefined && descriptor !== 1) return undefined;
  const known = programNamed(call.name);
  const isPlain = known?.prints === true && call.words.every(({ isOpen }) => !isOpen) && program.readsFrom.length === 0;
  const readsChanged = disk.touched().length > 0 && !holds(known?.needsNoFile, []);
  if (!isPlain || readsChanged || program.redirects.some(({ operator }) => operator.startsWith('<'))) return undefined;
  const words = call.words.map(({ text }) => text);
  return look(['bash', '-c', '"$@"', 'bash', call.name, ...words], call);
}
