import { abc, type CallRow, change, lockFile, unlock } from './callRow.ts';
import type { Files } from './place.ts';

const qwen = (
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: Partial<CallRow> & { says: string },
): CallRow => ({
  name,
  tool: 'edit',
  files,
  args: { file_path: '@/f.txt', ...args },
  ...more,
});
const modified = (count = 1) => `Successfully modified file: @/f.txt (${count} replacements).`;

export const qwenRows: CallRow[] = [
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
      mayBeUnsure: true,
    }),
    tool: 'replace',
  },
  {
    ...qwen('more than one', { 'f.txt': 'x x\n' }, change('x', 'y'), {
      says: 'Failed to edit, Expected 1 occurrence but found 2 for old_string in file: @/f.txt',
      exit: 1,
      mayBeUnsure: true,
    }),
    tool: 'replace',
  },
];

const write = (
  tool: string,
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: Partial<CallRow> & { says: string },
): CallRow => ({
  name,
  tool,
  files,
  args: { file_path: '@/f.txt', ...args },
  ...more,
});

export const writeRows: CallRow[] = [
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
    {
      prepare: lockFile,
      writes: { 'f.txt': 'n' },
      modes: { 'f.txt': 0o444 },
      says: 'The file @/f.txt has been updated.',
    },
  ),
];
