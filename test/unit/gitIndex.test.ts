import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { test } from 'node:test';
import { entriesIn, namesIn, sameIndex } from '../../src/core/loss/git/gitIndex.ts';
import { oneAtATime } from '../../src/core/loss/oneAtATime.ts';
import { linesLost, onlyAdds } from '../../src/core/loss/textLines.ts';
import { settingChanges } from '../../src/core/programs/gitSettings.ts';
import { run, throwAway } from '../engine/plainLooker.ts';

for (const version of ['2', '3', '4']) {
  test(`index version ${version}: fresh times are no difference, everything else is`, () => {
    const base = throwAway();
    const intent = version === '3' ? 'seq 9 > later; git add -N later' : 'true';
    run(
      base,
      `git init -q; mkdir -p a/b; for i in $(seq 40); do seq $i > a/b/f$i; seq $i > a/g$i; done; git add .; ${intent}; git update-index --index-version ${version}`,
    );
    const read = () => fs.readFileSync(`${base}/.git/index`);
    const before = read();
    assert.equal(before.readUInt32BE(4), Number(version));
    run(base, "touch -d '1 hour ago' a/b/*; git update-index --refresh");
    assert.notDeepEqual(read(), before);
    assert.equal(sameIndex(before, read()), true);
    for (const change of [
      'git rm -q --cached a/g7',
      'echo x > a/g3; git add a/g3',
      'git update-index --chmod=+x a/b/f9',
      'echo n > new; git add new',
      'git update-index --assume-unchanged a/g1',
    ]) {
      const old = read();
      run(base, change);
      assert.equal(sameIndex(old, read()), false, change);
    }
  });
}

test('the names in an index are those that git lists, in every version', () => {
  for (const version of ['2', '3', '4']) {
    const base = throwAway();
    const long = 'd/'.repeat(20).concat('x'.repeat(150));
    const names = ['a', 'a b', 'ä/ö.txt', 'a/b/c', `${long}1`, `${long}2`, 'z'.repeat(200), 'end'];
    const made = names.map(
      (name) => `mkdir -p "$(dirname '${name}')x"; mkdir -p "$(dirname '${name}x')"; echo 1 > '${name}x'`,
    );
    const intent = version === '3' ? 'echo 2 > later; git add -N later' : 'true';
    run(base, `git init -q; ${made.join('; ')}; git add .; ${intent}; git update-index --index-version ${version}`);
    const index = fs.readFileSync(`${base}/.git/index`);
    assert.equal(index.readUInt32BE(4), Number(version));
    assert.deepEqual(namesIn(index), run(base, 'git ls-files -z').split('\0').slice(0, -1));
  }
  assert.equal(namesIn(Buffer.from('nonsense')), undefined);
});

test('the entries of an index are those that git lists with their ids and tags, in every version', () => {
  for (const version of ['2', '3', '4']) {
    const base = throwAway();
    const intent = version === '3' ? 'echo 2 > later; git add -N later' : 'true';
    run(
      base,
      `git init -q -b main; mkdir d; for i in $(seq 20); do seq $i > d/f$i; done; echo 1 > 'ä b'; ln -s d/f1 link; chmod +x d/f2; git add .
      git -c user.name=a -c user.email=a@b commit -qm one; git checkout -qb other; echo theirs > d/f3; git -c user.name=a -c user.email=a@b commit -qam two
      git checkout -q main; echo ours > d/f3; git -c user.name=a -c user.email=a@b commit -qam three; git -c user.name=a -c user.email=a@b merge -q other || true
      git update-index --assume-unchanged d/f7; ${intent}; git update-index --index-version ${version}`,
    );
    const index = fs.readFileSync(`${base}/.git/index`);
    assert.equal(index.readUInt32BE(4), Number(version));
    const listed = run(base, 'git ls-files -s -v -z').split('\0').slice(0, -1);
    const wanted = new Map(
      listed.map((record) => {
        const [, tag = '', id = '', name = ''] = /^(.) \d+ (\w+) \d\t(.*)$/s.exec(record) ?? [];
        return [Buffer.from(name).toString('latin1'), { id, unwatched: tag !== tag.toUpperCase() }];
      }),
    );
    assert.deepEqual(entriesIn(index), wanted);
    assert.ok([...wanted.values()].some(({ unwatched }) => unwatched) && listed.some((one) => one.startsWith('M ')));
    run(base, 'git update-index --skip-worktree d/f9');
    assert.equal(entriesIn(fs.readFileSync(`${base}/.git/index`)), undefined);
  }
});

test('what is no plain index is left to git', () => {
  const base = throwAway();
  run(base, 'git init -q; seq 3 > a; git add a; cp .git/index plain; git update-index --split-index');
  const [plain, split] = [fs.readFileSync(`${base}/plain`), fs.readFileSync(`${base}/.git/index`)];
  assert.equal(sameIndex(split, split), undefined);
  assert.equal(entriesIn(split), undefined);
  assert.equal(sameIndex(plain, plain.subarray(0, 40)), undefined);
  assert.equal(sameIndex(Buffer.from('nonsense'), plain), undefined);
});

test('settings: quotes, comments, subsections', () => {
  const after =
    '[core]\n\thooksPath = "a;b" ; note\n[url "git@x:"] insteadOf = https://x/\n[alias]\n\tl = log\n\tx = !rm\n[user]\n# c\nname = a\\\n b\n';
  assert.deepEqual(settingChanges('[alias]\nl = log\n[gone]\nkey\n', after), [
    { key: 'alias.x', after: '!rm', sensitive: true },
    { key: 'core.hookspath', after: 'a;b', sensitive: true },
    { key: 'gone.key', before: 'true', sensitive: false },
    { key: 'url.git@x:.insteadof', after: 'https://x/', sensitive: true },
    { key: 'user.name', after: 'a b', sensitive: false },
  ]);
});

test('lines that exist nowhere else', () => {
  const lost = (before: string, ...survivors: string[]) =>
    linesLost(
      Buffer.from(before),
      survivors.map((text) => Buffer.from(text)),
    );
  assert.equal(lost(''), 0);
  assert.equal(lost('a\nb'), 2);
  assert.equal(lost('a\nb\n', 'b\nc\n'), 1);
  assert.equal(lost('}\n}\n}\n', '}\n', '}\n}\n'), 1);
  assert.equal(lost('a\r\nb\r\n', 'a\nb\n'), 0);
  assert.equal(lost('a\0b'), undefined);
  assert.equal(onlyAdds(Buffer.from('a\nb\n'), Buffer.from('x\na\ny\nb\n')), true);
  assert.equal(onlyAdds(Buffer.from('a\nb\n'), Buffer.from('b\na\n')), false);
});

test('looks at one view wait for each other', async () => {
  let running = 0;
  let most = 0;
  const looker = {
    async look() {
      most = Math.max(most, ++running);
      await new Promise((done) => setTimeout(done, 5));
      running--;
      return { exitCode: 0, stdout: new Uint8Array(), stderr: '' };
    },
  };
  await Promise.all([1, 2, 3].map(() => oneAtATime(looker).look(['true'], { cwd: '/' })));
  assert.equal(most, 1);
});
