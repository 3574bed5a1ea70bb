import fs from 'node:fs';
import path from 'node:path';
import type { EditAction } from '../../src/core/action/action.ts';
import type { EditCase } from './editCase.ts';
import type { Files } from './place.ts';

/**
 * One call of an editing tool, with what its documentation and source say that it does. `@` in arguments, words and targets
 * stands for the folder.
 */
interface Row {
  name: string;
  tool: string;
  files: Files;
  args: Record<string, unknown>;
  /** Contents that are written; null: deleted. */
  writes?: Record<string, string | Buffer | null>;
  says: string;
  exit?: number;
  prepare?(folder: string): void;
  mayBeUnsure?: boolean;
}

const not = (words: string) => `<tool_use_error>${words}</tool_use_error>`;
const abc = { 'f.txt': 'a\nb\nc\n' };
const lockFile = (folder: string) => fs.chmodSync(path.join(folder, 'f.txt'), 0o444);
const unlock = { 'x/y.txt': 'y\n' };

const qwen = (
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: Partial<Row> & { says: string },
): Row => ({
  name,
  tool: 'edit',
  files,
  args: { file_path: '@/f.txt', ...args },
  ...more,
});
const modified = (count = 1) => `Successfully modified file: @/f.txt (${count} replacements).`;
const change = (before: string, after: string, more: Record<string, unknown> = {}) => ({
  old_string: before,
  new_string: after,
  ...more,
});

const qwenRows: Row[] = [
  qwen('one place', abc, change('b', 'B'), { writes: { 'f.txt': 'a\nB\nc\n' }, says: modified() }),
  qwen('several lines', abc, change('a\nb\n', 'x\n'), { writes: { 'f.txt': 'x\nc\n' }, says: modified() }),
  qwen('dollars mean nothing', abc, change('b', '$& $1 $$'), {
    writes: { 'f.txt': 'a\n$& $1 $$\nc\n' },
    says: modified(),
  }),
  qwen('all of them', { 'f.txt': 'x x\nx\n' }, change('x', 'y', { replace_all: true }), {
    writes: { 'f.txt': 'y y\ny\n' },
    says: modified(3),
  }),
  qwen('not found', abc, change('zzz', 'y'), {
    says: "Failed to edit, 0 occurrences found for old_string in @/f.txt. No edits made. The exact text in old_string was not found. Ensure you're not escaping content incorrectly and check whitespace, indentation, and context. Use read_file tool to verify.",
    exit: 1,
  }),
  qwen('not unique', { 'f.txt': 'x\nx\n' }, change('x', 'y'), {
    says: 'Failed to edit. Found 2 occurrences for old_string in @/f.txt but replace_all was not enabled.',
    exit: 1,
  }),
  qwen('identical', abc, change('b', 'b'), {
    says: 'No changes to apply. The old_string and new_string are identical in file: @/f.txt',
    exit: 1,
  }),
  qwen('missing', unlock, change('b', 'B'), { says: 'File not found: @/f.txt', exit: 1 }),
  qwen('new', unlock, change('', 'fresh\n'), {
    writes: { 'f.txt': 'fresh\n' },
    says: 'Created new file: @/f.txt with provided content.',
  }),
  qwen(
    'new in new folders',
    unlock,
    { ...change('', 'n'), file_path: '@/p/q/n.txt' },
    { writes: { 'p/q/n.txt': 'n' }, says: 'Created new file: @/p/q/n.txt with provided content.' },
  ),
  qwen('exists already', abc, change('', 'fresh\n'), { says: 'File already exists, cannot create: @/f.txt', exit: 1 }),
  qwen('an empty old string on an empty file', { 'f.txt': '' }, change('', 'x'), {
    says: 'File already exists, cannot create: @/f.txt',
    exit: 1,
  }),
  qwen('CRLF', { 'f.txt': 'a\r\nb\r\n' }, change('a\nb', 'x\ny'), {
    writes: { 'f.txt': 'x\r\ny\r\n' },
    says: modified(),
  }),
  qwen('a byte order mark', { 'f.txt': '\ufeffa\nb\n' }, change('a', 'A'), {
    writes: { 'f.txt': '\ufeffA\nb\n' },
    says: modified(),
  }),
  qwen('no newline at the end', { 'f.txt': 'a\nb' }, change('b', 'c'), {
    writes: { 'f.txt': 'a\nc' },
    says: modified(),
  }),
  qwen('other alphabets', { 'f.txt': '日本 🦀\n' }, change('🦀', 'ü'), {
    writes: { 'f.txt': '日本 ü\n' },
    says: modified(),
  }),
  qwen('a program keeps its mode', { 'f.txt': { text: 'a\n', mode: 0o755 } }, change('a', 'b'), {
    writes: { 'f.txt': 'b\n' },
    says: modified(),
  }),
  qwen('through a link', { 'f.txt': { link: 'real.txt' }, 'real.txt': 'a\n' }, change('a', 'b'), {
    writes: { 'f.txt': 'b\n' },
    says: modified(),
  }),
  qwen('read-only', abc, change('b', 'B'), {
    prepare: lockFile,
    says: "Error executing edit: EACCES: permission denied, open '@/f.txt'",
    exit: 1,
  }),
  qwen('a folder', { 'f.txt/x': 'x' }, change('b', 'B'), {
    says: 'Error preparing edit: EISDIR: illegal operation on a directory, read',
    exit: 1,
  }),
  qwen(
    'a relative name',
    abc,
    { ...change('a', 'b'), file_path: 'f.txt' },
    { says: 'File path must be absolute: f.txt', exit: 1 },
  ),
  qwen('a whole line deleted', abc, change('b', ''), {
    writes: { 'f.txt': 'a\nc\n' },
    says: modified(),
    mayBeUnsure: true,
  }),
  qwen('blanks differ', { 'f.txt': '  a\n  b\n' }, change('a\nb', 'x'), {
    says: "Failed to edit, 0 occurrences found for old_string in @/f.txt. No edits made. The exact text in old_string was not found. Ensure you're not escaping content incorrectly and check whitespace, indentation, and context. Use read_file tool to verify.",
    exit: 1,
    mayBeUnsure: true,
  }),
  {
    ...qwen('expected count', { 'f.txt': 'x x\n' }, change('x', 'y', { expected_replacements: 2 }), {
      writes: { 'f.txt': 'y y\n' },
      says: modified(2),
    }),
    tool: 'replace',
  },
  {
    ...qwen('another count', { 'f.txt': 'x x x\n' }, change('x', 'y', { expected_replacements: 2 }), {
      says: 'Failed to edit, Expected 2 occurrences but found 3 for old_string in file: @/f.txt',
      exit: 1,
    }),
    tool: 'replace',
  },
  {
    ...qwen('more than one', { 'f.txt': 'x x\n' }, change('x', 'y'), {
      says: 'Failed to edit, Expected 1 occurrence but found 2 for old_string in file: @/f.txt',
      exit: 1,
    }),
    tool: 'replace',
  },
];

const write = (
  tool: string,
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: Partial<Row> & { says: string },
): Row => ({
  name,
  tool,
  files,
  args: { file_path: '@/f.txt', ...args },
  ...more,
});

const writeRows: Row[] = [
  write(
    'write_file',
    'new',
    unlock,
    { content: 'n\n' },
    { writes: { 'f.txt': 'n\n' }, says: 'Successfully created and wrote to new file: @/f.txt.' },
  ),
  write(
    'write_file',
    'over',
    abc,
    { content: 'n' },
    { writes: { 'f.txt': 'n' }, says: 'Successfully overwrote file: @/f.txt.' },
  ),
  write(
    'write_file',
    'empty',
    abc,
    { content: '' },
    { writes: { 'f.txt': '' }, says: 'Successfully overwrote file: @/f.txt.' },
  ),
  write(
    'write_file',
    'new folders',
    unlock,
    { file_path: '@/a/b/c.txt', content: 'n' },
    { writes: { 'a/b/c.txt': 'n' }, says: 'Successfully created and wrote to new file: @/a/b/c.txt.' },
  ),
  write(
    'write_file',
    'a folder',
    { 'f.txt/x': 'x' },
    { content: 'n' },
    { says: 'Path is a directory, not a file: @/f.txt', exit: 1 },
  ),
  write(
    'write_file',
    'CRLF stays',
    { 'f.txt': 'a\r\nb\r\n' },
    { content: 'x\ny\n' },
    { writes: { 'f.txt': 'x\r\ny\r\n' }, says: 'Successfully overwrote file: @/f.txt.' },
  ),
  write(
    'write_file',
    'read-only',
    abc,
    { content: 'n' },
    { prepare: lockFile, says: 'Permission denied writing to file: @/f.txt (EACCES)', exit: 1 },
  ),
  write(
    'write_file',
    'through a dead link',
    { 'f.txt': { link: 'far.txt' } },
    { content: 'n' },
    { writes: { 'far.txt': 'n' }, says: 'Successfully created and wrote to new file: @/f.txt.' },
  ),
  write('write_file', 'no content', abc, {}, { says: "params must have required property 'content'", exit: 1 }),
  write(
    'Write',
    'new',
    unlock,
    { content: 'n\n' },
    { writes: { 'f.txt': 'n\n' }, says: 'File created successfully at: @/f.txt' },
  ),
  write(
    'Write',
    'over',
    abc,
    { content: 'n\n' },
    { writes: { 'f.txt': 'n\n' }, says: 'The file @/f.txt has been updated.' },
  ),
  write(
    'Write',
    'new folders',
    unlock,
    { file_path: '@/a/b/c.txt', content: 'n' },
    { writes: { 'a/b/c.txt': 'n' }, says: 'File created successfully at: @/a/b/c.txt' },
  ),
  write(
    'Write',
    'over CRLF',
    { 'f.txt': 'a\r\n' },
    { content: 'n\n' },
    { writes: { 'f.txt': 'n\n' }, says: 'The file @/f.txt has been updated.', mayBeUnsure: true },
  ),
  write(
    'Write',
    'read-only',
    abc,
    { content: 'n' },
    { prepare: lockFile, says: not("EACCES: permission denied, open '@/f.txt'"), exit: 1 },
  ),
];

const claude = (
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: Partial<Row> & { says: string },
): Row => ({ name, tool: 'Edit', files, args: { file_path: '@/f.txt', ...args }, ...more });
const updated = (snippet: string) =>
  `The file @/f.txt has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${snippet}`;
const twenty = Array.from({ length: 20 }, (_, index) => `l${index + 1}\n`).join('');

const claudeRows: Row[] = [
  claude('one place', abc, change('b', 'B'), {
    writes: { 'f.txt': 'a\nB\nc\n' },
    says: updated('     1\ta\n     2\tB\n     3\tc\n     4\t'),
  }),
  claude('in the middle', { 'f.txt': twenty }, change('l10\n', 'ten\nand\n'), {
    writes: { 'f.txt': twenty.replace('l10\n', 'ten\nand\n') },
    says: updated(
      '     6\tl6\n     7\tl7\n     8\tl8\n     9\tl9\n    10\tten\n    11\tand\n    12\tl11\n    13\tl12\n    14\tl13\n    15\tl14\n    16\tl15\n    17\tl16',
    ),
    mayBeUnsure: true,
  }),
  claude('all of them', { 'f.txt': 'x x\n' }, change('x', 'y', { replace_all: true }), {
    writes: { 'f.txt': 'y y\n' },
    says: "The file @/f.txt has been updated. All occurrences of 'x' were successfully replaced with 'y'.",
  }),
  claude('not found', abc, change('zz', 'y'), {
    says: not('String to replace not found in file.\nString: zz'),
    exit: 1,
  }),
  claude('not unique', { 'f.txt': 'x\nx\n' }, change('x', 'y'), {
    says: not(
      'Found 2 matches of the string to replace, but replace_all is false. To replace all occurrences, set replace_all to true. To replace only one occurrence, please provide more context to uniquely identify the instance.\nString: x',
    ),
    exit: 1,
  }),
  claude('identical', abc, change('b', 'b'), {
    says: not('No changes to make: old_string and new_string are exactly the same.'),
    exit: 1,
  }),
  claude('missing', unlock, change('b', 'B'), { says: not('File does not exist.'), exit: 1 }),
  claude('new', unlock, change('', 'fresh\n'), {
    writes: { 'f.txt': 'fresh\n' },
    says: 'File created successfully at: @/f.txt',
  }),
  claude('exists already', abc, change('', 'fresh\n'), {
    says: not('Cannot create new file - file already exists.'),
    exit: 1,
  }),
  claude(
    'a notebook',
    { 'n.ipynb': '{}\n' },
    { ...change('{', '['), file_path: '@/n.ipynb' },
    { says: not('File is a Jupyter Notebook. Use the NotebookEdit to edit this file.'), exit: 1 },
  ),
  claude('CRLF', { 'f.txt': 'a\r\nb\r\n' }, change('a\nb', 'x\ny'), {
    writes: { 'f.txt': 'x\r\ny\r\n' },
    says: updated('     1\tx\n     2\ty\n     3\t'),
  }),
  claude('a line deleted', abc, change('b', ''), {
    writes: { 'f.txt': 'a\nc\n' },
    says: updated('     1\ta\n     2\tc\n     3\t'),
  }),
  {
    ...claude(
      'two edits',
      abc,
      { edits: [change('a', 'A'), change('A\nb', 'x')] },
      {
        writes: { 'f.txt': 'x\nc\n' },
        says: 'Applied 2 edits to @/f.txt:\n1. Replaced "a" with "A"\n2. Replaced "A\nb" with "x"',
      },
    ),
    tool: 'MultiEdit',
  },
  {
    ...claude(
      'the second fails',
      abc,
      { edits: [change('a', 'A'), change('a', 'x')] },
      { says: not('String to replace not found in file.\nString: a'), exit: 1 },
    ),
    tool: 'MultiEdit',
  },
  {
    ...claude(
      'a new file and more',
      unlock,
      { edits: [change('', 'one two\n'), change('two', '2')] },
      {
        writes: { 'f.txt': 'one 2\n' },
        says: 'Applied 2 edits to @/f.txt:\n1. Replaced "" with "one two\n"\n2. Replaced "two" with "2"',
      },
    ),
    tool: 'MultiEdit',
  },
];

const editor = (
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: Partial<Row> & { says: string },
): Row => ({ name, tool: 'str_replace_editor', files, args: { path: '@/f.txt', ...args }, ...more });
const edited = (what: string, snippet: string, hint = '') =>
  `The file @/f.txt has been edited. Here's the result of running \`cat -n\` on ${what}:\n${snippet}\nReview the changes and make sure they are as expected${hint}. Edit the file again if necessary.`;
const replace = (before: string, after?: string) => ({
  command: 'str_replace',
  old_str: before,
  ...(after === undefined ? {} : { new_str: after }),
});
const insertHint = ' (correct indentation, no duplicate lines, etc)';

const editorRows: Row[] = [
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

const patch = (name: string, files: Files, body: string, more: Partial<Row> & { says: string }): Row => ({
  name,
  tool: 'apply_patch',
  files,
  args: { input: `*** Begin Patch\n${body}\n*** End Patch` },
  ...more,
});
const succeeded = (...lines: string[]) => `Success. Updated the following files:\n${lines.join('\n')}`;
const failed = (words: string) => `apply_patch verification failed: ${words}`;

const patchRows: Row[] = [
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

/** Calls of agents' editing tools. */
export function callCases(): EditCase[] {
  return [...qwenRows, ...writeRows, ...claudeRows, ...editorRows, ...patchRows].map(caseOf);
}

function caseOf(row: Row): EditCase {
  const placed = (text: string, folder: string) => text.replaceAll('@/', `${folder}/`);
  const { prepare, mayBeUnsure } = row;
  return {
    name: `${row.tool}: ${row.name}`,
    files: row.files,
    ...(prepare ? { prepare } : {}),
    ...(mayBeUnsure ? { mayBeUnsure } : {}),
    edit: (folder): EditAction => {
      const isPatch = row.tool === 'apply_patch';
      const args = Object.fromEntries(
        Object.entries(row.args).map(([key, value]) => [
          key,
          typeof value === 'string' && !isPatch ? placed(value, folder) : value,
        ]),
      );
      return { kind: 'edit', changes: [], cwd: folder, calls: [{ name: row.tool, arguments: args }] };
    },
    async real(folder) {
      for (const [name, content] of Object.entries(row.writes ?? {})) {
        const file = path.join(folder, name);
        fs.mkdirSync(path.dirname(file), { recursive: true });
        if (content === null) fs.rmSync(file);
        else fs.writeFileSync(file, content);
      }
      return {
        stdout: Buffer.from(`${placed(row.says, folder)}\n`).toString('latin1'),
        stderr: '',
        exitCode: row.exit ?? 0,
      };
    },
  };
}
