import { abc, type CallRow, twenty, unlock } from './callRow.ts';
import type { Files } from './place.ts';

const editor = (
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: Partial<CallRow> & { says: string },
): CallRow => ({ name, tool: 'str_replace_editor', files, args: { path: '@/f.txt', ...args }, ...more });
const edited = (what: string, snippet: string, hint = '') =>
  `The file @/f.txt has been edited. Here's the result of running \`cat -n\` on ${what}:\n${snippet}\nReview the changes and make sure they are as expected${hint}. Edit the file again if necessary.`;
const replace = (before: string, after?: string) => ({
  command: 'str_replace',
  old_str: before,
  ...(after === undefined ? {} : { new_str: after }),
});
const insertHint = ' (correct indentation, no duplicate lines, etc)';

export const editorRows: CallRow[] = [
  editor('one place', abc, replace('b', 'B'), {
    writes: { 'f.txt': 'a\nB\nc\n' },
    says: edited('a snippet of @/f.txt', '     1\ta\n     2\tB\n     3\tc'),
  }),
  editor('in the middle', { 'f.txt': twenty }, replace('l10', 'ten\nx'), {
    writes: { 'f.txt': twenty.replace('l10', 'ten\nx') },
    says: edited(
      'a snippet of @/f.txt',
      '     5\tl5\n     6\tl6\n     7\tl7\n     8\tl8\n     9\tl9\n    10\tten\n    11\tx\n    12\tl11\n    13\tl12\n    14\tl13',
    ),
  }),
  editor('without a new text', abc, replace('b\n'), {
    writes: { 'f.txt': 'a\nc\n' },
    says: edited('a snippet of @/f.txt', '     1\ta\n     2\tc'),
  }),
  editor('tabs become blanks', { 'f.txt': 'a\tb\n\tc\n' }, replace('c', 'd'), {
    writes: { 'f.txt': 'a       b\n        d\n' },
    says: edited('a snippet of @/f.txt', '     1\ta       b\n     2\t        d'),
  }),
  editor('CRLF becomes LF', { 'f.txt': 'a\r\nb\r\n' }, replace('b', 'c'), {
    writes: { 'f.txt': 'a\nc\n' },
    says: edited('a snippet of @/f.txt', '     1\ta\n     2\tc'),
  }),
  editor('Latin-1 stays', { 'f.txt': Buffer.from('caf\xe9\nb\n', 'latin1') }, replace('b', 'c'), {
    writes: { 'f.txt': Buffer.from('caf\xe9\nc\n', 'latin1') },
    says: edited('a snippet of @/f.txt', '     1\tcafé\n     2\tc'),
  }),
  editor('not found', abc, replace('zz', 'y'), {
    says: 'No replacement was performed, old_str `zz` did not appear verbatim in @/f.txt.',
    exit: 15,
  }),
  editor('not unique', { 'f.txt': 'x\ny\nx x\n' }, replace('x', 'z'), {
    says: 'No replacement was performed. Multiple occurrences of old_str `x` in lines [1, 3]. Please ensure it is unique',
    exit: 16,
  }),
  editor('identical', abc, replace('b', 'b'), {
    says: 'No replacement was performed, old_str `b` is the same as new_str `b`.',
    exit: 161,
  }),
  editor('missing', unlock, replace('b', 'B'), {
    says: 'The path @/f.txt does not exist. Please provide a valid path.',
    exit: 7,
  }),
  editor('a folder', { 'f.txt/x': 'x' }, replace('b', 'B'), {
    says: 'The path @/f.txt is a directory and only the `view` command can be used on directories',
    exit: 9,
  }),
  editor(
    'a relative path',
    abc,
    { ...replace('b', 'B'), path: 'f.txt' },
    { says: 'The path f.txt is not an absolute path, it should start with `/`. Maybe you meant @/f.txt?', exit: 6 },
  ),
  editor(
    'no old text',
    abc,
    { command: 'str_replace' },
    { says: 'Parameter `old_str` is required for command: str_replace', exit: 2 },
  ),
  editor(
    'inserted at the beginning',
    abc,
    { command: 'insert', insert_line: 0, new_str: 'x' },
    {
      writes: { 'f.txt': 'x\na\nb\nc\n' },
      says: edited('a snippet of the edited file', '     1\tx\n     2\ta\n     3\tb\n     4\tc\n     5\t', insertHint),
    },
  ),
  editor(
    'inserted in the middle',
    { 'f.txt': twenty },
    { command: 'insert', insert_line: 10, new_str: 'x\ny' },
    {
      writes: { 'f.txt': twenty.replace('l10\n', 'l10\nx\ny\n') },
      says: edited(
        'a snippet of the edited file',
        '     7\tl7\n     8\tl8\n     9\tl9\n    10\tl10\n    11\tx\n    12\ty\n    13\tl11\n    14\tl12\n    15\tl13\n    16\tl14',
        insertHint,
      ),
    },
  ),
  editor(
    'inserted too far',
    abc,
    { command: 'insert', insert_line: 9, new_str: 'x' },
    {
      says: 'Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 4]',
      exit: 17,
    },
  ),
  editor(
    'created',
    unlock,
    { command: 'create', file_text: 'n\n' },
    { writes: { 'f.txt': 'n\n' }, says: 'File created successfully at: @/f.txt' },
  ),
  editor(
    'exists already',
    abc,
    { command: 'create', file_text: 'n\n' },
    { says: 'File already exists at: @/f.txt. Cannot overwrite files using command `create`.', exit: 8 },
  ),
  editor(
    'no such folder',
    unlock,
    { command: 'create', file_text: 'n\n', path: '@/no/f.txt' },
    { says: 'The parent directory @/no does not exist. Please create it first.', exit: 21 },
  ),
  editor(
    'another command',
    abc,
    { command: 'chop' },
    {
      says: 'Unrecognized command chop. The allowed commands for the str_replace_editor tool are: "view", "create", "str_replace", "insert", "undo_edit"',
      exit: 5,
    },
  ),
];

const patch = (name: string, files: Files, body: string, more: Partial<CallRow> & { says: string }): CallRow => ({
  name,
  tool: 'apply_patch',
  files,
  args: { input: `*** Begin Patch\n${body}\n*** End Patch` },
  ...more,
});
const succeeded = (...lines: string[]) => `Success. Updated the following files:\n${lines.join('\n')}`;
const failed = (words: string) => `apply_patch verification failed: ${words}`;

export const patchRows: CallRow[] = [
  patch('added', unlock, '*** Add File: n/new.txt\n+one\n+two', {
    writes: { 'n/new.txt': 'one\ntwo\n' },
    says: succeeded('A n/new.txt'),
  }),
  patch('added over another', abc, '*** Add File: f.txt\n+one', {
    writes: { 'f.txt': 'one\n' },
    says: succeeded('A f.txt'),
  }),
  patch('deleted', abc, '*** Delete File: f.txt', { writes: { 'f.txt': null }, says: succeeded('D f.txt') }),
  patch('updated', abc, '*** Update File: f.txt\n@@\n a\n-b\n+B\n c', {
    writes: { 'f.txt': 'a\nB\nc\n' },
    says: succeeded('M f.txt'),
  }),
  patch('without a mark', abc, '*** Update File: f.txt\n a\n-b\n+B', {
    writes: { 'f.txt': 'a\nB\nc\n' },
    says: succeeded('M f.txt'),
  }),
  patch('two places', { 'f.txt': twenty }, '*** Update File: f.txt\n@@\n-l3\n+three\n@@\n l15\n-l16', {
    writes: { 'f.txt': twenty.replace('l3\n', 'three\n').replace('l16\n', '') },
    says: succeeded('M f.txt'),
  }),
  patch('behind a context', { 'f.txt': 'def a\n  x\ndef b\n  x\n' }, '*** Update File: f.txt\n@@ def b\n-  x\n+  y', {
    writes: { 'f.txt': 'def a\n  x\ndef b\n  y\n' },
    says: succeeded('M f.txt'),
  }),
  patch('moved', abc, '*** Update File: f.txt\n*** Move to: d/g.txt\n@@\n-b\n+B', {
    writes: { 'd/g.txt': 'a\nB\nc\n', 'f.txt': null },
    says: succeeded('M d/g.txt'),
  }),
  patch(
    'several files',
    { ...abc, 'g.txt': 'g\n', 'h.txt': 'h\n' },
    '*** Update File: f.txt\n@@\n-b\n+B\n*** Add File: n.txt\n+n\n*** Delete File: g.txt\n*** Update File: h.txt\n@@\n-h\n+H',
    {
      writes: { 'f.txt': 'a\nB\nc\n', 'n.txt': 'n\n', 'g.txt': null, 'h.txt': 'H\n' },
      says: succeeded('A n.txt', 'M f.txt', 'M h.txt', 'D g.txt'),
    },
  ),
  patch('at the end of the file', { 'f.txt': 'x\ny\nx\n' }, '*** Update File: f.txt\n@@\n-x\n+z\n*** End of File', {
    writes: { 'f.txt': 'x\ny\nz\n' },
    says: succeeded('M f.txt'),
  }),
  patch('only added', abc, '*** Update File: f.txt\n@@\n+d', {
    writes: { 'f.txt': 'a\nb\nc\nd\n' },
    says: succeeded('M f.txt'),
  }),
  patch('a newline at the end', { 'f.txt': 'a\nb' }, '*** Update File: f.txt\n@@\n-b\n+c', {
    writes: { 'f.txt': 'a\nc\n' },
    says: succeeded('M f.txt'),
  }),
  patch('blanks at the end do not count', { 'f.txt': 'a  \nb\n' }, '*** Update File: f.txt\n@@\n-a\n+A', {
    writes: { 'f.txt': 'A\nb\n' },
    says: succeeded('M f.txt'),
  }),
  patch('typographic quotes', { 'f.txt': 'say “hi” – now\n' }, '*** Update File: f.txt\n@@\n-say "hi" - now\n+said', {
    writes: { 'f.txt': 'said\n' },
    says: succeeded('M f.txt'),
  }),
  patch('lines that are not there', abc, '*** Update File: f.txt\n@@\n-zz\n+y', {
    says: failed('Failed to find expected lines in @/f.txt:\nzz'),
    exit: 1,
  }),
  patch('a context that is not there', abc, '*** Update File: f.txt\n@@ zz\n-b\n+y', {
    says: failed("Failed to find context 'zz' in @/f.txt"),
    exit: 1,
  }),
  patch('a file that is not there', unlock, '*** Update File: f.txt\n@@\n-b\n+y', {
    says: failed('Failed to read file to update @/f.txt: No such file or directory (os error 2)'),
    exit: 1,
  }),
  patch('nothing to delete', unlock, '*** Delete File: f.txt', {
    says: failed('Failed to read @/f.txt: No such file or directory (os error 2)'),
    exit: 1,
  }),
  patch('an empty update', abc, '*** Update File: f.txt', {
    says: failed("invalid hunk at line 2, Update file hunk for path 'f.txt' is empty"),
    exit: 1,
  }),
  patch('an unknown header', abc, '*** Frob File: f.txt', {
    says: failed(
      "invalid hunk at line 2, '*** Frob File: f.txt' is not a valid hunk header. Valid hunk headers: '*** Add File: {path}', '*** Delete File: {path}', '*** Update File: {path}'",
    ),
    exit: 1,
  }),
  patch('all or nothing', abc, '*** Add File: n.txt\n+n\n*** Update File: f.txt\n@@\n-zz\n+y', {
    says: failed('Failed to find expected lines in @/f.txt:\nzz'),
    exit: 1,
  }),
  {
    ...patch('no end', abc, '', {
      says: failed("invalid patch: The last line of the patch must be '*** End Patch'"),
      exit: 1,
    }),
    args: { input: '*** Begin Patch\n*** Delete File: f.txt' },
  },
  {
    ...patch('a heredoc', abc, '', { writes: { 'f.txt': null }, says: succeeded('D f.txt') }),
    args: { input: "<<'EOF'\n*** Begin Patch\n*** Delete File: f.txt\n*** End Patch\nEOF\n" },
  },
];
