import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import type { PromptShell } from '../../src/core/prediction/rehearsal.ts';
import { lineEditors } from '../../src/host/typedLine/askingKeys.ts';
import { createShellAnswers } from '../../src/host/typedLine/shellAnswers.ts';
import { stateInMemory } from '../../src/host/typedLine/stateInMemory.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What a shell at its prompt exports and defines: read from outside as it is, and predicted in. */

const { foretell, workspace } = throwAwayForetell('prompt', { keepsShells: true });
const home = workspace({
  '.bashrc': "export PATH=/usr/bin:/bin FROM_FILE=file\nalias list='ls -1'\nshown() { echo shown; }\n",
  'tools/hello': '#!/bin/sh\necho hello\n',
});
const terminal = { columns: 200, rows: 24 };
const startedWith = { HOME: home, PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8' };

async function predict(
  script: string,
  promptShell: PromptShell | 'unseen',
  env = {},
  shell: 'bash' | 'zsh' | 'fish' = 'bash',
  cwd = home,
) {
  const action = { kind: 'command', script, shell, cwd } as const;
  const request = { action, env: { ...startedWith, ...env }, interactive: true, promptShell, terminal };
  const { events, view } = foretell.predict({ ...request, signal: new AbortController().signal });
  try {
    return await foldAll(action, events);
  } finally {
    await view.close();
  }
}

const hasFish = spawnSync('fish', ['--version']).error ? 'fish is not installed' : false;

const asStarted: PromptShell = {
  startedWith,
  aliases: new Map([['list', 'ls -1']]),
  functions: new Set(['shown']),
};
const textOf = (prediction: Awaited<ReturnType<typeof predict>>) =>
  prediction.output
    .map(({ text }) => text ?? '')
    .join('')
    .replaceAll('\r\n', '\n');

test('what the shell exports by now counts, and not what its start files would export', async () => {
  const path = `${home}/tools:/usr/bin:/bin`;
  const prediction = await predict('printenv PATH FROM_FILE; list tools; shown', asStarted, {
    PATH: path,
    FROM_FILE: 'changed  é',
  });
  assert.equal(prediction.ending, 'done', prediction.endingReason);
  assert.equal(textOf(prediction), `${path}\nchanged  é\nhello\nshown\n`);
  const unset = await predict('printenv FROM_FILE', asStarted);
  assert.equal(unset.exitCode, 1);
  assert.equal(textOf(unset), '');
});

test('a function of fish counts as it is at the prompt, whatever its start files make of it', {
  skip: hasFish,
}, async () => {
  const fishHome = workspace({
    '.config/fish/config.fish':
      'function shown; echo shown; end\nif status is-interactive\n  function asked; echo asked; end\nend\n',
  });
  const env = { HOME: fishHome, PATH: '/usr/bin:/bin' };
  // As a fish at its prompt shows them.
  const shownBy = (name: string, body: string) =>
    spawnSync('fish', ['-c', `function ${name}; ${body}; end; functions ${name}`], { encoding: 'utf8' }).stdout;
  const shown = shownBy('shown', 'echo shown');
  const other = shownBy('shown', 'rm -rf docs');
  const asked = shownBy('asked', 'echo asked');
  const predicted = (script: string, definitions: Record<string, string>) =>
    predict(
      script,
      {
        ...{ startedWith: env, aliases: undefined, functions: undefined },
        definitions: new Map(Object.entries(definitions)),
      },
      env,
      'fish',
    );
  const same = await predicted('shown', { shown });
  assert.equal(same.ending, 'done', same.endingReason);
  assert.equal(textOf(same), 'shown\n');
  for (const [name, definitions] of [
    ['shown', { shown: other }],
    ['asked', { asked, shown }],
  ] as const) {
    const prediction = await predicted(`cd . && ${name}`, definitions);
    assert.deepEqual(prediction.doubt, { kind: 'promptDefinition', name, is: 'function' });
    assert.notEqual(prediction.verdict.level, 'safe');
  }
  const named = await predicted('echo shown', { shown: other });
  assert.equal(named.ending, 'done', named.endingReason);
});

test('an alias of bash means what it means at the prompt, also one of the name of a program', async () => {
  const aliases = new Map([
    ['list', "printf '%s|' new"],
    ['cat', 'rm -rf'],
    ['wc', 'cat'],
    ['du', 'ls'],
    ['say', 'echo \'a  é\' "$((1 + 1))"'],
  ]);
  const prompt = { ...asStarted, aliases };
  // One leads to the next, as at the prompt.
  const removed = await predict('wc tools', prompt);
  assert.equal(removed.ending, 'done', removed.endingReason);
  assert.equal(removed.verdict.level, 'danger');
  assert.deepEqual(
    removed.files.map(({ change }) => change),
    ['deleted', 'deleted'],
  );
  const listed = await predict('cd tools && du', prompt);
  assert.equal(listed.verdict.level, 'safe');
  assert.equal(textOf(listed), 'hello\n');
  assert.equal(textOf(await predict('list; say', prompt)), 'new|a  é 2\n');
  // What the start files define, and the prompt has not any more.
  const gone = await predict('list', { ...asStarted, aliases: new Map() });
  assert.equal(gone.ending, 'done', gone.endingReason);
  assert.equal(gone.exitCode, 127);
});

const hasZsh = spawnSync('zsh', ['--version']).error ? 'zsh is not installed' : false;

test('an alias of zsh means what it means at the prompt, wherever it stands in the line', {
  skip: hasZsh,
}, async () => {
  const zsh: PromptShell = {
    startedWith,
    aliases: new Map([
      ['list', "printf '%s|' new"],
      ['cat', 'rm -rf'],
      ['wc', 'cat'],
      ['run', 'command '],
      ['ls', 'ls -1'],
      ['say', 'echo \'a  é\' "$((1 + 1))"'],
    ]),
    globalAliases: new Map([['UP', '| tr a-z A-Z']]),
    suffixAliases: new Map([['txt', 'echo shows']]),
    functions: new Set(),
  };
  const removed = await predict('wc tools', zsh, {}, 'zsh');
  assert.equal(removed.ending, 'done', removed.endingReason);
  assert.equal(removed.verdict.level, 'danger');
  assert.deepEqual(
    removed.files.map(({ change }) => change),
    ['deleted', 'deleted'],
  );
  for (const [script, printed] of [
    ['echo $?; list; say; ls tools', '0\nnew|a  é 2\nhello\n'],
    ['echo up UP', 'UP\n'],
    ['notes.txt; run list', 'shows notes.txt\nnew|'],
    ['echo list; \\ls -d tools; printenv ZDOTDIR', 'list\ntools\n'],
  ] as const) {
    const prediction = await predict(script, zsh, {}, 'zsh');
    assert.equal(prediction.ending, 'done', prediction.endingReason);
    assert.equal(textOf(prediction), printed, script);
  }
  const own = await predict('printenv ZDOTDIR; list', zsh, { ZDOTDIR: '/of my own' }, 'zsh');
  assert.equal(textOf(own), '/of my own\nnew|');
  const plain = await predict('list', { ...zsh, aliases: new Map() }, {}, 'zsh');
  assert.equal(plain.exitCode, 127);
});

test('the options of the prompt count: what patterns match, what is overwritten, which names lead into a folder', {
  skip: hasZsh,
}, async () => {
  const folder = workspace({ 'a.txt': 'a\n', 'b.log': 'b\n', '.hidden': 'h\n', 'sub/c.txt': 'c\n' });
  const of = (options: Record<string, boolean>): PromptShell => ({
    ...{ startedWith, aliases: new Map([['list', 'ls -1']]), functions: new Set<string>() },
    options: new Map(Object.entries(options)),
  });
  // What a bash has at its prompt as it comes.
  const usual = { braceexpand: true, expand_aliases: true, extquote: true, sourcepath: true };
  for (const [shell, options, script, printed, exitCode] of [
    ['zsh', { extendedglob: true }, 'print -r -- ^*.txt', 'b.log sub\n', 0],
    ['zsh', {}, 'print -r -- ^*.txt', 'zsh:1: no matches found: ^*.txt\n', 1],
    ['zsh', { nullglob: true, globdots: true }, 'print -r -- *.none * end', '.hidden a.txt b.log sub end\n', 0],
    ['zsh', { nomatch: false }, 'print -r -- *.none', '*.none\n', 0],
    ['zsh', { clobber: false }, 'print x > a.txt; cat a.txt', 'zsh:1: file exists: a.txt\na\n', 0],
    ['zsh', { autocd: true }, 'sub; pwd', `${folder}/sub\n`, 0],
    ['zsh', { clobber: false }, 'print -r -- a # b', 'a # b\n', 0],
    ['zsh', { interactivecomments: true }, 'print -r -- a # b', 'a\n', 0],
    ['bash', { ...usual, nullglob: true, dotglob: true }, 'echo *.none * end', '.hidden a.txt b.log sub end\n', 0],
    ['bash', { ...usual, extglob: true }, 'echo !(*.txt)', 'b.log sub\n', 0],
    ['bash', { ...usual, globstar: true }, 'echo **/*.txt', 'a.txt sub/c.txt\n', 0],
    ['bash', { ...usual, noglob: true }, 'echo *.txt', '*.txt\n', 0],
    [
      'bash',
      { ...usual, noclobber: true },
      'echo x > a.txt; cat a.txt',
      'bash: a.txt: cannot overwrite existing file\na\n',
      0,
    ],
    ['bash', { ...usual, pipefail: true }, 'false | true', '', 1],
    ['bash', { ...usual, nounset: true }, 'echo "$NOWHERE"', 'bash: NOWHERE: unbound variable\n', 1],
    ['bash', { ...usual, xtrace: true }, 'echo a', '+ echo a\na\n', 0],
  ] as const) {
    const prediction = await predict(script, of(options), {}, shell, folder);
    assert.equal(prediction.ending, 'done', prediction.endingReason);
    assert.equal(textOf(prediction), printed, `${shell}: ${script}`);
    assert.equal(prediction.exitCode, exitCode, `${shell}: ${script}`);
  }
  const removed = await predict('rm -f ^*.txt(.)', of({ extendedglob: true }), {}, 'zsh', folder);
  assert.deepEqual(
    removed.files.map(({ path }) => path.slice(folder.length + 1)),
    ['b.log'],
  );
});

test('an option of bash that its start file sets counts for a line of an editor', async () => {
  const folder = workspace({ '.bashrc': 'set -o noclobber\nshopt -s nullglob\n', 'kept.txt': 'kept\n' });
  const action = { kind: 'command', script: 'echo *.none; echo x > kept.txt', shell: 'bash', cwd: folder } as const;
  const env = { ...startedWith, HOME: folder };
  const request = { action, env, interactive: true, terminal };
  const { events, view } = foretell.predict({ ...request, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  assert.equal(textOf(prediction), '\nbash: kept.txt: cannot overwrite existing file\n');
  assert.deepEqual(prediction.files, []);
});

test('while start files are read that is told, and where they cannot be read nothing is claimed', async () => {
  const predictIn = async (bashrc: string) => {
    const folder = workspace({ '.bashrc': bashrc, 'a.txt': 'a\n' });
    const action = { kind: 'command', script: 'list', shell: 'bash', cwd: folder } as const;
    const request = { action, env: { ...startedWith, HOME: folder }, interactive: true, terminal };
    const { events, view } = foretell.predict({ ...request, signal: new AbortController().signal });
    const seen: PredictionEvent[] = [];
    for await (const event of events) seen.push(event);
    await view.close();
    return seen;
  };
  const slow = await predictIn("n=0; while ((n < 1000000)); do ((n++)); done\nalias list='ls -1'\n");
  const told = slow.findIndex(
    (event) => event.type === 'progress' && /^reading the start files of bash/.test(event.text),
  );
  const started = slow.findIndex(({ type }) => type === 'program');
  assert.ok(told >= 0 && told < started, JSON.stringify(slow.map(({ type }) => type)));
  assert.ok(slow.some((event) => event.type === 'output' && event.text?.includes('a.txt')));
  assert.equal(slow.at(-1)?.type, 'done');
  const ending = (await predictIn("alias list='ls -1'\nexit 0\n")).at(-1);
  assert.deepEqual(ending?.type === 'abstained' && ending.doubt, { kind: 'startUnread', shell: 'bash' });
});

test('an alias that leads to a function of the prompt is never rehearsed without it', { skip: hasZsh }, async () => {
  for (const [shell, more] of [
    ['bash', { aliases: new Map([['list', 'ls -1']]) }],
    ['zsh', { globalAliases: new Map([['UP', '| upper']]), suffixAliases: new Map([['txt', 'upper']]) }],
  ] as const) {
    const prompt: PromptShell = {
      startedWith,
      ...more,
      aliases: new Map([...(asStarted.aliases ?? []), ['main', 'echo "$(branch)"'], ['last', 'true; main']]),
      functions: new Set(['shown', 'branch', 'upper']),
    };
    const cases = [
      ['main', 'branch'],
      ['cd . && last', 'branch'],
      ...(shell === 'zsh'
        ? ([
            ['echo a UP', 'upper'],
            ['notes.txt', 'upper'],
          ] as const)
        : []),
    ] as const;
    for (const [script, name] of cases) {
      const prediction = await predict(script, prompt, {}, shell);
      assert.deepEqual(prediction.doubt, { kind: 'promptDefinition', name, is: 'function' }, `${shell}: ${script}`);
      assert.notEqual(prediction.verdict.level, 'safe');
    }
    const other = await predict('list tools; echo main', prompt, {}, shell);
    assert.equal(other.ending, 'done', other.endingReason);
  }
});

/** Those that are not of the shell that is started for the test. */
const setBy = (options: ReadonlyMap<string, boolean> | undefined) =>
  [...(options ?? [])]
    .filter(([name]) => !['hashdirs', 'rcs'].includes(name))
    .map(([name, isOn]) => `${name} ${isOn ? 'on' : 'off'}`)
    .sort();

test('a zsh that is asked tells what it calls by other names', { skip: hasZsh }, async () => {
  const answers = createShellAnswers();
  try {
    const file = await answers.prepare(1);
    const hook = (lineEditors['zsh']?.hook(file) ?? '').replaceAll(/^(?:zle|for) .*$/gm, '');
    const given =
      "setopt ksharrays nullglob noclobber; alias tidy='rm -rf é'; alias -g UP='| tr a-z A-Z'; alias -s txt='less -R'; sweep() { :; }";
    spawnSync('zsh', ['-f', '-c', `${given}\n${hook}\nPREBUFFER= BUFFER='tidy docs' __foretell_line`]);
    const answer = await answers.take(file, 5_000);
    assert.equal(answer?.line.toString(), 'tidy docs');
    const { aliases, globalAliases, suffixAliases, functions, options } = answer?.state ?? {};
    assert.equal(aliases?.get('tidy'), 'rm -rf é');
    assert.deepEqual([...(globalAliases ?? [])], [['UP', '| tr a-z A-Z']]);
    assert.deepEqual([...(suffixAliases ?? [])], [['txt', 'less -R']]);
    assert.deepEqual([...(functions ?? [])], ['sweep']);
    assert.deepEqual(setBy(options), ['clobber off', 'ksharrays on', 'nullglob on']);
  } finally {
    await answers.dispose();
  }
});

test('a name that means something else at the prompt is never rehearsed as if it did not', async () => {
  const cases: readonly [string, PromptShell, 'alias' | 'function'][] = [
    ['ls', { ...asStarted, functions: new Set(['shown', 'ls']) }, 'function'],
    ['shown', { ...asStarted, functions: new Set() }, 'function'],
  ];
  for (const [name, promptShell, is] of cases) {
    const prediction = await predict(`cd tools && ${name}`, promptShell);
    assert.equal(prediction.ending, 'abstained', name);
    assert.deepEqual(prediction.doubt, { kind: 'promptDefinition', name, is });
    assert.notEqual(prediction.verdict.level, 'safe');
    const elsewhere = await predict(`echo ${name}`, promptShell);
    assert.equal(elsewhere.ending, 'done', elsewhere.endingReason);
  }
});

test('a shell that could not be seen is named', async () => {
  const prediction = await predict('true', 'unseen');
  assert.deepEqual(prediction.noticed, [{ kind: 'promptUnseen', shell: 'bash' }]);
  assert.equal(prediction.ending, 'done');
});

test('a name that nobody has but perhaps a shell that could not be seen is not said to be unknown', async () => {
  for (const shell of ['bash', 'zsh', ...(hasFish ? [] : (['fish'] as const))] as const)
    for (const script of ['sweep docs', 'ls tools; sweep docs; true', 'false; sweep docs']) {
      const prediction = await predict(script, 'unseen', {}, shell);
      assert.equal(prediction.ending, 'abstained', `${shell}: ${script}`);
      assert.deepEqual(prediction.doubt, { kind: 'promptName', name: 'sweep' });
      assert.notEqual(prediction.verdict.level, 'safe');
    }
  for (const script of [
    'list tools',
    'shown; ls',
    'cd tools && ls',
    'f() { ls; }; f',
    'shopt -s nullglob; echo none*',
    'false',
  ])
    assert.equal((await predict(script, 'unseen')).ending, 'done', script);
  assert.equal((await predict('sweep docs', asStarted)).ending, 'done');
});

/** A shell that has run `script` and waits. */
async function waiting(argv: readonly string[], script: string): Promise<ChildProcess> {
  const [program = '', ...options] = argv;
  const env = { ...startedWith, KEPT: 'as it was', GONE: 'x' };
  const shell = spawn(program, [...options, '-c', `${script}\necho ready\nread -r line`], { env });
  await once(shell.stdout, 'data');
  return shell;
}

const definitions = [
  'export KEPT GONE WORD="a  b é" LONG=$(printf "%05000d" 7) EMPTY= UNSET_ONE',
  'unset GONE; PLAIN=not-exported; cd /usr',
  "alias tidy='rm -rf é'; sweep() { rm -rf x; }",
].join('\n');

for (const [name, ...argv] of [
  ['bash', 'bash', '--norc', '-O', 'expand_aliases'],
  ['zsh', 'zsh', '-f'],
] as const) {
  const skip = spawnSync(name, ['--version']).error ? `${name} is not installed` : false;
  test(`what ${name} has is read from outside as a program that it starts would get it`, { skip }, async () => {
    const others =
      name === 'zsh'
        ? "alias -g UP='| tr a-z A-Z'; alias -s txt='less -R'; setopt extendedglob null_glob autocd; unsetopt clobber"
        : 'shopt -s nullglob; shopt -u sourcepath; set -o noclobber';
    const shell = await waiting(argv, `${definitions}\n${others}\n`);
    try {
      const state = await stateInMemory(shell.pid ?? 0, name);
      const real = spawnSync(argv[0] ?? '', [...argv.slice(1), '-c', `${definitions}\nenv -0; true`], {
        env: { ...startedWith, KEPT: 'as it was', GONE: 'x' },
        encoding: 'utf8',
      }).stdout.split('\0');
      const exported = real.filter((entry) => entry !== '' && !entry.startsWith('_=')).sort();
      const { env = {}, aliases, functions } = state ?? {};
      const seen = Object.entries(env).map(([key, value]) => `${key}=${value}`);
      assert.deepEqual(seen.filter((entry) => !entry.startsWith('_=')).sort(), exported);
      assert.equal(aliases?.get('tidy'), 'rm -rf é');
      assert.ok(functions?.has('sweep'));
      if (name === 'zsh') {
        assert.deepEqual([...(state?.globalAliases ?? [])], [['UP', '| tr a-z A-Z']]);
        assert.deepEqual([...(state?.suffixAliases ?? [])], [['txt', 'less -R']]);
        const set = ['autocd on', 'clobber off', 'extendedglob on', 'nullglob on'];
        assert.deepEqual(setBy(state?.options), set);
      } else {
        for (const option of ['nullglob', 'noclobber', 'braceexpand']) assert.ok(state?.options?.get(option), option);
        for (const option of ['sourcepath', 'dotglob', 'nounset']) assert.ok(!state?.options?.has(option), option);
      }
    } finally {
      shell.kill();
    }
  });
}
