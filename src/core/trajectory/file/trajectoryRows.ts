import { passes, type StepFilter } from '../step/stepFilter.ts';
import type { LineSummary, StepSummary } from '../step/stepSummary.ts';
import { type StepTree, type TreePlace, treeOf } from '../step/stepTree.ts';

/** A row of the list of a file. `index`: of its line, from 0. */
export type TrajectoryRow =
  | { kind: 'trajectory'; name: string; turns: number; index: number }
  | { kind: 'step'; place: TreePlace<StepSummary>; index: number }
  | { kind: 'bad'; problem: string; begins: string; index: number };

/** What of a file is listed. */
export interface RowChoice {
  filters: readonly StepFilter[];
  /** Lines that a search has found; absent: nothing is searched for. */
  found?: ReadonlySet<number>;
}

/** The steps of a file in their places. Lines that are not read yet are left out. */
export function placesOf(lines: readonly (LineSummary | undefined)[]): StepTree<StepSummary> {
  return treeOf(lines.map((line) => (line?.kind === 'step' ? line : undefined)));
}

/**
 * Rows of a file: a heading for each trajectory where there are several, its steps as `treeOf` orders them, and lines that
 * are no steps behind the step that they follow in the file. A line passes when one of the filters, and the search, lets it.
 */
export function trajectoryRows(
  lines: readonly (LineSummary | undefined)[],
  tree: StepTree<StepSummary>,
  { filters, found }: RowChoice,
): TrajectoryRow[] {
  const steps = tree.rows;
  const bad = badLines(lines, tree);
  const rows: TrajectoryRow[] = [];
  const names = new Set(steps.map(({ step }) => step.trajectory));
  const isShown = (line: LineSummary, index: number, restsOnEdited: boolean) =>
    (found?.has(index) ?? true) &&
    (filters.length === 0 || filters.some((filter) => passes(line, filter, restsOnEdited)));
  const addBad = (anchor: number) => {
    for (const row of bad.get(anchor) ?? []) {
      if (isShown({ kind: 'bad', problem: row.problem, begins: row.begins }, row.index, false)) rows.push(row);
    }
  };
  addBad(-1);
  let heading: (TrajectoryRow & { kind: 'trajectory' }) | undefined;
  for (const place of steps) {
    const { step, index } = place;
    if (isShown(step, index, place.restsOnEdited || place.observationIsOld)) {
      if (names.size > 1 && heading?.name !== step.trajectory) {
        heading = { kind: 'trajectory', name: step.trajectory, turns: 0, index };
        rows.push(heading);
      }
      if (heading) heading.turns += 1;
      rows.push({ kind: 'step', place, index });
    }
    addBad(index);
  }
  return rows;
}

type BadRow = TrajectoryRow & { kind: 'bad' };

/** Lines that are no steps, and those whose id stands earlier, by the index of the step before them in the file. */
function badLines(lines: readonly (LineSummary | undefined)[], tree: StepTree<StepSummary>): Map<number, BadRow[]> {
  const rows = new Map<number, BadRow[]>();
  let anchor = -1;
  for (const [index, line] of lines.entries()) {
    if (!line || line.kind === 'blank') continue;
    let row: BadRow | undefined;
    if (line.kind === 'bad') row = { kind: 'bad', problem: line.problem, begins: line.begins, index };
    else {
      const first = tree.byId.get(line.id)?.index ?? index;
      if (first !== index) {
        const problem = `The id ${line.id} stands on line ${first + 1} already; give this step another one.`;
        row = { kind: 'bad', problem, begins: line.title, index };
      }
    }
    if (!row) anchor = index;
    else rows.set(anchor, [...(rows.get(anchor) ?? []), row]);
  }
  return rows;
}

/** How many lines each filter lets pass. */
export function filterCounts(
  lines: readonly (LineSummary | undefined)[],
  tree: StepTree<StepSummary>,
  filters: readonly StepFilter[],
): Record<StepFilter, number> {
  const counts = Object.fromEntries(filters.map((filter) => [filter, 0])) as Record<StepFilter, number>;
  for (const place of tree.rows) {
    const isEdited = place.restsOnEdited || place.observationIsOld;
    for (const filter of filters) if (passes(place.step, filter, isEdited)) counts[filter] += 1;
  }
  counts.bad = [...badLines(lines, tree).values()].reduce((sum, rows) => sum + rows.length, 0);
  return counts;
}
