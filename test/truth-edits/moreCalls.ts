import { abc, type CallRow, change, row, unlock } from './callRow.ts';

const made = { writes: { 'f.txt': 'a\nB\nc\n' } };
const twice = { 'f.txt': 'x\nx\n' };
const blocks = (search: string, replace: string, open = '<<<<<<< SEARCH', close = '>>>>>>> REPLACE') =>
  `${open}\n${search}=======\n${replace}${close}\n`;
const cline = (search: string, replace: string) => blocks(search, replace, '------- SEARCH', '+++++++ REPLACE');
const editor = (command: string, more: Record<string, unknown>) => ({ command, path: '@/f.txt', ...more });

const openHands: CallRow[] = [
  row(
    'str_replace_editor',
    'OpenHands: tabs stay',
    { 'f.txt': 'a\tb\n\tc\n' },
    editor('str_replace', { old_str: 'c', new_str: 'd' }),
    {
      agent: 'openhands',
      writes: { 'f.txt': 'a\tb\n\td\n' },
    },
  ),
  row(
    'str_replace_editor',
    'whose it is decides over tabs',
    { 'f.txt': 'a\tb\n\tc\n' },
    editor('str_replace', { old_str: 'c', new_str: 'd' }),
    {
      isUnsure: true,
    },
  ),
  row('str_replace_editor', 'of either', abc, editor('str_replace', { old_str: 'b', new_str: 'B' }), made),
  row(
    'str_replace_editor',
    'OpenHands by its arguments',
    { 'f.txt': '\tc\n' },
    editor('str_replace', { old_str: 'c', new_str: 'd', security_risk: 'LOW' }),
    {
      writes: { 'f.txt': '\td\n' },
    },
  ),
  row(
    'file_editor',
    'OpenHands: blanks around the text',
    abc,
    editor('str_replace', { old_str: '\n\nb  ', new_str: 'B ' }),
    made,
  ),
  row(
    'file_editor',
    'OpenHands: binary',
    { 'f.txt': Buffer.from([97, 0, 98, 10]) },
    editor('str_replace', { old_str: 'b', new_str: 'B' }),
    { exit: 1 },
  ),
  row(
    'file_editor',
    'OpenHands: Latin-1',
    { 'f.txt': Buffer.from('caf\xe9\nb\n', 'latin1') },
    editor('str_replace', { old_str: 'b', new_str: 'B' }),
    {
      isUnsure: true,
    },
  ),
  row('file_editor', 'OpenHands: an insert behind the end', abc, editor('insert', { insert_line: 4, new_str: 'x' }), {
    exit: 1,
  }),
  row('file_editor', 'OpenHands: an insert at the end', abc, editor('insert', { insert_line: 3, new_str: 'x' }), {
    writes: { 'f.txt': 'a\nb\nc\nx\n' },
    modes: { 'f.txt': 0o600 },
  }),
];

const gemini: CallRow[] = [
  row(
    'replace',
    'Gemini: other blanks',
    { 'f.txt': 'if x:\n    a = 1\n    b = 2\nend\n' },
    { file_path: '@/f.txt', ...change('a = 1\nb = 2', 'c = 3') },
    {
      writes: { 'f.txt': 'if x:\n    c = 3\nend\n' },
    },
  ),
  row(
    'replace',
    'Gemini: blanks between words',
    { 'f.txt': 'f(a,b)\n' },
    { file_path: '@/f.txt', ...change('f( a,b )', 'g()') },
    {
      writes: { 'f.txt': 'g()\n' },
    },
  ),
  row('replace', 'Gemini: nothing like it', abc, { file_path: '@/f.txt', ...change('zzz', 'g()') }, { isUnsure: true }),
  row(
    'replace',
    'Gemini: only hinted at',
    abc,
    { file_path: '@/f.txt', ...change('b', '// rest of code ...') },
    { exit: 1 },
  ),
  row(
    'replace',
    'Gemini: the end stays',
    { 'f.txt': 'a\nb' },
    { file_path: '@/f.txt', ...change('b', 'c\n') },
    { writes: { 'f.txt': 'a\nc' } },
  ),
];

const codex: CallRow[] = [
  row(
    'apply_patch',
    'Codex: a byte order mark is no blank',
    { 'f.txt': '\ufeffa\nb\n' },
    { input: '*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch' },
    {
      agent: 'codex',
      exit: 1,
    },
  ),
  row(
    'apply_patch',
    'whose it is decides whether a byte order mark is a blank',
    { 'f.txt': '\ufeffa\nb\n' },
    { input: '*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch' },
    {
      isUnsure: true,
    },
  ),
  row(
    'apply_patch',
    'Codex: NEL is a blank',
    { 'f.txt': 'a\u0085\nb\n' },
    { input: '*** Begin Patch\n*** Update File: f.txt\n@@\n-a\n+A\n*** End Patch' },
    {
      writes: { 'f.txt': 'A\nb\n' },
    },
  ),
  row(
    'apply_patch',
    'a file that is there, of an agent that is not known',
    abc,
    { input: '*** Begin Patch\n*** Add File: f.txt\n+n\n*** End Patch' },
    {
      isUnsure: true,
    },
  ),
];

const others: CallRow[] = [
  row('replace_in_file', 'Cline: one block', abc, { path: 'f.txt', diff: cline('b\n', 'B\n') }, made),
  row(
    'replace_in_file',
    'Cline: two blocks',
    abc,
    { path: 'f.txt', diff: `${cline('a\n', 'A\n')}${cline('c\n', '')}` },
    { writes: { 'f.txt': 'A\nb\n' } },
  ),
  row(
    'replace_in_file',
    'Cline: other blanks',
    { 'f.txt': '  a\nb\n' },
    { path: 'f.txt', diff: cline('a  \n', 'A\n') },
    { isUnsure: true },
  ),
  row('replace_in_file', 'Cline: not found', abc, { path: 'f.txt', diff: cline('zz\n', 'A\n') }, { exit: 1 }),
  row(
    'apply_diff',
    'Roo: at a line',
    twice,
    { path: 'f.txt', diff: `<<<<<<< SEARCH\n:start_line:2\n-------\nx\n=======\ny\n>>>>>>> REPLACE` },
    { writes: { 'f.txt': 'x\ny\n' } },
  ),
  row('apply_diff', 'Roo: one place', abc, { path: 'f.txt', diff: blocks('b\n', 'B\n') }, made),
  row('apply_diff', 'Roo: twice', twice, { path: 'f.txt', diff: blocks('x\n', 'y\n') }, { isUnsure: true }),
  row(
    'search_replace_blocks',
    'aider: blocks',
    { ...abc, 'd/g.txt': 'g\n' },
    {
      input: `I will change it.\n\nf.txt\n\`\`\`text\n${blocks('b\n', 'B\n')}\`\`\`\n\nd/g.txt\n\`\`\`\n${blocks('g\n', 'G\n')}\`\`\`\n\nn.txt\n\`\`\`\n${blocks('', 'new\n')}\`\`\`\n`,
    },
    { writes: { 'f.txt': 'a\nB\nc\n', 'd/g.txt': 'G\n', 'n.txt': 'new\n' } },
  ),
  row(
    'search_replace_blocks',
    'aider: not whole lines',
    abc,
    { input: `f.txt\n${blocks('zzz\n', 'B\n')}` },
    { exit: 1 },
  ),
  row(
    'udiff',
    'aider: a diff without numbers',
    { 'f.txt': 'def one():\n    return 1\n\ndef two():\n    return 2\n' },
    {
      input:
        '```diff\n--- f.txt\n+++ f.txt\n@@ ... @@\n def one():\n-    return 1\n+    return 10\n@@ ... @@\n def two():\n-    return 2\n+    return 20\n```\n',
    },
    { writes: { 'f.txt': 'def one():\n    return 10\n\ndef two():\n    return 20\n' } },
  ),
  row('search_replace', 'Cursor: one place', abc, { file_path: '@/f.txt', ...change('b', 'B') }, made),
  row('update_file', 'an agent that nobody knows', abc, { path: '@/f.txt', old_text: 'b', new_text: 'B' }, made),
  row(
    'save_file',
    'a file of an agent that nobody knows',
    unlock,
    { path: '@/f.txt', contents: 'n\n' },
    { writes: { 'f.txt': 'n\n' } },
  ),
  row('delete_file', 'a file deleted', abc, { target_file: 'f.txt' }, { writes: { 'f.txt': null } }),
];

/** Calls of more agents, whose files are claimed and no word. */
export const moreRows: CallRow[] = [...openHands, ...gemini, ...codex, ...others];
