import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProgramLabel } from '../../src/core/facts/programLabel.ts';
import { programLabels } from '../../src/core/programs/programLabels.ts';
import { programText, wholeProgramText } from '../../src/core/words/programText.ts';
import { callText, shownPrograms } from '../../src/core/words/shownPrograms.ts';

const script = (name: string, words: string): ProgramLabel => ({ kind: 'script', name, words });

test('a program is said as a person would say it', () => {
  const sh = ['sh', '-c', 'tsc -p .'];
  assert.equal(programText({ argv: sh, label: script('build', 'tsc -p .') }), 'build: tsc -p .');
  assert.equal(programText({ argv: sh, label: { kind: 'line', by: 'make', words: 'tsc -p .' } }), 'tsc -p .');
  assert.equal(
    programText({ argv: ['.git/hooks/pre-commit'], label: { kind: 'hook', name: 'pre-commit' } }),
    'hook: pre-commit',
  );
  assert.equal(
    programText({ argv: ['rm', 'a b'], label: { kind: 'startedBy', by: 'sudo', asUser: 'root' } }),
    "rm 'a b'",
  );
  const real: ProgramLabel = { kind: 'behindShim', by: 'pyenv', argv: ['python3', 'x.py'] };
  assert.equal(
    programText({ argv: ['/home/me/.pyenv/versions/3.12/bin/python3', 'x.py'], label: real }),
    'python3 x.py',
  );
});

test('long arguments and many of them are shortened with their count; the whole text has them all', () => {
  const many = ['rm', ...Array.from({ length: 5000 }, (_, index) => `f${index}`)];
  assert.match(programText({ argv: many }), /^rm f0 f1 .* … and 4,985 more arguments$/);
  assert.ok(programText({ argv: many }).length < 250);
  assert.match(wholeProgramText({ argv: many }), /f4999$/);
  const code = `import os\n${'print(1)\n'.repeat(39)}`;
  assert.equal(programText({ argv: ['python3', '-c', code] }), "python3 -c 'import os'… (40 lines)");
  assert.equal(programText({ argv: ['echo', 'x'.repeat(5000), 'y'] }), `echo ${'x'.repeat(80)}… (5,000 characters) y`);
  assert.equal(programText({ argv: ['sh'], label: script('build', 'a\nb') }), 'build: a… (2 lines)');
  const variables = Array.from({ length: 40 }, (_, index) => `A${index}=${index}`);
  const env = ['env', ...variables, 'rm', '-rf', 'x'];
  assert.equal(programText({ argv: env }), 'env A0=0 A1=1 … (38 more variables) rm -rf x');
  assert.ok(wholeProgramText({ argv: env }).includes('A39=39'));
});

test('no argument can draw a second line, hide itself or turn the text round', () => {
  for (const word of ['a\nb', 'a\u001b[2Jb', 'a\u202eb', 'a\u2066b', 'a\rb', 'a\u0085b', 'a\u200bb']) {
    for (const argv of [
      ['rm', word],
      ['rm', word.repeat(200)],
    ]) {
      for (const label of [undefined, script(word, word), { kind: 'line', by: 'make', words: word } as const]) {
        for (const text of [programText({ argv, label }), wholeProgramText({ argv, label })])
          assert.doesNotMatch(
            text,
            /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069]/,
            JSON.stringify(text),
          );
      }
    }
  }
});

/** Labels of programs given as `[parent, words, cwd]`, in the order of their start. */
function labels(programs: readonly (readonly [number, string[], string?])[]) {
  const all = programs.map(([parent, argv, cwd = '/w'], index) => ({
    ...{ id: index + 1, argv, cwd },
    ...(parent === 0 ? {} : { parent }),
  }));
  const found = programLabels(all);
  return all.map((program) => found.get(program));
}

test('what a program hands to a shell is its line; what a person asked a shell for is not', () => {
  assert.deepEqual(
    labels([
      [0, ['awk', 'x']],
      [1, ['sh', '-c', 'rm x']],
    ])[1],
    { kind: 'line', by: 'awk', words: 'rm x' },
  );
  assert.deepEqual(
    labels([
      [0, ['make']],
      [1, ['/bin/sh', '-c', 'cd a && rm x']],
    ])[1],
    {
      ...{ kind: 'line', by: 'make', words: 'cd a && rm x' },
    },
  );
  const found = labels([
    [0, ['find', '.', '-exec', 'sh', '-c', 'rm {}', ';']],
    [1, ['sh', '-c', 'rm ./a']],
  ]);
  assert.deepEqual(found[1], { kind: 'startedBy', by: 'find' });
  assert.deepEqual(
    labels([
      [0, ['xargs', 'rm']],
      [1, ['rm', 'a']],
    ])[1],
    { kind: 'startedBy', by: 'xargs' },
  );
  assert.deepEqual(
    labels([
      [0, ['bash', 'x.sh']],
      [1, ['sh', '-c', 'rm x']],
    ]),
    [undefined, undefined],
  );
});

test('a hook of git is one only where git starts it', () => {
  assert.deepEqual(
    labels([
      [0, ['git', 'commit']],
      [1, ['.husky/pre-commit']],
    ])[1],
    { kind: 'hook', name: 'pre-commit' },
  );
  assert.deepEqual(
    labels([
      [0, ['git', 'push']],
      [1, ['/bin/sh', '.git/hooks/pre-push', 'origin']],
    ])[1],
    {
      ...{ kind: 'hook', name: 'pre-push' },
    },
  );
  assert.deepEqual(labels([[0, ['./pre-commit']]]), [undefined]);
});

test('what a version manager does to find a program is no program of the user, and the program keeps its name', () => {
  const home = '/home/me/.pyenv';
  const programs = [
    [0, ['python3', 'x.py']],
    [1, [`${home}/libexec/pyenv`, 'exec', 'python3', 'x.py']],
    [0, ['/usr/bin/readlink', 'pyenv'], `${home}/bin`],
    [2, [`${home}/libexec/pyenv-exec`, 'python3', 'x.py']],
    [4, ['pyenv-which', 'python3']],
    [0, ['pyenv-prefix', '3.12']],
    [4, [`${home}/versions/3.12/bin/python3`, 'x.py']],
    [7, ['rm', '-rf', 'dist']],
    [0, ['readlink', 'mine']],
  ] as const;
  const found = labels(programs.map(([parent, argv, cwd]) => [parent, [...argv], cwd] as const));
  assert.deepEqual(
    found.map((label) => label?.kind),
    ['shim', 'shim', 'shim', 'shim', 'shim', 'shim', 'behindShim', undefined, undefined],
  );
  assert.deepEqual(found[6], { kind: 'behindShim', by: 'pyenv', argv: ['python3', 'x.py'] });
});

test('a script whose interpreter has a stand-in is told as it was called', () => {
  const home = '/home/me/.asdf';
  const kindsOf = (programs: readonly (readonly [number, readonly string[]])[]) =>
    labels(programs.map(([parent, argv]) => [parent, [...argv], '/w'] as const));
  const tool = kindsOf([
    [0, ['node_modules/.bin/tsc', '-p', '.']],
    [1, ['bash', `${home}/shims/node`, 'node_modules/.bin/tsc', '-p', '.']],
    [2, [`${home}/bin/asdf`, 'exec', 'node', 'node_modules/.bin/tsc', '-p', '.']],
    [3, ['uname', '-s']],
    [3, [`${home}/installs/nodejs/20/bin/node`, 'node_modules/.bin/tsc', '-p', '.']],
    [5, ['rm', 'a']],
  ]);
  const kinds = (labelled: typeof tool) => labelled.map((label) => label?.kind);
  assert.deepEqual(kinds(tool), ['shim', 'shim', 'shim', 'shim', 'behindShim', undefined]);
  assert.deepEqual(tool[4], { kind: 'behindShim', by: 'asdf', argv: ['node_modules/.bin/tsc', '-p', '.'] });
  // The script is found by a stand-in of its own, and what it starts has one again.
  const twice = kindsOf([
    [0, ['yarn', 'build']],
    [1, [`${home}/bin/asdf`, 'exec', 'yarn', 'build']],
    [2, [`${home}/installs/nodejs/20/bin/yarn`, 'build']],
    [3, ['bash', `${home}/shims/node`, `${home}/installs/nodejs/20/bin/yarn`, 'build']],
    [4, [`${home}/bin/asdf`, 'exec', 'node', `${home}/installs/nodejs/20/bin/yarn`, 'build']],
    [5, ['yarn', 'build']],
    [6, ['tsc']],
    [7, ['bash', `${home}/shims/node`, '/w/node_modules/.bin/tsc']],
    [8, [`${home}/bin/asdf`, 'exec', 'node', '/w/node_modules/.bin/tsc']],
    [9, [`${home}/installs/nodejs/20/bin/node`, '/w/node_modules/.bin/tsc']],
  ]);
  const five = Array.from({ length: 5 }, () => 'shim');
  assert.deepEqual(kinds(twice), [...five, 'behindShim', 'shim', 'shim', 'shim', 'behindShim']);
  assert.deepEqual(
    [twice[5], twice[9]],
    [
      { kind: 'behindShim', by: 'asdf', argv: ['yarn', 'build'] },
      { kind: 'behindShim', by: 'asdf', argv: ['tsc'] },
    ],
  );
});

test('the upkeep of a version manager is one call, and not its forty steps', () => {
  const home = '/home/me/.pyenv';
  const programs = [
    [0, ['bash', '-l']],
    [1, ['pyenv', 'init', '-']],
    [0, ['/usr/bin/readlink', 'pyenv'], `${home}/libexec`],
    [2, [`${home}/libexec/pyenv-init`, '-']],
    [4, ['mkdir', '-p', `${home}/shims`]],
    [0, ['readlink', 'pyenv'], `${home}/libexec`],
    [1, ['pyenv', 'install', '3.12']],
    [7, ['curl', 'https://example.org']],
    [1, ['rm', '-rf', 'dist']],
  ] as const;
  const found = labels(programs.map(([parent, argv, cwd]) => [parent, [...argv], cwd] as const));
  const kinds = found.map((label) => label?.kind);
  const none = undefined;
  assert.deepEqual(kinds, [none, none, 'shim', 'shim', 'shim', 'shim', none, none, none]);
});

test('a stopped program is shown, whoever started it', () => {
  const all = [
    { id: 1, argv: ['node', 'x'], cwd: '/w' },
    { id: 2, parent: 1, argv: ['/h/.asdf/bin/asdf', 'exec', 'node', 'x'], cwd: '/w' },
    { id: 3, parent: 2, argv: ['asdf-secret'], cwd: '/w', gate: { kind: 'notInert' as const } },
  ];
  const labelled = [...programLabels(all).keys()].map(({ id }) => id);
  assert.ok(labelled.includes(2) && !labelled.includes(3));
});

test('the list leaves out what nobody asked for, and keeps what stands beneath it', () => {
  const shim: ProgramLabel = { kind: 'shim', by: 'pyenv' };
  const shown = shownPrograms([
    { id: 1, argv: ['make'] },
    { id: 2, parent: 1, argv: ['python3'], label: shim },
    { id: 3, parent: 2, argv: ['pyenv', 'exec'], label: shim },
    { id: 4, parent: 3, argv: ['/v/python3'], label: { kind: 'behindShim', by: 'pyenv', argv: ['python3'] } },
    { id: 5, parent: 1, argv: ['sh', '-c', 'rm -rf x'], label: { kind: 'line', by: 'make', words: 'rm -rf x' } },
    { id: 6, parent: 5, argv: ['rm', '-rf', 'x'] },
    {
      id: 7,
      parent: 1,
      argv: ['sh', '-c', 'rm a && rm b'],
      label: { kind: 'line', by: 'make', words: 'rm a && rm b' },
    },
    { id: 8, parent: 7, argv: ['rm', 'a'] },
  ]);
  assert.deepEqual(
    shown.map(({ id, parent }) => [id, parent]),
    [
      [1, undefined],
      [4, 1],
      [6, 1],
      [7, 1],
      [8, 7],
    ],
  );
});

test('a call is said by the program that has its arguments, unless two would say it differently', () => {
  const argv = ['sh', '-c', 'rm x'];
  assert.equal(callText(argv, [{ argv, label: script('clean', 'rm x') }]), 'clean: rm x');
  assert.equal(
    callText(argv, [
      { argv, label: script('a', 'rm x') },
      { argv, label: script('b', 'rm x') },
    ]),
    "sh -c 'rm x'",
  );
  assert.equal(callText(['ls'], []), 'ls');
});
