import type { Files } from './place.ts';

/** A tree before and after, from which a patch is made. */
export interface Pair {
  name: string;
  before: Files;
  after: Files;
  /** Only git's patches can say it. */
  onlyGit?: boolean;
}

const numbers = (from: number, to: number, ending = '\n') =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}${ending}`).join('');
const bytes = (length: number, seed: number) => {
  let state = seed;
  return Uint8Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state >> 16;
  });
};
const replaced = (text: string, from: string, to: string) => text.replace(from, to);
const plain = numbers(1, 40);
const carriage = numbers(1, 20, '\r\n');

/** Every way in which files differ that a patch can say. */
export const pairs: readonly Pair[] = [
  {
    name: 'a line in the middle',
    before: { 'f.txt': plain },
    after: { 'f.txt': replaced(plain, 'line 20', 'LINE 20') },
  },
  {
    name: 'two places',
    before: { 'f.txt': plain },
    after: { 'f.txt': replaced(replaced(plain, 'line 5\n', 'five\n'), 'line 30\n', '') },
  },
  { name: 'added at the end', before: { 'f.txt': plain }, after: { 'f.txt': `${plain}more\nand more\n` } },
  { name: 'the first line removed', before: { 'f.txt': plain }, after: { 'f.txt': numbers(2, 40) } },
  { name: 'no newline before', before: { 'f.txt': 'a\nb\nc' }, after: { 'f.txt': 'a\nb\nc\n' } },
  { name: 'no newline after', before: { 'f.txt': 'a\nb\nc\n' }, after: { 'f.txt': 'a\nb\nc' } },
  { name: 'no newline at all', before: { 'f.txt': 'a\nb\nc' }, after: { 'f.txt': 'a\nB\nc' } },
  { name: 'CRLF', before: { 'f.txt': carriage }, after: { 'f.txt': replaced(carriage, 'line 9', 'LINE 9') } },
  { name: 'CRLF to LF', before: { 'f.txt': numbers(1, 5, '\r\n') }, after: { 'f.txt': numbers(1, 5) } },
  {
    name: 'a byte order mark',
    before: { 'f.txt': `\ufeff${plain}` },
    after: { 'f.txt': `\ufeff${replaced(plain, 'line 1\n', 'one\n')}` },
  },
  { name: 'other alphabets', before: { 'f.txt': 'ä\n日本\n🦀\n' }, after: { 'f.txt': 'ä\n日本語\n🦀🦀\n' } },
  {
    name: 'Latin-1',
    before: { 'f.txt': Buffer.from('caf\xe9\na\n', 'latin1') },
    after: { 'f.txt': Buffer.from('caf\xe9s\na\n', 'latin1') },
  },
  { name: 'blank at the end of a line', before: { 'f.txt': 'a\nb\n' }, after: { 'f.txt': 'a\nb  \n\tc \n' } },
  { name: 'an empty file filled', before: { 'f.txt': '' }, after: { 'f.txt': 'now\n' } },
  { name: 'a file emptied', before: { 'f.txt': 'was\nthere\n' }, after: { 'f.txt': '' }, onlyGit: true },
  { name: 'a new file', before: { 'f.txt': 'a\n' }, after: { 'f.txt': 'a\n', 'new.txt': 'fresh\n' } },
  {
    name: 'a new file in a new folder',
    before: { 'f.txt': 'a\n' },
    after: { 'f.txt': 'a\n', 'x/y/new.txt': 'fresh\n' },
  },
  { name: 'a file deleted', before: { 'f.txt': 'a\n', 'old.txt': 'gone\nsoon\n' }, after: { 'f.txt': 'a\n' } },
  {
    name: 'the last file of a folder deleted',
    before: { 'f.txt': 'a\n', 'd/e/old.txt': 'gone\n' },
    after: { 'f.txt': 'a\n' },
  },
  {
    name: 'several files',
    before: { 'a.txt': plain, 'b/c.txt': 'one\ntwo\n', 'd.txt': 'x\n' },
    after: { 'a.txt': replaced(plain, 'line 3\n', ''), 'b/c.txt': 'one\n2\n', 'e.txt': 'new\n' },
  },
  { name: 'a blank in the name', before: { 'a b.txt': 'a\nb\n' }, after: { 'a b.txt': 'a\nB\n' } },
  { name: 'an umlaut in the name', before: { 'ä ö.txt': 'a\nb\n' }, after: { 'ä ö.txt': 'a\nB\n' }, onlyGit: true },
  {
    name: 'a quote in the name',
    before: { 'say "x".txt': 'a\nb\n' },
    after: { 'say "x".txt': 'a\nB\n' },
    onlyGit: true,
  },
  { name: 'a name like an option', before: { '-rf': 'a\nb\n' }, after: { '-rf': 'a\nB\n' } },
  { name: 'a mode', before: { 's.sh': 'echo\n' }, after: { 's.sh': { text: 'echo\n', mode: 0o755 } }, onlyGit: true },
  {
    name: 'a mode and a line',
    before: { 's.sh': { text: 'a\nb\n', mode: 0o755 } },
    after: { 's.sh': 'a\nB\n' },
    onlyGit: true,
  },
  {
    name: 'a new program',
    before: { 'f.txt': 'a\n' },
    after: { 'f.txt': 'a\n', 's.sh': { text: '#!/bin/sh\n', mode: 0o755 } },
    onlyGit: true,
  },
  { name: 'a name', before: { 'old.txt': plain }, after: { 'new.txt': plain }, onlyGit: true },
  {
    name: 'a name and a line',
    before: { 'old.txt': plain },
    after: { 'd/new.txt': replaced(plain, 'line 7', 'seven') },
    onlyGit: true,
  },
  { name: 'a name with blanks', before: { 'old name.txt': plain }, after: { 'new name.txt': plain }, onlyGit: true },
  {
    name: 'a new symbolic link',
    before: { 'f.txt': 'a\n' },
    after: { 'f.txt': 'a\n', link: { link: 'f.txt' } },
    onlyGit: true,
  },
  {
    name: 'the target of a link',
    before: { 'f.txt': 'a\n', link: { link: 'f.txt' } },
    after: { 'f.txt': 'a\n', link: { link: 'g.txt' } },
    onlyGit: true,
  },
  {
    name: 'a link deleted',
    before: { 'f.txt': 'a\n', link: { link: 'f.txt' } },
    after: { 'f.txt': 'a\n' },
    onlyGit: true,
  },
  { name: 'a file instead of a link', before: { link: { link: 'f.txt' } }, after: { link: 'text\n' }, onlyGit: true },
  {
    name: 'a new binary file',
    before: { 'f.txt': 'a\n' },
    after: { 'f.txt': 'a\n', 'b.bin': bytes(300, 1) },
    onlyGit: true,
  },
  {
    name: 'a binary file',
    before: { 'b.bin': bytes(300, 1) },
    after: { 'b.bin': Uint8Array.from([...bytes(150, 1), 0, 1, 2, ...bytes(150, 3)]) },
    onlyGit: true,
  },
  { name: 'a binary file deleted', before: { 'b.bin': bytes(300, 1), k: 'k\n' }, after: { k: 'k\n' }, onlyGit: true },
  {
    name: 'lines like a patch',
    before: { 'f.patch': '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\n' },
    after: { 'f.patch': '--- a\n+++ b\n@@ -1 +1 @@\n-x\n+z\n' },
  },
  {
    name: 'a long line',
    before: { 'f.txt': `${'x'.repeat(20_000)}\nb\n` },
    after: { 'f.txt': `${'x'.repeat(20_000)}\nB\n` },
  },
  {
    name: 'a file of 5 MB',
    before: { 'big.txt': numbers(1, 400_000) },
    after: { 'big.txt': replaced(numbers(1, 400_000), 'line 200000\n', 'half\n') },
  },
  {
    name: '500 files',
    before: Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`d${index % 10}/f${index}.txt`, `a ${index}\nb\n`]),
    ),
    after: Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`d${index % 10}/f${index}.txt`, `a ${index}\nB\n`]),
    ),
  },
];
