import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asOneProgram, lookThrough } from '../../src/core/programs/lookThrough.ts';
import { escapeArgument } from '../../src/core/programs/packageScripts.ts';
import { startedBy } from '../../src/core/programs/startedBy.ts';
import type { LookThrough } from '../../src/core/programs/startedStep.ts';

const manifest = JSON.stringify({
  name: 'x-y',
  version: '1.2.3',
  workspaces: ['packages/*'],
  engines: { node: '>=20' },
  scripts: {
    prebuild: 'echo pre',
    build: 'tsc -p .',
    postbuild: 'echo post',
    lines: 'echo 1\necho 2',
    test: 'node --test',
    shows: 'env | sort',
  },
});
const files: Record<string, string> = {
  '/w/package.json': manifest,
  '/w/packages/lib/package.json': JSON.stringify({ name: '@x/lib', version: '0.1.0', scripts: { test: 'jest' } }),
  '/w/node_modules/.bin/tsc': '#!/usr/bin/env node',
  '/bare/package.json': JSON.stringify({ scripts: { go: 'ls' } }),
  '/broken/package.json': '{',
  '/v/package.json': JSON.stringify({ name: 'v', version: 'v1.0', scripts: { go: 'ls' } }),
  '/v/installed/node_modules/.package-lock.json': '{}',
  '/quiet/package.json': manifest,
  '/quiet/.npmrc': 'loglevel=silent\nignore-scripts = true\n',
};
const env = { PATH: '/usr/bin', USER: 'me', HOME: '/home/me' };
const look = (command: string | string[], cwd = '/w', given: Record<string, string> = env) =>
  lookThrough(
    { argv: typeof command === 'string' ? command.split(' ') : command, cwd, env: given },
    async (path) => files[path],
    async (path) => files[path] !== undefined,
  );

function steps(result: LookThrough | undefined) {
  assert.ok(result?.ok, JSON.stringify(result));
  return result.steps;
}

test('npm run starts pre, script and post with the banner that npm prints', async () => {
  const found = steps(await look('npm run build', '/w/src'));
  assert.deepEqual(
    found.map((step) => [step.shellScript, step.cwd, step.printed?.stdout]),
    [
      ['echo pre', '/w', '\n> x-y@1.2.3 prebuild\n> echo pre\n\n'],
      ['tsc -p .', '/w', '\n> x-y@1.2.3 build\n> tsc -p .\n\n'],
      ['echo post', '/w', '\n> x-y@1.2.3 postbuild\n> echo post\n\n'],
    ],
  );
  const step = found[1];
  assert.equal(step?.env['PATH'], '/w/node_modules/.bin:/node_modules/.bin:/usr/bin');
  assert.equal(step?.env['npm_lifecycle_event'], 'build');
  assert.equal(step?.env['npm_lifecycle_script'], 'tsc -p .');
  assert.equal(step?.env['npm_package_name'], 'x-y');
  assert.equal(step?.env['npm_package_engines_node'], '>=20');
  assert.equal(step?.env['npm_package_json'], '/w/package.json');
  assert.equal(step?.env['INIT_CWD'], '/w/src');
});

test('further arguments are quoted for the shell and shown as they are in the banner', async () => {
  const [, step] = steps(await look(['npm', 'run', 'build', '--', '--watch', "it's", 'a b', '']));
  assert.equal(step?.shellScript, "tsc -p . --watch 'it'\\''s' 'a b' ''");
  assert.equal(step?.printed?.stdout, "\n> x-y@1.2.3 build\n> tsc -p . --watch it's a b \n\n");
  assert.equal(step?.env['npm_lifecycle_script'], 'tsc -p .');
  const [first] = steps(await look('npm test a.test.js'));
  assert.equal(first?.shellScript, 'node --test a.test.js');
});

test('quoting of arguments is that of @npmcli/promise-spawn', () => {
  // Recorded from @npmcli/promise-spawn 8.
  const cases = [
    ["'", "\\'"],
    ["'a", "\\''a'"],
    ["it's", "'it'\\''s'"],
    ['a', 'a'],
    ['$x', "'$x'"],
    ['a*', "'a*'"],
    ['--x=1', '--x=1'],
    ['a!', 'a!'],
    ['', "''"],
  ] as const;
  for (const [input, output] of cases) assert.equal(escapeArgument(input), output);
});

test('several lines of a script are all shown behind the mark', async () => {
  const [step] = steps(await look('npm run lines'));
  assert.equal(step?.printed?.stdout, '\n> x-y@1.2.3 lines\n> echo 1\n> echo 2\n\n');
});

test('a package without name or version has a shorter banner', async () => {
  const [step] = steps(await look('npm run go', '/bare'));
  assert.equal(step?.printed?.stdout, '\n> go\n> ls\n\n');
});

test('the version is shown as it is written, and a directory with installed packages is a root of its own', async () => {
  const [step] = steps(await look('npm run go', '/v/other'));
  assert.equal(step?.printed?.stdout, '\n> v@v1.0 go\n> ls\n\n');
  const installed = await look('npm run go', '/v/installed');
  assert.ok(installed && !installed.ok);
});

test('options of npm are obeyed: silent, ignore-scripts, prefix, workspace, .npmrc', async () => {
  const silent = steps(await look('npm run -s --ignore-scripts build'));
  assert.deepEqual(
    silent.map((step) => [step.shellScript, step.printed]),
    [['tsc -p .', undefined]],
  );
  assert.equal(steps(await look('npm --prefix /w run lines', '/elsewhere'))[0]?.cwd, '/w');
  const workspace = steps(await look('npm test -w @x/lib'));
  assert.deepEqual(
    workspace.map((step) => [step.shellScript, step.cwd]),
    [['jest', '/w/packages/lib']],
  );
  const quiet = steps(await look('npm run build', '/quiet'));
  assert.deepEqual(
    quiet.map((step) => [step.shellScript, step.printed]),
    [['tsc -p .', undefined]],
  );
});

test('npm as the kernel starts it: node with the path of npm', async () => {
  assert.equal(steps(await look('node /usr/bin/npm run lines'))[0]?.shellScript, 'echo 1\necho 2');
  assert.equal(steps(await look('/usr/bin/node /usr/lib/node_modules/npm/bin/npm-cli.js run lines')).length, 1);
  assert.equal(steps(await look('node /usr/bin/npx tsc -v'))[0]?.shellScript, "'tsc' -v");
  assert.equal(await look('node ./npm.js run lines'), undefined);
});

test('a script that shows the environment of npm is not exact', async () => {
  const shows = await look('npm run shows');
  assert.ok(shows?.ok && !shows.exact);
  const lines = await look('npm run lines');
  assert.ok(lines?.ok && lines.exact);
});

test('what npm would do otherwise is told, not guessed', async () => {
  for (const [command, cwd, words] of [
    ['npm run', '/w', /list the scripts/],
    ['npm run nope', '/w', /no script nope/],
    ['npm run build', '/none', /no package.json/],
    ['npm run build', '/broken', /not readable/],
    ['npm run test --workspaces', '/w', /every workspace/],
    ['npm run build --strange', '/w', /--strange/],
    ['npx create-app', '/w', /download/],
    ['npx', '/w', /interactive/],
  ] as const) {
    const result = await look(command, cwd);
    assert.ok(result && !result.ok, command);
    assert.match(result.reason, words);
  }
  assert.equal(await look('npm install'), undefined);
  assert.deepEqual(steps(await look('npm run nope --if-present')), []);
});

test('npx runs an installed tool where it was called, without banner', async () => {
  const [step] = steps(await look(['npx', '--no-install', 'tsc', '-p', 'a b'], '/w/src'));
  assert.equal(step?.shellScript, "'tsc' -p 'a b'");
  assert.equal(step?.cwd, '/w/src');
  assert.equal(step?.printed, undefined);
  assert.match(step?.env['PATH'] ?? '', /^\/w\/node_modules\/\.bin:/);
});

test('yarn, pnpm and bun start the same scripts; their own lines are not known', async () => {
  for (const command of ['yarn lines', 'yarn run lines', 'pnpm run lines', 'pnpm lines', 'bun run lines']) {
    const result = await look(command);
    assert.equal(steps(result)[0]?.shellScript, 'echo 1\necho 2', command);
    assert.ok(result?.ok && !result.exact);
  }
  assert.deepEqual(steps(await look('pnpm exec tsc -v'))[0]?.argv, ['/w/node_modules/.bin/tsc', '-v']);
  for (const command of ['yarn add x', 'pnpm install', 'bun install', 'bun a.ts'])
    assert.equal(await look(command), undefined, command);
  const downloads = await look('bunx cowsay');
  assert.ok(downloads && !downloads.ok);
});

test('sudo: options, variables, user, login shell', async () => {
  const [plain] = steps(await look('sudo -n rm -rf /x'));
  assert.deepEqual(plain?.argv, ['rm', '-rf', '/x']);
  assert.equal(plain?.asRoot, true);
  assert.equal(plain?.env['HOME'], '/root');
  assert.equal(plain?.env['SUDO_USER'], 'me');
  const [variables] = steps(await look('sudo -E A=1 HOME=/h env'));
  assert.deepEqual([variables?.argv, variables?.env['A'], variables?.env['HOME']], [['env'], '1', '/h']);
  const [other] = steps(await look('sudo -u www-data -- ls -u'));
  assert.deepEqual([other?.argv, other?.asRoot, other?.asUser], [['ls', '-u'], undefined, 'www-data']);
  assert.equal(steps(await look('sudo -uroot id'))[0]?.asRoot, true);
  const [login] = steps(await look(['sudo', '-i', 'echo', 'a b']));
  assert.deepEqual([login?.shellScript, login?.cwd], ['echo a\\ b', '/root']);
  for (const command of ['sudo', 'sudo -i', 'sudo -l', 'sudo -e /etc/x', 'sudo -v']) {
    const result = await look(command);
    assert.ok(result && !result.ok, command);
  }
});

test('su, doas, pkexec and the wrappers that only change how a program runs', async () => {
  assert.equal(steps(await look(['su', '-c', 'ls /root']))[0]?.shellScript, 'ls /root');
  assert.equal(steps(await look(['su', 'bob', '-c', 'id']))[0]?.asUser, 'bob');
  assert.equal(steps(await look('doas -u bob id'))[0]?.asUser, 'bob');
  assert.equal(steps(await look('pkexec id'))[0]?.asRoot, true);
  assert.deepEqual(steps(await look('nice -n 5 node a.js'))[0]?.argv, ['node', 'a.js']);
  assert.deepEqual(steps(await look('stdbuf -oL node a.js'))[0]?.argv, ['node', 'a.js']);
  assert.deepEqual(steps(await look('timeout -k 5 10 node a.js'))[0]?.argv, ['node', 'a.js']);
  const [withEnv] = steps(await look('env -C /tmp A=1 B=2 node a.js'));
  assert.deepEqual([withEnv?.argv, withEnv?.env, withEnv?.cwd], [['node', 'a.js'], { A: '1', B: '2' }, '/tmp']);
  const cleared = await look('env -i node');
  assert.ok(cleared && !cleared.ok);
  assert.equal(await look('python3 a.py'), undefined);
});

test('several steps become one program that stops at the first failure', async () => {
  const one = asOneProgram(steps(await look('npm run build')));
  assert.equal(one?.argv[0], 'sh');
  assert.equal(one?.stdout, '\n> x-y@1.2.3 prebuild\n> echo pre\n\n');
  const script = one?.argv[2] ?? '';
  assert.equal(script.split('|| exit $?').length, 4);
  assert.ok(script.indexOf('echo pre') < script.indexOf('> x-y@1.2.3 build\n'));
  const single = asOneProgram(steps(await look('sudo ls')));
  assert.deepEqual(single?.argv, ['ls']);
  assert.equal(asOneProgram([]), undefined);
});

test('one layer of wrapping at a time', () => {
  const inner = (command: string) => {
    const [wrapped] = startedBy(command.split(' '));
    return wrapped?.argv?.join(' ') ?? wrapped?.shellScript;
  };
  assert.equal(inner('xargs -n 1 -I {} rm -rf {}'), 'rm -rf {}');
  assert.equal(inner('find . -name x -exec rm -f {} ;'), 'rm -f {}');
  assert.equal(inner('ssh -p 22 host rm -rf /x'), 'rm -rf /x');
  assert.equal(inner('docker exec -it web rm -rf /x'), 'rm -rf /x');
  assert.equal(inner('docker run --rm -v /a:/b alpine ls'), 'ls');
  assert.equal(inner('kubectl exec -n a pod -- ls'), 'ls');
  assert.equal(inner('bash -lc ls'), 'ls');
  assert.equal(inner('bash -x -o pipefail -c ls'), 'ls');
  assert.equal(inner('watch -n 1 df -h'), 'df -h');
  assert.equal(inner('/usr/bin/timeout 5s ls'), 'ls');
  assert.equal(inner('busybox rm x'), 'rm x');
  for (const none of ['bash a.sh', 'docker ps', 'sudo', 'ls -l', 'constructor x', 'find . -name x'])
    assert.equal(inner(none), undefined, none);
});

test('a known tool that deletes or makes what it is given is what an inert program does', async () => {
  const like = async (command: string) => {
    const found = await look(command);
    return found?.ok && found.isLike ? found.steps.map(({ argv }) => argv?.join(' ')).join() : undefined;
  };
  assert.equal(await like('rimraf dist src'), 'rm -rf -- dist src');
  assert.equal(await like('node /w/node_modules/.bin/rimraf dist'), 'rm -rf -- dist');
  assert.equal(await like('npx rimraf src'), 'rm -rf -- src');
  assert.equal(await like('npx --yes del-cli src'), 'rm -rf -- src');
  assert.equal(await like('pnpm dlx rimraf src'), 'rm -rf -- src');
  assert.equal(await like('npm exec -- rimraf src'), 'rm -rf -- src');
  assert.equal(await like('npx shx rm -rf src'), 'rm -rf src');
  assert.equal(await like('mkdirp a/b'), 'mkdir -p -- a/b');
  // It expands patterns by itself, and options may mean anything.
  for (const other of ['rimraf dist/*', 'rimraf --glob dist', 'npx del-cli dist !dist/a', 'del-cli ../x', 'del-cli /w'])
    assert.equal(await like(other), undefined, other);
  for (const other of [
    'npx shx ls src',
    'npx rimraf',
    'pnpm exec rimraf src',
    'npx tsc src',
    'npx shx sed -i s/a/b/ x',
  ])
    assert.equal(await like(other), undefined, other);
});
