import fs from 'node:fs';
import path from 'node:path';
import { abc, type CallRow, change, lockFile, not, row, unlock } from './callRow.ts';
import { moreRows } from './moreCalls.ts';

const camel = (oldString: string, newString: string, more: Record<string, unknown> = {}) => ({
  filePath: '@/f.txt',
  oldString,
  newString,
  ...more,
});
const made = { writes: { 'f.txt': 'a\nB\nc\n' } };
const twice = { 'f.txt': 'x\nx\n' };
const curly = { 'f.txt': 'say “hi” – it’s on\nend\n' };
const hasLink = (folder: string) => {
  fs.renameSync(path.join(folder, 'f.txt'), path.join(folder, 'real.txt'));
  fs.symlinkSync('real.txt', path.join(folder, 'f.txt'));
};
/** Claude Code as it is since June 2026. */
const claudeNow: CallRow[] = [
  row(
    'Edit',
    'a file behind a link',
    abc,
    { file_path: '@/f.txt', ...change('b', 'B') },
    {
      prepare: hasLink,
      agent: 'claude',
      says: not(
        'Refusing to write through symlink: @/f.txt. Resolve the symlink and pass the real target path explicitly.',
      ),
      exit: 1,
    },
  ),
  row(
    'Write',
    'a file behind a link',
    abc,
    { file_path: '@/f.txt', content: 'n' },
    {
      prepare: hasLink,
      agent: 'claude',
      says: not(
        'Refusing to write through symlink: @/f.txt. Resolve the symlink and pass the real target path explicitly.',
      ),
      exit: 1,
    },
  ),
  row(
    'Edit',
    'a read-only file, without words',
    abc,
    { file_path: '@/f.txt', ...change('b', 'B') },
    {
      ...made,
      prepare: lockFile,
      modes: { 'f.txt': 0o444 },
    },
  ),
  row(
    'Edit',
    'a folder that may not be written',
    { 'd/f.txt': 'a\n' },
    { file_path: '@/d/f.txt', ...change('a', 'b') },
    {
      prepare: (folder) => fs.chmodSync(path.join(folder, 'd'), 0o555),
      exit: 1,
    },
  ),
  row(
    'Edit',
    'straight quotes',
    curly,
    { file_path: '@/f.txt', ...change('say "hi"', 'said') },
    {
      writes: { 'f.txt': 'said – it’s on\nend\n' },
    },
  ),
  row(
    'Edit',
    'a straight apostrophe',
    curly,
    { file_path: '@/f.txt', ...change("it's on", 'off') },
    {
      writes: { 'f.txt': 'say “hi” – off\nend\n' },
    },
  ),
  row(
    'Edit',
    'straight quotes in both texts',
    curly,
    { file_path: '@/f.txt', ...change('say "hi"', 'say "ho"') },
    {
      writes: { 'f.txt': 'say “ho” – it’s on\nend\n' },
      isUnsure: true,
    },
  ),
  row(
    'Edit',
    'blanks at the end of a new line',
    abc,
    { file_path: '@/f.txt', ...change('b', 'B  ') },
    { ...made, isUnsure: true },
  ),
  row('Edit', 'NUL', { 'f.txt': 'a\0b\n' }, { file_path: '@/f.txt', ...change('b', 'B') }, { exit: 1 }),
  row('Edit', 'without words', abc, { file_path: '@/f.txt', ...change('b', 'B') }, made),
  row('Edit', 'not found, without words', abc, { file_path: '@/f.txt', ...change('zz', 'B') }, { exit: 1 }),
  row(
    'Edit',
    'an executable file',
    { 'f.txt': { text: 'a\nb\n', mode: 0o755 } },
    { file_path: '@/f.txt', ...change('b', 'B') },
    {
      writes: { 'f.txt': 'a\nB\n' },
    },
  ),
];

const openCode: CallRow[] = [
  row('edit', 'OpenCode: one place', abc, camel('b', 'B'), made),
  row('edit', 'OpenCode: all', twice, camel('x', 'y', { replaceAll: true }), { writes: { 'f.txt': 'y\ny\n' } }),
  row('edit', 'OpenCode: other blanks', { 'f.txt': '  a\n  b\n' }, camel('a\nb', 'x'), { isUnsure: true }),
  row('edit', 'OpenCode: nothing like it', abc, camel('zzz', 'y'), { exit: 1 }),
  row('edit', 'OpenCode: twice', twice, camel('x', 'y'), { isUnsure: true }),
  row('edit', 'OpenCode: missing', unlock, camel('x', 'y'), { exit: 1 }),
  row('edit', 'OpenCode: an empty old text is the whole file', abc, camel('', 'all\n'), {
    // Newer versions write nothing over a file that is there.
    isUnsure: true,
    writes: { 'f.txt': 'all\n' },
  }),
  row('edit', 'OpenCode: CRLF', { 'f.txt': 'a\r\nb\r\n' }, camel('a\nb', 'x\ny'), {
    writes: { 'f.txt': 'x\r\ny\r\n' },
  }),
  row(
    'write',
    'OpenCode: a new file',
    unlock,
    { filePath: '@/n/f.txt', content: 'n\n' },
    { writes: { 'n/f.txt': 'n\n' } },
  ),
  row(
    'apply_patch',
    'OpenCode: a patch',
    abc,
    { patchText: '*** Begin Patch\n*** Update File: f.txt\n@@\n-b\n+B\n*** End Patch' },
    made,
  ),
];

const copilot: CallRow[] = [
  row('replace_string_in_file', 'Copilot: one place', abc, camel('b', 'B', { explanation: 'x' }), made),
  row('replace_string_in_file', 'Copilot: not found', abc, camel('zz', 'B'), { isUnsure: true }),
  row('replace_string_in_file', 'Copilot: twice', twice, camel('x', 'y'), { exit: 1 }),
  row(
    'multi_replace_string_in_file',
    'Copilot: several',
    abc,
    {
      explanation: 'x',
      replacements: [
        { filePath: 'f.txt', oldString: 'a', newString: 'A' },
        { filePath: 'f.txt', oldString: 'c', newString: 'C' },
      ],
    },
    { writes: { 'f.txt': 'A\nb\nC\n' } },
  ),
  row('create_file', 'Copilot: new', unlock, { filePath: '@/f.txt', content: 'n\n' }, { writes: { 'f.txt': 'n\n' } }),
  row('create_file', 'Copilot: there already', abc, { filePath: '@/f.txt', content: 'n\n' }, { exit: 1 }),
  row('edit', 'Copilot CLI: one place', abc, { path: '@/f.txt', old_str: 'b', new_str: 'B' }, made),
];

const mcp: CallRow[] = [
  row('write_file', 'MCP or another: over', abc, { path: '@/f.txt', content: 'n\n' }, { writes: { 'f.txt': 'n\n' } }),
  row('mcp__fs__write_file', 'MCP: over', abc, { path: '@/f.txt', content: 'n\n' }, { writes: { 'f.txt': 'n\n' } }),
  row(
    'write_file',
    'MCP or another: new',
    unlock,
    { path: '@/f.txt', content: 'n\n' },
    { writes: { 'f.txt': 'n\n' }, isUnsure: false },
  ),
  row(
    'write_file',
    'MCP: over, said to be',
    abc,
    { path: '@/f.txt', content: 'n\n' },
    {
      writes: { 'f.txt': 'n\n' },
      agent: 'mcp',
      says: 'Successfully wrote to @/f.txt',
    },
  ),
  row(
    'write_file',
    'MCP: new folders',
    unlock,
    { path: '@/p/f.txt', content: 'n\n' },
    {
      agent: 'mcp',
      says: 'Parent directory does not exist: @/p',
      exit: 1,
    },
  ),
  row('write_file', 'MCP or another: new folders', unlock, { path: '@/p/f.txt', content: 'n\n' }, { isUnsure: true }),
  row(
    'mcp__fs__write_file',
    'MCP: a program loses its bits',
    { 'f.txt': { text: 'a\n', mode: 0o755 } },
    { path: '@/f.txt', content: 'n\n' },
    {
      writes: { 'f.txt': 'n\n' },
      modes: { 'f.txt': 0o644 },
    },
  ),
  row(
    'edit_file',
    'MCP: the first place',
    twice,
    { path: '@/f.txt', edits: [{ oldText: 'x', newText: 'y' }] },
    { writes: { 'f.txt': 'y\nx\n' } },
  ),
  row(
    'edit_file',
    'MCP: other blanks',
    { 'f.txt': '  a\n  b\n' },
    { path: '@/f.txt', edits: [{ oldText: 'a\nb', newText: 'x\ny' }] },
    {
      writes: { 'f.txt': '  x\ny\n' },
    },
  ),
  row(
    'edit_file',
    'MCP: CRLF becomes LF',
    { 'f.txt': 'a\r\nb\r\n' },
    { path: '@/f.txt', edits: [{ oldText: 'b', newText: 'B' }] },
    {
      writes: { 'f.txt': 'a\nB\n' },
    },
  ),
  row('edit_file', 'MCP: not found', abc, { path: '@/f.txt', edits: [{ oldText: 'zz', newText: 'B' }] }, { exit: 1 }),
  row('edit_file', 'MCP: only shown', abc, { path: '@/f.txt', dryRun: true, edits: [{ oldText: 'b', newText: 'B' }] }),
];

/** Calls of other agents' tools, and of versions that are not known: the files are claimed, and no word. */
export const otherRows: CallRow[] = [...claudeNow, ...openCode, ...copilot, ...mcp, ...moreRows];
