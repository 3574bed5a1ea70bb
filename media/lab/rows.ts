import { type TrajectoryRow, trajectoryRows } from '../../src/core/trajectory/file/trajectoryRows.ts';
import type { StepFilter } from '../../src/core/trajectory/step/stepFilter.ts';
import type { TreeNode } from '../shared/tree.ts';
import { type LabState, stepKey } from './state.ts';

/** A row of the list: a step with the branches that fork from it, a line that is no step, or a heading. */
export interface LabNode extends TreeNode {
  row: TrajectoryRow;
  children: LabNode[];
}

/** Words of the filters, as they stand on their buttons. */
export const filterWords: Readonly<Record<StepFilter, string>> = {
  failed: 'Failed',
  cut: 'Cut',
  wrongExit: 'Wrong exit code',
  differs: 'Differs',
  noObservation: 'No observation',
  noPrediction: 'Not predicted',
  edited: 'Rests on an edit',
  bad: 'Bad lines',
};

/** The rows as a tree: branches stand below the step that they fork from, everything else is one list. */
export function labNodes(state: LabState): { roots: LabNode[]; count: number } {
  const { filters, query } = state.kept;
  const found = query === '' ? undefined : (state.found?.lines ?? new Set<number>());
  const rows = trajectoryRows(state.lines, state.tree, { filters, ...(found ? { found } : {}) });
  const roots: LabNode[] = [];
  let base = roots;
  /** The list that rows of each depth go into. */
  let lists: LabNode[][] = [roots];
  let count = 0;
  for (const row of rows) {
    const node = nodeOf(row);
    if (row.kind === 'trajectory') {
      roots.push(node);
      base = node.children;
      lists = [base];
      continue;
    }
    count += 1;
    const depth = row.kind === 'step' ? row.place.depth : 0;
    const list = lists[Math.min(depth, lists.length - 1)] ?? base;
    list.push(node);
    if (row.kind === 'step') {
      lists.length = Math.min(lists.length, depth + 1);
      lists.push(node.children);
    }
  }
  return { roots, count };
}

function nodeOf(row: TrajectoryRow): LabNode {
  const common = { row, children: [], startsOpen: true };
  if (row.kind === 'step') return { ...common, key: stepKey(row.place.step.id), label: row.place.step.title };
  if (row.kind === 'bad') return { ...common, key: `line ${row.index}`, label: `line ${row.index + 1}` };
  return { ...common, key: `trajectory ${row.name} ${row.index}`, label: row.name };
}
