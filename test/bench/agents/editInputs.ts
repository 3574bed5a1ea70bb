/** What stands in a folder before a call: text, `{ base64 }`, `{ link }` or `{ folder: true }`, by name. */
export type FileText = string | { base64: string } | { link: string } | { folder: true };
export type Files = Record<string, FileText>;

/** A replacement that is asked for in a throw-away folder, in no agent's words. `@/` stands for the folder, `@./` for its relative name. */
export interface ReplaceInput {
  name: string;
  files: Files;
  path: string;
  before: string;
  after: string;
  isAll?: boolean;
  /** The agent would be asked to look at the file, which it cannot. */
  isUnread?: boolean;
}

/** A whole content that is to be written. */
export interface WriteInput {
  name: string;
  files: Files;
  path: string;
  content: string;
}

const abc: Files = { 'f.txt': 'a\nb\nc\n' };
const bytes = (...values: number[]): FileText => ({ base64: Buffer.from(values).toString('base64') });
const wide = (text: string): FileText => ({
  base64: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]).toString('base64'),
});

function replacing(
  name: string,
  files: Files,
  [before, after]: readonly [before: string, after: string],
  more: Partial<ReplaceInput> = {},
): ReplaceInput {
  return { name, files, path: '@/f.txt', before, after, ...more };
}

/** Every kind of text, and of mistake, that an agent meets when it replaces a text. */
export const replaceInputs: readonly ReplaceInput[] = [
  replacing('one place', abc, ['b', 'B']),
  replacing('several lines', abc, ['a\nb\n', 'x\ny\nz\n']),
  replacing('no match', abc, ['zz', 'y']),
  replacing('several matches', { 'f.txt': 'x\nx\nx\n' }, ['x', 'y']),
  replacing('overlapping matches', { 'f.txt': 'aaa\n' }, ['aa', 'b']),
  replacing('all of several', { 'f.txt': 'x\nx\nx\n' }, ['x', 'y'], { isAll: true }),
  replacing('all of one', abc, ['b', 'B'], { isAll: true }),
  replacing('all of none', abc, ['zz', 'y'], { isAll: true }),
  replacing('old and new are the same', abc, ['b', 'b']),
  replacing('no such file', { 'x/y.txt': 'y\n' }, ['b', 'B'], { isUnread: true }),
  replacing('no such file, but one with another ending', { 'f.md': 'b\n' }, ['b', 'B'], { isUnread: true }),
  replacing('an empty old text makes a file', { 'x/y.txt': 'y\n' }, ['', 'fresh\n'], { isUnread: true }),
  replacing('an empty old text makes folders', { 'x/y.txt': 'y\n' }, ['', 'fresh\n'], {
    path: '@/new/deep/f.txt',
    isUnread: true,
  }),
  replacing('an empty old text over a file', abc, ['', 'fresh\n']),
  replacing('an empty old text over an empty file', { 'f.txt': '' }, ['', 'fresh\n']),
  replacing('an empty old text over blanks', { 'f.txt': ' \n' }, ['', 'fresh\n']),
  replacing('CRLF', { 'f.txt': 'a\r\nb\r\nc\r\n' }, ['a\nb', 'x\ny']),
  replacing('CRLF in the call too', { 'f.txt': 'a\r\nb\r\nc\r\n' }, ['a\r\nb', 'x\r\ny']),
  replacing('CRLF in the call alone', abc, ['a\r\nb', 'x\r\ny']),
  replacing('line ends of both kinds', { 'f.txt': 'a\r\nb\nc\n' }, ['b', 'B']),
  replacing('a byte order mark', { 'f.txt': '\uFEFFa\nb\n' }, ['a', 'x']),
  replacing('typographic quotes in the file', { 'f.txt': 'say “hi” – it’s on\nend\n' }, [
    'say "hi"',
    'say "no" and \'so\'',
  ]),
  replacing('typographic quotes in the call', { 'f.txt': 'say "hi"\n' }, ['say “hi”', 'say “no”']),
  replacing('a line deleted without its break', abc, ['b', '']),
  replacing('a line deleted with its break', abc, ['b\n', '']),
  replacing('blanks at the ends of new lines', abc, ['b', 'B  \nx\t']),
  replacing('blanks at the ends of new lines in Markdown', { 'f.md': 'a\nb\n' }, ['b', 'B  \nx'], { path: '@/f.md' }),
  replacing('new blanks alone', abc, ['b', 'b  ']),
  replacing('blanks in a new file', { 'x/y.txt': 'y\n' }, ['', 'fresh  \n'], { isUnread: true }),
  replacing('characters that are not ASCII', abc, ['é', 'e']),
  replacing('characters for escapes', { 'f.txt': 'a = "\\u00e9"\n' }, ['a = "é"', 'a = "è"']),
  replacing('a notebook', { 'n.ipynb': '{"cells": []}\n' }, ['cells', 'x'], { path: '@/n.ipynb' }),
  replacing('blanks at the end of an old line', { 'f.txt': 'a  \nb\n' }, ['a\nb', 'x\ny']),
  replacing('another indentation', { 'f.txt': 'if x:\n    y()\n    z()\nend\n' }, ['y()\nz()\n', 'w()\n']),
  replacing('lines indented less in the call', { 'f.txt': '  one\n    two\n  three\n' }, [
    'one\n  two\nthree',
    'uno\n  dos\ntres',
  ]),
  replacing('other blanks within a line', { 'f.txt': 'let  x =   1;\nend\n' }, ['let x = 1;', 'let x = 2;']),
  replacing('the first and last line alone', { 'f.txt': 'start\nmiddle one\nend\nrest\n' }, [
    'start\nmiddle 1\nend',
    'S\nM\nE',
  ]),
  replacing('marks of a replacement', abc, ['b', '$& $1 $$ \\1']),
  replacing('a text of escapes', { 'f.txt': 'é and x\n' }, ['\\u00e9 and', '\\u00e8 or']),
  replacing('an escaped line break', abc, ['a\\nb', 'x']),
  replacing('an escaped quote', { 'f.txt': 'say "hi"\n' }, ['say \\"hi\\"', 'say \\"no\\"']),
  replacing('without a last line break', { 'f.txt': 'a\nb' }, ['b', 'B']),
  replacing('tabs', { 'f.txt': 'a\n\tb\n\t\tc\n' }, ['\tb', '\tB']),
  replacing('no UTF-8', { 'f.txt': bytes(0x61, 0xe9, 0x0a, 0x62, 0x0a) }, ['b', 'B']),
  replacing('bytes of zero', { 'f.txt': bytes(0x61, 0, 0x0a, 0x62, 0x0a) }, ['b', 'B']),
  replacing('UTF-16', { 'f.txt': wide('a\nb\n') }, ['b', 'B']),
  replacing('a folder', { 'f.txt': { folder: true } }, ['b', 'B'], { isUnread: true }),
  replacing('a symbolic link', { 'real.txt': 'a\nb\n', 'f.txt': { link: 'real.txt' } }, ['b', 'B']),
  replacing('a relative path', abc, ['b', 'B'], { path: '@./f.txt' }),
  replacing('a path with blanks and letters', { 'a b/ü ö.txt': 'a\nb\n' }, ['b', 'B'], { path: '@/a b/ü ö.txt' }),
  replacing('a path that goes up', { ...abc, 'x/y.txt': 'y\n' }, ['b', 'B'], { path: '@/x/../f.txt' }),
  replacing('a name that begins with a dash', { '-f.txt': 'a\nb\n' }, ['b', 'B'], { path: '@/-f.txt' }),
  replacing('separators of lines and paragraphs', { 'f.txt': 'a\u2028b\u2029c\nd\n' }, ['b', 'B']),
  replacing('carriage returns alone', { 'f.txt': 'a\rb\rc\n' }, ['b', 'B']),
  replacing('form feeds and vertical tabs', { 'f.txt': 'a\f\nb\v\nc\n' }, ['b', 'B']),
  replacing('CRLF without a last line break', { 'f.txt': 'a\r\nb' }, ['b', 'B']),
  replacing('CRLF and a line more', { 'f.txt': 'a\r\nb\r\nc\r\n' }, ['b\n', 'B\nC\n']),
  replacing('a byte order mark and CRLF', { 'f.txt': '\uFEFFa\r\nb\r\n' }, ['a\nb', 'x\ny']),
  replacing('a byte order mark in the call', { 'f.txt': '\uFEFFa\nb\n' }, ['\uFEFFa', 'x']),
  replacing('a letter of two signs in the file', { 'f.txt': 'e\u0301\nb\n' }, ['\u00E9', 'x']),
  replacing('a letter of two signs in the call', { 'f.txt': '\u00E9\nb\n' }, ['e\u0301', 'x']),
  replacing('blanks that do not break', { 'f.txt': 'a\u00A0b\nc\n' }, ['a b', 'x']),
  replacing('a letter that only looks alike', { 'f.txt': 'c\u0430t\nb\n' }, ['cat', 'dog']),
  replacing('a sign without width', { 'f.txt': 'a\u200Bb\nc\n' }, ['ab', 'x']),
  replacing('a sign of several', { 'f.txt': '👩‍👩‍👧 x\nb\n' }, ['👩‍👩‍👧', '👩']),
  replacing('half of a sign', { 'f.txt': '👩‍👧\nb\n' }, ['👩', 'x']),
  replacing('only a line break', abc, ['\n', '\n\n']),
  replacing('the whole file', abc, ['a\nb\nc\n', '']),
  replacing('the whole file without its last break', abc, ['a\nb\nc', 'x']),
  replacing('all of several lines', { 'f.txt': 'x\ny\nx\ny\n' }, ['x\ny', 'z'], { isAll: true }),
  replacing('numbers of lines in the call', abc, ['     2\tb', 'B']),
  replacing('a long line', { 'f.txt': `${'x'.repeat(5000)}\nb\n` }, ['b', 'B']),
];

function writing(name: string, files: Files, content: string, more: Partial<WriteInput> = {}): WriteInput {
  return { name, files, path: '@/f.txt', content, ...more };
}

/** The same for whole contents. */
export const writeInputs: readonly WriteInput[] = [
  writing('a new file', { 'x/y.txt': 'y\n' }, 'fresh\n'),
  writing('a new file in new folders', { 'x/y.txt': 'y\n' }, 'fresh\n', { path: '@/new/deep/f.txt' }),
  writing('a new empty file', { 'x/y.txt': 'y\n' }, ''),
  writing('over a file', abc, 'fresh\n'),
  writing('over an empty file', { 'f.txt': '' }, 'fresh\n'),
  writing('what stands there already', abc, 'a\nb\nc\n'),
  writing('without a last line break', abc, 'fresh'),
  writing('CRLF in the file', { 'f.txt': 'a\r\nb\r\n' }, 'x\ny\n'),
  writing('CRLF in the content', abc, 'x\r\ny\r\n'),
  writing('a byte order mark in the file', { 'f.txt': '\uFEFFa\n' }, 'x\n'),
  writing('a byte order mark in the content', abc, '\uFEFFx\n'),
  writing('over what is no UTF-8', { 'f.txt': bytes(0x61, 0xe9, 0x0a) }, 'x\n'),
  writing('over UTF-16', { 'f.txt': wide('a\n') }, 'x\n'),
  writing('blanks at the ends of lines', abc, 'x  \ny\t\n\n\n'),
  writing('blanks at the ends of lines in Markdown', { 'f.md': 'a\n' }, 'x  \ny\n', { path: '@/f.md' }),
  writing('nothing over a byte order mark', { 'f.txt': '\uFEFFa\n' }, ''),
  writing('a byte order mark over one', { 'f.txt': '\uFEFFa\n' }, '\uFEFFx\n'),
  writing('over bytes of zero', { 'f.txt': bytes(0x61, 0, 0x0a) }, 'x\n'),
  writing('escaped HTML', abc, 'a &lt; b &amp;&amp; c &quot;d&quot;\n'),
  writing('within a fence', abc, '```js\nx\n```\n'),
  writing('a folder', { 'f.txt': { folder: true } }, 'x\n'),
  writing('a file in place of a folder', { f: 'x\n' }, 'x\n', { path: '@/f/g.txt' }),
  writing('a symbolic link', { 'real.txt': 'a\n', 'f.txt': { link: 'real.txt' } }, 'x\n'),
  writing('a relative path', abc, 'x\n', { path: '@./f.txt' }),
  writing('a path with blanks and letters', { 'a b/ü ö.txt': 'a\n' }, 'x\n', { path: '@/a b/ü ö.txt' }),
  writing('carriage returns alone', abc, 'x\ry\r'),
  writing('CRLF over CRLF', { 'f.txt': 'a\r\nb\r\n' }, 'x\r\ny\r\n'),
  writing('without a last line break over CRLF', { 'f.txt': 'a\r\nb\r\n' }, 'x\ny'),
  writing('a byte order mark and CRLF in the file', { 'f.txt': '\uFEFFa\r\nb\r\n' }, 'x\ny\n'),
  writing('line ends of both kinds in the file', { 'f.txt': 'a\r\nb\nc\n' }, 'x\ny\n'),
];
