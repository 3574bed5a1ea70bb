import { runsOnlyItself } from '../../../programs/code/runsOnlyItself.ts';
import { codeWords, knownForm } from '../../../programs/known.ts';
import { mayTellTime } from '../../../programs/leftToChance.ts';
import { programOf } from '../../../programs/programOf.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/** The forms in which shells, test runners, builds and benchmarks print how long something took. */
const forms = [
  // `real 0.03`, `0m0.012s`.
  /^(real|user|sys)\s|\d+m\d+[.,]\d+s/,
  // `in 12 ms`, `1.2s`, `(0.4 seconds)`, `0.00user 0.01system`, `0.02 cusr`, `1023 ns/op`.
  /\d\s?([nuµμm]s|s|m?secs?|(milli|micro|nano)?seconds?|min|minutes?|elapsed|user|system|c?usr|c?sys|wallclock)(?!\w)/,
  // `Time: 00:00.012`, `Time Elapsed 00:00:01.23`, `"duration": 12.5`.
  /\b(time|elapsed|duration(_ms)?|took)\b\W{0,4}(elapsed\W{1,3})?\d+([:.,]\d+)+/i,
  // `1,204 ops/sec`, `1.0 MB/s`.
  /\d\s?\w*\/s(ec|econd)?\b/,
];

/**
 * Whether a line tells how long something took, or how fast it was, and that does not stand in the script. Two runs of a short
 * program may agree on that by chance, and the real one differs all the same.
 */
export function tellsDuration(line: string, script: string): boolean {
  return forms.some((form) => {
    const found = form.exec(line);
    return found !== null && !isSaid(found, script);
  });
}

/** Letters in front of a duration that tell it from another one of the same length. */
const before = 8;

/** Whether a duration stands with the words before it in the script itself: `printf 'took 35 ms'`. */
function isSaid({ 0: found, index, input }: RegExpExecArray, script: string): boolean {
  const words = input.slice(Math.max(0, index - before), index + found.length).trim();
  return words.length > found.length + 2 && script.includes(words);
}

/** How long something took in words that hardly stand in a source or a style sheet: `in 0.03s`, `(12 ms)`, `time="0.003"`. */
const measured: readonly RegExp[] = [
  /^(?:real|user|sys)\s+\d|\b\d+m\d+[.,]\d+s\b|\b\d+\.\d+(?:user|system|elapsed)\b/,
  /(?<![-\w])(?:in|took|taken|after|time|time \(real\)|total|elapsed|real|ran|done|finished|duration)\b\W{1,6}(?<count>\d+(?:[.,]\d+)?)\s?(?<unit>[nuµμm]s|s|secs?|seconds?)\b/i,
  /\((?<count>\d+(?:[.,]\d+)?)\s?(?<unit>[nuµμm]s|s|secs?|seconds?)\)/,
  /(?<![-\w])(?:(?:time|elapsed|duration)\b["']?\s?[:=]|duration_ms["']?[\s:=])\s?["']?\d+\.\d+\b/i,
  /\b\d+(?:[.,]\d+)?\s(?:ns|ops|MB|kB|GB)\/(?:op|s|sec)\b/,
  // What Go keeps of tests that went well.
  /^ok\s+\S+\s+\d+\.\d+s\b/,
  // Jest's cache: how each test file ended, and how many milliseconds it took.
  /"[^"]+\.[cm]?[jt]sx?":\[[01],\d+\]/,
];

const msOf: Readonly<Record<string, number>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, μs: 1e-3, ms: 1 };

/**
 * The lines of a file that a run wrote which tell how long something in that run took: only in words that are seldom said of
 * anything else and do not stand in the script, and no longer than the run itself, `tookMs`.
 */
export function measuredLines(text: string, tookMs: number, script: string): string[] {
  return text.split('\n').filter((line) => measured.some((form) => tellsMeasured(form.exec(line), tookMs, script)));
}

function tellsMeasured(found: RegExpExecArray | null, tookMs: number, script: string): boolean {
  if (!found || isSaid(found, script)) return false;
  const { count, unit = '' } = found.groups ?? {};
  if (count === undefined) return true;
  const value = Number(count.replace(',', '.'));
  // A whole number of seconds is more often a setting than a measurement.
  if (msOf[unit] === undefined && Number.isInteger(value) && value !== 0 && !count.includes('.')) return false;
  return value * (msOf[unit] ?? 1000) <= tookMs;
}

/** Whether a command may tell how long it took: with programs that may measure it, or by the shell's own clock. */
export function showsDurations({ programs }: RunRecord, script: string): boolean {
  if (/\btimes?\b|TIMEFORMAT|\bSECONDS\b/.test(script)) return true;
  return programs.some(({ argv, isLetIn, isKnown }) => {
    if (!isLetIn) return false;
    const [name = '', ...words] = argv;
    return !(isKnown || isOwnSnippet(argv, script)) || mayTellTime(name, [...words, script]);
  });
}

/** Whether it is code that runs no other, so that all that it finds out stands in it: it was let in by consent, and is known by its words as well. */
function isOwnSnippet(argv: readonly string[], script: string): boolean {
  const form = knownForm({ argv, env: [], isFed: true, isRoot: true });
  const language = programOf(argv[0] ?? '')?.language;
  if (!form || !language) return false;
  const code = form.runsWords ? codeWords(form, argv).codes.join('\n') : form.fed ? script : '';
  return runsOnlyItself(code, language) !== undefined;
}
