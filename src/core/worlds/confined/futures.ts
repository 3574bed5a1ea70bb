import type { FactEvent } from '../../prediction/factEvent.ts';
import type { Futures } from '../../prediction/parts.ts';
import { questionKey } from './gate/gatekeeper.ts';
import { differenceOf, type OtherRun, type OtherwiseOptions, pathsOf, runWith } from './otherwise.ts';
import { labelOf } from './wire/events.ts';
import { type RunRecord, streamBytes } from './wire/runRecord.ts';

/** Of so many programs the samples are followed; each distinct answer costs a run. */
const mostPrograms = 3;
const mostRuns = 7;

/** Where the shell comes to, and how many samples lead there. */
interface End extends OtherRun {
  count: number;
  /** The runs that come to this end, which may print other words on the way. */
  runs: { record: RunRecord; count: number }[];
  /** Of the program, as the first of these samples has it. */
  programExit: number | undefined;
}

/**
 * Goes on in a branch for each distinct outcome that samples say of a program: where the whole command ends then, and how
 * many samples lead there. What all branches have is counted: lines of output and changed files.
 */
export async function findFutures(options: OtherwiseOptions): Promise<FactEvent[]> {
  const { shown } = options;
  const programs = new Map<string, RunRecord['futures'][number]>();
  for (const one of shown.record.futures) {
    const key = questionKey(one.argv);
    if (!programs.has(key)) programs.set(key, one);
  }
  const found: FoundEnd[] = [];
  const agreements: Agreement[] = [];
  for (const [key, program] of [...programs].slice(0, mostPrograms)) {
    const ends = await endsOf(options, key, program);
    agreements.push(agreementOf(options, ends));
    // Where nobody said what is shown, even a single other end is told.
    if (ends.length < 2) continue;
    const told = ends.filter(({ count }) => count > 0);
    found.push(...told.map((end) => toldEnd(shown, program, end)));
  }
  const agreement = leastOf(agreements);
  return agreement ? [{ type: 'futures', futures: { ...agreement, ends: found } }] : [];
}

type FoundEnd = Extract<FactEvent, { type: 'futures' }>['futures']['ends'][number];

function toldEnd(shown: OtherwiseOptions['shown'], { argv, id }: RunRecord['futures'][number], end: End): FoundEnd {
  const { count, files, programExit, record } = end;
  const found = differenceOf(shown, end);
  return {
    ...{ argv: [...argv], ...labelOf(shown.record.programs[id - 1]), count },
    ...(programExit === undefined ? {} : { programExit }),
    ...{ exitCode: found?.exitCode ?? record.finished?.exitCode ?? 0, files },
    ...(found ? { difference: found.difference } : { isShown: true }),
  };
}

/** The end that is shown first, then the others; ends that are the same are one. */
async function endsOf(
  options: OtherwiseOptions,
  key: string,
  { id, count, others }: RunRecord['futures'][number],
): Promise<End[]> {
  const { record, changes } = options.shown;
  const programExit = count === 0 ? undefined : record.programs[id - 1]?.exitCode;
  const ends: End[] = [{ record, files: [...changes], count, programExit, runs: [{ record, count }] }];
  for (const { count: more, outcome } of others.slice(0, mostRuns)) {
    const run = await runWith(options, new Map([[key, outcome]]));
    if (!run) continue;
    const same = ends.find((end) => endKey(end) === endKey(run));
    const counted = { record: run.record, count: more };
    if (!same) ends.push({ ...run, count: more, programExit: outcome.exitCode, runs: [counted] });
    else {
      same.count += more;
      same.runs.push(counted);
    }
  }
  return ends;
}

/** Ends are told apart by what is left behind: how it ends, which programs ran, which files changed in which way. */
function endKey({ record, files }: OtherRun): string {
  const calls = record.programs.map(({ argv }) => questionKey(argv)).sort();
  return JSON.stringify([record.finished?.exitCode, calls, pathsOf(files)]);
}

type Agreement = Omit<Futures, 'ends'>;

/** How many samples have each line that is printed, and each change of a file. */
function agreementOf({ shown }: OtherwiseOptions, ends: readonly End[]): Agreement {
  const of = ends.reduce((sum, { count }) => sum + count, 0);
  const output = (['stdout', 'stderr'] as const).flatMap((stream) => {
    const lines = linesOf(shown.record, stream);
    if (lines.length === 0) return [];
    const counted = ends
      .flatMap(({ runs }) => runs)
      .map(({ record, count }) => ({ count, lines: countsOf(linesOf(record, stream)) }));
    const seen = new Map<string, number>();
    const counts = lines.map((line) => {
      const nth = (seen.get(line) ?? 0) + 1;
      seen.set(line, nth);
      return counted.reduce((sum, run) => sum + ((run.lines.get(line) ?? 0) >= nth ? run.count : 0), 0);
    });
    return [{ stream, counts }];
  });
  const files = new Map<string, Agreement['files'][number]>();
  for (const [at, end] of ends.entries()) {
    for (const { path, change } of end.files) {
      const key = `${change} ${path}`;
      const known = files.get(key);
      if (known) known.count += end.count;
      else files.set(key, { path, change, count: end.count, ...(at === 0 ? { isShown: true } : {}) });
    }
  }
  return { of, output, files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)) };
}

/** Of several programs that each have samples, the least agreement counts. */
function leastOf(agreements: readonly Agreement[]): Agreement | undefined {
  return agreements.reduce<Agreement | undefined>((least, one) => {
    if (!least) return one;
    const of = Math.max(least.of, one.of);
    const output = least.output.map(({ stream, counts }) => {
      const other = one.output.find((each) => each.stream === stream)?.counts ?? [];
      return { stream, counts: counts.map((count, at) => Math.min(count, other[at] ?? count)) };
    });
    const keyOf = ({ path, change }: Agreement['files'][number]) => `${change} ${path}`;
    const files = new Map(least.files.map((file) => [keyOf(file), file]));
    for (const file of one.files) {
      const known = files.get(keyOf(file));
      files.set(keyOf(file), known ? { ...known, count: Math.min(known.count, file.count) } : file);
    }
    return { of, output, files: [...files.values()] };
  }, undefined);
}

function linesOf(record: RunRecord, stream: 'stdout' | 'stderr'): string[] {
  const text = streamBytes(record, stream).toString('utf8');
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function countsOf(lines: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}
