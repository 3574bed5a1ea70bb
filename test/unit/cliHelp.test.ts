import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { runBench } from '../../src/cli/bench/bench.ts';
import type { BenchProcess } from '../../src/cli/bench/benchProcess.ts';
import { runConsent } from '../../src/cli/consent.ts';
import { type Flags, optionsText } from '../../src/cli/helpText.ts';
import { runLoop } from '../../src/cli/loop/loop.ts';
import { readOptions, usage } from '../../src/cli/options.ts';
import { readArguments } from '../../src/cli/readArguments.ts';
import { runTrajectory } from '../../src/cli/trajectory.ts';
import { isWordName } from '../../src/cli/wordNames.ts';

/** The help of the command line is made of the options that are read: none can be missing in it. */

const said: string[] = [];
const around: BenchProcess = {
  extensionFolder: path.resolve('.'),
  cwd: '/',
  foretell: () => assert.fail('nothing may be predicted'),
  say: async (text) => void said.push(text),
  tell: (line) => void said.push(line),
  progress: () => {},
  signal: new AbortController().signal,
};

/** What a word of the command line says, on either stream. */
async function saidBy(word: string, args: string[]): Promise<string> {
  said.length = 0;
  const [first = '', ...rest] = word.split(' ');
  if (first === '') {
    const read = readOptions(args, '/');
    return 'problem' in read ? read.problem : read.command === 'help' ? usage : '';
  }
  if (first === 'consent') await runConsent(args, { ...around, env: {} });
  else if (first === 'trajectory') await runTrajectory(args, around);
  else if (first === 'bench') await runBench([...rest, ...args], around);
  else await runLoop([first, ...args], around);
  return said.join('\n');
}

/** Long names of the options that a help names at the beginning of a line. */
const namesIn = (help: string) => [...help.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)/gm)].map(([, name = '']) => name);

const benchWords = (await saidBy('bench', ['--help'])).matchAll(/^ {2}(\w+) {2,}/gm);
const words = [
  '',
  'consent',
  'trajectory',
  'agent',
  'serve',
  'world',
  ...[...benchWords].map(([, name]) => `bench ${name}`),
];
const declared = fs
  .readdirSync('src/cli', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => [
    ...fs.readFileSync(path.join('src/cli', file), 'utf8').matchAll(/'?([a-z-]+)'?: \{\s*type: '(?:string|boolean)'/g),
  ])
  .map(([, name = '']) => name);

describe('help of the command line', () => {
  test('there are words and options to look at', () => {
    assert.equal(words.length, 16);
    assert.ok(new Set(declared).size > 60, `${declared}`);
  });

  for (const word of words)
    test(`foretell ${word}: its help names just the options that it takes`, async () => {
      const named = namesIn(await saidBy(word, ['--help']));
      assert.equal(new Set(named).size, named.length, 'each once');
      for (const name of new Set([...declared, ...named])) {
        // What follows is always wrong, so that nothing is run.
        const problem = await saidBy(word, [`--${name}`, '--no-such-option']);
        assert.match(problem, /takes a value|There is no option --/, name);
        assert.equal(!problem.includes(`There is no option --${name};`), named.includes(name), `--${name}: ${problem}`);
      }
    });

  test('an option without help, or without a word for its value, cannot be declared', () => {
    // @ts-expect-error: it has no help
    readArguments([], { bare: { type: 'boolean' } }, { word: 'foretell' });
    // @ts-expect-error: nothing says what stands behind it
    readArguments([], { bare: { type: 'string', help: 'something' } }, { word: 'foretell' });
    // @ts-expect-error: it has no help
    const flags: Flags = { bare: { type: 'string', value: 'X' } };
    assert.ok(flags);
  });

  test('columns, long labels and long texts', () => {
    const long = 'a word and another '.repeat(8).trim();
    const text = optionsText({
      Options: {
        out: { type: 'string', short: 'o', value: 'DIR', help: 'where it goes' },
        json: { type: 'boolean', help: long },
      },
      Others: { 'a-very-long-name': { type: 'string', value: 'IN,OUT[,MORE]', help: 'last' } },
    });
    assert.deepEqual(text.split('\n'), [
      'Options',
      '  -o, --out DIR  where it goes',
      `  --json         ${long.slice(0, 101)}`,
      `${' '.repeat(17)}${long.slice(102)}`,
      '',
      'Others',
      '  --a-very-long-name IN,OUT[,MORE]',
      `${' '.repeat(17)}last`,
      '',
    ]);
  });
});

test('every word of the help is one', () => {
  const predicts = ['edit', 'compare', 'tool-result', 'batch', 'mcp', 'status'];
  const named = [...usage.matchAll(/^ +foretell ([a-z][a-z-]*)/gm)].map(([, word]) => word ?? '');
  assert.ok(named.length > 15);
  for (const word of named) assert.ok(isWordName(word) !== predicts.includes(word), word);
});
