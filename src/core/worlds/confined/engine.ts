import fs from 'node:fs';
import type { PredictRequest } from '../../prediction/rehearsal.ts';
import { defaultLimits } from '../../prediction/request.ts';
import type { FileChange } from '../../view/fileChange.ts';
import type { Looker } from '../../view/view.ts';
import { failureText } from '../../words/failureText.ts';
import type { ConfinedParts, NoLauncher } from './confinedParts.ts';
import { type InertFiles, inertNow, whyNothingIsInert } from './gate/inert.ts';
import { holdChanges } from './holdChanges.ts';
import { createLooker, createRunInCopy, lookAtProgram, lookOutside } from './look/looker.ts';
import { openView } from './run.ts';
import { openSession, type Session } from './session.ts';
import { fishFunctions } from './shell/fishFunctions.ts';
import { createShellState } from './shell/shellState.ts';
import type { StartState } from './shell/startState.ts';
import { zshState } from './shell/zshState.ts';
import { isStartUnread, startStateOf, stateText } from './stepCommand.ts';
import type { HeldView } from './views.ts';
import { type Caller, type Copying, Launcher } from './wire/launcher.ts';
import { createLauncherPool, type LauncherPool } from './wire/launcherPool.ts';

/** What this machine can do, and one sentence for people. */
export interface EngineStatus {
  /** At least one mode works. */
  available: boolean;
  /** Commands that change something can be rehearsed on a copy. */
  copy: boolean;
  /** How copies are made. */
  by?: Copying['by'];
  /** Commands that only read can be answered. */
  look: boolean;
  /** Why nothing works at all. */
  because?: 'otherSystem' | 'launcherMissing' | 'confinement';
  sentence: string;
}

/** What the engine needs to know of the machine and of the user. */
export interface ConfinedOptions {
  /** Path of the launcher for this machine. */
  binary: string;
  /** As Node names it; default: that of this process. */
  platform?: NodeJS.Platform | undefined;
  /** How many launchers are started ahead; 0 where only one prediction is made. */
  spareLaunchers: number;
  /** The extension's own folder; without it the user's aliases and functions are not known. */
  storageFolder?: string | undefined;
  /** Paths that are our own and no change of the user's. */
  ownPaths?: readonly string[];
  /** This process is there for predictions alone, as the command line: a command that looks for processes does not find it. */
  ownHost?: boolean | undefined;
  /** For whom this engine predicts; default: for this process. */
  caller?: Caller | undefined;
  /** Launchers that other engines take, too; they stay when this one is disposed. Default: its own. */
  launchers?: LauncherPool | undefined;
}

/** The confined world. */
export interface ConfinedEngine {
  /** A prediction is expected; see `LauncherPool.expect`. */
  expect(): void;
  /** Reads what an interactive bash of this environment begins with, so that the first prediction with it need not wait. */
  readStartFiles(env: Readonly<Record<string, string>>): void;
  status(): Promise<EngineStatus>;
  looker: Looker;
  /**
   * `continues`: more than one command is to be predicted, each from the state that the one before leaves. `newShells`:
   * only files go from one to the next, no variables.
   */
  openSession(continues: boolean, newShells?: boolean): Session;
  /** A view in which known changes were made again, without running anything; see `holdChanges`. */
  hold(changes: readonly FileChange[], content: (path: string) => Uint8Array): Promise<HeldView>;
  /** What the user's interactive shell would begin with, where the request asks for it. */
  shellState(request: PredictRequest): Promise<string | undefined>;
  /** What the start files of the user's interactive shell define, where the request asks for it. */
  startState(request: PredictRequest): Promise<StartState | undefined>;
  /** Whether they count for this request, and could not be read. */
  isStartUnread(request: PredictRequest): Promise<boolean>;
  /** Of a fish that runs one command: its functions of these names. */
  fishFunctions(request: PredictRequest, names: readonly string[]): Promise<ReadonlyMap<string, string> | undefined>;
  /** Ends what waits for work. Predictions that are under way end by themselves or by their signal. */
  dispose(): Promise<void>;
}

/** The engine of Linux: the real shell and inert programs, confined. Starting it costs nothing until it is used. */
export function createConfinedEngine(options: ConfinedOptions): ConfinedEngine {
  const caller = options.caller ?? { env: process.env };
  let inertFiles: InertFiles | undefined;
  const inert = () => {
    inertFiles ??= inertNow(caller.env['PATH'] ?? '');
    return inertFiles;
  };
  let copyWorks = true;
  const pool = options.launchers ?? createLauncherPool(options.binary, options.spareLaunchers, options.ownHost);
  const launch = () => pool.take(caller);
  const own = new Set(options.ownPaths ?? []);
  const looker = createLooker(launch, inert, caller);
  const parts: ConfinedParts = {
    looker,
    launch,
    launchSupervised: () => pool.take(caller, { by: 'supervision' }),
    copying: pool.copying,
    expect: () => pool.expect(),
    refill: () => pool.refill(),
    inert,
    lookAtGated: (gated, signal) => lookAtProgram(launch, inert(), gated, signal),
    lookOutside: (gated, outside, signal) => lookOutside(launch, inert(), { gated, outside, signal }),
    runInCopy: createRunInCopy(launch, inert, caller),
    shellState: options.storageFolder
      ? createShellState({ launch, inert, storageFolder: options.storageFolder })
      : async () => undefined,
    zshState: (prompt, env) => (options.storageFolder ? zshState(options.storageFolder, prompt, env) : undefined),
    keepPath: (path) => !own.has(path),
    canCopy: () => copyWorks,
    usedLaunchers: new WeakSet(),
    whyNoLauncher: () => noLauncherIn(options),
  };
  return {
    looker,
    expect: () => pool.expect(),
    readStartFiles: (env) => void parts.shellState('bash', env).catch(() => {}),
    hold: (changes, content) => holdChanges(parts, changes, content),
    shellState: (request) => stateText(request, parts),
    startState: (request) => startStateOf(request, parts),
    isStartUnread: (request) => isStartUnread(request, parts),
    fishFunctions: (request, names) => fishFunctions(parts.runInCopy, names, request),
    openSession: (continues, newShells) => openSession(parts, continues, newShells),
    dispose: async () => (options.launchers ? undefined : pool.close()),
    async status() {
      const status = await probe(options, pool, caller, inert());
      copyWorks = status.copy;
      return status;
    },
  };
}

/** Why no launcher can be started on this machine; undefined: one can. */
function noLauncherIn({ binary, platform = process.platform }: ConfinedOptions): NoLauncher | undefined {
  if (platform !== 'linux') return { kind: 'otherSystem', platform };
  try {
    fs.accessSync(binary, fs.constants.X_OK);
    return undefined;
  } catch {
    return { kind: 'launcherMissing', path: binary };
  }
}

/** Really runs `true` in both modes, and keeps the reason where that fails. */
async function probe(
  options: ConfinedOptions,
  pool: LauncherPool,
  caller: Caller,
  inert: InertFiles,
): Promise<EngineStatus> {
  const launch = () => pool.take(caller);
  const missing = noLauncherIn(options);
  if (missing) {
    return { available: false, copy: false, look: false, because: missing.kind, sentence: failureText(missing) };
  }
  let letsIn = true;
  const onReady = (launcher: Launcher) => {
    letsIn = launcher.letsIn;
  };
  const [copy, look] = await Promise.all([tryMode(launch, inert, 'copy', onReady), tryMode(launch, inert, 'look')]);
  if (copy === '')
    return {
      available: true,
      copy: true,
      look: look === '',
      by: pool.copying.by,
      sentence: copySentence(pool.copying, letsIn),
    };
  if (look === '') {
    return {
      available: true,
      copy: false,
      look: true,
      sentence: `Only commands that read can be predicted here. ${copy}`,
    };
  }
  return {
    available: false,
    copy: false,
    look: false,
    because: 'confinement',
    sentence: `Nothing can be rehearsed here. ${copy}`,
  };
}

/** Which engine makes copies, why, and what would be better. */
export function copySentence({ by, because, isFixed }: Copying, letsIn: boolean): string {
  const chosen = isFixed ? ' FORETELL_ENGINE says so.' : '';
  if (by === 'overlays') {
    const how = 'Commands are rehearsed on a copy of this machine, made by overlays in namespaces';
    return isFixed
      ? `${how}.${chosen}`
      : `${how}; where those would be wrong or slow, each call that names a file is answered.`;
  }
  const how =
    'Commands are rehearsed on a copy of this machine, without namespaces: each call that names a file is answered.';
  const why = because === undefined ? chosen : ` Many files would be faster with overlays. ${because}`;
  const more = letsIn ? '' : ' With Landlock (Linux 5.13) programs that are not known to be inert could be let run.';
  return `${how}${why}${more}`;
}

/** How long a trial run may take, with building the view, in milliseconds. */
const trialMs = 1_800;

/** Empty when it works, else the reason. */
async function tryMode(
  launch: () => Launcher,
  inert: InertFiles,
  mode: 'copy' | 'look',
  onReady?: (launcher: Launcher) => void,
): Promise<string> {
  const started: Launcher[] = [];
  const watched = () => {
    const launcher = launch();
    started.push(launcher);
    return launcher;
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(
      () => resolve('A trial run did not end within two seconds; ask again when the machine is less busy.'),
      trialMs,
    );
  });
  try {
    return await Promise.race([tryOnce(watched, inert, mode, onReady), late]);
  } finally {
    clearTimeout(timer);
    for (const launcher of started) void launcher.close();
  }
}

async function tryOnce(
  launch: () => Launcher,
  inert: InertFiles,
  mode: 'copy' | 'look',
  onReady?: (launcher: Launcher) => void,
): Promise<string> {
  try {
    const launcher = await openView(launch, { mode, shifted: false, openGate: false, inert, limits: defaultLimits });
    if (!(launcher instanceof Launcher)) return launcher.sentence;
    onReady?.(launcher);
    let stopped: string | undefined;
    try {
      const run = {
        argv: ['true'],
        env: ['PATH=/usr/bin:/bin'],
        cwd: '/',
        columns: 0,
        rows: 0,
        stdin: 'null' as const,
        newLayer: false,
      };
      const finished = await launcher.run(run, (event) => {
        // Nobody answers for programs here: one that is stopped would wait for ever.
        if (event.type !== 'gated') return;
        stopped = event.realPath;
        if (event.reason !== 'changed') launcher.answer(event.token, { kind: 'fails', error: 'EPERM' });
      });
      if (stopped !== undefined)
        return whyNothingIsInert() ?? `A trial run failed: ${stopped} is not a program that only root can change.`;
      return finished.how === 'exited' && finished.exitCode === 0
        ? ''
        : `A trial run failed: ${finished.detail || `how ${finished.how}`}.`;
    } finally {
      await launcher.close();
    }
  } catch (error) {
    return `The launcher could not be started: ${error instanceof Error ? error.message : String(error)}.`;
  }
}
