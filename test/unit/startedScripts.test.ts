import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lookThrough } from '../../src/core/programs/lookThrough.ts';

/** What Composer and Deno would start, by the files of a project. */

const env = { PATH: '/usr/bin', HOME: '/home/me' };

function project(files: Record<string, string>, given: Record<string, string> = env) {
  return (command: string | string[], cwd = '/w') =>
    lookThrough(
      { argv: typeof command === 'string' ? command.split(' ') : command, cwd, env: given },
      async (path) => files[path],
      async (path) => files[path] !== undefined,
    );
}

type Looked = Awaited<ReturnType<ReturnType<typeof project>>>;

const scripts = (result: Looked) => {
  assert.ok(result?.ok, JSON.stringify(result));
  return result.steps.map(({ shellScript }) => shellScript);
};

const reason = (result: Looked) => {
  assert.ok(result && !result.ok, JSON.stringify(result));
  return result.reason;
};

const composer = project({
  '/w/composer.json': JSON.stringify({
    config: { 'vendor-dir': 'lib' },
    scripts: {
      test: 'phpunit --colors',
      clean: ['rm -rf var', '@php bin/console cache:clear', '@composer dump-autoload'],
      all: ['@clean', '@test --fast', 'echo done @no_additional_args'],
      between: 'tool @additional_args end',
      set: ['@putenv APP_ENV=test', 'env'],
      unset: ['@putenv APP_ENV', 'env'],
      ours: 'App\\Scripts::clean',
      round: ['@again'],
      again: '@round',
      install: 'echo never',
      missing: '@nowhere',
    },
  }),
  '/broken/composer.json': '{',
});

test('composer run starts each call of a script, one after the other', async () => {
  for (const command of ['composer run-script clean', 'composer run clean', 'composer clean', 'composer -n clean'])
    assert.deepEqual(scripts(await composer(command)), [
      'rm -rf var',
      'php bin/console cache:clear',
      'composer dump-autoload',
    ]);
  const result = await composer('composer clean -d /w', '/elsewhere');
  assert.ok(result?.ok && !result.exact);
  const [step] = result.steps;
  assert.deepEqual([step?.cwd, step?.env['PATH']], ['/w', '/w/lib/bin:/usr/bin']);
  assert.deepEqual(step?.label, { kind: 'script', name: 'clean', words: 'rm -rf var' });
});

test('scripts of Composer refer to others, take arguments and set variables', async () => {
  assert.deepEqual(scripts(await composer(['composer', 'test', '--', '--filter', 'a b'])), [
    "phpunit --colors --filter 'a b'",
  ]);
  assert.deepEqual(scripts(await composer('composer all -- x')), [
    'rm -rf var x',
    'php bin/console cache:clear x',
    'composer dump-autoload x',
    'phpunit --colors --fast x',
    'echo done',
  ]);
  assert.deepEqual(scripts(await composer('composer between a')), ['tool a end']);
  const set = await composer('composer set');
  assert.deepEqual(scripts(set), ['env']);
  assert.ok(set?.ok && set.steps[0]?.env['APP_ENV'] === 'test');
});

test('what Composer would do otherwise is told, not guessed', async () => {
  for (const [command, cwd, words] of [
    ['composer run', '/w', /list the scripts/],
    ['composer run nope', '/w', /no script nope/],
    ['composer run test', '/none', /no \/none\/composer.json/],
    ['composer run test', '/broken', /not readable/],
    ['composer run ours', '/w', /own process/],
    ['composer run round', '/w', /calls itself/],
    ['composer run missing', '/w', /nowhere/],
    ['composer run unset', '/w', /remove a variable/],
    ['composer run test --strange', '/w', /--strange/],
  ] as const)
    assert.match(reason(await composer(command, cwd)), words, command);
  for (const command of ['composer install', 'composer', 'composer nope', 'composer require x'])
    assert.equal(await composer(command), undefined, command);
});

test('composer as the kernel starts it: php with the path of composer', async () => {
  for (const command of [
    'php /usr/local/bin/composer test',
    'php8.3 /usr/bin/composer.phar test',
    'php composer.phar test',
  ])
    assert.deepEqual(scripts(await composer(command)), ['phpunit --colors'], command);
  assert.equal(await composer('php composer test'), undefined);
  assert.equal(await composer('node /usr/bin/composer test'), undefined);
});

const deno = project({
  '/w/deno.jsonc': `{
    // what this project can do
    "tasks": {
      "clean": "rm -rf dist", /* generated */
      "build": { "command": "deno run -A build.ts", "dependencies": ["clean", "types"], },
      "types": { "description": "checks", "command": "deno check main.ts", "dependencies": ["clean"] },
      "every": { "dependencies": ["clean"] },
      "round": { "command": "ls", "dependencies": ["round"] },
      "lost": { "command": "ls", "dependencies": ["nowhere"] },
    },
  }`,
  '/w/package.json': '{"scripts":{"prelint":"echo pre","lint":"eslint .","clean":"never"}}',
  '/broken/deno.json': '{"tasks": {',
  '/bare/package.json': '{"scripts":{"go":"ls"}}',
});

test('deno task starts a task behind what it depends on, in the folder of its file', async () => {
  const result = await deno('deno task clean', '/w/src/deep');
  assert.deepEqual(scripts(result), ['rm -rf dist']);
  assert.ok(result?.ok && !result.exact);
  const [step] = result.steps;
  assert.deepEqual([step?.cwd, step?.env['INIT_CWD']], ['/w', '/w/src/deep']);
  assert.deepEqual(step?.label, { kind: 'script', name: 'clean', words: 'rm -rf dist' });
  assert.deepEqual(scripts(await deno(['deno', '-q', 'task', 'build', '--watch', 'a b'])), [
    'rm -rf dist',
    'deno check main.ts',
    "deno run -A build.ts --watch 'a b'",
  ]);
  assert.deepEqual(scripts(await deno('deno task every')), ['rm -rf dist']);
  assert.deepEqual(scripts(await deno('deno task --config=/w/deno.jsonc clean', '/')), ['rm -rf dist']);
  const elsewhere = await deno('deno task --cwd /w/src clean', '/');
  assert.ok(elsewhere?.ok && elsewhere.steps[0]?.cwd === '/w/src');
});

test('deno task runs scripts of package.json with those around them', async () => {
  assert.deepEqual(scripts(await deno('deno task lint')), ['echo pre', 'eslint .']);
  assert.deepEqual(scripts(await deno('deno task go', '/bare')), ['ls']);
});

test('what Deno would do otherwise is told, not guessed', async () => {
  for (const [command, cwd, words] of [
    ['deno task', '/w', /list the tasks/],
    ['deno task nope', '/w', /no task nope/],
    ['deno task clean', '/none', /no deno.json/],
    ['deno task clean', '/broken', /not readable/],
    ['deno task --config x.json clean', '/w', /no \/w\/x.json/],
    ['deno task round', '/w', /depends on itself/],
    ['deno task lost', '/w', /nowhere/],
    ['deno task --recursive clean', '/w', /--recursive/],
    ['deno task b*', '/w', /every task/],
  ] as const)
    assert.match(reason(await deno(command, cwd)), words, command);
  for (const command of ['deno run a.ts', 'deno test', 'deno']) assert.equal(await deno(command), undefined, command);
});
