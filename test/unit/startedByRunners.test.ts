import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startedBy } from '../../src/core/programs/startedBy.ts';

/** What runners, wrappers and editors start of what their words name: the inner call or script, and where. */
const told: readonly (readonly [line: string, inner: string, more?: { folder?: string; isAway?: true }])[] = [
  ['composer exec -- cat x', 'cat x'],
  ['composer -d app exec phpunit -v', 'phpunit -v'],
  ['bwrap --dev-bind / / --chdir d -- cat x', 'cat x', { folder: 'd' }],
  ['bwrap --bind / / --setenv A b --unshare-all cat x', 'cat x'],
  ['bwrap --ro-bind / / cat x', ''],
  ["gdb -batch -ex 'shell cat x' -ex quit", 'cat x'],
  ["gdb -ex '!cat x' ./a", 'cat x'],
  ['gdb -ex run --args ./a b', './a b'],
  ["vim -es -c ':!cat x' -c q f", 'cat x'],
  ["nvim --headless '+silent !cat x' +q", 'cat x'],
  ["vim -c '%!sort' f", 'sort'],
  ["vim -c 'set nu' f", ''],
  ['npm explore pkg -- cat x', 'cat x', { isAway: true }],
  ['ssh-agent -t 5 cat x', 'cat x'],
  ['ssh-agent -k', ''],
  ['proot -0 -b /a:/b -w d cat x', 'cat x', { folder: 'd' }],
  ['proot -r root cat x', ''],
  ["faketime -f '@2020-01-01 00:00:00' cat x", 'cat x'],
  ["entr -cs 'cat x'", 'cat x'],
  ['mise exec node@20 -c "cat x"', 'cat x'],
  ['rtx x node -- cat x', 'cat x'],
  ["hyperfine --prepare 'cat x' ls", 'cat x'],
  ['nvm exec 20 cat x', 'cat x'],
  ['nvm exec cat x', 'cat x'],
  ['nvm exec --silent lts/iron cat x', 'cat x'],
  ['fnm exec --using=20 cat x', 'cat x'],
  ['volta run --node 20 cat x', 'cat x'],
  ['pixi run -e dev cat x', 'cat x'],
  ['jenv exec cat x', 'cat x'],
  ['rvm 3.2 do cat x', 'cat x'],
  ['dotenv -e a -- cat x', 'cat x'],
  ['dotenv run cat x', 'cat x'],
  ['devbox run -- cat x', 'cat x'],
  ['guix shell python -- cat x', 'cat x'],
  ['guix install python', ''],
  ['infisical run --env=dev -- cat x', 'cat x'],
  ["infisical run --command='cat x'", 'cat x'],
  ["sops exec-env a.yaml 'cat x'", 'cat x'],
  ['railway run cat x', 'cat x'],
  ['foreman run -e a cat x', 'cat x'],
  ['just --command cat x', 'cat x'],
  ['just build', ''],
  ['tox exec -e py -- cat x', 'cat x'],
  ["cargo watch -c -s 'cat x'", 'cat x'],
  ['reflex -r a -- cat x', 'cat x'],
  ['bear --output a -- cat x', 'cat x'],
  ['rr record cat x', 'cat x'],
  ['mpirun -np 4 --mca a b cat x', 'cat x'],
  ['./wait-for-it.sh localhost:80 -t 5 -- cat x', 'cat x'],
  ['dockerize -wait tcp://a:1 -timeout 5s cat x', 'cat x'],
  ["sg docker -c 'cat x'", 'cat x'],
  ['envdir env cat x', 'cat x'],
  ['rlwrap -a cat x', 'cat x'],
  ['dbus-launch --exit-with-session cat x', 'cat x'],
  ['pnpm exec cat x', 'cat x'],
  ['pnpm -r exec cat x', 'cat x', { isAway: true }],
  ['npm exec -ws -- cat x', 'cat x', { isAway: true }],
  ['lerna exec -- cat x', 'cat x', { isAway: true }],
  ['yarn workspaces foreach -A exec cat x', 'cat x', { isAway: true }],
  ['buildah unshare cat x', 'cat x'],
  ["psql -c '\\! cat x'", 'cat x'],
  ["psql -c 'select 1'", ''],
  ["mysql -e '\\! cat x'", 'cat x'],
];

for (const [line, inner, more = {}] of told) {
  test(`${line} starts ${inner || 'nothing'}`, () => {
    const words = (line.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? []).map((word) => word.replace(/['"]/g, ''));
    const [first] = startedBy(words);
    assert.equal(first?.argv?.join(' ') ?? first?.shellScript ?? '', inner);
    assert.deepEqual([first?.folder, first?.isAway], [more.folder, more.isAway]);
  });
}

test('all that hyperfine is told to run is seen', () => {
  const all = startedBy(['hyperfine', '--prepare', 'rm -rf a', '-c', 'rm b', 'ls', 'cat x']);
  assert.deepEqual(all.map(({ shellScript }) => shellScript).sort(), ['cat x', 'ls', 'rm -rf a', 'rm b']);
});
