import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { Driver, environment, identities, type Listing, within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

/** Changes below a folder as short lines, sorted as they came. */
function lines(listing: Listing, root: string): string[] {
  return listing.changes
    .filter((change) => change.path.startsWith(`${root}/`))
    .map(
      (change) =>
        `${change.change} ${change.path.slice(root.length + 1)}${change.from ? ` < ${change.from.slice(root.length + 1)}` : ''}`,
    );
}

for (const { identity, promise, workspace } of launcherTests()) {
  promise('what a command changes is listed, sorted, and nothing else', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c', 'd/e/f': 'f', 'same.txt': 'same' });
      await driver.run(
        'echo more >> a.txt; rm b.txt; chmod 600 c.txt; rm -r d; echo new > n; mkdir m; ln -s a.txt l; printf same > same.txt',
        root,
      );
      const listing = await driver.list();
      assert.deepEqual(lines(listing, root), [
        'modified a.txt',
        'deleted b.txt',
        'mode c.txt',
        'deleted d',
        'deleted d/e',
        'deleted d/e/f',
        'created l',
        'created m',
        'created n',
      ]);
      assert.equal(listing.changes.length, 9);
      assert.ok(listing.complete);
      assert.ok(listing.effects.some((effect) => effect.kind === 'timeOnly' && effect.detail === `${root}/same.txt`));
    }),
  );

  promise('the real files stay as they were', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'a.txt': 'a', 'd/f': 'f' });
      await driver.run('rm -rf d; echo x > a.txt; echo y > new; chmod 700 .', root);
      assert.deepEqual(fs.readdirSync(root).sort(), ['a.txt', 'd']);
      assert.equal(fs.readFileSync(path.join(root, 'a.txt'), 'utf8'), 'a');
    }),
  );

  promise('a change carries both sides and the digest of the new content', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'a.txt': 'old' });
      await driver.run('printf longer > a.txt; chmod 640 a.txt', root);
      const [change] = (await driver.list()).changes;
      assert.deepEqual(
        [change?.before.sizeBytes, change?.after.sizeBytes, change?.after.mode, change?.after.uid],
        [3, 6, 0o640, identity.uid],
      );
      assert.equal(change?.sha256, createHash('sha256').update('longer').digest('hex'));
    }),
  );

  promise('digests are of what has new content, or of all files, or of none', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ a: 'a', b: 'b', 'd/c': 'c', 'd/e': 'e' });
      await driver.run('chmod 600 a; echo > b; mv d n; echo more >> n/e; echo > new', root);
      const digested = async (digests: 'none' | 'new' | 'all') =>
        (await driver.list(digests)).changes
          .filter(({ sha256 }) => sha256 !== '')
          .map((change) => path.relative(root, change.path));
      assert.deepEqual(await digested('none'), []);
      assert.deepEqual(await digested('new'), ['b', 'n/e', 'new']);
      assert.deepEqual(await digested('all'), ['a', 'b', 'n/c', 'n/e', 'new']);
    }),
  );

  promise('files of any size are compared and digested whole', () =>
    within(identity, {}, async (driver) => {
      const sizes = [0, 1, 65_535, 65_536, 65_537, 200_000];
      const root = workspace(Object.fromEntries(sizes.map((size) => [`f${size}`, 'x'.repeat(size)])));
      // The last byte alone becomes another one; of the copies nothing but the time.
      await driver.run(
        'for f in f*; do cp $f same-$f; cat same-$f > $f; [ -s $f ] && printf y | dd of=$f bs=1 seek=$((${f#f} - 1)) conv=notrunc 2>&-; done; rm same-*; touch f0',
        root,
      );
      const { changes } = await driver.list();
      const expected = sizes.slice(1).map((size) => {
        const sha256 = createHash('sha256')
          .update(`${'x'.repeat(size - 1)}y`)
          .digest('hex');
        return { path: path.join(root, `f${size}`), sha256 };
      });
      assert.deepEqual(
        changes.map((change) => ({ path: change.path, sha256: change.sha256 })),
        expected.sort((a, b) => (a.path < b.path ? -1 : 1)),
      );
    }),
  );

  promise('a symlink is listed with both targets', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ a: '', b: '' });
      fs.symlinkSync('a', path.join(root, 'l'));
      await driver.run('ln -sfn b l', root);
      const [change] = (await driver.list()).changes;
      assert.deepEqual([change?.targetBefore, change?.targetAfter], ['a', 'b']);
    }),
  );

  promise('a directory in the place of a file is told to replace it, and the other way round', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ f: 'f', 'd/x': 'x' });
      await driver.run('rm f; mkdir f; echo > f/y; rm -r d; echo > d', root);
      const listing = await driver.list();
      assert.deepEqual(lines(listing, root), ['modified d', 'deleted d/x', 'modified f', 'created f/y']);
      assert.deepEqual(listing.changes.filter((change) => change.replaced).length, 2);
    }),
  );

  promise('a directory that was deleted and made again is compared with what it was', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'd/same': 's', 'd/other': 'o', 'd/gone': 'g' });
      await driver.run('rm -r d; mkdir d; printf s > d/same; printf x > d/other; echo > d/new', root);
      assert.deepEqual(lines(await driver.list(), root), ['deleted d/gone', 'created d/new', 'modified d/other']);
    }),
  );

  promise('a directory is renamed, with everything in it', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'd/e/f': 'f', 'd/g': 'g' });
      const run = await driver.run('mv -v d n', root);
      assert.equal(run.stdout, "renamed 'd' -> 'n'\n");
      assert.deepEqual(lines(await driver.list(), root), [
        'renamed n < d',
        'renamed n/e < d/e',
        'renamed n/e/f < d/e/f',
        'renamed n/g < d/g',
      ]);
    }),
  );

  promise('a renamed directory may be renamed again and changed', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'd/f': 'f', 'd/g': 'g', 'd/h': 'h' });
      await driver.run('mv d n; mkdir -p x; mv n x/y; rm x/y/f; echo more >> x/y/g; echo > x/y/new', root);
      assert.deepEqual(lines(await driver.list(), root), [
        'deleted d/f',
        'created x',
        'renamed x/y < d',
        'renamed x/y/g < d/g',
        'renamed x/y/h < d/h',
        'created x/y/new',
      ]);
    }),
  );

  promise('a renamed directory keeps modes, times and links', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'd/f': 'f', 'd/sub/': '' });
      fs.linkSync(path.join(root, 'd/f'), path.join(root, 'd/g'));
      fs.chmodSync(path.join(root, 'd/f'), 0o640);
      fs.utimesSync(path.join(root, 'd/sub'), 1e9, 1e9);
      const run = await driver.run(
        'mv d n; stat -c "%a %h" n/f n/g; stat -c %Y n/sub; [ n/f -ef n/g ] && echo linked',
        root,
      );
      assert.equal(run.stdout, '640 2\n640 2\n1000000000\nlinked\n');
    }),
  );

  promise('a directory takes the place of an empty one, not of a full one', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'd/f': 'f', 'empty/': '', 'full/x': 'x' });
      const run = await driver.run('mv -T d full; mv -T d empty; ls empty', root);
      assert.match(run.stderr, /full': Directory not empty/);
      assert.equal(run.stdout, 'f\n');
    }),
  );

  promise('a file with several names is pointed out when it is written', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ a: 'a' });
      fs.linkSync(path.join(root, 'a'), path.join(root, 'b'));
      await driver.run('echo more >> a', root);
      assert.deepEqual(
        (await driver.list()).effects.map(({ pid: _, ...effect }) => effect),
        [{ type: 'effect', kind: 'hardLinked', detail: `${root}/a`, names: 2 }],
      );
    }),
  );

  promise('files are read before and after', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ a: 'before' });
      await driver.run('printf after > a; echo new > n', root);
      const [before, after] = [await driver.read(`${root}/a`, false), await driver.read(`${root}/a`, true)];
      assert.deepEqual([before.text, after.text], ['before', 'after']);
      assert.equal((await driver.read(`${root}/n`, false)).error, 'ENOENT');
      assert.equal((await driver.stat(`${root}/n`, true)).node.sizeBytes, 4);
    }),
  );

  promise('lines are counted before and after, of many files at once', () =>
    within(identity, {}, async (driver) => {
      const none = 0xffff_ffff;
      const late = `${'x'.repeat(8_000)}\0\n`;
      const root = workspace({ a: 'one\ntwo\n', open: 'one\r\ntwo', empty: '', 'd/f': 'f\n', early: 'a\0b\n', late });
      const large = 'line\n'.repeat(40_000);
      fs.writeFileSync(path.join(root, 'large'), large);
      await driver.run('echo three >> a; rm -r d; echo new > n', root);
      const names = ['a', 'open', 'empty', 'd/f', 'early', 'late', 'large', 'n', 'd', 'no/such'];
      const files = names.map((name) => `${root}/${name}`);
      const before = await driver.countLines(files, false, 1 << 20);
      assert.deepEqual(before, [2, 2, 0, 1, none, 1, 40_000, none, none, none]);
      const after = await driver.countLines(files, true, large.length - 1);
      assert.deepEqual(after, [3, 2, 0, none, none, 1, none, 1, none, none]);
      assert.deepEqual(await driver.countLines([], true, 1), []);
    }),
  );

  promise('what an imagined program wrote is put into the view', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ old: 'old', 'd/f': 'f' });
      assert.equal(await driver.put('directory', `${root}/out`), undefined);
      assert.equal(await driver.put('file', `${root}/out/a.js`, 'code', 0o755), undefined);
      assert.equal(await driver.put('file', `${root}/old`, 'new'), undefined);
      assert.equal(await driver.put('symlink', `${root}/l`, 'old'), undefined);
      assert.equal(await driver.put('delete', `${root}/d`), undefined);
      assert.equal(await driver.put('file', `${root}/no/such`, 'x'), 'ENOENT');
      const run = await driver.run('cat out/a.js l; stat -c %a out/a.js; ls', root);
      assert.equal(run.stdout, 'codenew755\nl\nold\nout\n');
      assert.deepEqual(fs.readdirSync(root).sort(), ['d', 'old']);
    }),
  );

  promise('files can be read and put while a program waits', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ a: 'a' });
      fs.copyFileSync('/bin/true', path.join(root, 'prog'));
      fs.chmodSync(path.join(root, 'prog'), 0o755);
      driver.onGated = () => {};
      driver.start('printf b > a; ./prog; cat made', root);
      const { token } = await driver.next('gated');
      assert.equal((await driver.read(`${root}/a`, true)).text, 'b');
      assert.equal(await driver.put('file', `${root}/made`, 'made\n'), undefined);
      assert.deepEqual(lines(await driver.list(), root), ['modified a', 'created made']);
      driver.answer(token, { kind: 'exit', code: 0 });
      assert.equal((await driver.finish(0)).stdout, 'made\n');
    }),
  );

  promise('commands follow each other in one view', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ a: 'a\n', 'd/f': 'f' });
      await driver.run('echo b >> a; rm -r d', root);
      const second = await driver.run('cat a; ls; echo c >> a; mkdir d', root, { newLayer: true });
      assert.equal(second.stdout, 'a\nb\na\n');
      assert.deepEqual(lines(await driver.list(), root), ['modified a', 'created d']);
      assert.equal((await driver.read(`${root}/a`, false)).text, 'a\nb\n');
      await driver.run('rm a', root, { newLayer: true });
      assert.deepEqual(lines(await driver.list(), root), ['deleted a']);
      assert.equal((await driver.read(`${root}/a`, false)).text, 'a\nb\nc\n');
    }),
  );

  promise('a workspace reached by a symlink is the same workspace', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'real/a': 'a' });
      fs.symlinkSync('real', path.join(root, 'link'));
      const run = await driver.run('pwd; rm a', `${root}/link`, { env: [...environment, `PWD=${root}/link`] });
      assert.equal(run.stdout, `${root}/link\n`);
      assert.deepEqual(lines(await driver.list(), root), ['deleted real/a']);
    }),
  );

  promise('a worktree commits into the repository that it was made from', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'main/a': 'a' });
      const git = (...args: string[]) =>
        execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x', ...args], {
          cwd: path.join(root, 'main'),
          stdio: 'ignore',
          env: { PATH: process.env['PATH'], HOME: root },
          ...(process.getuid?.() === 0 ? { uid: identity.uid, gid: identity.uid } : {}),
        });
      git('init', '-q');
      git('add', '.');
      git('commit', '-qm', 'one');
      git('worktree', 'add', '-q', '../tree');
      const run = await driver.run(
        'echo b > b; git add b; git -c user.name=x -c user.email=x@x commit -qm two; git log --format=%s',
        `${root}/tree`,
      );
      assert.equal(run.stdout, 'two\none\n');
      assert.ok(lines(await driver.list(), root).some((line) => line.startsWith('created main/.git/objects/')));
    }),
  );

  promise('directories of other owners above the workspace are no obstacle', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ 'a/b/f': 'f' });
      if (process.getuid?.() === 0) fs.chownSync(path.join(root, 'a'), 0, 0);
      const run = await driver.run('echo x > new; rm f; touch ../y; echo $?', `${root}/a/b`);
      assert.equal(run.stdout, process.getuid?.() === 0 && identity.name === 'user' ? '1\n' : '0\n');
      assert.deepEqual(lines(await driver.list(), root).slice(0, 2), ['deleted a/b/f', 'created a/b/new']);
    }),
  );

  promise('what may not be written is refused with the words of the system', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run('echo x > /etc/foretell-test', '/');
      if (identity.name === 'user') assert.match(run.stderr, /Permission denied/);
      else assert.equal(run.stderr, '');
      assert.ok(!fs.existsSync('/etc/foretell-test'));
    }),
  );

  promise('temporary files, shared memory and /run are private', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run('f=$(mktemp); echo > /dev/shm/foretell-shm; ls /run | wc -l; echo $f', '/');
      const [count, made = ''] = run.stdout.split('\n');
      assert.equal(count, '0');
      assert.ok(!fs.existsSync(made) && !fs.existsSync('/dev/shm/foretell-shm'));
      assert.deepEqual((await driver.list()).changes.map((change) => change.path).sort(), [
        '/dev/shm/foretell-shm',
        made,
      ]);
    }),
  );

  promise('fifty thousand deletions are listed in few large pieces', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({});
      for (let i = 0; i < 50; i += 1) {
        fs.mkdirSync(path.join(root, `d${i}`));
        for (let j = 0; j < 1000; j += 1) fs.writeFileSync(path.join(root, `d${i}`, `f${j}`), '');
      }
      if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${identity.uid}:${identity.uid}`, root]);
      await driver.run('rm -rf d*', root);
      // The one that answers has waited for the one that ran it: what that read counts from then on (wait(2)).
      await driver.stat(root, true);
      const before = driver.work();
      const listing = await driver.list();
      const after = driver.work();
      assert.equal(listing.changes.length, 50_050);
      if (!before || !after) return;
      const written = after.bytesWritten - before.bytesWritten;
      assert.ok(written < 50_050 * 300, `${written} bytes`);
      const calls = [after.writes - before.writes, after.reads - before.reads];
      assert.ok(
        calls.every((count) => count < 500),
        `${calls.join(' writes, ')} reads`,
      );
    }),
  );

  promise('connections are answered and reported, never made', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run('echo > /dev/tcp/192.0.2.1/80; echo $?; echo > /dev/udp/192.0.2.1/53', '/');
      assert.match(run.stderr, /Network is unreachable/);
      assert.deepEqual(
        run.effects.filter((effect) => effect.kind === 'connects').map((effect) => effect.detail),
        ['tcp 192.0.2.1:80', 'udp 192.0.2.1:53'],
      );
    }),
  );

  promise('a signal to a process outside is answered and reported, not delivered', async () => {
    const outside = new Driver(identity);
    outside.setup({ skipWaiting: false });
    outside.start('sleep 100', '/');
    await outside.next('exec', (event) => event.argv[0] === 'sleep');
    await within(identity, {}, async (driver) => {
      const pid = outside.child.pid ?? 0;
      const run = await driver.run(
        `kill -9 ${pid}; echo $?; kill -0 ${pid}; echo $?; kill -9 2999999; echo $?; sleep 50 & kill $!; wait $!; echo $?`,
        '/',
      );
      assert.equal(run.stdout, '0\n0\n1\n143\n');
      const signals = run.effects.filter((effect) => effect.kind === 'signals');
      assert.deepEqual(
        signals.map((effect) => [effect.target, effect.signal]),
        [[pid, 'SIGKILL']],
      );
      assert.match(signals[0]?.detail ?? '', /confine/);
    });
    assert.equal(outside.child.exitCode, null);
    outside.cancel();
    await outside.end();
  });

  promise('reading the process table is pointed out', () =>
    within(identity, {}, async (driver) => {
      const run = await driver.run('cat /proc/mounts > /dev/null; cat /proc/cpuinfo > /dev/null', '/');
      assert.ok(
        run.effects
          .filter((effect) => effect.kind === 'readsTables')
          .every((effect) => effect.detail === '/proc/mounts'),
      );
    }),
  );

  promise('the settings of the kernel cannot be changed', () =>
    within(identity, {}, async (driver) => {
      const file = '/proc/sys/vm/swappiness';
      const before = fs.readFileSync(file, 'utf8');
      const run = await driver.run(`echo ${Number(before) === 61 ? 62 : 61} > ${file}`, '/');
      assert.equal(fs.readFileSync(file, 'utf8'), before);
      // Root would really be obeyed, so nothing is refused; a setting that was not written is told.
      const told = run.effects.some(
        (effect) => effect.kind === 'door' && effect.detail === file && effect.door === 'writesKernel',
      );
      assert.equal(told, identity.name === 'root');
      assert.match(run.stderr, identity.name === 'root' ? /^$/ : /Permission denied/);
    }),
  );
}

for (const [name, prefix] of [['user namespaces are forbidden', ['sh', '-c', 'ulimit -c 0; exec "$0"']]] as const)
  test(`a launcher that is spoken to wrongly refuses with a sentence: ${name}`, async () => {
    const driver = new Driver(identities()[0] ?? { name: 'user', uid: 0 }, process.getuid?.() === 0 ? prefix : []);
    driver.send(Buffer.from([0, 0, 0, 0, 8]));
    const refused = await driver.next('refused');
    assert.equal(refused.step, 'protocol');
    assert.match(refused.sentence, /SETUP/);
    await driver.end();
  });
