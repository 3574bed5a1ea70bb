import { abc, type CallRow, change, not, twenty, unlock } from './callRow.ts';
import type { Files } from './place.ts';

const claude = (
  name: string,
  files: Files,
  args: Record<string, unknown>,
  more: Partial<CallRow> & { says: string },
): CallRow => ({ name, tool: 'Edit', files, args: { file_path: '@/f.txt', ...args }, ...more });
const updated = (snippet: string) =>
  `The file @/f.txt has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${snippet}`;

export const claudeRows: CallRow[] = [
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
