import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readCommandList } from '../../../src/core/bench/collect/commandList.ts';
import { historyPlaces, historyShellOf, readShellHistory } from '../../../src/core/bench/collect/shellHistory.ts';
import { folderAfter, isOrderByChance, shownText, whyNotTyped } from '../../../src/core/bench/collect/typedCommand.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('a list of commands', () => {
  test('one a line; empty lines and comments say nothing', () => {
    const list = readCommandList('# mine\r\nls -la\r\n\n  git status  \n{ echo a; }\n');
    assert.deepEqual(list, {
      commands: [{ script: 'ls -la' }, { script: 'git status' }, { script: '{ echo a; }' }],
      bad: [],
    });
  });
  test('JSON a line, with bad lines told by their number', () => {
    const { commands, bad } = readCommandList(
      '{"script":"a\\nb","cwd":"x","session":"s"}\n{"script":""}\n{"cwd":"x"}\nls\n{"script":"c","cwd":7}\n{"script":"d"}',
    );
    assert.deepEqual(commands, [{ script: 'a\nb', cwd: 'x', session: 's' }, { script: 'd' }]);
    assert.deepEqual(
      bad.map(({ line }) => line),
      [2, 3, 4, 5],
    );
    for (const { problem } of bad) assert.match(problem, /^Its? .*\.$/);
  });
  test('nothing at all', () => assert.deepEqual(readCommandList('\n# only\n'), { commands: [], bad: [] }));
});

describe('histories', () => {
  test('bash, plain and with times', () => {
    assert.deepEqual(readShellHistory(bytes('ls\ncd a\n\n'), 'bash'), ['ls', 'cd a']);
    const timed = 'old\n#1700000000\nfor a in 1 2; do\n echo $a\ndone\n#1700000001\nls\n';
    assert.deepEqual(readShellHistory(bytes(timed), 'bash'), ['old', 'for a in 1 2; do\n echo $a\ndone', 'ls']);
  });
  test('zsh, with times, lines that go on, and its own writing of bytes', () => {
    const text = ': 1700000000:0;echo a\\\necho b\nplain\n: 1700000001:12;echo c\\\\\n';
    assert.deepEqual(readShellHistory(bytes(text), 'zsh'), ['echo a\necho b', 'plain', 'echo c\\\\']);
    // é is C3 A9, à is C3 A0; zsh writes A0 as 83 80.
    const meta = Uint8Array.from([...bytes('echo caf'), 0xc3, 0xa9, ...bytes(' '), 0xc3, 0x83, 0x80, 0x0a]);
    assert.deepEqual(readShellHistory(meta, 'zsh'), ['echo café à']);
  });
  test('fish, with escapes', () => {
    const text = '- cmd: echo a\\necho "b\\\\n"\n  when: 1700000000\n  paths:\n    - x\n- cmd: ls\n  when: 1\n';
    assert.deepEqual(readShellHistory(bytes(text), 'fish'), ['echo a\necho "b\\n"', 'ls']);
  });
  test('whose it is', () => {
    assert.equal(historyShellOf('/h/.zsh_history', bytes('ls\n')), 'zsh');
    assert.equal(historyShellOf('/h/x', bytes(': 1700000000:0;ls\n')), 'zsh');
    assert.equal(historyShellOf('/h/x', bytes('- cmd: ls\n')), 'fish');
    assert.equal(historyShellOf('/h/.bash_history', bytes('ls\n')), 'bash');
    const places = historyPlaces('/h', { HISTFILE: '/h/.my_zsh', XDG_DATA_HOME: '/d' });
    assert.deepEqual(
      places.map(({ shell, path }) => `${shell} ${path}`),
      ['zsh /h/.my_zsh', 'bash /h/.bash_history', 'zsh /h/.zsh_history', 'fish /d/fish/fish_history'],
    );
  });
});

describe('what a terminal shows', () => {
  for (const script of [
    'a\nb',
    'exit 3',
    'x && exit',
    'if a; then exit 1; fi',
    'sleep 9 &',
    'echo hi!there',
    'set -e',
    'kill $$',
    'echo $-',
  ])
    test(`not known for ${JSON.stringify(script)}`, () =>
      assert.match(whyNotTyped(script) ?? '', /^It |^A terminal .*\.$/));
  for (const script of [
    'ls 2>&1',
    'a && b',
    'a &> f',
    "echo 'hi!there'",
    'echo exit',
    'cat <&0',
    'a |& b',
    '! true',
    'echo "a & b"',
  ])
    test(`known for ${JSON.stringify(script)}`, () => assert.equal(whyNotTyped(script), undefined));
  test('two writers of a pipeline have no order', () => {
    const output = 'find: x: Permission denied\r\n1\r\n';
    assert.equal(isOrderByChance('find . | wc -l', output, ['find', 'wc']), true);
    assert.equal(isOrderByChance('find . || wc -l', output, ['find', 'wc']), false);
    assert.equal(isOrderByChance('find . | wc -l', '1\r\n', ['find', 'wc']), false);
    assert.equal(isOrderByChance("grep 'a|b' f", 'grep: f: No such file\r\nx\r\n', ['grep']), false);
  });
  test('where the shell stands afterwards', () => {
    assert.equal(folderAfter('ls', '/w', undefined), '/w');
    assert.equal(folderAfter('git -C ../t status', '/w', '/t'), '/w', 'another program stood there');
    assert.equal(folderAfter('cd a && ls', '/w', '/w/a'), '/w/a');
    assert.equal(folderAfter('cd link', '/w', '/elsewhere'), undefined, 'a link is shown as it was typed');
    assert.equal(folderAfter('(cd a; ls)', '/w', '/w'), '/w');
    assert.equal(folderAfter('cd here && ls', '/w', '/w'), undefined, 'a link to the folder itself');
    assert.equal(folderAfter('cd .; ls', '/w', '/w'), '/w');
    assert.equal(folderAfter('cd "$x"', '/w', '/v'), undefined);
  });
  test('the shell speaks without line numbers; control characters are not known', () => {
    assert.equal(shownText('bash: line 1: x: command not found\r\n', 'x'), 'bash: x: command not found\n');
    assert.equal(shownText('bash: line 1: x: command not found\n', "bash -c 'x'"), undefined);
    assert.equal(shownText('\u001b[31mred', 'x'), undefined);
    assert.equal(shownText('a\tb\r\n', 'x'), 'a\tb\n');
    assert.equal(shownText('bash: -c: line 1: syntax error\n', ';'), undefined);
  });
});
