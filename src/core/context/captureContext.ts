import { posix } from 'node:path';
import type { Action } from '../action/action.ts';
import { quoteCall, quoteWord } from '../shell/quoteWord.ts';
import type { Looker } from '../view/view.ts';
import { estimateTokens } from './estimateTokens.ts';
import { type Candidate, type Gathered, lookTitle, worth } from './gather/candidate.ts';
import { chooseObservations } from './gather/chooseObservations.ts';
import { type Chosen, needOf, turnTokens } from './gather/chosen.ts';
import { type ContextMemory, memoryOf, type Remembered, remember, stillTrue } from './gather/contextMemory.ts';
import { ActionReading, type GatherPlace } from './gather/gatherAction.ts';
import { gatherMachine, gatherStable } from './gather/gatherStable.ts';
import { gatherGit } from './gather/gitLooks.ts';
import { askAll } from './gather/lookBatch.ts';
import { compileExcludes, compileIgnore, type Exclusion } from './gather/pathPattern.ts';
import { pathKind, type ReadBytes, readPlainFile } from './gather/plainFiles.ts';
import { rehearseParts } from './gather/rehearseParts.ts';
import { restOfSources } from './gather/restOfSources.ts';
import { findNamedPrograms, type NamedProgram, programOf } from './gather/scriptPrograms.ts';
import { takeStatus } from './gather/takeStatus.ts';
import { type ToolVersion, toolVersion } from './gather/toolVersion.ts';
import { redactAtOnce, redactForPrompt } from './secrets/redactForPrompt.ts';
import { secretFormOf } from './secrets/secretFiles.ts';
import type { LeftOut, Observation, Redacted, WorkspaceContext } from './workspaceContext.ts';

/** What is looked at, and how much of it may be shown. */
export interface CaptureOptions {
  /** What the user is about to do. */
  action: Action;
  /** The one program of it that is asked about, where the gate stopped one. What it names counts most. `path`: its `PATH`. */
  program?: { argv: readonly string[]; cwd: string; path?: string };
  /** Asks git and others about the real files, confined. */
  looker: Looker;
  /** Reads a file in another state than the real one (as it would be when the program starts); asked first. */
  readFile?: ReadBytes;
  /** Files that are in that other state not what they really are, absolute: they are shown as `readFile` has them. */
  changed?: ReadonlySet<string>;
  /** Files that the same action read when it was rehearsed, absolute: what is in them counts, whatever else names it. */
  readLastTime?: readonly string[];
  /** Absolute. Only the first two are described. */
  workspaceFolders: readonly string[];
  /** Absolute. */
  cwd: string;
  /** Home directory of the user, absolute. */
  home: string;
  /** Most tokens of all observations together, estimated, with 40 a turn for its frame. */
  budgetTokens: number;
  /** The last commands of the user's terminals, oldest first. */
  terminalHistory?: readonly { command: string; cwd: string; output: string; exitCode?: number }[];
  /** Globs as in `files.exclude`, relative to a workspace folder: never shown. */
  excludes?: readonly string[];
  /** What is remembered between captures; default: one for each looker. */
  memory?: ContextMemory;
  /** Ends it early, with what there is. */
  signal: AbortSignal;
}

const mostHistory = 6;
/** A busy machine may take its time: a model takes longer, and answers wrongly what it was not shown. */
const lookLimitMs = 4_000;
const gitLimitMs = 2_000;

/**
 * Looks at the workspace before an action: true observations, without secrets, under a budget, in an order in which what
 * hardly changes stands first (see `worth` for the rule of what is kept, `chooseObservations` for the shares).
 *
 * The action's words, and the scripts and package scripts that it starts, are read, never run. Files are read directly;
 * git and listings are asked through look mode, several questions a process start. What was shown for an earlier action
 * and still holds stays at its place while there is room, so that two prompts in a row begin alike.
 * Never rejects. What could not be taken in time, or is left out, is listed with the reason.
 */
export async function captureContext(options: CaptureOptions): Promise<WorkspaceContext> {
  const start = performance.now();
  const { looker, cwd, signal, budgetTokens } = options;
  const memory = options.memory ?? memoryOf(looker);
  const place = await gatherPlace(options);
  const { asked, programs } = programsOf(options, place.home);
  memory.machine ??= gatherMachine(looker, cwd, signal);
  const looking = {
    machine: memory.machine,
    git: gatherGit(programs, { looker, cwd, signal, limitMs: gitLimitMs }),
    status: namedPaths(programs, cwd).then((paths) => takeStatus(memory, { looker, cwd, signal }, paths)),
    stable: Promise.all(stableFolders(options).map((folder) => gatherStable(folder, place))),
    action: gatherAction(options, place, asked, programs),
    parts: partsOf(options, asked, programs),
    // What was shown of a file that is another one in this state does not hold here.
    before: stillTrue(memory, cwd).then((list) => list.filter(({ path }) => !options.changed?.has(path))),
  };
  const [machine, git, status, stable, action, parts, before] = await Promise.all([
    looking.machine,
    looking.git,
    looking.status,
    looking.stable,
    looking.action,
    looking.parts,
    looking.before,
  ]);
  // A machine that could not be looked at is tried again.
  if (machine.length === 0) delete memory.machine;
  const candidates = withRemembered([...action.candidates, ...parts, ...git.candidates], before);
  const wanted = [...machine, ...stable.flat(), ...candidates, ...status.candidates, ...historyOf(options)];
  const rest = await restOf(options, place, action, wanted);
  const all = [...wanted, ...rest];
  const { chosen, leftOut } = chooseObservations(all.map(redactedBeforeCut), budgetTokens);
  const ordered = inOrder(chosen, before);
  const shown = await withoutSecrets(ordered);
  await remember(
    memory,
    cwd,
    shown.kept.filter(({ look }) => !isOfOtherState(look, options.changed)),
  );
  return {
    observations: shown.kept.map(asObservation),
    leftOut: [...status.leftOut, ...git.leftOut, ...action.leftOut, ...leftOut, ...shown.leftOut].slice(0, 500),
    redacted: shown.redacted,
    tokens: shown.kept.reduce((sum, one) => sum + one.tokens, 0),
    budgetTokens,
    durationMs: performance.now() - start,
  };
}

/** Such a text must not be taken for that of the real file later. */
function isOfOtherState(look: Observation['look'], changed: ReadonlySet<string> | undefined): boolean {
  return look.kind === 'read' && changed?.has(look.path) === true;
}

async function gatherPlace(options: CaptureOptions): Promise<GatherPlace> {
  const { cwd, readFile, signal, workspaceFolders } = options;
  const folders = workspaceFolders.length > 0 ? workspaceFolders : [cwd];
  const excluded = compileExcludes(options.excludes ?? []);
  const rules = await Promise.all(
    folders.map(async (folder): Promise<[string, Exclusion]> => {
      const file = await readPlainFile(posix.join(folder, '.gitignore'), { maxBytes: 64 * 1024 });
      return [folder, compileIgnore(file.ok ? file.text : '')];
    }),
  );
  const below = (path: string, folder: string) =>
    path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
  const first = (path: string, ask: (relative: string, folder: string) => string | undefined) => {
    for (const folder of folders) {
      const relative = below(path, folder);
      const found = relative === undefined ? undefined : ask(relative, folder);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const ignores = new Map(rules);
  return {
    home: options.home,
    readBytes: async (path, maxBytes) => {
      const bytes = await readFile?.(path, maxBytes);
      return bytes === undefined && options.changed?.has(path) ? null : bytes;
    },
    isChanged: (path) => options.changed?.has(path) === true,
    excludedBy: (path) => first(path, excluded),
    ignoredBy: (path) => first(path, (relative, folder) => ignores.get(folder)?.(relative)),
    shown: (path) => (path === cwd ? '.' : (below(path, cwd) ?? path)),
    cwd,
    startedIn: options.program?.cwd ?? cwd,
    signal,
  };
}

function programsOf(
  options: CaptureOptions,
  home: string,
): { asked: NamedProgram | undefined; programs: NamedProgram[] } {
  const { action, program } = options;
  const asked = program ? programOf(program.argv, program.cwd) : undefined;
  const all = action.kind === 'command' ? findNamedPrograms(action.script, { cwd: action.cwd, home }) : [];
  return { asked, programs: asked ? [asked, ...all] : all };
}

function stableFolders({ workspaceFolders, cwd }: CaptureOptions): string[] {
  return workspaceFolders.length > 0 ? workspaceFolders.slice(0, 2) : [cwd];
}

/** What the programs name below the folder and is there: a word may be a subcommand as well. */
async function namedPaths(programs: readonly NamedProgram[], cwd: string): Promise<string[]> {
  const named = programs.flatMap((program) =>
    program.words
      .slice(1)
      .filter(({ text, isGlob }) => !isGlob && /^[\w.][\w./-]*$/.test(text))
      .map(({ text }) => posix.resolve(program.cwd, text)),
  );
  const below = [...new Set(named)].filter((path) => path.startsWith(`${cwd}/`)).slice(0, 40);
  const kinds = await Promise.all(below.map((path) => pathKind(path)));
  return below.flatMap((path, index) => (kinds[index] === undefined ? [] : [path.slice(cwd.length + 1)])).slice(0, 8);
}

async function gatherAction(
  options: CaptureOptions,
  place: GatherPlace,
  asked: NamedProgram | undefined,
  all: readonly NamedProgram[],
): Promise<Gathered & { settled: Set<string>; near: string[] }> {
  const { action, looker, signal, cwd } = options;
  const reading = new ActionReading(place);
  if (action.kind === 'edit') for (const { path } of action.changes) reading.addFile(path, 'it is edited');
  for (const path of options.changed ?? []) reading.addChanged(path, namesFile(options, path));
  for (const path of options.readLastTime ?? []) reading.addReadLastTime(path);
  for (const program of all) {
    // Where one program is asked about, the others of the script matter less.
    const isAsked = asked === undefined || program === asked;
    await reading.addProgram(program, {
      why: isAsked ? '' : 'the script names it',
      worth: isAsked ? worth.named : worth.named - 30,
    });
  }
  await reading.gather();
  const { program } = options;
  const version = program && (await toolVersion(program.argv[0] ?? '', program.cwd, program.path ?? ''));
  const listings = await askListings(reading, { looker, signal, cwd }, version?.packageName);
  const candidates = [...reading.result.candidates, ...listings, ...(version ? versionCandidates(version, cwd) : [])];
  return { candidates, leftOut: reading.result.leftOut, settled: reading.settled(), near: reading.near() };
}

/** Room that nothing else wants goes to the other sources. */
async function restOf(
  { workspaceFolders, cwd, budgetTokens }: CaptureOptions,
  place: GatherPlace,
  { settled, near }: { settled: ReadonlySet<string>; near: readonly string[] },
  wanted: readonly Candidate[],
): Promise<Candidate[]> {
  const shown = wanted.flatMap(({ look }) => (look.kind === 'read' ? [look.path] : []));
  const usedTokens = wanted.reduce((sum, candidate) => sum + needOf(candidate), 0);
  const folders = workspaceFolders.length > 0 ? workspaceFolders.slice(0, 2) : [cwd];
  const without = new Set([...settled, ...shown]);
  return restOfSources({ folders, without, near, freeTokens: budgetTokens - usedTokens }, place);
}

/** What parts of the action really print; they run on the real files, so not where a step before has changed some. */
function partsOf(
  { looker, cwd, signal, changed }: CaptureOptions,
  asked: NamedProgram | undefined,
  programs: readonly NamedProgram[],
): Promise<Candidate[]> {
  if (changed && changed.size > 0) return Promise.resolve([]);
  const others = programs.filter((program) => program !== asked);
  return rehearseParts(others, { looker, cwd, signal, isWhole: asked === undefined && others.length === 1 });
}

function namesFile({ action, program }: CaptureOptions, path: string): boolean {
  const name = posix.basename(path);
  const words = program?.argv ?? (action.kind === 'command' ? [action.script] : []);
  return words.some((word) => word.includes(name));
}

/** The version as a look; a file that the action reads anyway is one of its files. */
function versionCandidates({ read, run }: ToolVersion, cwd: string): Candidate[] {
  const as = (look: Observation['look'], text: string): Candidate => ({
    look,
    text,
    why: versionWhy,
    volatility: look.kind === 'read' ? 3 : 4,
    worth: worth.read,
    part: 'action',
    focus: { patterns: [], ranges: [] },
  });
  return [
    ...(read ? [{ ...as({ kind: 'read', path: read.path }, read.text), path: read.path }] : []),
    ...(run ? [as({ kind: 'run', command: run.command, cwd, exitCode: 0 }, run.text)] : []),
  ];
}

const versionWhy = 'the version of the program';
const mostListings = 10;

/** Long listings of the named folders, and what inert programs see in the archives and databases that are named. */
async function askListings(
  reading: ActionReading,
  place: { looker: Looker; signal: AbortSignal; cwd: string },
  packageName: string | undefined,
): Promise<Candidate[]> {
  const nameOf = (path: string) => quoteWord(relativeTo(place.cwd, path));
  const probed = reading.probes();
  const counted = (await reading.counted()).slice(0, mostListings).map((path) => relativeTo(place.cwd, path));
  const questions = [
    ...(probed.length > 0
      ? [
          {
            command: `ls -ld ${quoteCall(probed)}`,
            why: 'whether it is there decides what can be done',
            worth: worth.read,
          },
        ]
      : []),
    ...(packageName !== undefined
      ? [
          {
            command: `dpkg-query -W -f='\${Package} \${Version}\\n' ${quoteWord(packageName)}`,
            why: versionWhy,
            worth: worth.read,
          },
        ]
      : []),
    ...(counted.length > 0
      ? [{ command: quoteCall(['wc', '-lc', '--', ...counted]), why: 'the action names it', worth: worth.read }]
      : []),
    ...reading
      .longListings()
      .slice(0, mostListings)
      .map(({ path, why }) => ({
        command: path === place.cwd ? 'ls -la' : `ls -la ${nameOf(path)}`,
        why,
        worth: worth.listing,
      })),
    ...reading.binaries.slice(0, mostListings).flatMap(({ path, why, worth: value }) => {
      const command = contentCommand(path, nameOf(path));
      return command === undefined ? [] : [{ command, why, worth: Math.min(value, worth.listing) }];
    }),
  ];
  const asked = questions.map(({ command }) => ({ command, cwd: place.cwd }));
  const answers = await askAll(place.looker, asked, { limitMs: lookLimitMs, signal: place.signal });
  return answers.map(({ command, cwd, text, exitCode }, index) => ({
    look: { kind: 'run', command, cwd, exitCode },
    text,
    why: questions[index]?.why ?? '',
    volatility: 4,
    worth: questions[index]?.worth ?? worth.nearby,
    part: 'action',
    focus: { patterns: [], ranges: [] },
  }));
}

function contentCommand(path: string, name: string): string | undefined {
  if (/\.(?:tar|tgz|tbz2?|txz|tar\.\w+)$/.test(path)) return `tar -tvf ${name} | head -n 400`;
  if (/\.(?:zip|jar|whl|war|vsix)$/.test(path)) return `unzip -l ${name} | head -n 400`;
  if (/\.gz$/.test(path)) return `gzip -dc ${name} | head -c 40000`;
  if (/\.(?:db|sqlite3?)$/.test(path)) return `sqlite3 -readonly ${name} .dump | head -n 400`;
  return undefined;
}

function relativeTo(cwd: string, path: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
}

function historyOf({ terminalHistory = [], cwd }: CaptureOptions): Candidate[] {
  return terminalHistory.slice(-mostHistory).map(({ command, output, exitCode = 0, ...entry }, index) => {
    const secretFile = command.split(/[\s'"=<>|;&]+/).find((word) => secretFormOf(word) !== undefined);
    return {
      look: { kind: 'run', command, cwd: entry.cwd || cwd, exitCode },
      text: output,
      why: 'it was run in the terminal before',
      volatility: 9,
      worth: worth.status - (mostHistory - index) / 10,
      part: 'volatile',
      focus: { patterns: [], ranges: [{ first: -20, last: -1 }] },
      ...(secretFile ? { path: secretFile } : {}),
    };
  });
}

/** What was shown before keeps its text and place; what is wanted now as well counts as wanted now. */
function withRemembered(candidates: readonly Candidate[], before: readonly Remembered[]): Candidate[] {
  const wanted = new Map(
    candidates.flatMap((one) => (one.look.kind === 'read' ? [[one.look.path, one] as const] : [])),
  );
  const kept: Candidate[] = [];
  const replaced = new Set<Candidate>();
  for (const [index, { chosen, path }] of before.entries()) {
    if (chosen.candidate.part !== 'action') continue;
    const now = wanted.get(path);
    const isWhole = chosen.look.kind === 'read' && chosen.look.firstLine === undefined;
    // A part of a file that nothing asks for stays the part that it was.
    const staysPart = !isWhole && now !== undefined && now.worth <= worth.rest;
    if (now && !isWhole && !staysPart) {
      const { look, text, tokens } = chosen;
      replaced.add(now);
      kept.push({ ...now, earlier: { look, text, tokens } });
      continue;
    }
    if (now) replaced.add(now);
    kept.push({
      ...chosen.candidate,
      look: chosen.look,
      text: chosen.text,
      why: now?.why ?? 'it was shown before',
      worth: now?.worth ?? worth.nearby - 5 - index / 1_000,
      ...(now && !staysPart
        ? { earlier: { look: chosen.look, text: chosen.text, tokens: chosen.tokens } }
        : { whole: true }),
    });
  }
  return [...candidates.filter((one) => !replaced.has(one)), ...kept];
}

/** By volatility; files as they were first shown, new ones behind them, and behind these what is not remembered. */
function inOrder(chosen: readonly Chosen[], before: readonly Remembered[]): Chosen[] {
  const places = new Map(before.map(({ chosen: one }, index) => [lookTitle(one.look), index]));
  const placeOf = ({ candidate: { part }, look }: Chosen) =>
    part === 'action' ? (places.get(lookTitle(look)) ?? (look.kind === 'read' ? 10_000 : 20_000)) : 0;
  return [...chosen].sort(
    (a, b) =>
      a.candidate.volatility - b.candidate.volatility ||
      placeOf(a) - placeOf(b) ||
      b.candidate.worth - a.candidate.worth,
  );
}

async function withoutSecrets(
  chosen: readonly Chosen[],
): Promise<{ kept: Chosen[]; redacted: Redacted[]; leftOut: LeftOut[] }> {
  const redacted: Redacted[] = [];
  try {
    const kept = await Promise.all(
      chosen.map(async (one) => {
        const { path } = one.candidate;
        const { text, found } = await redactForPrompt(one.text, path === undefined ? {} : { path });
        const look = await withoutSecretsInLook(one.look);
        const counts = countMarks(text);
        for (const [kind, count] of counts) redacted.push({ where: lookTitle(look), kind, count });
        if (found.length === 0 && look === one.look) return one;
        return { ...one, text, look, tokens: estimateTokens(text) + turnTokens };
      }),
    );
    return { kept, redacted, leftOut: [] };
  } catch {
    // Nothing is sent that was not searched.
    return {
      kept: [],
      redacted: [],
      leftOut: [{ what: 'everything', why: 'the scanner for secrets could not be loaded' }],
    };
  }
}

function countMarks(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const [, kind = ''] of text.matchAll(/\[redacted: ([\w-]+)\]/g)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

const quickCharacters = 256 * 1024;

/**
 * What goes over several lines (keys, the files of a diff, quoted values) would not be recognised in a part, so the quick
 * layer sees the whole. A big text without any of it is only searched in the part that is shown.
 */
function redactedBeforeCut(candidate: Candidate): Candidate {
  const { text, path } = candidate;
  const hasParts = text.includes('PRIVATE KEY') || text.includes('+++ ') || text.includes('kind: Secret');
  if (text.length > quickCharacters && !hasParts && !(path && secretFormOf(path))) return candidate;
  const { text: without, found } = redactAtOnce(text, path);
  return found.length === 0 ? candidate : { ...candidate, text: without };
}

async function withoutSecretsInLook(look: Observation['look']): Promise<Observation['look']> {
  if (look.kind !== 'run') return look;
  const { text, found } = await redactForPrompt(look.command);
  return found.length === 0 ? look : { ...look, command: text };
}

function asObservation({ look, text, tokens, candidate }: Chosen): Observation {
  return { look, text, why: candidate.why, tokens, volatility: candidate.volatility };
}
