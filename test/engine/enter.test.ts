import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { answerEnter } from '../../src/core/hooks/answerEnter.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { gitSettings } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { servicePlace, until } from './servicePlace.ts';
import { openTerminal, type Terminal, type TerminalShell } from './terminal.ts';

/** Lines at Enter in real terminals: what a shell receives is what was typed, with Foretell as without. */

const { folder } = throwAwayForetell('enter');
const home = path.join(folder, 'home');
fs.mkdirSync(home);
const place = servicePlace(home);
const program = path.join(path.dirname(place.hook), 'foretell');
after(() => place.end());

/** How a line is typed: `m` line by line, `p` pasted; held: `d` released by Enter (`D`: typed line by line), `e` given up by Esc. */
interface Typed {
  how: '-' | 'm' | 'p' | 'd' | 'D' | 'e';
  text: string;
}

const typed: Typed[] = fs
  .readFileSync('test/fixtures/enter/lines.txt', 'utf8')
  .split('\n')
  .filter((row) => row !== '')
  .map((row) => ({
    how: row[0] as Typed['how'],
    text: row.slice(2).replaceAll(/\\([\\nt])/g, (_, letter) => ({ n: '\n', t: '\t' })[letter as string] ?? '\\'),
  }));

/** What fish says in another way. */
const inFish: Readonly<Record<string, string>> = {
  'gone=notes7.txt': 'set gone notes7.txt',
  'erase() { rm "$@"; }': 'function erase; rm $argv; end',
  'n=notes6.txt; rm "$n"': 'set n notes6.txt; rm "$n"',
  'for f in notes5.txt; do rm $f; done': 'for f in notes5.txt; rm $f; end',
  'for f in notes15.txt\ndo\n  rm $f\ndone': 'for f in notes15.txt\nrm $f\nend',
  "x=5; y='a  b'": "set x 5; set y 'a  b'",
  'greet() { echo hello "$1"; }': 'function greet; echo hello $argv; end',
};

const held = 'Enter again runs it, Esc goes back.';
const holds = ({ how }: Typed) => how === 'd' || how === 'D' || how === 'e';

/** Work that nothing brings back, for each terminal anew. */
function repository(name: string): string {
  const cwd = path.join(folder, name, 'w');
  const write = (file: string, text: string) => {
    fs.mkdirSync(path.dirname(path.join(cwd, file)), { recursive: true });
    fs.writeFileSync(path.join(cwd, file), text);
  };
  write('kept.txt', 'kept\n');
  write('src/a.ts', 'export const a = 1;\n');
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'first'],
  ])
    execFileSync('git', args, { cwd, env: { ...process.env, ...gitSettings } });
  for (let at = 1; at <= 15; at++) write(`notes${at}.txt`, `one ${at}\ntwo\n`);
  return cwd;
}

async function open(shell: TerminalShell, name: string, withForetell: boolean, more: string[] = []) {
  const cwd = repository(name);
  const line = shell === 'fish' ? `${program} enter fish | source` : `eval "$(${program} enter ${shell})"`;
  const terminal = await openTerminal(shell, {
    ...{ folder: path.join(folder, name, 'start'), cwd },
    env: { ...place.env, ...gitSettings, HOME: home, FORETELL_ENTER_WITHIN: '10000' },
    more: [...more, ...(withForetell ? [line] : [])],
  });
  return { cwd, terminal };
}

/** How often lines were held. */
const holdsIn = (terminal: Terminal) => terminal.shown().split(held).length - 1;

/** Types keys after which the line has to be held, and waits until it stands there again to be edited. */
async function enterHeld(terminal: Terminal, keys: string, { text }: Typed): Promise<void> {
  const before = holdsIn(terminal);
  const prompts = terminal.prompts();
  terminal.type(keys);
  await until(() => holdsIn(terminal) > before || terminal.prompts() > prompts);
  assert.equal(holdsIn(terminal), before + 1, `not held: ${JSON.stringify(keys)}`);
  const lastLine = text.split('\n').at(-1)?.trim() ?? '';
  // bash draws it after each of its two keys.
  const draws = terminal.shell === 'bash' ? 2 : 1;
  await until(() => (terminal.shown().split(held).at(-1)?.split(lastLine).length ?? 0) > draws);
}

const keysFor = ({ how, text }: Typed) =>
  how === 'p' ? `\u001b[200~${text}\u001b[201~\r` : `${text.replaceAll('\n', '\r')}\r`;

/** Types everything; what is given up is typed only where it can be held. */
async function typeAll(terminal: Terminal, lines: readonly Typed[], withForetell: boolean): Promise<void> {
  for (const line of lines) {
    const before = holdsIn(terminal);
    if (line.how === 'e') {
      if (!withForetell) continue;
      await enterHeld(terminal, keysFor(line), line);
      terminal.type('\u001b');
      // Esc is told from the keys that begin with it by what comes later.
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      await enterHeld(terminal, '\r', line);
      await terminal.enter('\u0003');
      continue;
    }
    if (!withForetell || !holds(line)) await terminal.enter(keysFor(line));
    else {
      await enterHeld(terminal, keysFor(line), line);
      await terminal.enter('\r');
      assert.equal(holdsIn(terminal), before + 1);
    }
    assert.equal(holdsIn(terminal), before + (withForetell && holds(line) ? 1 : 0), line.text);
  }
}

/** What the shell remembers of what it was given. */
const histories: Readonly<Record<TerminalShell, string>> = {
  bash: "history | sed 's/^ *[0-9]* *//' > history.out",
  zsh: 'fc -ln 1 > history.out',
  fish: 'history --reverse > history.out',
};

/** Files and their contents, without what git and the test keep. */
function contents(cwd: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of fs.readdirSync(cwd, { recursive: true, encoding: 'utf8' })) {
    if (name.startsWith('.git')) continue;
    const status = fs.lstatSync(path.join(cwd, name));
    found[name] = status.isFile() ? fs.readFileSync(path.join(cwd, name), 'utf8') : status.isDirectory() ? '/' : '@';
  }
  return found;
}

async function leaves(
  shell: TerminalShell,
  name: string,
  lines: readonly Typed[],
  withForetell: boolean,
  more: string[] = [],
) {
  const { cwd, terminal } = await open(shell, name, withForetell, more);
  try {
    await typeAll(terminal, lines, withForetell);
    await terminal.enter(`${histories[shell]}\r`);
    return { files: contents(cwd), shown: terminal.shown() };
  } finally {
    await terminal.close();
  }
}

function withoutOwn(files: Record<string, string>, lines: readonly Typed[]): Record<string, string> {
  const givenUp = new Set(lines.filter(({ how }) => how === 'e').map(({ text }) => text));
  const history = (files['history.out'] ?? '').split('\n').filter((line) => !givenUp.has(line));
  return { ...files, 'history.out': history.join('\n') };
}

describe('240 lines, of which none is lost or altered', () => {
  test('there are so many, of every kind', () => {
    assert.equal(typed.length, 240);
    assert.deepEqual([...new Set(typed.map(({ how }) => how))].sort(), ['-', 'D', 'd', 'e', 'm', 'p']);
  });

  const vi = { bash: ['set -o vi'], zsh: ['bindkey -v'], fish: ['fish_vi_key_bindings'] };
  for (const [shell, mode] of [
    ['bash', 'emacs'],
    ['zsh', 'emacs'],
    ['fish', 'emacs'],
    ['bash', 'vi'],
    ['zsh', 'vi'],
    ['fish', 'vi'],
  ] as const)
    test(`${shell}, ${mode}`, async () => {
      // fish keeps a line that it cannot read; it stands there with and without us.
      const readable = ({ text }: Typed) => {
        if (shell !== 'fish') return true;
        const { status, stderr } = spawnSync('fish', ['--no-config', '--no-execute', '-c', text]);
        return status === 0 && stderr.length === 0 && !/\$['"?#$ ]|\$$/.test(text);
      };
      const spoken = typed.map((line) => (shell === 'fish' ? { ...line, text: inFish[line.text] ?? line.text } : line));
      const lines = spoken.filter(readable).filter(({ text }) => mode === 'emacs' || !text.startsWith("printf '%s|'"));
      assert.ok(lines.length > (mode === 'vi' ? 60 : 150), `${lines.length}`);
      const more = mode === 'vi' ? vi[shell] : [];
      const [plain, guarded] = [
        await leaves(shell, `${shell}-${mode}-plain`, lines, false, more),
        await leaves(shell, `${shell}-${mode}-guarded`, lines, true, more),
      ];
      assert.deepEqual(withoutOwn(guarded.files, lines), withoutOwn(plain.files, lines));
      assert.ok((plain.files['log'] ?? '').length > 500);
      assert.ok((plain.files['history.out'] ?? '').split('\n').length > lines.length / 2);
      assert.doesNotMatch(guarded.shown, /Foretell cannot be asked/);
    });
});

describe('what is typed ahead of an answer', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    test(`${shell}: releases no line that is held, and becomes no part of it`, async () => {
      await place.start();
      const { cwd, terminal } = await open(shell, `${shell}-ahead`, true);
      const left = () => fs.readdirSync(cwd).filter((name) => name.startsWith('notes') || name === 'log').length;
      const typeAhead = async (keys: string) => {
        const [before, prompts] = [holdsIn(terminal), terminal.prompts()];
        terminal.type(keys);
        await until(() => holdsIn(terminal) > before || terminal.prompts() > prompts);
        // What the shell would do with the rest it would do by then.
        await new Promise((resolve) => setTimeout(resolve, 1_500));
        assert.equal(holdsIn(terminal), before + 1, keys);
      };
      try {
        await terminal.enter('echo begin > /dev/null\r');
        await typeAhead('rm notes1.txt\r\r');
        assert.equal(left(), 15);
        await terminal.enter('\u0003');
        await typeAhead('rm notes2.txt\recho two >> log\r');
        assert.equal(left(), 15);
        await terminal.enter('\r');
        assert.ok(!fs.existsSync(path.join(cwd, 'notes2.txt')));
        // Safe lines lose nothing of it.
        const prompts = terminal.prompts();
        terminal.type('echo one >> log\recho two >> log\r');
        await until(() => terminal.prompts() >= prompts + 2);
        assert.equal(fs.readFileSync(path.join(cwd, 'log'), 'utf8'), 'one\ntwo\n');
      } finally {
        await terminal.close();
      }
    });
});

describe('what is typed for a program is none of the shell’s lines', () => {
  for (const [shell, reads] of [
    ['bash', 'read -r v; echo got $v >> log'],
    ['zsh', 'read -r v; echo got $v >> log'],
    ['fish', "read -P '' v; echo got $v >> log"],
  ] as const)
    test(`${shell}: read`, async () => {
      await place.start();
      const { cwd, terminal } = await open(shell, `${shell}-reads`, true);
      try {
        await terminal.enter('echo begin > /dev/null\r');
        terminal.type(`${reads}\r`);
        await new Promise((resolve) => setTimeout(resolve, 3_000));
        await terminal.enter('rm notes1.txt\r');
        assert.equal(holdsIn(terminal), 0);
        assert.equal(fs.readFileSync(path.join(cwd, 'log'), 'utf8'), 'got rm notes1.txt\n');
      } finally {
        await terminal.close();
      }
    });
});

describe('it never stands in the way', () => {
  for (const shell of ['bash', 'zsh', 'fish'] as const)
    test(`${shell}: the service hangs, or its program is gone: lines run, and a sentence says so once`, async () => {
      await place.start();
      const { cwd, terminal } = await open(shell, `${shell}-hangs`, true);
      const told = () => terminal.shown().split('Foretell cannot be asked').length - 1;
      try {
        await terminal.enter('echo first >> log\r');
        const services = place.services();
        for (const id of services) process.kill(id, 'SIGSTOP');
        await terminal.enter(shell === 'fish' ? 'set -g FORETELL_ENTER_WITHIN 100\r' : 'FORETELL_ENTER_WITHIN=100\r');
        await terminal.enter('rm notes1.txt\r');
        await terminal.enter('echo second >> log\r');
        assert.equal(told(), 1);
        for (const id of services) process.kill(id, 'SIGCONT');
        await terminal.enter(
          `${shell === 'fish' ? 'set -g ' : ''}__foretell_client${shell === 'fish' ? ' ' : '='}/nowhere\r`,
        );
        await terminal.enter('rm notes2.txt\r');
        await terminal.enter('echo third >> log\r');
        assert.equal(told(), 1);
        assert.equal(fs.readFileSync(path.join(cwd, 'log'), 'utf8'), 'first\nsecond\nthird\n');
        assert.ok(!fs.existsSync(path.join(cwd, 'notes1.txt')) && !fs.existsSync(path.join(cwd, 'notes2.txt')));
      } finally {
        await terminal.close();
      }
    });
});

test('words that are dangerous are said before the prediction, for when that comes too late', async () => {
  const cwd = repository('words');
  const typedLine = { columns: 200, withinMs: 10_000 } as const;
  const around = {
    ...{ launcher: launcherPath(path.resolve('dist')), env: { ...place.env }, cwd },
    signal: new AbortController().signal,
  };
  const asked = async (line: string, state = '', shell: 'bash' | 'zsh' = 'bash') => {
    const late: string[] = [];
    const text = await answerEnter({ ...typedLine, shell, line, state }, { ...around, held: (one) => late.push(one) });
    return { text, late };
  };
  const danger = await asked('rm notes1.txt && git reset --hard');
  assert.match(
    danger.late.join(),
    /^DANGER {2}`git reset --hard` throws away .*\nOnly its words were read in time\. Enter again/,
  );
  assert.match(
    danger.text ?? '',
    /^DANGER {2}Deletes 1 file .* notes1\.txt\.\n?.*\nThere is no way back\. Enter again/,
  );
  assert.deepEqual(await asked('ls'), { text: undefined, late: [] });
  // Its words are dangerous, and the prediction knows better.
  const harmless = await asked('git reset --hard');
  assert.equal(harmless.late.length, 1);
  assert.equal(harmless.text, undefined);
  // What the shell has besides goes with it.
  assert.match((await asked('rm $n', 'n=notes1.txt')).text ?? '', /notes1/);
  for (const shell of ['bash', 'zsh'] as const) {
    if (spawnSync(shell, ['--version']).error) continue;
    const aliased =
      shell === 'bash' ? 'shopt -s expand_aliases\nalias tidy=rm' : 'alias -- tidy=rm\nalias -g ALL=notes1.txt';
    const line = shell === 'bash' ? 'tidy notes1.txt' : 'tidy ALL';
    assert.match((await asked(line, aliased, shell)).text ?? '', /notes1/, shell);
  }
});

test('a zsh whose arrays begin at 0 is asked as any other', {
  skip: spawnSync('zsh', ['--version']).error ? 'zsh is not installed' : false,
}, async () => {
  const { terminal } = await open('zsh', 'arrays', true, ['setopt ksharrays']);
  try {
    await enterHeld(terminal, 'rm notes1.txt\r', { how: 'd', text: 'rm notes1.txt' });
    assert.doesNotMatch(terminal.shown(), /bad set of key/);
  } finally {
    await terminal.close();
  }
});
