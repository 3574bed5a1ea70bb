import path from 'node:path';
import { programOf } from '../../../programs/programOf.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { baseName, type RunRecord } from '../wire/runRecord.ts';
import type { GatekeeperOptions } from './gatekeeperOptions.ts';

/**
 * Whether a program that reads tables of the machine asks for something that only this run has: one of its processes, a path that
 * it changed. The machine, which would be looked at in its place, would say that there is none.
 */
export async function asksForOwn(
  launcher: Launcher,
  gated: Gated,
  record: RunRecord,
  { shellWords, dependence: { isRead } }: Pick<GatekeeperOptions, 'shellWords' | 'dependence'>,
): Promise<boolean> {
  if (namesOwnNumber(gated, record) || findsOwnProcess(gated, record, shellWords)) return true;
  const { asks = [], listsProcesses } = programOf(gated.argv[0] ?? '') ?? {};
  if (listsProcesses && isRead(gated.argv)) return true;
  if (asks.includes('processes') && record.effects.some(({ kind }) => kind === 'listens')) return true;
  const { changes } = await launcher.list('none');
  const changed = new Set(changes.map((change) => change.path));
  if (changed.size === 0) return false;
  const named = gated.argv.slice(1).flatMap(valuesOf);
  return [gated.cwd, ...named.map((word) => path.resolve(gated.cwd, word))].some((one) => isWithin(one, changed));
}

/** A word, and what is given with an option: `--pidfile=p`, `-Fp`. */
function valuesOf(word: string): string[] {
  return [word, word.slice(word.indexOf('=') + 1), ...(word.startsWith('-') ? [word.slice(2)] : [])].filter(Boolean);
}

/** It, or a folder above it, is among them. */
function isWithin(name: string, changed: ReadonlySet<string>): boolean {
  for (let at = name; ; at = path.dirname(at)) {
    if (changed.has(at)) return true;
    if (at === path.dirname(at)) return false;
  }
}

/** Number of the first process of the run, as far as it is known. The first of all has process 1 of the view for its parent. */
function firstNumber({ pid, parentPid }: Gated, { programs }: RunRecord): number {
  return Math.min(pid, ...[parentPid, ...programs.map((one) => one.pid)].filter((one) => one > 1));
}

/** Numbers of processes are given in their order: those of the run lie between that of its first and that of this program. */
function namesOwnNumber(gated: Gated, record: RunRecord): boolean {
  const { argv, pid } = gated;
  const first = firstNumber(gated, record);
  const numbers = argv.slice(1).flatMap((word) => word.match(/\d+/g) ?? []);
  return numbers.some((text) => Number(text) >= first && Number(text) <= pid);
}

/** A program that looks for others by what they are called finds those of the run as well: its shell, and what it left in the background. */
function findsOwnProcess(gated: Gated, record: RunRecord, shellWords: readonly string[]): boolean {
  const { argv, pid } = gated;
  const { programs, shell } = record;
  const { asks = [], momentary } = programOf(argv[0] ?? '') ?? {};
  if (momentary || !(asks.includes('processes') || asks.includes('signalled'))) return false;
  if (hasUntold(gated, record)) return true;
  const words = argv.slice(1).filter((word) => !word.startsWith('-'));
  const isWhole = argv.some((word) => /^(?:-[A-Za-z]*f[A-Za-z]*|--full)$/.test(word));
  const running = programs.filter((one) => one.exitCode === undefined && one.pid !== pid).map((one) => one.argv);
  return [[shell, ...shellWords], ...running].some(([name = '', ...rest]) => {
    const text = isWhole ? [name, ...rest].join(' ') : baseName(name);
    return words.length === 0 || words.some((word) => isFoundIn(word, text));
  });
}

/** A number was given to a process that has started no program yet: nobody knows what it will be called when it is looked for. */
function hasUntold(gated: Gated, record: RunRecord): boolean {
  const first = firstNumber(gated, record);
  const told = new Set([first, ...record.programs.map(({ pid }) => pid)]);
  const between = [...told].filter((one) => one >= first && one < gated.pid);
  return between.length < gated.pid - first;
}

function isFoundIn(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'i').test(text);
  } catch {
    return true;
  }
}
