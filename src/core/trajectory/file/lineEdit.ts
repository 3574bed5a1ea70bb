import type { TrajectoryStep } from '../step/step.ts';
import { stepLine } from './trajectoryFile.ts';

/** What is written into a step; `undefined` takes a field away. */
export type StepChange = { [K in keyof TrajectoryStep]?: TrajectoryStep[K] | undefined };

/**
 * The line of a step with some fields changed. The others are taken from the line itself, so that nothing that this
 * version does not know is lost. `text` is a line that holds a step.
 */
export function changedLine(text: string, change: StepChange): string {
  const raw = JSON.parse(text) as Record<string, unknown>;
  for (const [name, value] of Object.entries(change)) {
    if (value === undefined) delete raw[name];
    else raw[name] = value;
  }
  return stepLine(raw as unknown as TrajectoryStep);
}

/** Which lines of a list were replaced: from `start`, `removed` of the old by those of the new up to `end`. */
export interface LineSplice {
  start: number;
  removed: number;
  end: number;
}

/**
 * Where two lists of lines differ, as few stretches as can be told without searching: equal lines at both ends are
 * skipped, and where as many lines are between as before, equal ones among them. In descending order, so that they can be
 * applied one after the other.
 */
export function lineSplices(before: readonly string[], after: readonly string[]): LineSplice[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const removed = before.length - end - start;
  const added = after.length - end - start;
  if (removed === 0 && added === 0) return [];
  if (removed !== added) return [{ start, removed, end: start + added }];
  const splices: LineSplice[] = [];
  for (let index = start + added - 1; index >= start; index -= 1) {
    if (before[index] === after[index]) continue;
    const last = splices.at(-1);
    if (last && last.start === index + 1) {
      last.start = index;
      last.removed += 1;
    } else splices.push({ start: index, removed: 1, end: index + 1 });
  }
  return splices;
}
