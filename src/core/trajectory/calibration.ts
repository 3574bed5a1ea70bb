import * as z from 'zod/mini';
import { redactAtOnce } from '../context/secrets/redactForPrompt.ts';
import { compareOutput, type ObservedOutput } from '../prediction/compareOutput.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { Basis } from '../view/basis.ts';

/** Whether one part of a prediction came true. `unknown`: it was not predicted, or could not be observed. */
export const Hit = z.enum(['hit', 'miss', 'unknown']);
export type Hit = z.infer<typeof Hit>;

/**
 * One real run beside its prediction, as it is kept: version 1, one line of JSON. Nothing of the command is in it but the
 * names of its programs, and nothing of what was printed.
 */
export const CalibrationEntry = z.looseObject({
  version: z.literal(1),
  /** ISO 8601. */
  at: z.string(),
  kind: z.enum(['command', 'edit']),
  /** Names without their folders, each once; at most 20. */
  programs: z.array(z.string()),
  /** The least sure basis that the prediction rests on. */
  basis: Basis,
  /** The language model that was asked; absent: none was. */
  model: z.optional(z.string()),
  output: Hit,
  exitCode: Hit,
  files: Hit,
});
export type CalibrationEntry = z.infer<typeof CalibrationEntry>;

/** What a real run showed, as far as it is compared. */
export interface ObservedRun {
  exitCode?: number | undefined;
  output?: ObservedOutput | undefined;
  /** One for each path that was compared; absent: none were. */
  files?: readonly { agrees: boolean }[] | undefined;
}

const mostPrograms = 20;
const sureness: Record<Basis, number> = {
  observed: 0,
  rehearsed: 1,
  remembered: 2,
  computed: 3,
  imagined: 4,
  assumed: 5,
  unknown: 6,
};

/** What is kept of a real run. `at`: ISO 8601. */
export function calibrationEntry(prediction: Prediction, observed: ObservedRun, at: string): CalibrationEntry {
  const isEdit = prediction.action.kind === 'edit';
  const model = prediction.questions.map(({ reply }) => reply?.model).find((name) => name !== undefined && name !== '');
  const exitCode =
    prediction.exitCode === undefined || observed.exitCode === undefined
      ? 'unknown'
      : hitIf(prediction.exitCode === observed.exitCode);
  const output = observed.output && hitIf(compareOutput(prediction.output, observed.output).result !== 'differs');
  // Where files were predicted and none was compared, nobody looked.
  const wasCompared = observed.files && (observed.files.length > 0 || prediction.files.length === 0);
  return {
    version: 1,
    at,
    kind: isEdit ? 'edit' : 'command',
    programs: programNames(prediction),
    basis: leastSure(prediction),
    ...(model === undefined ? {} : { model: redactAtOnce(model).text }),
    output: isEdit ? 'unknown' : (output ?? 'unknown'),
    exitCode: isEdit ? 'unknown' : exitCode,
    files: wasCompared ? hitIf(observed.files?.every(({ agrees }) => agrees) === true) : 'unknown',
  };
}

function hitIf(agrees: boolean): Hit {
  return agrees ? 'hit' : 'miss';
}

function programNames({ programs }: Prediction): string[] {
  const names = programs.flatMap(({ argv: [name = ''] }) => {
    const base = redactAtOnce(name.slice(name.lastIndexOf('/') + 1)).text;
    // Whatever is no plain name could be anything.
    return /^[\w.+@[-][\w.+@[\]-]{0,63}$/.test(base) ? [base] : [];
  });
  return [...new Set(names)].slice(0, mostPrograms);
}

function leastSure({ ending, exitBasis, output, files, programs }: Prediction): Basis {
  const bases = [exitBasis, ...[...output, ...files, ...programs].map(({ basis }) => basis)];
  if (ending === 'abstained') bases.push('assumed');
  return bases.reduce<Basis>(
    (worst, basis) => (basis !== undefined && sureness[basis] > sureness[worst] ? basis : worst),
    'rehearsed',
  );
}

/** How often something came true. */
export interface HitRate {
  hits: number;
  /** How often it could be told. */
  counted: number;
  /** hits / counted, 0–1; absent where nothing was counted. */
  share?: number;
  /** The interval that holds the true share with 95 % confidence, by Wilson; absent where nothing was counted. */
  low?: number;
  high?: number;
}

/** The parts of a prediction that are compared. `whole`: every part that could be told came true. */
const calibratedParts = ['whole', 'output', 'exitCode', 'files'] as const;
/** One of the parts. */
export type CalibratedPart = (typeof calibratedParts)[number];

/** One row of the page: a program, a basis or a model. */
export interface CalibrationGroup {
  name: string;
  runs: number;
  parts: Record<CalibratedPart, HitRate>;
  /** How often the whole came true in each week that has runs, oldest first. `week`: its Monday, `2026-11-16`. */
  weeks: { week: string; rate: HitRate }[];
}

/** Everything that the page shows. Groups stand in the order of their runs, most first. */
export interface Calibration {
  all: CalibrationGroup;
  programs: CalibrationGroup[];
  bases: CalibrationGroup[];
  models: CalibrationGroup[];
}

/** Name of the group of runs without a language model. */
export const noModel = 'no model';

/** Folds real runs into hit rates for each program, basis and model over the weeks. A run counts for each of its programs. */
export function calibrate(entries: readonly CalibrationEntry[]): Calibration {
  return {
    all: groupOf('all', entries),
    programs: groupsBy(entries, ({ programs }) => programs),
    bases: groupsBy(entries, ({ basis }) => [basis]),
    models: groupsBy(entries, ({ model }) => [model ?? noModel]),
  };
}

function groupsBy(
  entries: readonly CalibrationEntry[],
  namesOf: (entry: CalibrationEntry) => readonly string[],
): CalibrationGroup[] {
  const groups = new Map<string, CalibrationEntry[]>();
  for (const entry of entries) {
    for (const name of namesOf(entry)) {
      const group = groups.get(name);
      if (group) group.push(entry);
      else groups.set(name, [entry]);
    }
  }
  return [...groups]
    .map(([name, group]) => groupOf(name, group))
    .sort((a, b) => b.runs - a.runs || (a.name < b.name ? -1 : 1));
}

function groupOf(name: string, entries: readonly CalibrationEntry[]): CalibrationGroup {
  const rate = (part: CalibratedPart, of: readonly CalibrationEntry[] = entries) => {
    const hits = of
      .map((entry) => (part === 'whole' ? wholeOf(entry) : entry[part]))
      .filter((hit) => hit !== 'unknown');
    return hitRate(hits.filter((hit) => hit === 'hit').length, hits.length);
  };
  const weeks = new Map<string, CalibrationEntry[]>();
  for (const entry of entries) {
    const week = weekOf(entry.at);
    if (week !== undefined) weeks.set(week, [...(weeks.get(week) ?? []), entry]);
  }
  return {
    name,
    runs: entries.length,
    parts: { whole: rate('whole'), output: rate('output'), exitCode: rate('exitCode'), files: rate('files') },
    weeks: [...weeks]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([week, group]) => ({ week, rate: rate('whole', group) })),
  };
}

function wholeOf({ output, exitCode, files }: CalibrationEntry): Hit {
  const parts = [output, exitCode, files];
  if (parts.includes('miss')) return 'miss';
  return parts.includes('hit') ? 'hit' : 'unknown';
}

/** The Monday of the week of a point in time, in UTC. */
function weekOf(at: string): string | undefined {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return undefined;
  time.setUTCDate(time.getUTCDate() - ((time.getUTCDay() + 6) % 7));
  return time.toISOString().slice(0, 10);
}

/** A rate with its interval (Wilson's score interval at 95 %, which stays between 0 and 1 for few runs as well). */
export function hitRate(hits: number, counted: number): HitRate {
  if (counted === 0) return { hits, counted };
  const z95 = 1.959964;
  const share = hits / counted;
  const spread = z95 ** 2 / counted;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (z95 / (1 + spread)) * Math.sqrt((share * (1 - share)) / counted + spread / (4 * counted));
  return { hits, counted, share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** The entries of a file, one a line. What is no entry is left out: nobody edits this file. */
export function readCalibration(text: string): CalibrationEntry[] {
  return text.split('\n').flatMap((line) => {
    if (line.trim() === '') return [];
    try {
      const read = CalibrationEntry.safeParse(JSON.parse(line));
      return read.success ? [read.data] : [];
    } catch {
      return [];
    }
  });
}
