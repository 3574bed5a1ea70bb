import type { EventOf } from '../../prediction/event.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { PredictRequest } from '../../prediction/worldModel.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { toFileChanges } from './changes.ts';
import { type Gatekeeper, questionKey } from './gate/gatekeeper.ts';
import type { InertFiles } from './gate/inert.ts';
import { openView, runOnce } from './run.ts';
import { exitCodeOf } from './wire/events.ts';
import { Launcher, type Listing } from './wire/launcher.ts';
import { type RecordedProgram, type RunRecord, streamBytes } from './wire/runRecord.ts';

/** The run that is shown, and what it takes to run it again. */
export interface OtherwiseOptions {
  launch: () => Launcher;
  inert: InertFiles;
  limits: PredictRequest['limits'];
  command: { argv: string[]; env: string[]; cwd: string };
  terminal: PredictRequest['terminal'];
  gatekeeper: Gatekeeper;
  keepPath: (path: string) => boolean;
  signal: AbortSignal;
  shown: { record: RunRecord; changes: readonly FileChange[]; listing: Listing | undefined };
}

/** How many assumptions are turned round; each costs a run. */
const mostQuestions = 4;

/** What would happen if a program that is assumed to succeed failed instead, or the reverse: one run for each, where that differs. */
export async function findOtherwise(options: OtherwiseOptions): Promise<FactEvent[]> {
  const { record } = options.shown;
  const questions = new Map<string, { argv: string[]; exitCode: number }>();
  for (const { argv, otherwise } of record.assumptions) {
    // Where it is absent, how the program ends was said.
    if (otherwise !== undefined) questions.set(questionKey(argv), { argv, exitCode: otherwise });
  }
  const events: FactEvent[] = [];
  for (const [key, { argv, exitCode }] of [...questions].slice(0, mostQuestions)) {
    const event = await ending(options, key, argv, exitCode);
    if (event) events.push(event);
  }
  return events;
}

async function ending(
  options: OtherwiseOptions,
  key: string,
  argv: string[],
  exitCode: number,
): Promise<FactEvent | undefined> {
  const launcher = await openView(options.launch, {
    mode: 'copy',
    shifted: false,
    openGate: false,
    inert: options.inert,
    limits: options.limits,
  });
  if (!(launcher instanceof Launcher)) return undefined;
  const stop = () => void launcher.close();
  options.signal.addEventListener('abort', stop, { once: true });
  try {
    const record = await runOnce(launcher, {
      ...options.command,
      terminal: options.terminal,
      newLayer: false,
      gatekeeper: options.gatekeeper,
      failures: new Map([[key, exitCode]]),
      onAsks: async () => undefined,
    });
    if (record.finished?.how !== 1) return undefined;
    const listing = await launcher.list(false);
    const event = compare(options, record, toFileChanges(listing.changes, options.keepPath), argv);
    return event && { ...event, programExit: exitCode };
  } finally {
    options.signal.removeEventListener('abort', stop);
    void launcher.close();
  }
}

function compare(
  options: OtherwiseOptions,
  record: RunRecord,
  files: FileChange[],
  argv: string[],
): EventOf<'otherwise'> | undefined {
  const { shown } = options;
  if (!record.finished || !shown.record.finished) return undefined;
  const exitCode = exitCodeOf(record.finished);
  const missing = onlyIn(shown.record.programs, record.programs);
  const extra = onlyIn(record.programs, shown.record.programs);
  const sameFiles = pathsOf(files) === pathsOf(shown.changes);
  const sameOutput = streamBytes(record, 1).equals(streamBytes(shown.record, 1));
  const sameExit = exitCode === exitCodeOf(shown.record.finished);
  if (sameExit && sameOutput && missing.length === 0 && extra.length === 0 && sameFiles) return undefined;
  const parts: string[] = [];
  if (missing.length > 0) parts.push(`${names(missing)} would not run`);
  if (extra.length > 0) parts.push(`${names(extra)} would run`);
  if (!sameFiles) parts.push(files.length === 0 ? 'no file would change' : `${files.length} files would change`);
  if (!sameOutput) parts.push('it would print something else');
  parts.push(`exit code ${exitCode}`);
  return { type: 'otherwise', argv, exitCode, detail: parts.join('; '), files };
}

function onlyIn(a: readonly RecordedProgram[], b: readonly RecordedProgram[]): string[] {
  const there = new Set(b.map((program) => program.argv.join(' ')));
  return [...new Set(a.map((program) => program.argv.join(' ')))].filter((argv) => !there.has(argv));
}

function names(commands: readonly string[]): string {
  const shown = commands.slice(0, 3).map((command) => `\`${command}\``);
  return commands.length > 3 ? `${shown.join(', ')} and ${commands.length - 3} more` : shown.join(', ');
}

function pathsOf(files: readonly FileChange[]): string {
  return files.map((file) => `${file.change} ${file.path}`).join('\n');
}
