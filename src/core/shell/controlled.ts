import { commandsIn, partsOf } from './assign.ts';
import { staticText } from './script.ts';
import type { ScriptCommand, ScriptNode } from './scriptReading.ts';

/**
 * Commands of a script that run or not by how some others end: behind `&&` and `||`, in what `if` and `while` test, behind a test
 * of `$?` right after one, and by a function that ends as one of them does.
 */
export function controlledBy(body: ScriptNode, isDeciding: (command: ScriptCommand) => boolean): Set<ScriptCommand> {
  const controlled = new Set<ScriptCommand>();
  const deciding = new Set<string>();
  const decides = (command: ScriptCommand) => {
    const [first] = command.words;
    return isDeciding(command) || (first !== undefined && deciding.has(staticText(first) ?? ''));
  };
  const mark = (node: ScriptNode) => {
    for (const command of commandsIn(node)) controlled.add(command);
  };
  /** Whether how a part ends is decided by one of them. */
  const isDecided = (node: ScriptNode): boolean => {
    switch (node.kind) {
      case 'command':
        return decides(node.command);
      case 'list':
        return inTurn(node.items, (item, before) => isDecided(item) || (before && markTest(item)));
      case 'choice':
        return inTurn(node.items, (item, before) => {
          if (before) mark(item);
          return isDecided(item) || before;
        });
      case 'if':
      case 'while': {
        const byTest = isDecided(node.test);
        const rest = partsOf(node).slice(1);
        if (byTest) for (const part of rest) mark(part);
        return rest.map(isDecided).some(Boolean) || byTest;
      }
      case 'function':
        if (isDecided(node.body)) deciding.add(node.name);
        return false;
      default:
        return partsOf(node).map(isDecided).some(Boolean);
    }
  };
  /** A part that begins with a test of how the part before it has ended. */
  const markTest = (node: ScriptNode): boolean => {
    const [test, ...rest] = node.kind === 'choice' || node.kind === 'if' ? partsOf(node) : [];
    if (!test || !readsStatus(test)) return false;
    for (const part of rest) mark(part);
    return true;
  };
  isDecided(body);
  return controlled;
}

function inTurn(items: readonly ScriptNode[], decide: (item: ScriptNode, before: boolean) => boolean): boolean {
  return items.reduce((before, item) => decide(item, before), false);
}

function readsStatus(node: ScriptNode): boolean {
  return commandsIn(node).some(({ words }) =>
    words.some(({ pieces }) => pieces.some((piece) => piece.kind === 'variable' && piece.name === '?')),
  );
}
