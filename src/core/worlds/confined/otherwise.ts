import type { Difference } from '../../facts/difference.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { Limits, PredictRequest } from '../../prediction/rehearsal.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { programText } from '../../words/programText.ts';
import { toFileChanges } from './changes.ts';
import { type Gatekeeper, questionKey } from './gate/gatekeeper.ts';
import type { AssumedFailures } from './gate/gatekeeperOptions.ts';
import type { InertFiles } from './gate/inert.ts';
import { openView, runOnce } from './run.ts';
import { labelOf, programsOf } from './wire/events.ts';
import { Launcher, type Listing } from './wire/launcher.ts';
import { type RecordedProgram, type RunRecord, streamBytes } from './wire/runRecord.ts';

/** The run that is shown, and what it takes to run it again. */
export interface OtherwiseOptions {
  launch: () => Launcher;
  inert: InertFiles;
  limits: Limits;
  command: { argv: string[]; env: string[]; cwd: string };
  terminal: PredictRequest['terminal'];
  gatekeeper: Gatekeeper;
  letsKnownIn: boolean;
  keepPath: (path: string) => boolean;
  signal: AbortSignal;
  /** Files that are copied when they are read, by supervision. */
  copiedAhead?: readonly string[];
  /** Makes a new copy what it was before the command; false: it cannot. Absent: it is so. */
  begin?: (launcher: Launcher) => Promise<boolean>;
  shown: { record: RunRecord; changes: readonly FileChange[]; listing: Listing | undefined };
}

/** A program that is assumed to end in one way, and how it ends otherwise. */
type Question = Pick<RecordedProgram, 'argv' | 'label'> & { exitCode: number };

/** How many assumptions are turned round; each costs a run. */
const mostQuestions = 4;

/** What would happen if a program that is assumed to succeed failed instead, or the reverse: one run for each, where that differs. */
export async function findOtherwise(options: OtherwiseOptions): Promise<FactEvent[]> {
  const { record } = options.shown;
  const questions = new Map<string, Question>();
  for (const { id, argv, otherwise } of record.assumptions) {
    // Where it is absent, how the program ends was said.
    if (otherwise === undefined) continue;
    questions.set(questionKey(argv), { argv, ...labelOf(record.programs[id - 1]), exitCode: otherwise });
  }
  const events: FactEvent[] = [];
  for (const [key, question] of [...questions].slice(0, mostQuestions)) {
    const event = await ending(options, key, question);
    if (event) events.push(event);
  }
  return events;
}

async function ending(options: OtherwiseOptions, key: string, question: Question): Promise<FactEvent | undefined> {
  const run = await runWith(options, new Map([[key, question.exitCode]]));
  const event = run && compare(options, run, question);
  return event && { ...event, programExit: question.exitCode };
}

/** A run of the same command in which some programs end in another way. */
export interface OtherRun {
  record: RunRecord;
  files: FileChange[];
}

/** Runs the command once more; undefined where it does not come to its end. */
export async function runWith(options: OtherwiseOptions, failures: AssumedFailures): Promise<OtherRun | undefined> {
  const launcher = await openView(options.launch, {
    mode: 'copy',
    shifted: false,
    openGate: false,
    letsKnownIn: options.letsKnownIn,
    inert: options.inert,
    limits: options.limits,
    copiedAhead: options.copiedAhead ?? [],
  });
  if (!(launcher instanceof Launcher)) return undefined;
  const stop = () => void launcher.close();
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    if (options.begin && !(await options.begin(launcher))) return undefined;
    const record = await runOnce(launcher, {
      ...options.command,
      terminal: options.terminal,
      newLayer: options.begin !== undefined,
      gatekeeper: options.gatekeeper,
      failures,
      onAsks: async () => undefined,
    });
    if (record.finished?.how !== 'exited') return undefined;
    const listing = await launcher.list('none');
    return { record, files: toFileChanges(listing.changes, options.keepPath) };
  } finally {
    options.signal.removeEventListener('abort', stop);
    void launcher.close();
  }
}

function compare(
  { shown }: OtherwiseOptions,
  run: OtherRun,
  { argv, label }: Question,
): Extract<FactEvent, { type: 'otherwise' }> | undefined {
  const found = differenceOf(shown, run);
  return found && { type: 'otherwise', argv, ...labelOf({ label }), ...found, files: run.files };
}

/** How a run differs from the one that is shown; undefined: in nothing that counts. */
export function differenceOf(
  shown: OtherwiseOptions['shown'],
  { record, files }: OtherRun,
): { exitCode: number; difference: Difference } | undefined {
  if (!record.finished || !shown.record.finished) return undefined;
  const exitCode = record.finished.exitCode;
  const missing = onlyIn(shown.record, record);
  const extra = onlyIn(record, shown.record);
  const sameFiles = pathsOf(files) === pathsOf(shown.changes);
  const sameOutput = streamBytes(record, 'stdout').equals(streamBytes(shown.record, 'stdout'));
  const sameExit = exitCode === shown.record.finished.exitCode;
  if (sameExit && sameOutput && missing.length === 0 && extra.length === 0 && sameFiles) return undefined;
  const difference: Difference = {
    notRun: missing.map(calledAs),
    alsoRun: extra.map(calledAs),
    ...(sameFiles ? {} : { filesChanged: files.length }),
    ...(sameOutput ? {} : { printsElse: true }),
  };
  return { exitCode, difference };
}

/** Programs that only the first run starts, each call once. What is the whole of a script's line is told by that. */
function onlyIn(a: RunRecord, b: RunRecord): RecordedProgram[] {
  const there = new Set(programsOf(b).map(({ argv }) => questionKey(argv)));
  const found = new Map<string, RecordedProgram>();
  for (const program of programsOf(a)) {
    const key = questionKey(program.argv);
    if (there.has(key) || found.has(key) || program.label?.kind === 'shim' || isSaid(program, a)) continue;
    found.set(key, program);
  }
  return [...found.values()];
}

function isSaid(program: RecordedProgram, { programs }: RunRecord): boolean {
  const label = program.parent === undefined ? undefined : programs[program.parent - 1]?.label;
  return label !== undefined && 'words' in label && label.words === programText(program);
}

function calledAs({ argv, label }: RecordedProgram): Difference['notRun'][number] {
  return { argv, ...labelOf({ label }) };
}

/** What has changed in which way, as one text. */
export function pathsOf(files: readonly FileChange[]): string {
  return files.map((file) => `${file.change} ${file.path}`).join('\n');
}
