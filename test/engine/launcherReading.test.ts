import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { environment, inert, within } from './launcherDriver.ts';
import { launcherTests } from './launcherTests.ts';

for (const { identity, promise, workspace } of launcherTests()) {
  promise('a huge sparse file is listed at once, without a digest', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ small: 's' });
      await driver.run('truncate -s 900G huge; echo more >> small', root);
      const startedAt = Date.now();
      const listing = await driver.list();
      assert.ok(Date.now() - startedAt < 20_000);
      assert.ok(listing.complete);
      const [huge, small] = ['huge', 'small'].map((name) =>
        listing.changes.find((one) => one.path.endsWith(`/${name}`)),
      );
      assert.equal(huge?.after?.sizeBytes, 900 * 1024 ** 3);
      assert.equal(huge?.notCompared, true);
      assert.ok(!huge?.sha256);
      assert.equal(small?.notCompared, false);
      assert.ok(small?.sha256);
    }),
  );

  promise('a listing can be cancelled, and the view stays', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({});
      await driver.run('truncate -s 250M a b c d', root);
      const startedAt = Date.now();
      const listed = driver.list();
      setTimeout(() => driver.cancel(), 100);
      assert.equal((await listed).complete, false);
      assert.ok(Date.now() - startedAt < 15_000);
      assert.equal((await driver.run('ls', root)).stdout, 'a\nb\nc\nd\n');
    }),
  );

  promise('the order of a directory with new names can be perturbed, that of others not', async () => {
    const root = workspace({ 'old/a': '', 'old/b': '', 'old/c': '', 'grown/x': '', 'grown/y': '' });
    const script =
      'touch grown/new; mkdir n; touch n/1 n/2 n/3; for d in old grown n; do ls -U $d | tr "\\n" " "; echo; done; rm -r n; ls n';
    const outputs = await Promise.all(
      [false, true].map((perturb) =>
        within(identity, { perturb }, async (driver) => (await driver.run(script, root)).stdout.split('\n')),
      ),
    );
    const [plain = [], perturbed = []] = outputs;
    const reversed = (line = '') => line.trim().split(' ').reverse().join(' ');
    assert.equal(perturbed[0], plain[0]);
    assert.equal(perturbed[1]?.trim(), reversed(plain[1]));
    assert.equal(perturbed[2]?.trim(), reversed(plain[2]));
  });

  promise('an access list is a matter of owners only where it names somebody', () =>
    within(identity, {}, async (driver) => {
      const root = workspace({ plain: 'some needle', listed: 'some needle' });
      const nobody = 0xffffffff;
      const entries = [1, 6, nobody, 2, 7, 12345, 4, 4, nobody, 16, 7, nobody, 32, 0, nobody];
      const list = `struct.pack('<I' + 'HHI' * 5, 2, ${entries.join(', ')})`;
      const set = `import os, struct; os.setxattr('listed', 'system.posix_acl_access', ${list})`;
      execFileSync('python3', ['-c', set], { cwd: root });
      const told = async (file: string) =>
        (await driver.run(`sed -i s/needle/thread/ ${file}`, root)).effects.some(({ kind }) => kind === 'otherOwner');
      assert.equal(await told('plain'), false);
      assert.equal(await told('listed'), identity.uid !== 0);
    }),
  );

  promise('owners, sizes and link counts of a copy are the real ones', async () => {
    const root = workspace({ 'src/in/f': 'f', old: 'old', 'dir/e': 'e' });
    const correct = ['ls', 'stat', 'find', 'du', 'tar']
      .filter((name) => fs.existsSync(`/usr/bin/${name}`))
      .map((name) => fs.realpathSync(`/usr/bin/${name}`));
    const script = `mkdir -p a/b && touch x && stat -c '%n %s %h %U %b' . a a/b x
      ls -la | sed 's,[A-Z][a-z][a-z] .*,,'; echo more >> old; stat -c '%i %d %h %b' old dir /etc /etc/passwd /usr /dev/null
      rm -r dir; mkdir dir; stat -c '%s %h %d' dir; cp -r src n; du -sb n; du -s n; find . -printf '%p %s %n %k\\n' | sort
      tar -cf - /etc/passwd 2>/dev/null | tar -tvf -`;
    const run = await within(identity, { correct, inert: [...inert, ...correct] }, (driver) =>
      driver.run(script, root),
    );
    const real = execFileSync('bash', ['-c', script], {
      cwd: root,
      env: Object.fromEntries(environment.map((one) => one.split(/=(.*)/s).slice(0, 2))),
      ...(process.getuid?.() === 0 ? { uid: identity.uid, gid: identity.uid } : {}),
    }).toString();
    // Other file systems keep the sizes of directories in their own ways, and then it is said.
    if (!run.effects.some((effect) => effect.kind === 'statusDiffers')) assert.equal(run.stdout, real);
    else assert.doesNotMatch(execFileSync('stat', ['-f', '-c', '%T', root]).toString(), /^(ext|tmpfs)/);
  });

  if (identity.name === 'user') {
    promise('a user may not give files away', () =>
      within(identity, {}, async (driver) => {
        const root = workspace({ f: '' });
        const run = await driver.run(
          `chown ${identity.uid} f && chgrp ${identity.uid} f && echo own; chown 0 f; chgrp 4321 f; chown 0 none`,
          root,
        );
        assert.equal(run.stdout, 'own\n');
        assert.equal(
          run.stderr,
          "chown: changing ownership of 'f': Operation not permitted\nchgrp: changing group of 'f': Operation not permitted\nchown: cannot access 'none': No such file or directory\n",
        );
      }),
    );
  }
}
