import type { AgentCase } from './agentCase.ts';
import type { Files } from './editInputs.ts';

const edit = (name: string, text: string, [old_str, new_str]: readonly [string, string]): AgentCase => ({
  tool: 'edit',
  name,
  files: { 'f.txt': text },
  args: { path: '@/f.txt', old_str, new_str },
});
const lines = (count: number) => Array.from({ length: count }, () => 'x\n').join('');

/** What Copilot's `edit` meets besides. */
export const copilotEdits: readonly AgentCase[] = [
  edit('a word at the end of a line deleted', 'one two\nthree\n', [' two', '']),
  edit('a word at the beginning of a line deleted', 'one two\nthree\n', ['one ', '']),
  edit('the last line deleted without its break', 'a\nb\n', ['b', '']),
  edit('the last line deleted, which has no break', 'a\nb', ['b', '']),
  edit('the only line deleted', 'a\n', ['a', '']),
  edit('two lines deleted without their last break', 'a\nb\nc\nd\n', ['b\nc', '']),
  edit('a line deleted without its break, with CRLF', 'a\r\nb\r\nc\r\n', ['b', '']),
  edit('an empty line deleted', 'a\n\nb\n', ['a\n\n', 'a\n']),
  edit('several matches of several lines', 'a\nb\nc\na\nb\n', ['a\nb', 'x']),
  edit('several matches of a long line', `${'abcdefghij'.repeat(20)}\n`.repeat(2), ['abcdefghij'.repeat(15), 'x']),
  edit('several matches within a line', 'x x x\ny\n', ['x', 'y']),
  edit('several matches in many lines', lines(30), ['x', 'y']),
  edit('several matches of long lines and many', `${'abcdefghij'.repeat(3)}\n`.repeat(3), ['abcdefghij', 'y']),
  edit('several matches with quotes', 'say "x"\nsay "x"\n', ['say "x"', 'y']),
  edit('several matches of 49 characters', `${'a'.repeat(48)}b\n`.repeat(2), [`${'a'.repeat(48)}b`, 'y']),
  edit('several matches of 51 characters', `${'a'.repeat(50)}b\n`.repeat(2), [`${'a'.repeat(50)}b`, 'y']),
  edit('several matches of an empty line', 'a\n\nb\n\n', ['\n\n', 'y']),
  edit('line ends of both kinds, several lines', 'a\r\nb\nc\n', ['b\nc', 'x\ny']),
  edit('line ends of both kinds, new lines', 'a\r\nb\nc\n', ['b', 'x\ny']),
  edit('line ends of both kinds, several lines with CRLF', 'a\r\nb\r\nc\n', ['a\nb', 'x\ny']),
  edit('CR alone', 'a\rb\n', ['a\rb', 'x']),
  edit('old and new are the same and not there', 'a\n', ['zz', 'zz']),
  edit('both are empty over an empty file', '', ['', '']),
  edit('nothing there but blanks to find', 'a b\n', [' ', '_']),
  edit('blanks that are not there', 'ab\n', [' ', '_']),
  edit('other letters', 'Hello\n', ['hello', 'x']),
  { ...edit('no new text', 'a\n', ['a', '']), args: { path: '@/f.txt', old_str: 'a' } },
  { ...edit('no old text', 'a\n', ['a', '']), args: { path: '@/f.txt', new_str: 'a' } },
];

const create = (name: string, files: Files, args: Record<string, string>): AgentCase => ({
  tool: 'create',
  name,
  files,
  args: { path: '@/f.txt', ...args },
});
const other: Files = { 'x/y.txt': 'y\n' };

/** What Copilot's `create` meets besides. */
export const copilotCreates: readonly AgentCase[] = [
  create('CRLF', other, { file_text: 'a\r\nb\r\n' }),
  create('a byte order mark', other, { file_text: '\uFEFFa\n' }),
  create('not ASCII', other, { file_text: 'é😀\n' }),
  create('without a last line break', other, { file_text: 'a' }),
  create('blanks at the ends of lines', other, { file_text: 'a  \n\n\n' }),
  create('a dangling symbolic link', { 'f.txt': { link: 'gone.txt' } }, { file_text: 'a\n' }),
  create('a relative path, not there', other, { path: '@./f.txt', file_text: 'a\n' }),
  create(
    'below a symbolic link',
    { 'real/y.txt': 'y\n', l: { link: 'real' } },
    { path: '@/l/f.txt', file_text: 'a\n' },
  ),
  create('no text', other, {}),
];
