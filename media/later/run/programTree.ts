import { isToRehearse } from '../../../src/core/facts/onlyLooks.ts';
import type { PredictedProgram, Prediction } from '../../../src/core/prediction/prediction.ts';
import { programText } from '../../../src/core/words/programText.ts';
import { shownPrograms } from '../../../src/core/words/shownPrograms.ts';
import type { TreeNode } from '../../shared/tree.ts';

/** One program with those that it started. */
export interface ProgramNode extends TreeNode {
  program: PredictedProgram;
  children: ProgramNode[];
}

/** The programs as a tree, in the order in which they started. A parent that is not known makes a root. */
export function programTree(programs: readonly PredictedProgram[]): ProgramNode[] {
  const nodes = new Map<number, ProgramNode>();
  const roots: ProgramNode[] = [];
  const shown = shownPrograms(programs);
  const many = shown.length > 200;
  for (const program of shown) {
    const parent = program.parent === undefined ? undefined : nodes.get(program.parent);
    const node: ProgramNode = {
      // A process that starts another program in its place keeps its number: count them apart.
      key: nodes.has(program.id) ? `${program.id}#${nodes.size}-${roots.length}` : String(program.id),
      label: programText(program),
      program,
      children: [],
      startsOpen: !many || parent === undefined,
    };
    nodes.set(program.id, node);
    (parent?.children ?? roots).push(node);
  }
  return roots;
}

/** The programs that the gate stopped: those that would run if it were opened. Same command lines are named once. */
export function stoppedPrograms({
  programs,
  assumptions,
}: Pick<Prediction, 'programs' | 'assumptions'>): { line: string; why: string }[] {
  const lines = new Map<string, string>();
  for (const program of programs) {
    if (isToRehearse(program, assumptions)) lines.set(programText(program), program.gatedBecause ?? '');
  }
  return [...lines].map(([line, why]) => ({ line, why }));
}
