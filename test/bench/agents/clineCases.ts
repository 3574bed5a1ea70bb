import type { AgentCase } from './agentCase.ts';
import type { Files } from './editInputs.ts';

const edit = (name: string, files: Files, args: Record<string, unknown>): AgentCase => ({
  tool: 'editor',
  name,
  files,
  args: { path: '@/f.txt', ...args },
});
const abc: Files = { 'f.txt': 'a\nb\nc\n' };
const insert = (name: string, insert_line: number, files = abc, new_text = 'new\n') =>
  edit(name, files, { insert_line, new_text });

/** What Cline's `editor` meets besides. */
export const clineEdits: readonly AgentCase[] = [
  insert('a line inserted at the beginning', 1),
  insert('a line inserted before line 0', 0),
  insert('a line inserted in the middle', 2),
  insert('a line inserted without its break', 2, abc, 'new'),
  insert('a line inserted before the last line', 3),
  insert('a line inserted at the end', 4),
  insert('a line inserted behind the end', 5),
  insert('a line inserted far behind the end', 50),
  insert('a line inserted before a negative line', -1),
  insert('a line inserted with CRLF', 2, { 'f.txt': 'a\r\nb\r\n' }),
  insert('a line inserted without a last line break', 2, { 'f.txt': 'a\nb' }),
  insert('a line inserted at the end without a last line break', 3, { 'f.txt': 'a\nb' }),
  insert('a line inserted into an empty file', 1, { 'f.txt': '' }),
  insert('a line inserted into no file', 1, { 'x/y.txt': 'y\n' }),
  insert('nothing inserted', 2, abc, ''),
  edit('a line inserted in place of an old text', abc, { insert_line: 2, old_text: 'b', new_text: 'B' }),
  edit('no old text over a file', abc, { new_text: 'fresh\n' }),
  edit('an old text of null', abc, { old_text: null, new_text: 'fresh\n' }),
  edit('no new text', abc, { old_text: 'b' }),
  edit('a word deleted', { 'f.txt': 'one two\nthree\n' }, { old_text: ' two', new_text: '' }),
  edit('several matches within a line', { 'f.txt': 'x x x\n' }, { old_text: 'x', new_text: 'y' }),
  edit(
    'a long change',
    { 'f.txt': `${'a\n'.repeat(40)}b\n${'c\n'.repeat(40)}` },
    { old_text: 'b', new_text: 'd\n'.repeat(250) },
  ),
  edit('a change of long lines', { 'f.txt': 'a\nb\n' }, { old_text: 'b', new_text: 'd'.repeat(3_000) }),
  edit(
    'changes with the same line between',
    { 'f.txt': 'x\na\nb\nc\ny\n' },
    { old_text: 'a\nb\nc', new_text: 'A\nb\nC' },
  ),
  edit('a line doubled', abc, { old_text: 'b\n', new_text: 'b\nb\n' }),
  edit('new lines between', abc, { old_text: 'b\n', new_text: 'b\nn\nm\n' }),
  edit('lines before', abc, { old_text: 'b\n', new_text: 'n\nb\n' }),
  edit('fewer lines', { 'f.txt': 'a\nb\nb\nb\nc\n' }, { old_text: 'b\nb\nb\n', new_text: 'b\n' }),
  edit('all deleted', { 'f.txt': 'a\n' }, { old_text: 'a\n', new_text: '' }),
  edit('the last line break deleted', { 'f.txt': 'a\nb\n' }, { old_text: 'b\n', new_text: 'b' }),
  edit('a last line break added', { 'f.txt': 'a\nb' }, { old_text: 'b', new_text: 'b\n' }),
  edit(
    'many changes',
    { 'f.txt': Array.from({ length: 120 }, (_, at) => `${at}\n`).join('') },
    {
      old_text: Array.from({ length: 120 }, (_, at) => `${at}\n`).join(''),
      new_text: Array.from({ length: 120 }, (_, at) => `n${at}\n`).join(''),
    },
  ),
  edit('line ends of both kinds, several lines', { 'f.txt': 'a\r\nb\nc\n' }, { old_text: 'b\nc', new_text: 'x\ny' }),
  edit('line ends of both kinds, across them', { 'f.txt': 'a\r\nb\nc\n' }, { old_text: 'a\nb', new_text: 'x\ny' }),
  edit('line ends of both kinds, first LF', { 'f.txt': 'a\nb\r\nc\r\n' }, { old_text: 'b\nc', new_text: 'x\ny' }),
  edit(
    'line ends of both kinds, first LF, across them',
    { 'f.txt': 'a\nb\r\nc\r\n' },
    { old_text: 'a\nb', new_text: 'x\ny' },
  ),
  insert('a line inserted between line ends of both kinds', 2, { 'f.txt': 'a\r\nb\nc\n' }),
  insert('a line inserted, first LF', 3, { 'f.txt': 'a\nb\r\nc\r\n' }),
  insert('two lines inserted', 2, abc, 'x\ny'),
  insert('a line inserted into a folder', 2, { 'f.txt': { folder: true } }),
  edit('a dangling symbolic link', { 'f.txt': { link: 'gone.txt' } }, { new_text: 'x\n' }),
  edit(
    'a dangling symbolic link with an old text',
    { 'f.txt': { link: 'gone.txt' } },
    { old_text: 'a', new_text: 'x\n' },
  ),
];
