import type { AgentCase } from './agentCase.ts';
import type { Files } from './editInputs.ts';

const notebook = (minor: number, cells: unknown[]) =>
  `${JSON.stringify({ cells, metadata: { language_info: { name: 'python' } }, nbformat: 4, nbformat_minor: minor }, null, 1)}\n`;
const code = (id: string | undefined, source: string | string[]) => ({
  cell_type: 'code',
  ...(id ? { id } : {}),
  source,
  metadata: {},
  execution_count: 3,
  outputs: [{ output_type: 'stream', name: 'stdout', text: ['1\n'] }],
});
const prose = (id: string | undefined, source: string | string[]) => ({
  cell_type: 'markdown',
  ...(id ? { id } : {}),
  source,
  metadata: {},
});
const named = notebook(5, [prose('m1', ['# T\n', 'x']), code('c1', ['a = 1\n', 'b'])]);
const unnamed = notebook(2, [prose(undefined, '# T'), code(undefined, 'a')]);

const cell = (name: string, text: string, args: Record<string, unknown>): AgentCase => ({
  tool: 'NotebookEdit',
  name,
  files: { 'n.ipynb': text },
  args: { notebook_path: '@/n.ipynb', new_source: 'new\nsource', ...args },
  reads: '@/n.ipynb',
});
const other = (name: string, files: Files, args: Record<string, unknown> = {}): AgentCase => ({
  tool: 'NotebookEdit',
  name,
  files,
  args: { notebook_path: '@/n.ipynb', new_source: 'x', cell_id: 'c1', ...args },
});

/** What `NotebookEdit` of Claude Code is asked for. */
export const notebookCases: readonly AgentCase[] = [
  cell('a cell replaced', named, { cell_id: 'c1' }),
  cell('a cell of Markdown replaced', named, { cell_id: 'm1' }),
  cell('a cell of another type', named, { cell_id: 'c1', cell_type: 'markdown' }),
  cell('a cell of Markdown becomes code', named, { cell_id: 'm1', cell_type: 'code' }),
  cell('a cell of code stays code', named, { cell_id: 'c1', cell_type: 'code' }),
  cell('a cell by its place', unnamed, { cell_id: 'cell-1' }),
  cell('a cell inserted', unnamed, { cell_id: 'cell-0', edit_mode: 'insert', cell_type: 'code' }),
  cell('a cell inserted at the beginning', unnamed, { edit_mode: 'insert', cell_type: 'markdown' }),
  {
    ...cell('a cell inserted with an id', named, { cell_id: 'm1', edit_mode: 'insert', cell_type: 'code' }),
    isRandom: true,
  },
  cell('a cell inserted without a type', named, { cell_id: 'm1', edit_mode: 'insert' }),
  cell('a cell deleted', named, { cell_id: 'm1', edit_mode: 'delete', new_source: '' }),
  cell('no such cell', named, { cell_id: 'zz' }),
  cell('no such place', named, { cell_id: 'cell-9' }),
  cell('no cell named', named, {}),
  cell('without a last line break', named.trimEnd(), { cell_id: 'c1' }),
  cell('CRLF', named.replaceAll('\n', '\r\n'), { cell_id: 'c1' }),
  cell('a byte order mark', `\uFEFF${named}`, { cell_id: 'c1' }),
  cell('not ASCII', notebook(5, [code('c1', 'é')]), { cell_id: 'c1', new_source: 'ü "x"' }),
  other('no notebook', { 'f.txt': 'a\n' }, { notebook_path: '@/f.txt' }),
  other('no such notebook', { 'f.txt': 'a\n' }),
  { ...other('no JSON', { 'n.ipynb': '{x\n' }), reads: '@/n.ipynb' },
  { ...other('no cells', { 'n.ipynb': '{}\n' }), reads: '@/n.ipynb' },
];
