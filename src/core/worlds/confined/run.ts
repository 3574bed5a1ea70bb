import type { Consent } from '../../facts/consent.ts';
import type { Faults, Limits, PredictRequest } from '../../prediction/rehearsal.ts';
import { programLabels } from '../../programs/programLabels.ts';
import type { LeavesEarly } from './certainty/leavesEarly.ts';
import type { StartedProgram } from './certainty/pipesOfShell.ts';
import { taint } from './certainty/taint.ts';
import type { Gatekeeper } from './gate/gatekeeper.ts';
import type { AssumedFailures } from './gate/gatekeeperOptions.ts';
import type { InertFiles } from './gate/inert.ts';
import { type GoesOnOptions, watchGoingOn } from './goesOn.ts';
import type { Launcher, Refused, RunEvent } from './wire/launcher.ts';
import type { SetupRequest } from './wire/requestFrames.ts';
import { baseName, emptyRecord, type RunRecord, recordEvent } from './wire/runRecord.ts';

/** Clock of the run that looks for volatile output: a day, an hour, a minute, a second and half of each of its parts ahead. */
export const clockOffsetMs = 90_061_555;

/** How a view is built. */
export interface ViewSettings {
  mode: 'copy' | 'look';
  shifted: boolean;
  /** Whether a new process begins before its parent goes on, where not the machine decides. In a run that is shifted it never does. */
  births?: SetupRequest['births'];
  /** Who may leave a pipe early. */
  leavesEarly?: LeavesEarly;
  openGate: boolean;
  /** Look mode: whom the program reaches. */
  reach?: SetupRequest['reach'];
  /** Programs are let in, because the user consented to them. */
  consent?: Consent | undefined;
  /** Programs are let in that are known by the form of their words. */
  letsKnownIn?: boolean;
  /** Programs that show owners, sizes or link counts are told the real ones; costs them some time for each file. */
  correct?: boolean;
  /** What is read is recorded. */
  reads?: boolean;
  /** Files that are written while somebody has them open, by supervision. */
  copiedAhead?: readonly string[];
  inert: InertFiles;
  limits: Limits;
  faults?: Faults | undefined;
}

/** How often another launcher is tried when one ends before its view is built; spare ones may have been killed. */
const mostTries = 3;

/** Starts a launcher and builds its view. A refusal closes it again. Rejects when no launcher lives long enough. */
export async function openView(launch: () => Launcher, settings: ViewSettings): Promise<Launcher | Refused> {
  let refused: Refused | undefined;
  for (let tries = 1; ; tries += 1) {
    const launcher = launch();
    const { copying } = launcher;
    // Several views may be built at once: what counts is how this one was asked for.
    const byOverlays = settings.mode === 'copy' && copying.by === 'overlays' && !copying.isFixed;
    try {
      const answer = await setUp(launcher, settings);
      if (answer.type === 'ready') return launcher;
      await launcher.close();
      if (!byOverlays) {
        if (refused) copying.by = 'overlays';
        return refused ?? answer;
      }
      // No overlays here: from now on the calls that name files are answered instead.
      copying.by = 'supervision';
      copying.because = answer.sentence;
      refused = answer;
    } catch (error) {
      if (tries === mostTries) throw error;
    }
  }
}

function setUp(launcher: Launcher, settings: ViewSettings): ReturnType<Launcher['setup']> {
  return launcher.setup({
    mode: settings.mode,
    openGate: settings.openGate,
    reach: settings.mode === 'look' ? settings.reach : undefined,
    letsIn: settings.consent !== undefined || settings.letsKnownIn === true,
    letsKnownIn: settings.letsKnownIn === true,
    mayBeLetIn: filesOf(settings.consent),
    skipWaiting: true,
    reportEnvironment: true,
    perturb: settings.shifted && settings.mode === 'copy',
    births: settings.shifted ? 'parentFirst' : settings.births,
    // Words of the shell read byte by byte, and each would be a stop.
    pacesPipes: settings.leavesEarly === 'program' || (settings.shifted && settings.leavesEarly === 'shell'),
    ...settings.limits,
    ...faultsOf(settings.faults),
    clockOffsetMs: (settings.faults?.clockOffsetMs ?? 0) + (settings.shifted ? clockOffsetMs : 0),
    // Numbers far apart, and one of them odd, so that what is said of a process id differs between two runs.
    firstPid: settings.mode === 'copy' ? 2000 + 2 * Math.floor(Math.random() * 14_000) + (settings.shifted ? 1 : 0) : 0,
    reportReads: settings.reads === true,
    copiedAhead: settings.copiedAhead ?? [],
    inert: settings.inert.inert,
    ask: settings.mode === 'copy' ? settings.inert.ask : [],
    correct: [
      ...(settings.correct ? settings.inert.correct : []),
      ...(settings.letsKnownIn ? settings.inert.known : []),
    ],
  });
}

/** A disk has whole pages; the launcher takes one of them itself, so that none may be left. */
const pageBytes = 4096;

function faultsOf({ diskBytes, killAfterMs, clockPermille }: Faults = {}) {
  return {
    ...(diskBytes === undefined
      ? {}
      : { diskBytes: (Math.floor(diskBytes / pageBytes) + 1) * pageBytes, fullDisk: true }),
    ...(killAfterMs === undefined ? {} : { killMs: killAfterMs }),
    ...(clockPermille === undefined ? {} : { clockPermille }),
  };
}

function filesOf(consent: Consent | undefined): string[] {
  return consent === undefined || consent.programs === 'all' ? [] : consent.programs.map(({ file }) => file);
}

/** What is run in a view, and who answers. */
export interface RunSettings {
  argv: readonly string[];
  env: readonly string[];
  cwd: string;
  terminal?: { columns: number; rows: number } | undefined;
  newLayer: boolean;
  gatekeeper: Gatekeeper;
  failures: AssumedFailures;
  /** What an earlier command of the session rested on. */
  unsure?: RunRecord['unsure'];
  /** Stopped programs of earlier commands of which nobody knows what they wrote. */
  blind?: RunRecord['blind'];
  /** The command itself, or its shell, reads what they may have written. */
  isBlindFromStart?: boolean;
  /** When it is ended from here; absent: never. */
  goesOn?: Pick<GoesOnOptions, 'openGate' | 'inertMs'>;
  /** Gets the record of the run when it begins; from then on it grows. */
  onBegin?(record: RunRecord): void;
  /** Called when it has printed more. */
  onPrinted?(): void;
  /** Called when it has ended, in whichever way; its record says in which. */
  onEnded?(): void;
  /** Called when a program begins. */
  onStarted?(program: StartedProgram): void;
  /** Called when the program waits for an answer; gives the text to type, or `undefined` for the end of input. */
  onAsks(record: RunRecord): Promise<string | undefined>;
  /** Called before the first program is answered for by anything but a rehearsal. */
  onFirstDoubt?(launcher: Launcher): Promise<void>;
}

/** Programs that are let run may be servers and watchers. */
export function goingOnOf(
  { openGate, consent, inertMs }: PredictRequest,
  letsKnownIn: boolean,
): Pick<RunSettings, 'goesOn'> {
  if (openGate || consent) return { goesOn: { openGate, inertMs } };
  // Without consent no run has more time than the launcher gives it.
  return letsKnownIn ? { goesOn: { openGate, inertMs: Number.POSITIVE_INFINITY } } : {};
}

/** Runs one command in a view and records what it did. Rejects only when the launcher ends. */
export async function runOnce(launcher: Launcher, settings: RunSettings): Promise<RunRecord> {
  const record = emptyRecord();
  record.parts = launcher.parts;
  record.shell = baseName(settings.argv[0] ?? '');
  record.unsure = settings.unsure ?? false;
  record.blind = [...(settings.blind ?? [])];
  if (settings.isBlindFromStart) taint(record, record.blind);
  settings.onBegin?.(record);
  const { goesOn } = settings;
  const watch = goesOn && watchGoingOn(record, { ...goesOn, pid: launcher.pid, end: () => launcher.cancel() });
  const shellPid = { value: undefined as number | undefined };
  let doubted = false;

  async function onGated(event: Extract<RunEvent, { type: 'gated' }>): Promise<void> {
    // At once where nothing has to be asked, so that nothing else comes in between.
    const isIn = settings.gatekeeper.letIn(launcher, event, record);
    if (isIn === true || (isIn !== false && (await isIn))) return;
    if (!doubted && settings.onFirstDoubt) {
      doubted = true;
      await settings.onFirstDoubt(launcher);
    }
    await settings.gatekeeper.answer(launcher, event, record, settings.failures);
  }

  async function onAsks(): Promise<void> {
    const text = await settings.onAsks(record);
    if (text === undefined) launcher.input(new Uint8Array(), true);
    else launcher.input(Buffer.from(text), false);
  }

  const running = launcher.run(
    {
      argv: settings.argv,
      env: settings.env,
      cwd: settings.cwd,
      columns: settings.terminal?.columns ?? 0,
      rows: settings.terminal?.rows ?? 0,
      stdin: settings.terminal ? 'input' : 'null',
      newLayer: settings.newLayer,
    },
    (event) => {
      if (event.type === 'gated') {
        void onGated(event).catch(() => {});
        return;
      }
      recordEvent(record, event, shellPid);
      if (event.type === 'output') settings.onPrinted?.();
      if (event.type === 'exec') settings.onStarted?.(event);
      if (event.type === 'asks') void onAsks().catch(() => {});
    },
  );
  record.finished = await running.finally(() => watch?.stop());
  settings.onEnded?.();
  // A shell becomes its last program, which may go elsewhere (`git -C`); the shell itself stays where it was by then.
  const became = record.programs.find(({ pid }) => pid === shellPid.value);
  if (became) record.finished = { ...record.finished, cwd: became.cwd };
  for (const [program, label] of programLabels(record.programs)) program.label = label;
  return record;
}
