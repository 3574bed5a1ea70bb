import fs from 'node:fs';
import path from 'node:path';
import type { ContentChange, EditAction } from '../../src/core/action/action.ts';
import type { EditCase } from './editCase.ts';
import type { Files, RealResult } from './place.ts';

interface Row {
  name: string;
  files: Files;
  edit(at: (name: string) => string): Partial<EditAction>;
  real(at: (name: string) => string): void;
  prepare?(folder: string): void;
  stderr?: string;
  says?: RegExp;
}

const abc: Files = { 'f.txt': 'a\nb\nc\n' };
const write =
  (name: string, after: string | null, more: Partial<ContentChange> = {}) =>
  (at: (name: string) => string) => ({
    changes: [{ path: at(name), after, ...more }],
  });

const rows: Row[] = [
  {
    name: 'whole text',
    files: abc,
    edit: write('f.txt', 'new\n'),
    real: (at) => fs.writeFileSync(at('f.txt'), 'new\n'),
  },
  { name: 'a new file', files: abc, edit: write('d/n.txt', 'n'), real: (at) => put(at('d/n.txt'), 'n') },
  { name: 'deleted', files: abc, edit: write('f.txt', null), real: (at) => fs.rmSync(at('f.txt')) },
  { name: 'emptied', files: abc, edit: write('f.txt', ''), real: (at) => fs.writeFileSync(at('f.txt'), '') },
  { name: 'the same text', files: abc, edit: write('f.txt', 'a\nb\nc\n'), real: () => {} },
  {
    name: 'with a byte order mark',
    files: abc,
    edit: write('f.txt', 'ä\n', { encoding: 'utf8bom' }),
    real: (at) => fs.writeFileSync(at('f.txt'), '\ufeffä\n'),
  },
  {
    name: 'UTF-16',
    files: abc,
    edit: write('f.txt', 'ä🦀\n', { encoding: 'utf16le' }),
    real: (at) => fs.writeFileSync(at('f.txt'), Buffer.from('\ufeffä🦀\n', 'utf16le')),
  },
  {
    name: 'UTF-16, big end first',
    files: abc,
    edit: write('f.txt', 'ä\n', { encoding: 'utf16be' }),
    real: (at) => fs.writeFileSync(at('f.txt'), Buffer.from('\ufeffä\n', 'utf16le').swap16()),
  },
  {
    name: 'Latin-1',
    files: abc,
    edit: write('f.txt', 'é\n', { encoding: 'iso88591' }),
    real: (at) => fs.writeFileSync(at('f.txt'), Buffer.from([0xe9, 0x0a])),
  },
  {
    name: 'bytes',
    files: abc,
    edit: write('f.txt', 'AAECAwD/', { encoding: 'base64' }),
    real: (at) => fs.writeFileSync(at('f.txt'), Buffer.from([0, 1, 2, 3, 0, 255])),
  },
  {
    name: 'with a mode',
    files: abc,
    edit: write('f.txt', 'x\n', { mode: '0755' }),
    real: (at) => {
      fs.writeFileSync(at('f.txt'), 'x\n');
      fs.chmodSync(at('f.txt'), 0o755);
    },
  },
  {
    name: 'a new program',
    files: abc,
    edit: write('s.sh', '#!/bin/sh\n', { mode: '0755' }),
    real: (at) => {
      fs.writeFileSync(at('s.sh'), '#!/bin/sh\n');
      fs.chmodSync(at('s.sh'), 0o755);
    },
  },
  {
    name: 'mode is kept',
    files: { 'f.txt': { text: 'a\n', mode: 0o750 } },
    edit: write('f.txt', 'b\n'),
    real: (at) => fs.writeFileSync(at('f.txt'), 'b\n'),
  },
  {
    name: 'through a link',
    files: { 'l.txt': { link: 'd/f.txt' }, 'd/f.txt': 'a\n' },
    edit: write('l.txt', 'b\n'),
    real: (at) => fs.writeFileSync(at('l.txt'), 'b\n'),
  },
  {
    name: 'a link',
    files: abc,
    edit: write('l.txt', 'f.txt', { isSymlink: true }),
    real: (at) => fs.symlinkSync('f.txt', at('l.txt')),
  },
  {
    name: 'read-only',
    files: abc,
    prepare: (folder) => fs.chmodSync(path.join(folder, 'f.txt'), 0o444),
    edit: write('f.txt', 'x'),
    real: () => {},
    stderr: "EACCES: permission denied, open '@/f.txt'\n",
  },
  {
    name: 'in a read-only folder',
    files: { 'd/f.txt': 'a\n' },
    prepare: (folder) => fs.chmodSync(path.join(folder, 'd'), 0o555),
    edit: write('d/n.txt', 'x'),
    real: () => {},
    stderr: "EACCES: permission denied, open '@/d/n.txt'\n",
  },
  {
    name: 'over a folder',
    files: { 'd/f.txt': 'a\n' },
    edit: write('d', 'x'),
    real: () => {},
    stderr: "EISDIR: illegal operation on a directory, open '@/d'\n",
  },
  {
    name: 'below a file',
    files: abc,
    edit: write('f.txt/x', 'x'),
    real: () => {},
    stderr: "ENOTDIR: not a directory, open '@/f.txt/x'\n",
  },
  {
    name: 'nothing to delete',
    files: abc,
    edit: write('no.txt', null),
    real: () => {},
    stderr: "ENOENT: no such file or directory, open '@/no.txt'\n",
  },
  {
    name: 'changed meanwhile',
    files: abc,
    edit: write('f.txt', 'mine\n', { expected: { text: 'what I read\n' } }),
    real: (at) => fs.writeFileSync(at('f.txt'), 'mine\n'),
    says: /changed since it was read/,
  },
  {
    name: 'not changed meanwhile',
    files: abc,
    edit: write('f.txt', 'mine\n', { expected: { text: 'a\nb\nc\n' } }),
    real: (at) => fs.writeFileSync(at('f.txt'), 'mine\n'),
  },
  {
    name: '5 MB',
    files: abc,
    edit: write('f.txt', 'x'.repeat(5_000_000)),
    real: (at) => fs.writeFileSync(at('f.txt'), 'x'.repeat(5_000_000)),
  },
  {
    name: '500 files',
    files: abc,
    edit: (at) => ({
      changes: Array.from({ length: 500 }, (_, index) => ({
        path: at(`d${index % 7}/n${index}.txt`),
        after: `${index}\n`,
      })),
    }),
    real: (at) => {
      for (let index = 0; index < 500; index += 1) put(at(`d${index % 7}/n${index}.txt`), `${index}\n`);
    },
  },
  {
    name: 'renamed',
    files: abc,
    edit: (at) => ({ operations: [{ kind: 'rename', from: at('f.txt'), to: at('g.txt') }] }),
    real: (at) => fs.renameSync(at('f.txt'), at('g.txt')),
  },
  {
    name: 'moved to a new folder',
    files: abc,
    edit: (at) => ({ operations: [{ kind: 'rename', from: at('f.txt'), to: at('d/e/g.txt') }] }),
    real: (at) => {
      fs.mkdirSync(at('d/e'), { recursive: true });
      fs.renameSync(at('f.txt'), at('d/e/g.txt'));
    },
  },
  {
    name: 'a folder renamed',
    files: { 'd/a.txt': 'a', 'd/e/b.txt': 'b' },
    edit: (at) => ({ operations: [{ kind: 'rename', from: at('d'), to: at('n') }] }),
    real: (at) => fs.renameSync(at('d'), at('n')),
  },
  {
    name: 'renamed onto another',
    files: { ...abc, 'g.txt': 'g' },
    edit: (at) => ({ operations: [{ kind: 'rename', from: at('f.txt'), to: at('g.txt') }] }),
    real: () => {},
    stderr: '@/g.txt already exists.\n',
  },
  {
    name: 'renamed over another',
    files: { ...abc, 'g.txt': 'g' },
    edit: (at) => ({ operations: [{ kind: 'rename', from: at('f.txt'), to: at('g.txt'), overwrite: true }] }),
    real: (at) => fs.renameSync(at('f.txt'), at('g.txt')),
  },
  {
    name: 'nothing to rename',
    files: abc,
    edit: (at) => ({ operations: [{ kind: 'rename', from: at('x'), to: at('y') }] }),
    real: () => {},
    stderr: '@/x does not exist.\n',
  },
  {
    name: 'a folder deleted',
    files: { 'd/a.txt': 'a', 'd/e/b.txt': 'b', k: 'k' },
    edit: (at) => ({ operations: [{ kind: 'delete', path: at('d') }] }),
    real: (at) => fs.rmSync(at('d'), { recursive: true }),
  },
  {
    name: 'a link deleted',
    files: { l: { link: 'd' }, 'd/a': 'a' },
    edit: (at) => ({ operations: [{ kind: 'delete', path: at('l') }] }),
    real: (at) => fs.rmSync(at('l')),
  },
  {
    name: 'copied',
    files: { 'd/a.txt': { text: 'a', mode: 0o755 } },
    edit: (at) => ({ operations: [{ kind: 'copy', from: at('d'), to: at('n') }] }),
    real: (at) => fs.cpSync(at('d'), at('n'), { recursive: true }),
  },
  {
    name: 'created',
    files: abc,
    edit: (at) => ({
      operations: [
        { kind: 'create', path: at('x/n.txt') },
        { kind: 'create', path: at('y'), isFolder: true },
      ],
    }),
    real: (at) => {
      put(at('x/n.txt'), '');
      fs.mkdirSync(at('y'));
    },
  },
  {
    name: 'a blank and an umlaut',
    files: { 'ä ö/f.txt': 'a' },
    edit: (at) => ({ operations: [{ kind: 'rename', from: at('ä ö/f.txt'), to: at('ä ö/g "x".txt') }] }),
    real: (at) => fs.renameSync(at('ä ö/f.txt'), at('ä ö/g "x".txt')),
  },
  ...replaceRows(),
];

function replaceRows(): Row[] {
  const files: Files = {
    'a.txt': 'foo Foo\nfoobar\n',
    'b/c.ts': 'foo\r\nx\r\n',
    'b/d.md': 'foo',
    'n.bin': Uint8Array.from([102, 111, 111, 0]),
    'node_modules/m.txt': 'foo',
  };
  const row = (name: string, more: object, after: Record<string, string>): Row => ({
    name: `every ${name}`,
    files,
    edit: (at) => ({ replace: { folder: at('').replace(/\/$/, ''), search: 'foo', replacement: 'bar', ...more } }),
    real: (at) => {
      for (const [file, text] of Object.entries(after)) fs.writeFileSync(at(file), text);
    },
    says: /would be replaced/,
  });
  return [
    row('word', {}, { 'a.txt': 'bar bar\nbarbar\n', 'b/c.ts': 'bar\r\nx\r\n', 'b/d.md': 'bar' }),
    row(
      'word as written',
      { matchCase: true },
      { 'a.txt': 'bar Foo\nbarbar\n', 'b/c.ts': 'bar\r\nx\r\n', 'b/d.md': 'bar' },
    ),
    row(
      'whole word',
      { matchCase: true, wholeWord: true },
      { 'a.txt': 'bar Foo\nfoobar\n', 'b/c.ts': 'bar\r\nx\r\n', 'b/d.md': 'bar' },
    ),
    row(
      'pattern',
      { isRegex: true, search: '(f)(o+)', replacement: '$2-$1', matchCase: true },
      { 'a.txt': 'oo-f Foo\noo-fbar\n', 'b/c.ts': 'oo-f\r\nx\r\n', 'b/d.md': 'oo-f' },
    ),
    row('word in some files', { include: ['*.ts'] }, { 'b/c.ts': 'bar\r\nx\r\n' }),
    row('word but in some files', { exclude: ['b/**'] }, { 'a.txt': 'bar bar\nbarbar\n' }),
    row('word with a dollar', { replacement: '$1$&', include: ['*.md'] }, { 'b/d.md': '$1$&' }),
  ];
}

function put(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
}

/** Whole contents, file operations, search-and-replace. */
export function fileCases(): EditCase[] {
  return rows.map((row) => ({
    name: `files: ${row.name}`,
    files: row.files,
    ...(row.prepare ? { prepare: row.prepare } : {}),
    ...(row.says ? { says: row.says } : {}),
    edit: (folder) => ({ kind: 'edit', changes: [], cwd: folder, ...row.edit((name) => path.join(folder, name)) }),
    async real(folder): Promise<RealResult> {
      row.real((name) => path.join(folder, name));
      const stderr = row.stderr?.replaceAll('@', folder) ?? '';
      return { stdout: '', stderr: Buffer.from(stderr).toString('latin1'), exitCode: stderr === '' ? 0 : 1 };
    },
  }));
}
