import type { ToolCall } from '../action.ts';
import { asStored, notText, refusedByClaude, throughLink, unreadWords } from './claudeToolsNow.ts';
import { decodeText } from './textBytes.ts';
import { absolute, refuse, success, type ToolOutcome, type ToolPlace, textArgument } from './toolOutcome.ts';

type Cell = Record<string, unknown>;

/** A notebook as JSON: its cells, and whatever else stands there. */
interface Notebook extends Record<string, unknown> {
  cells: Cell[];
}

/** What a call wants. */
interface Wanted {
  mode: string;
  source: string;
  cell: string | undefined;
  type: string | undefined;
}

/** `NotebookEdit` of Claude Code 2.1.332: a cell that gets another type has what cells of that type have. */
export function claudeNotebookEditNow(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  return notebookEdit(call, place, replacedAsTyped);
}

/** The same of 2.1.330: what a cell has besides follows from the type that it had. */
export function claudeNotebookEdit(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  return notebookEdit(call, place, replacedAsWas);
}

/** Gives a cell a source and, where one is named, a type; says what is not known of it. */
type Replacing = (cell: Cell, source: string, type: string | undefined) => string[];

function replacedAsWas(cell: Cell, source: string, type: string | undefined): string[] {
  cell['source'] = source;
  if (cell['cell_type'] === 'code') Object.assign(cell, noResult());
  if (type) cell['cell_type'] = type;
  return [];
}

function replacedAsTyped(cell: Cell, source: string, type: string | undefined): string[] {
  const isChanged = type !== undefined && type !== '' && type !== cell['cell_type'];
  cell['source'] = source;
  if (isChanged) cell['cell_type'] = type;
  if (cell['cell_type'] === 'code') Object.assign(cell, noResult());
  else if (isChanged) for (const name of Object.keys(noResult())) delete cell[name];
  else if ('outputs' in cell) return ['Whether a cell that is no code keeps the outputs that it has is not known.'];
  return [];
}

const noResult = () => ({ execution_count: null, outputs: [] });

/** Replaces, inserts or deletes a cell; the whole file is written anew, indented by one. */
async function notebookEdit(call: ToolCall, place: ToolPlace, replaced: Replacing): Promise<ToolOutcome> {
  const name = textArgument(call, 'notebook_path');
  const source = textArgument(call, 'new_source');
  if (!name || source === undefined) return refuse('arguments', name ?? '');
  const mode = textArgument(call, 'edit_mode') ?? 'replace';
  const wanted: Wanted = { mode, source, cell: textArgument(call, 'cell_id'), type: textArgument(call, 'cell_type') };
  const file = absolute(name, place.cwd);
  if (!name.endsWith('.ipynb')) {
    const words = 'File must be a Jupyter notebook (.ipynb file). For editing other file types, use the FileEdit tool.';
    return refusedByClaude('arguments', name, words);
  }
  if (mode === 'insert' && wanted.type === undefined)
    return refusedByClaude('arguments', name, 'Cell type is required when using edit_mode=insert.');
  const state = await place.read(file);
  if (state.kind === 'missing') return refusedByClaude('missing', name, unreadWords);
  if (state.kind !== 'file') return refuse(state.kind, name);
  const link = await throughLink(name, file, place);
  if (link) return link;
  const why = notText(state.bytes);
  if (why !== undefined) return refusedByClaude('binary', name, why);
  const stored = decodeText(state.bytes);
  const notebook = stored && readNotebook(stored.text);
  // Reading fails as well, and what was not read is not edited.
  if (!notebook) return refusedByClaude('binary', name, unreadWords);
  const at = placeOf(notebook.cells, wanted);
  if ('words' in at) return refusedByClaude('line', name, at.words);
  const { words, doubts } = change(notebook, at.index, wanted, replaced);
  const text = `${JSON.stringify(notebook, null, 1)}${stored.text.endsWith('\n') ? '\n' : ''}`;
  const writes = [{ path: file, bytes: asStored(text, stored), makesFolders: false, takesPlace: true }];
  return success(words, writes, undefined, doubts);
}

function readNotebook(text: string): Notebook | undefined {
  try {
    const value = JSON.parse(text) as Partial<Notebook> | null;
    const isSource = (source: unknown) =>
      typeof source === 'string' || (Array.isArray(source) && source.every((line) => typeof line === 'string'));
    const isCell = (cell: unknown) => typeof cell === 'object' && cell !== null && isSource((cell as Cell)['source']);
    return Array.isArray(value?.cells) && value.cells.every(isCell) ? (value as Notebook) : undefined;
  } catch {
    return undefined;
  }
}

function placeOf(cells: readonly Cell[], { mode, cell }: Wanted): { index: number } | { words: string } {
  const isInsert = mode === 'insert';
  if (!cell) return isInsert ? { index: 0 } : { words: 'Cell ID must be specified when not inserting a new cell.' };
  let index = cells.findIndex(({ id }) => id === cell);
  if (index < 0) {
    const number = /^cell-(\d+)$/.exec(cell)?.[1];
    if (number === undefined) return { words: `Cell with ID "${cell}" not found in notebook.` };
    index = Number(number);
    if (!cells[index]) return { words: `Cell with index ${index} does not exist in notebook.` };
  }
  return { index: isInsert ? index + 1 : index };
}

/** Changes the cells; says what the tool says. */
function change(
  notebook: Notebook,
  index: number,
  wanted: Wanted,
  replaced: Replacing,
): { words?: string; doubts: string[] } {
  const { mode, source, cell: id, type } = wanted;
  if (mode === 'delete') {
    notebook.cells.splice(index, 1);
    return { words: `Deleted cell ${id}`, doubts: [] };
  }
  if (mode === 'insert') {
    const hasIds = isAtLeast45(notebook);
    const named = hasIds ? { id: '00000000' } : {};
    const empty = type === 'markdown' ? {} : noResult();
    const cell_type = type === 'markdown' ? type : 'code';
    notebook.cells.splice(index, 0, { cell_type, ...named, source, metadata: {}, ...empty });
    return hasIds
      ? { doubts: ['The new cell gets an id that is drawn at random; zeros stand in its place.'] }
      : { words: `Inserted a new cell with ${source}`, doubts: [] };
  }
  const doubts = replaced(notebook.cells[index] ?? {}, source, type);
  return { words: `Updated cell ${id} with ${source}`, doubts };
}

function isAtLeast45({ nbformat, nbformat_minor: minor }: Notebook): boolean {
  const major = Number(nbformat);
  return major > 4 || (major === 4 && Number(minor) >= 5);
}
