import type { PredictedProgram } from '../../src/core/prediction/prediction.ts';
import { showCall } from '../../src/core/shell/quoteWord.ts';
import type { TreeNode } from '../shared/tree.ts';

/** One program with those that it started. */
export interface ProgramNode extends TreeNode {
  program: PredictedProgram;
  children: ProgramNode[];
}

/** The programs as a tree, in the order in which they started. A parent that is not known makes a root. */
export function programTree(programs: readonly PredictedProgram[]): ProgramNode[] {
  const nodes = new Map<number, ProgramNode>();
  const roots: ProgramNode[] = [];
  const many = programs.length > 200;
  for (const program of programs) {
    const parent = program.parent === undefined ? undefined : nodes.get(program.parent);
    const node: ProgramNode = {
      // A process that starts another program in its place keeps its number: count them apart.
      key: nodes.has(program.id) ? `${program.id}#${nodes.size}-${roots.length}` : String(program.id),
      label: showCall(program.argv),
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
export function stoppedPrograms(programs: readonly PredictedProgram[]): { line: string; why: string }[] {
  const lines = new Map<string, string>();
  for (const program of programs) {
    if (program.gatedBecause !== undefined) lines.set(showCall(program.argv), program.gatedBecause);
  }
  return [...lines].map(([line, why]) => ({ line, why }));
}
