import type { FileTree } from '../../predict/fileTree.ts';
import type { OutputName } from '../../predict/panel.ts';
import { shownPath } from '../../shared/format.ts';
import type { OutputMemory } from '../../shared/outputView.ts';

/** Where a text was found: from `start` to `end` in a line of an output, counted from 0, or in the path of a change. */
export type Place =
  | { kind: 'output'; name: OutputName; line: number; start: number; end: number }
  | { kind: 'file'; path: string };

/** Every place of a text in outputs and paths of changes, without regard to case, in the order in which they are shown. */
export function findPlaces(
  query: string,
  outputs: readonly (readonly [OutputName, Pick<OutputMemory, 'screen'>])[],
  { nodes, folders, home }: Pick<FileTree, 'nodes' | 'folders' | 'home'>,
): Place[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return [];
  const places: Place[] = [];
  for (const { path, change } of nodes.values()) {
    if (change && shownPath(path, folders, home).toLowerCase().includes(wanted)) places.push({ kind: 'file', path });
  }
  for (const [name, { screen }] of outputs) {
    screen.lines.forEach(({ text }, line) => {
      const lower = text.toLowerCase();
      for (let start = lower.indexOf(wanted); start >= 0; start = lower.indexOf(wanted, start + wanted.length))
        places.push({ kind: 'output', name, line, start, end: start + wanted.length });
    });
  }
  return places;
}
