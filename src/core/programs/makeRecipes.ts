import { posix } from 'node:path';
import { expandMake, type Makefile, type MakeRule, readMakefile } from './makefile.ts';
import type { IsThere, LookedAt, LookThrough, ReadText, StartedStep } from './startedStep.ts';

interface MakeCall {
  targets: string[];
  given: Map<string, string>;
  file?: string;
  folder: string;
  silent: boolean;
  always: boolean;
  unknown?: string;
}

/** State of one walk through the rules. */
interface Walk {
  call: MakeCall;
  makefile: Makefile;
  env: Readonly<Record<string, string>>;
  isThere: IsThere;
  done: Set<string>;
  steps: StartedStep[];
}

/**
 * What `make target` would start: the recipes of the target and of what it needs, each line in a shell of its own. Makefiles
 * are read as far as they are plain; whether a file is up to date is for make to say. After the manual of GNU make 4.
 */
export async function lookThroughMake(
  program: LookedAt,
  readText: ReadText,
  isThere: IsThere,
): Promise<LookThrough | undefined> {
  const opened = await openMakefile(program, readText);
  const { call } = opened;
  if (program.env['MAKEFLAGS'] || program.env['MAKEFILES']) return no('The environment tells make what to do.');
  if (call.unknown) return no(call.unknown);
  if (!opened.makefile) return no(`make would find no makefile in ${call.folder}.`);
  const { makefile, targets } = opened;
  if (makefile.unread !== undefined) return no(makefile.unread);
  if (targets.length === 0) return no('The makefile has no target.');
  const env = environment(program, call, makefile);
  if (env === undefined) return no('A variable of the environment has to be worked out by make.');
  const walk: Walk = { call, makefile, env, isThere, done: new Set(), steps: [] };
  for (const target of targets) {
    const reason = await addTarget(walk, target, []);
    if (reason !== undefined) return no(reason);
  }
  if (walk.steps.length === 0) return no(`make would find nothing to do for ${targets.join(' ')}.`);
  return {
    ok: true,
    steps: walk.steps,
    exact: false,
    inexactBecause: 'make sets variables of its own, and says so where a recipe fails',
  };
}

/**
 * Lines of the recipes that a call of make may run, as far as the makefile is plain, at most 60: good enough for finding what
 * they read. What has to be worked out by make stays as it is written.
 */
export async function recipesOf(program: LookedAt, readText: ReadText): Promise<{ folder: string; lines: string[] }> {
  const { call, makefile, targets } = await openMakefile(program, readText);
  const lines: string[] = [];
  const open = [...targets];
  const seen = new Set<string>();
  for (let target = open.shift(); makefile && target !== undefined && seen.size < 40; target = open.shift()) {
    const rule = seen.has(target) ? undefined : makefile.rules.get(target);
    seen.add(target);
    for (const line of rule?.lines ?? []) {
      const words = expandMake(line, makefile.variables, automaticOf(target, rule)) ?? line.replaceAll('$$', '$');
      lines.push(words.replace(/^[\s@+-]*/, ''));
    }
    open.push(...(rule?.needs ?? []));
  }
  return { folder: call.folder, lines: lines.filter((line) => line !== '').slice(0, 60) };
}

/** The makefile that a call reads, if there is one, and what it is asked for. */
async function openMakefile(
  program: LookedAt,
  readText: ReadText,
): Promise<{ call: MakeCall; makefile?: Makefile; targets: string[] }> {
  const call = readCall(program);
  const names = call.file === undefined ? ['GNUmakefile', 'makefile', 'Makefile'] : [call.file];
  let text: string | undefined;
  for (const name of names) text ??= await readText(posix.resolve(call.folder, name));
  if (text === undefined) return { call, targets: call.targets };
  const own = { RM: 'rm -f', CC: 'cc', CXX: 'g++', MAKE: program.argv[0] ?? 'make', CURDIR: call.folder };
  const makefile = readMakefile(text, { given: call.given, env: program.env, own });
  const first = makefile.first === undefined ? [] : [makefile.first];
  return { call, makefile, targets: call.targets.length > 0 ? call.targets : first };
}

const valued = /^(-C|--directory|-f|--file|--makefile)$/;

function readCall({ argv, cwd }: LookedAt): MakeCall {
  const call: MakeCall = { targets: [], given: new Map(), folder: cwd, silent: false, always: false };
  for (let index = 1; index < argv.length; index++) {
    const word = argv[index] ?? '';
    const [, short, attached] = /^(-[Cfj])(.+)$/.exec(word) ?? [];
    const [, long, equalled] = /^(--[\w-]+)=(.*)$/s.exec(word) ?? [];
    const option = short ?? long ?? word;
    if (valued.test(option)) {
      const value = attached ?? equalled ?? argv[++index] ?? '';
      if (option === '-C' || option === '--directory') call.folder = posix.resolve(call.folder, value);
      else if (call.file !== undefined || value === '-')
        call.unknown ??= 'make would read several makefiles, or its input.';
      else call.file = value;
    } else if (/^(-s|--silent|--quiet)$/.test(word)) call.silent = true;
    else if (/^(-B|--always-make)$/.test(word)) call.always = true;
    else if (/^(-j|--jobs)$/.test(option)) {
      if (attached === undefined && equalled === undefined && /^\d+$/.test(argv[index + 1] ?? '')) index++;
    } else if (word.startsWith('-') && !/^(-w|--print-directory|--no-print-directory)$/.test(word))
      call.unknown ??= `make takes ${word} for itself; what it would start is not known here.`;
    else if (/^[\w.-]+\s*:{0,2}=/.test(word)) {
      const at = word.indexOf('=');
      call.given.set(word.slice(0, at).replace(/[\s:]+$/, ''), word.slice(at + 1));
    } else call.targets.push(word);
  }
  return call;
}

/** What recipes find in the environment: what the command line sets, and variables of it that the makefile changes. */
function environment(program: LookedAt, call: MakeCall, { variables }: Makefile): Record<string, string> | undefined {
  const env: Record<string, string> = { MAKELEVEL: String(Number(program.env['MAKELEVEL'] ?? 0) + 1) };
  const changed = [...variables.written.keys()].filter((name) => program.env[name] !== undefined);
  for (const name of [...call.given.keys(), ...changed]) {
    const value = expandMake(`$(${name})`, variables);
    if (value === undefined) return undefined;
    env[name] = value;
  }
  return env;
}

/** Adds what makes a target, behind what makes what it needs; returns why that is not known. */
async function addTarget(walk: Walk, target: string, within: readonly string[]): Promise<string | undefined> {
  const { makefile, done, call } = walk;
  if (done.has(target)) return undefined;
  if (within.includes(target)) return `The target ${target} needs itself; make would leave that out.`;
  const rule = makefile.rules.get(target);
  const isPhony = makefile.phony.has(target);
  const before = walk.steps.length;
  for (const need of rule?.needs ?? []) {
    const reason = await addTarget(walk, need, [...within, target]);
    if (reason !== undefined) return reason;
  }
  done.add(target);
  const needsNothing = walk.steps.length === before;
  if (!isPhony) {
    const isThere = await walk.isThere(posix.resolve(call.folder, target));
    if ((rule === undefined || rule.lines.length === 0) && (await hasBuiltInRule(walk, target)))
      return `make would make ${target} by a rule of its own.`;
    if (rule === undefined && !isThere) return `make has no rule for ${target}.`;
    // The manual, 4.2: it is out of date if it is not there or older than what it needs.
    if (isThere && rule !== undefined && rule.lines.length > 0 && !call.always) {
      if (rule.needs.length > 0 || !needsNothing) return `Whether ${target} is up to date is for make to say.`;
      return undefined;
    }
  }
  return rule === undefined ? undefined : addRecipe(walk, target, rule);
}

/** Suffixes of the files from which rules of make's own make others (the manual, 10.2). */
const sources =
  '.o .c .cc .C .cpp .p .f .F .m .r .y .l .ym .lm .s .S .mod .sym .def .h .sh .w .ch .web .tex .texi .texinfo .txinfo .dvi';

async function hasBuiltInRule({ call, isThere }: Walk, target: string): Promise<boolean> {
  const stem = target.replace(/\.(o|c|r|s|f|p|l|ln|mod|sym|tex|dvi|info|a)$/, '');
  // What has another ending is made by no such rule.
  if (stem === target && posix.extname(target) !== '') return false;
  const found = await Promise.all(
    sources.split(' ').map(async (suffix) => {
      const file = `${stem}${suffix}`;
      return file !== target && (await isThere(posix.resolve(call.folder, file)));
    }),
  );
  return found.includes(true);
}

function addRecipe(walk: Walk, target: string, rule: MakeRule): string | undefined {
  const { makefile, call, env, steps } = walk;
  const automatic = automaticOf(target, rule);
  for (const line of rule.lines) {
    const expanded = expandMake(line, makefile.variables, automatic);
    if (expanded === undefined) return `A line of the recipe of ${target} has to be worked out by make: ${line.trim()}`;
    const [marks = ''] = /^[\s@+-]*/.exec(expanded) ?? [];
    const words = expanded.slice(marks.length);
    if (words === '') continue;
    const shellScript = marks.includes('-') ? `( ${words}\n) || :` : words;
    const step: StartedStep = { shellScript, cwd: call.folder, env, label: { kind: 'line', by: 'make', words } };
    if (!call.silent && !marks.includes('@')) step.printed = { stdout: `${words}\n` };
    steps.push(step);
  }
  return undefined;
}

/** The variables of a rule (the manual, 10.5.3). */
function automaticOf(target: string, rule: MakeRule | undefined): Record<string, string> {
  const needs = rule?.needs ?? [];
  return { '@': target, '<': needs[0] ?? '', '^': [...new Set(needs)].join(' ') };
}

function no(reason: string): { ok: false; reason: string } {
  return { ok: false, reason };
}
