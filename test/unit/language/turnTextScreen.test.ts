import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  parseScreen,
  promptText,
  renderScreen,
  typeCommand,
} from '../../../src/core/worlds/language/prompt/turns/turnTextScreen.ts';
import { parseShellReply } from '../../../src/core/worlds/language/prompt/turns/turnTextShell.ts';
import { parseReadReply } from '../../../src/core/worlds/language/prompt/turns/turnTextTools.ts';
import { parseUnknown } from '../../../src/core/worlds/language/prompt/turns/turnTextUnknown.ts';
import { cpuMs } from '../../cpuMs.ts';
import { seeded } from './seeded.ts';

const place = { user: 'dev', host: 'box', home: '/home/dev', cwd: '/work/app' };
const prompt = promptText(place);
const read = (screen: string, script: string, asksExitCode = true) => {
  const {
    output,
    exitCode,
    prompt: next,
  } = parseScreen(screen, typeCommand(script, { asksExitCode }).keystrokes, { prompt });
  return [output, exitCode, next];
};

test('the prompt is that of bash', () => {
  assert.equal(prompt, 'dev@box:/work/app$');
  assert.equal(promptText({ ...place, user: 'root' }, '/home/dev/a'), 'root@box:~/a#');
  assert.equal(promptText(place, '/home/dev'), 'dev@box:~$');
  assert.equal(promptText(place, '/home/developer'), 'dev@box:/home/developer$');
});

test('a screen shows echo, output, exit code and prompt', () => {
  assert.equal(renderScreen(place, 'ls\n', 'a\nb\n'), 'dev@box:/work/app$ ls\na\nb\ndev@box:/work/app$');
  assert.equal(
    renderScreen(place, 'printf x', 'x', { exitCode: 0 }),
    'dev@box:/work/app$ printf x\nxdev@box:/work/app$ echo $?\n0\ndev@box:/work/app$',
  );
  assert.equal(renderScreen(place, 'cd /', '', { afterCwd: '/' }), 'dev@box:/work/app$ cd /\ndev@box:/$');
});

test('what the command printed is found on the screen', () => {
  assert.deepEqual(read(`${prompt} ls\na\n\nb\n${prompt} echo $?\n0\n${prompt} `, 'ls'), ['a\n\nb\n', 0, prompt]);
  assert.deepEqual(read(`ls\na\n${prompt} echo $?\n2\n${prompt}`, 'ls'), ['a\n', 2, prompt]);
  assert.deepEqual(read(`a\nb\n`, 'ls'), ['a\nb\n'.trimEnd(), undefined, undefined]);
  assert.deepEqual(read(`${prompt} cd src\ndev@box:/work/app/src$ echo $?\n0\ndev@box:/work/app/src$`, 'cd src'), [
    '',
    0,
    'dev@box:/work/app/src$',
  ]);
  assert.deepEqual(read(`${prompt} printf hi\nhidev@box:/work/app$ echo $?\n0\n${prompt}`, 'printf hi'), [
    'hi',
    0,
    prompt,
  ]);
  assert.deepEqual(read(`${prompt} printf hi\nhi${prompt}`, 'printf hi', false), ['hi', undefined, prompt]);
  assert.deepEqual(read('a\necho $?\n3\n', 'ls'), ['a\n', 3, undefined]);
  // still running
  assert.deepEqual(read(`${prompt} npm start\nlistening on 3000`, 'npm start'), [
    'listening on 3000',
    undefined,
    undefined,
  ]);
  // several lines, typed one after the other, and one command over several lines
  assert.deepEqual(read(`${prompt} echo a\na\n${prompt} echo b\nb\n${prompt}`, 'echo a\necho b', false), [
    'a\nb\n',
    undefined,
    prompt,
  ]);
  assert.deepEqual(
    read(`${prompt} for i in 1 2\n> do echo $i\n> done\n1\n2\n${prompt}`, 'for i in 1 2\ndo echo $i\ndone', false),
    ['1\n2\n', undefined, prompt],
  );
  // a script that prints what looks like a question, and a number
  assert.deepEqual(read(`${prompt} cat a.sh\nls\necho $?\n7\n${prompt} echo $?\n0\n${prompt}`, 'cat a.sh'), [
    'ls\necho $?\n7\n',
    0,
    prompt,
  ]);
  assert.deepEqual(read(`(venv) root@c0ffee:/app# pytest\n1 passed\n(venv) root@c0ffee:/app#`, 'pytest', false), [
    '1 passed\n',
    undefined,
    '(venv) root@c0ffee:/app#',
  ]);
  assert.deepEqual(read('$ ls\r\na\r\n$ echo $?\r\n0\r\n$ ', 'ls'), ['a\n', 0, '$']);
  assert.equal(
    parseScreen('a', [
      { keystrokes: 'C-c', duration: 1 },
      { keystrokes: '', duration: 1 },
    ]).output,
    'a',
  );
});

test('a screen that was rendered is read back', () => {
  const { text, pick, below } = seeded(33);
  const parts = ['a', ' ', '\n', 'b c', '0\n', '> ', 'echo $?', '$', '\n\n', 'x:', 'ü', '12\n'];
  for (let round = 0; round < 5000; round++) {
    const body = text(parts, 9).replace(/\s+$/, '');
    const output = body === '' ? '' : `${body}${pick(['\n', 'z', 'z\n'])}`;
    const script = pick(['ls', 'cat a b', 'make -j2 all', 'x=1 ./run --y "z"', 'for i in 1\ndo ls\ndone']);
    const exitCode = below(256);
    const afterCwd = pick(['/work/app', '/', '/home/dev/q']);
    const screen = renderScreen(place, script, output, { exitCode, afterCwd });
    const { keystrokes } = typeCommand(script, { asksExitCode: true });
    const wanted = { output, echoed: true, exitCode, prompt: promptText(place, afterCwd) };
    assert.deepEqual({ ...parseScreen(screen, keystrokes, { prompt }) }, wanted, screen);
  }
});

test('1 MB of anything is read in a moment', () => {
  const ends = ['', 'x'];
  for (const part of [
    'a',
    ' ',
    '\n',
    '[[',
    '$ ',
    'Error: x\n',
    'a@b:',
    '```\n',
    '~/',
    'Exit Code: 1\n',
    '[[unknown: ',
    '  1\t\n',
  ]) {
    for (const end of ends) {
      const text = `[[unknown ${part.repeat(1_000_000 / part.length)}${end}`;
      const startedAt = cpuMs();
      parseScreen(text, typeCommand(text, { asksExitCode: true }).keystrokes, { prompt });
      parseShellReply('qwen', text);
      parseReadReply(text);
      parseUnknown(text);
      parseUnknown(text.slice(0, 90_000));
      assert.ok(cpuMs() - startedAt < 5000, JSON.stringify(part));
    }
  }
});
