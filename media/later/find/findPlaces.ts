import type { FileTree } from '../../predict/fileTree.ts';
import type { OutputName } from '../../predict/panel.ts';
import { shownPath } from '../../shared/format.ts';
import type { OutputMemory } from '../../shared/outputView.ts';

/** Where a text was found: from `start` to `end` in a line of an output, counted from 0, or in the path of a change. */
export type Place =
  | { kind: 'output'; name: OutputName; line: number; start: number; end: number }
  | { kind: 'file'; path: string };

/** The lines of an output as one text in small letters, and where each begins in it. */
export interface LoweredLines {
  text: string;
  starts: number[];
}

/** Made once for an output: a search is then one pass over one text, however many lines there are. */
export function lowered({ lines }: OutputMemory['screen']): LoweredLines {
  const starts: number[] = [];
  const all: string[] = [];
  let at = 0;
  for (const { text } of lines) {
    const lower = text.toLowerCase();
    starts.push(at);
    all.push(lower);
    at += lower.length + 1;
  }
  return { text: all.join('\n'), starts };
}

/** Every place of a text in outputs and paths of changes, without regard to case, in the order in which they are shown. */
export function findPlaces(
  query: string,
  outputs: readonly (readonly [OutputName, LoweredLines])[],
  { nodes, folders, home }: Pick<FileTree, 'nodes' | 'folders' | 'home'>,
): Place[] {
  const wanted = query.toLowerCase();
  if (wanted === '') return [];
  const places: Place[] = [];
  for (const { path, change } of nodes.values()) {
    if (change && shownPath(path, folders, home).toLowerCase().includes(wanted)) places.push({ kind: 'file', path });
  }
  for (const [name, { text, starts }] of outputs) {
    let line = 0;
    for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
      while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= at) line += 1;
      const start = at - (starts[line] ?? 0);
      places.push({ kind: 'output', name, line, start, end: start + wanted.length });
    }
  }
  return places;
}
