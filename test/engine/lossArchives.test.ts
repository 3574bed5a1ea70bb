import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { analyseLoss } from '../../src/core/loss/analyseLoss.ts';
import { withLossText } from '../../src/core/words/lossText.ts';
import { inCopy, pairChanges, pairView, plainLooker, rehearse, run, throwAway } from './plainLooker.ts';

const base = throwAway();
run(
  base,
  `set -e; git init -q -b main p; cd p; echo x > tracked; git add .; git commit -qm one
seq 200 > f; seq 300 > g; cp g twin; mkdir d d/deep; seq 60 > d/x; seq 70 > 'd/deep/a b'; printf short > s
seq 40 > "d/$(printf 'n%.0s' $(seq 120))"; head -c 3000000 /dev/zero | tr '\\0' 'z' > large; seq 9 >> large`,
);
const real = `${base}/p`;
const has = (program: string) => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

/** What the command, really run in a copy, loses: `path: lost` or `path: held in FILE`. */
async function lost(script: string, namedPaths: string[] = []): Promise<string[]> {
  const pair = rehearse(real, script);
  const losses = await analyseLoss({
    files: pairChanges(pair),
    view: pairView(pair),
    looker: plainLooker(),
    // Programs that unpack get the path of the view, which here is a copy.
    inView: {
      look: (argv, options) =>
        plainLooker().look(
          argv.map((word) => inCopy(pair, word)),
          { ...options, cwd: inCopy(pair, options.cwd) },
        ),
    },
    namedPaths: namedPaths.map((name) => `${real}/${name}`),
    signal: new AbortController().signal,
  });
  return losses.map(withLossText).map(({ path, recoverable }) => {
    const name = path.slice(real.length + 1);
    if (recoverable === 'no') return `${name}: lost`;
    return `${name}: held in ${/^yes, from .*?([^/]+?)(, which holds it)?$/.exec(recoverable)?.[1]}`;
  });
}

test('what is packed or coded by itself is as good as moved', async () => {
  const commands = [
    'gzip f',
    'gzip -9 < f > other && rm f',
    'gzip tracked',
    'base64 f > g64 && rm f',
    'base64 -w0 f > g64 && rm f',
    'xxd -p f > hex && rm f',
    'split -l 50 f part. && rm f',
    'split -d -b 100 f part && rm f',
    'cp large copy && rm large',
    'cp f copy && rm f',
    ...(has('xz') ? ['xz f', 'xz --format=lzma f'] : []),
    ...(has('bzip2') ? ['bzip2 f'] : []),
    ...(has('zstd') ? ['zstd -q --rm f'] : []),
    ...(has('lz4') ? ['lz4 -q --rm f f.lz4'] : []),
    ...(has('brotli') ? ['brotli --rm f'] : []),
  ];
  for (const command of commands) {
    assert.deepEqual(await lost(command), [], command);
  }
});

test('what was packed and stands unpacked is as good as moved', async () => {
  const pack = (script: string) => run(real, `set -e; ${script}`);
  pack(
    'tar czf t.tgz d s; tar cf t.tar d; gzip -k f; (cd d && tar czf ../inner.tgz .); : > d/empty; tar cf e.tar d/empty f; ln -s x d/l; tar cf l.tar d; tar --format=v7 -cf v.tar d',
  );
  if (has('zip')) pack('zip -qr t.zip d f; zip -qP secret p.zip f');
  if (has('xz')) pack('xz -k g; xz -k --format=lzma g; cp g.lzma h.lzma');
  if (has('zstd')) pack('zstd -q g');
  const kept = [
    'gunzip -f f.gz',
    'gzip -dc f.gz > F && rm f.gz',
    'mkdir o; tar xzf t.tgz -C o && rm t.tgz',
    'mkdir o; tar xf t.tar --strip-components=1 -C o; rm t.tar',
    'tar xzf t.tgz && rm t.tgz',
    'mkdir o; tar xzf inner.tgz -C o; rm inner.tgz',
    'mkdir o; tar xf e.tar -C o; rm e.tar',
    'mkdir o; tar xf l.tar -C o; rm l.tar',
    'mkdir o; tar xf v.tar -C o; rm v.tar',
    ...(has('unzip') && has('zip') ? ['unzip -qo t.zip -d o && rm t.zip'] : []),
    ...(has('xz') ? ['unxz -f g.xz', 'xz -dc g.xz > G; rm g.xz', 'unlzma h.lzma', 'xzcat g.lzma > G; rm g.lzma'] : []),
    ...(has('zstd') ? ['zstd -qdf --rm g.zst'] : []),
  ];
  for (const command of kept) assert.deepEqual(await lost(command), [], command);
  // Where the files themselves do not stand beside it.
  pack('mkdir z; mv t.tgz z; seq 500 | gzip > z/q.gz');
  if (has('zip')) pack('mv p.zip z');
  const gone: [string, string][] = [
    ['mkdir o; tar xzf z/t.tgz -C o d/x && rm z/t.tgz', 'z/t.tgz'],
    ['mkdir o; tar xzf z/t.tgz -C o && echo y >> o/d/x && rm z/t.tgz', 'z/t.tgz'],
    ['mkdir o; tar xzf z/t.tgz -C o && rm z/t.tgz o/s', 'z/t.tgz'],
    ['gunzip -c z/q.gz | head -5 > F; rm z/q.gz', 'z/q.gz'],
    ...(has('zip') ? [['cp f F; rm z/p.zip', 'z/p.zip'] as [string, string]] : []),
  ];
  for (const [command, name] of gone) assert.deepEqual(await lost(command), [`${name}: lost`], command);
  pack('rm -rf *.tgz *.tar *.gz *.zip *.xz *.lzma *.zst d/empty d/l z');
});

test('what stands in an archive of the same run can be brought back from it', async () => {
  const commands = [
    'tar czf t.tgz f && rm f',
    'tar cf t.tar f && rm f',
    'tar --format=pax -cf t.tar f && rm f',
    'tar --format=v7 -cf t.tar f && rm f',
    'tar --remove-files -cf t.tar f',
    'tar c f | gzip > t && rm f',
    'tar cf t.tar f; seq 5 > f',
    ...(has('zip') ? ['zip -qm z.zip f', 'zip -q0 z.zip f && rm f', 'zip -q - f > z.zip; rm f'] : []),
    ...(has('cpio')
      ? [
          'echo f | cpio -o --quiet > t.cpio && rm f',
          'echo f | cpio -o -H newc --quiet > t.cpio && rm f',
          'echo f | cpio -o -H odc --quiet > t.cpio && rm f',
        ]
      : []),
    'cat g f > both && rm f',
    'cat f >> twin && rm f',
  ];
  for (const command of commands) assert.match((await lost(command)).join(), /^f: held in \S+$/, command);
  const folder = await lost('tar czf d.tgz d && rm -rf d');
  assert.equal(folder.length, 3);
  assert.ok(
    folder.every((line) => line.endsWith(': held in d.tgz')),
    folder.join(),
  );
});

test('an archive that does not have the very bytes, or does not stay, holds nothing', async () => {
  const commands = [
    'gzip f && rm f.gz',
    'tar czf t.tgz f && rm f t.tgz',
    'tar czf t.tgz g && rm f',
    'tar cf t.tar f && head -c 600 t.tar > u && rm f t.tar',
    'seq 199 | gzip > f.gz && rm f',
    'gzip -c f | head -c 100 > f.gz && rm f',
    'base64 f | head -3 > f64 && rm f',
    'split -l 50 f part. && rm f part.ab',
    'echo f > f.gz && rm f',
    'touch f.gz && rm f',
    'cp f h && echo more >> h && sed -i 1d h && rm f',
    'head -c 3000100 large > copy && rm large && cp copy large && mv large f',
    ...(has('zip') ? ['zip -q -P secret z.zip f && rm f', 'zip -q z.zip g && rm f'] : []),
    ...(has('xz') ? ['xz -c f > f.xz && truncate -s -10 f.xz && rm f'] : []),
  ];
  for (const command of commands) {
    const found = await lost(command);
    assert.ok(
      found.some((line) => /^(f|large): lost$/.test(line)),
      `${command}: ${found.join()}`,
    );
  }
  // So little stands in other files by chance.
  assert.deepEqual(await lost('rm s; echo "a short text" > t'), ['s: lost']);
});

test('a copy that was there before counts where the command names it', async () => {
  assert.deepEqual(await lost('mv g twin', ['g', 'twin']), []);
  assert.deepEqual(await lost('rm g', ['g']), ['g: lost']);
  assert.deepEqual(await lost('cmp g twin && rm g', ['g', 'twin', 'g']), []);
  assert.deepEqual(await lost('cmp -s f twin || rm g', ['f', 'twin']), []);
  assert.deepEqual(await lost('rm g twin', ['g', 'twin']), ['g: lost', 'twin: lost']);
});

test('a patch that the command saves holds what it deletes or puts back', async () => {
  assert.deepEqual(await lost('diff -u /dev/null f > p.patch; rm f'), ['f: held in p.patch']);
  assert.deepEqual(await lost('seq 90 > new; diff -u new f > p.patch; mv new f'), ['f: held in p.patch']);
  assert.deepEqual(await lost('seq 90 > new; diff -u f new > p.patch; mv new f'), ['f: lost']);
  assert.deepEqual(await lost('seq 90 > new; diff -u new f | head -20 > p.patch; mv new f'), ['f: lost']);
});

test('a file that is put together of deleted ones holds each of them, however short', async () => {
  const made = 'printf a > p1; printf bc > p2; printf d > p3;';
  assert.deepEqual(await lost('cat f s d/x > whole && rm f s d/x'), [
    'd/x: held in whole',
    'f: held in whole',
    's: held in whole',
  ]);
  assert.deepEqual(await lost('cat s s tracked > whole && rm s'), ['s: lost'], 'it holds more than what is deleted');
  assert.deepEqual(await lost('cat f s > whole && echo . >> whole && rm f s'), ['f: held in whole', 's: lost']);
  assert.deepEqual(await lost('cat large f > whole && rm large f'), ['f: held in whole', 'large: held in whole']);
  assert.deepEqual(await lost(`${made} cat f s | gzip > whole.gz && rm f s`), [
    'f: held in whole.gz',
    's: held in whole.gz',
  ]);
});

test('what is added to a file holds the deleted ones of which it consists, however short', async () => {
  assert.deepEqual(await lost('cat s >> twin && rm s'), ['s: held in twin']);
  assert.deepEqual(await lost('cat s d/x >> twin && rm s d/x'), ['d/x: held in twin', 's: held in twin']);
  assert.deepEqual(
    await lost('cat s >> twin && echo more >> twin && rm s'),
    ['s: lost'],
    'it may stand there by chance',
  );
  assert.ok((await lost('cat s >> twin && sed -i 1d twin && rm s')).includes('s: lost'), 'it was not only added to');
});

test('an archive that only gets members loses none', async () => {
  run(
    real,
    `tar cf old.tar f d; (ls f s | cpio -o -H newc; ) > old.cpio 2>/dev/null; ls f s | cpio -o > bin.cpio 2>/dev/null
tar --format=pax -cf pax.tar f g; head -c 5000 /dev/zero > zeros; tar cf zeros.tar zeros; head -c 3000000 /dev/urandom > noise; tar cf large.tar noise
${has('zip') ? 'zip -qr old.zip f d; zip -q large.zip noise f' : ''}; git add -A; git commit -qm archives; seq 7 > own; seq 8 > z; zip -q own.zip own; tar cf own.tar own zeros; rm own`,
  );
  const zip = has('zip');
  const growing = [
    'tar rf own.tar g',
    'tar rf own.tar g s; tar rf own.tar tracked',
    'tar uf own.tar z',
    'tar --concatenate -f own.tar pax.tar',
    ...(zip ? ['zip -qr own.zip g', 'zip -qr own.zip d s', 'zip -q own.zip g; zip -q own.zip s'] : []),
  ];
  for (const command of growing) assert.deepEqual(await lost(command), [], command);
  const shrinking = [
    'tar --delete -f own.tar own',
    'tar cf own.tar g',
    'seq 9 > own; tar cf own.tar own zeros',
    ...(zip ? ['zip -qd own.zip own', 'seq 9 > own; zip -q own.zip own', 'rm own.zip; zip -q own.zip g'] : []),
    ...(zip ? ['chmod +x z; cp z own; zip -q own.zip own', 'printf x >> own.zip; sed -i s/PK/QK/ own.zip'] : []),
  ];
  for (const command of shrinking) assert.match((await lost(command)).join(), /own\.(tar|zip): lost/, command);
  run(real, 'git add -A; cp large.tar huge.tar; cp old.cpio new.cpio; cp bin.cpio old-bin.cpio; cp large.zip huge.zip');
  const untracked = [
    'tar rf huge.tar g',
    'echo g | cpio -oA -H newc -F new.cpio',
    'echo g | cpio -oA -F old-bin.cpio',
    ...(zip ? ['zip -q huge.zip g'] : []),
  ];
  for (const command of untracked) assert.deepEqual(await lost(command), [], command);
});
