import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** What holds the time of something that the same run made comes out otherwise each second. */

const { foretell, workspace } = throwAwayForetell('stored-times');

async function predicted(script: string) {
  const cwd = workspace({ 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'old.tar': '' });
  // What was written in the tick before a run counts as written by it.
  await new Promise((resolve) => setTimeout(resolve, 25));
  const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
  const { events, view } = foretell.predict({ action, trusted: true, signal: new AbortController().signal });
  const prediction = await foldAll(action, events);
  await view.close();
  const volatile = prediction.files.filter((file) => file.volatile).map((file) => path.relative(cwd, file.path));
  return { volatile, output: prediction.output.some((piece) => piece.volatile === true) };
}

for (const [script, expected] of [
  ['tar czf a.tgz .', ['a.tgz']],
  ['tar cf a.tar src', []],
  ['tar cf src/a.tar src', ['src/a.tar']],
  ['mkdir made && tar cf a.tar made', ['a.tar']],
  ['echo x > src/new.txt && tar czf a.tgz src', ['a.tgz']],
  ['echo x > beside.txt && tar cf a.tar src', []],
  ['touch n && zip -q n.zip n', ['n.zip']],
  ['zip -qXr src.zip src', []],
  ['zip -qr src.zip src', ['src.zip']],
  ['tar --format=posix -cf a.tar src', ['a.tar']],
  ['echo a > n; gzip -k n', ['n.gz']],
  ['gzip -k src/a.txt', []],
  ['tar czf a.tgz src', []],
  ['tar cf - src | gzip > a.tgz', []],
  ['gzip < src/a.txt > a.gz', []],
  ['echo a > n; gzip < n > n.gz', ['n.gz']],
  ['echo a > n; cat n | gzip > n.gz', []],
  ['echo a > n; gzip -c - < n > n.gz', ['n.gz']],
  ['echo a > n; gzip -nc n > n.gz', []],
  ['tar czf src.tgz src; mkdir out; tar xzf src.tgz -C out; tar tf src.tgz', []],
  ['tar cf src.tar src; tar --delete -f src.tar src/b.txt', []],
  ['find src | cpio -pdm --quiet copy; find src | sort | cpio -o --quiet | cpio -id --quiet -D copy', []],
  ['echo x > n; ls | cpio -o --quiet > n.cpio', ['n.cpio']],
  // Overlays read a folder without noting it, so that its reading time is still the old one.
  ['zip -qr src.zip src; unzip -q src.zip -d out', ['src.zip']],
] as const)
  test(`${expected.length > 0 ? 'volatile' : 'exact'}: ${script}`, async () => {
    assert.deepEqual((await predicted(script)).volatile, expected);
  });

test('what is printed of such an archive is volatile, too', async () => {
  assert.ok((await predicted('echo x > n; tar cf - n | sha1sum')).output);
  assert.ok(!(await predicted('tar cf - src/a.txt | sha1sum')).output);
  assert.ok(!(await predicted('tar cf a.tar src && tar tf a.tar')).output);
});

/** Predicts commands one after the other in a session; says of the last one what is volatile. */
async function predictedLast(cwd: string, ...scripts: string[]) {
  const session = foretell.openSession();
  let last: { volatile: string[]; output: boolean } = { volatile: [], output: false };
  for (const script of scripts) {
    const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd };
    const { events } = session.predict({ action, trusted: true, openGate: true, signal: new AbortController().signal });
    const { files, output } = await foldAll(action, events);
    last = {
      volatile: files.filter((file) => file.volatile).map((file) => path.relative(cwd, file.path)),
      output: output.some((piece) => piece.volatile === true),
    };
  }
  await session.close();
  return last;
}

for (const [name, scripts, files, output] of [
  ['a listing', ['echo hi > made', 'ls -l made'], [], true],
  ['an archive', ['echo hi > made', 'true', 'tar cf t.tar made'], ['t.tar'], false],
  ['what is made of an archive', ['echo hi > made; tar cf t.tar made', 'sha1sum made'], [], false],
  ['the hash of an archive on its way', ['mkdir made', 'tar cf - made | sha1sum'], [], true],
  ['a packed file', ['echo hi > made', 'gzip -c < made > p.gz'], ['p.gz'], false],
  [
    'a number that no table tells of',
    ['echo hi > made', `perl -e 'print pack("Nx4", (stat "made")[9])' > n`],
    ['n'],
    false,
  ],
  ['files of before', ['echo hi > made', 'ls -l src/a.txt; tar cf t.tar src'], [], false],
] as const)
  test(`times of what an earlier step has made: ${name}`, async () => {
    const cwd = workspace({ 'src/a.txt': 'a\n', 'src/b.txt': 'b\n' });
    const old = new Date(2020, 1, 1, 3, 4, 5);
    for (const one of ['src/a.txt', 'src/b.txt', 'src']) fs.utimesSync(path.join(cwd, one), old, old);
    assert.deepEqual(await predictedLast(cwd, ...scripts), { volatile: [...files], output });
  });

for (const [script, isVolatile] of [
  ['rsync -a src/ new/', false],
  ['rsync -av src/ new/ | head -2', false],
  ['rsync -av src/ new/ | tail -2', true],
  ['rsync -an --stats src/ new/ | grep "Total bytes sent"', true],
] as const)
  test(`what rsync says of its own traffic differs by chance: ${script}`, async () => {
    assert.equal((await predicted(script)).output, isVolatile);
  });
