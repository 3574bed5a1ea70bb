import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { answerHint } from '../../src/core/hooks/answerHint.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { gitSettings } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { servicePlace, until } from './servicePlace.ts';
import { openTerminal, type Terminal } from './terminal.ts';

/** What is said of a line while it is typed: by the service, and in real terminals of zsh. */

const { folder } = throwAwayForetell('hint');
const home = path.join(folder, 'home');
fs.mkdirSync(home);
const place = servicePlace(home);
after(() => place.end());

function repository(name: string): string {
  const cwd = path.join(folder, name, 'w');
  fs.mkdirSync(cwd, { recursive: true });
  fs.writeFileSync(path.join(cwd, 'kept.txt'), 'kept\n');
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd, env: { ...process.env, ...gitSettings } });
  fs.writeFileSync(path.join(cwd, 'notes.txt'), 'one\ntwo\n');
  return cwd;
}

describe('what is said', () => {
  const cwd = repository('said');
  const around = {
    ...{ launcher: launcherPath(path.resolve('dist')), env: { ...place.env }, cwd, showsGlyphs: true },
    signal: new AbortController().signal,
  };
  const said = (line: string, more: { state?: string; columns?: number; shell?: 'zsh' | 'bash' } = {}) =>
    answerHint({ state: '', shell: 'zsh', columns: 120, withinMs: 10_000, ...more, line }, around);

  test('a shape, a word and the first reason, in one row', async () => {
    assert.equal(await said('ls'), '✓ safe');
    assert.match((await said('rm notes.txt')) ?? '', /^✗ DANGER {2}Deletes 1 file .* notes\.txt\.$/);
    assert.match((await said('rm $n', { state: 'n=notes.txt' })) ?? '', /^✗ DANGER .* notes\.txt\.$/);
    assert.match((await said('cat nowhere')) ?? '', /^× fails {2}/);
    assert.match((await said('node x.js')) ?? '', /^[×?!] /);
    assert.equal([...((await said('rm notes.txt', { columns: 40 })) ?? '')].length, 39);
    const plain = await answerHint(
      { line: 'ls', state: '', shell: 'zsh', columns: 80, withinMs: 10_000 },
      { ...around, showsGlyphs: false },
    );
    assert.equal(plain, 'safe');
    assert.ok(fs.existsSync(path.join(cwd, 'notes.txt')));
  });

  test('of a line that is not whole yet nothing', async () => {
    for (const line of ['echo "a', 'for f in *; do', 'ls |', 'cat <<E', 'echo a\\', 'if true', '{ ls'])
      for (const shell of ['zsh', 'bash'] as const) assert.equal(await said(line, { shell }), undefined, line);
    // zsh has forms of its own, which are whole.
    assert.match((await said('for f (kept.txt) cat $f')) ?? '', /^✓ safe$/);
  });
});

async function open(name: string, { isOn = true, more = [] }: { isOn?: boolean; more?: string[] } = {}) {
  const cwd = repository(name);
  const terminal = await openTerminal('zsh', {
    ...{ folder: path.join(folder, name, 'start'), cwd },
    env: { ...place.env, ...gitSettings, HOME: home, FORETELL_ENTER_WITHIN: '10000' },
    more: [...more, ...(isOn ? ['FORETELL_ENTER_HINT=on'] : []), `eval "$(${place.program} enter zsh)"`],
  });
  return { cwd, terminal };
}

const hints = (terminal: Terminal) => terminal.shown().split(/✓ safe|✗ DANGER|× fails|! caution|\? unknown/).length - 1;

/** Types a line, and waits until something is said of it. */
async function pauseAt(terminal: Terminal, line: string): Promise<void> {
  const before = hints(terminal);
  terminal.type(line);
  await until(() => hints(terminal) > before);
}

/** As long as anybody would wait for a hint that does not come. */
const longPause = () => new Promise((resolve) => setTimeout(resolve, 2_500));

describe('in zsh', () => {
  for (const mode of ['emacs', 'vi'])
    test(`${mode}: lines at which somebody paused run as they were typed`, async () => {
      await place.start();
      const more = mode === 'vi' ? ['bindkey -v'] : [];
      const { cwd, terminal } = await open(mode, { more });
      const lines = [
        'echo one >> log',
        "printf '%s|' 'a  b' \"c\" é漢 >> log",
        'echo $(( 1 + 1 )) `echo two` >> log',
        'cat <(echo three) >> log',
        'x=5; y=(a b); echo $x $y[2] >> log',
        'sleep 100 &',
        'false',
        'for f (kept.txt) cat $f >> log',
        'sudo -n true 2>/dev/null; true',
      ];
      try {
        await terminal.enter('echo begin > /dev/null\r');
        for (const line of lines) {
          await pauseAt(terminal, line);
          await terminal.enter('\r');
          // What only the shell knows, and what a job and its number are.
          if (line === 'sleep 100 &') await terminal.enter('p=$!\r');
          if (line === 'false') await terminal.enter('echo $? $(( p == $! )) $(jobs | wc -l) >> log\r');
        }
        await terminal.enter('kill %1; wait; echo waited >> log\r');
        // A line of two parts, with a pause in the midst of either, and one that is pasted.
        await pauseAt(terminal, 'echo le');
        await pauseAt(terminal, 'ft >> log');
        await terminal.enter('\r');
        await pauseAt(terminal, '\u001b[200~echo pasted >> log\u001b[201~');
        await terminal.enter('\r');
        // A block of several lines.
        terminal.type('for f in 1 2\r');
        await longPause();
        terminal.type('do echo $f >> log\r');
        await longPause();
        await terminal.enter('done\r');
        await terminal.enter('fc -ln 1 > history.out\r');
        assert.equal(
          fs.readFileSync(path.join(cwd, 'log'), 'utf8'),
          'one\na  b|c|é漢|2 two\nthree\n5 b\n1 1 1\nkept\nwaited\nleft\npasted\n1\n2\n',
        );
        const history = fs.readFileSync(path.join(cwd, 'history.out'), 'utf8').split('\n');
        for (const line of lines) assert.ok(history.includes(line), line);
        assert.doesNotMatch(terminal.shown(), /Foretell cannot be asked/);
      } finally {
        await terminal.close();
      }
    });

  test('danger is said before Enter, and Enter still holds the line', async () => {
    await place.start();
    const { cwd, terminal } = await open('danger');
    try {
      await terminal.enter('echo begin > /dev/null\r');
      await pauseAt(terminal, 'rm notes.txt');
      assert.match(terminal.shown(), /✗ DANGER {2}Deletes 1 file/);
      terminal.type('\r');
      await until(() => /Enter again runs it/.test(terminal.shown()));
      const before = hints(terminal);
      await longPause();
      assert.equal(hints(terminal), before);
      assert.ok(fs.existsSync(path.join(cwd, 'notes.txt')));
      await terminal.enter('\r');
      assert.ok(!fs.existsSync(path.join(cwd, 'notes.txt')));
    } finally {
      await terminal.close();
    }
  });

  test('a plugin that suggests behind the line keeps what it suggests, and nothing else becomes a part of the line', async () => {
    await place.start();
    const plugin = [
      "suggest() { POSTDISPLAY=; [[ $BUFFER == 'echo su' ]] && POSTDISPLAY='ggested >> log'; return 0 }",
      'self-insert-and-suggest() { zle .self-insert; suggest }; zle -N self-insert self-insert-and-suggest',
      'accept-suggestion() { BUFFER+=$POSTDISPLAY; POSTDISPLAY=; CURSOR=$#BUFFER }; zle -N accept-suggestion',
      "bindkey '^F' accept-suggestion",
    ];
    const { cwd, terminal } = await open('plugin', { more: plugin });
    try {
      await terminal.enter('echo begin > /dev/null\r');
      await pauseAt(terminal, 'echo su');
      await pauseAt(terminal, '\u0006');
      await terminal.enter('\r');
      await pauseAt(terminal, 'echo two >> log');
      await terminal.enter('\u0006\r');
      assert.equal(fs.readFileSync(path.join(cwd, 'log'), 'utf8'), 'suggested\ntwo\n');
    } finally {
      await terminal.close();
    }
  });

  test('where it is not asked for, nothing is said, and zle has no hooks of it', async () => {
    await place.start();
    const { cwd, terminal } = await open('off', { isOn: false });
    try {
      await terminal.enter('echo begin > /dev/null\r');
      terminal.type('echo one >> log');
      await longPause();
      await terminal.enter('\r');
      await terminal.enter('zle -l >> log\r');
      assert.equal(hints(terminal), 0);
      assert.doesNotMatch(fs.readFileSync(path.join(cwd, 'log'), 'utf8'), /hint|pre-redraw/);
    } finally {
      await terminal.close();
    }
  });

  test('a service that hangs, or is gone, is waited for by nobody, and nothing is said of it', async () => {
    await place.start();
    const { cwd, terminal } = await open('hangs');
    try {
      await terminal.enter('echo first >> log\r');
      for (const id of place.services()) process.kill(id, 'SIGSTOP');
      terminal.type('echo sec');
      await longPause();
      terminal.type('ond');
      await longPause();
      assert.match(terminal.shown(), /echo sec\s*ond/);
      assert.doesNotMatch(terminal.shown(), /cannot be asked/);
      for (const id of place.services()) process.kill(id, 'SIGCONT');
      await terminal.enter(' >> log\r');
      await terminal.enter('__foretell_client=/nowhere\r');
      const before = hints(terminal);
      terminal.type('echo third >> log');
      await longPause();
      await terminal.enter('\r');
      assert.equal(hints(terminal), before);
      assert.equal(fs.readFileSync(path.join(cwd, 'log'), 'utf8'), 'first\nsecond\nthird\n');
    } finally {
      await terminal.close();
    }
  });
});
