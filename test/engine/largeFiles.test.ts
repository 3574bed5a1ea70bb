import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { byEachEngine } from '../byEachEngine.ts';

/** What is too large to be read for a comparison is compared by the launcher: what stays of it is told as for small files. */

const numbers = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => `${first + at}\n`).join('');

/** 3 MB that look like chance and are the same each time. */
const noise = Buffer.concat(
  Array.from({ length: 98_304 }, (_, at) => createHash('sha256').update(String(at)).digest()),
);

const files = { 'text.txt': numbers(1, 500_000), 'other.txt': numbers(600_000, 1_000_000), 'small.txt': 'one\ntwo\n' };

/** Each script with what is lost by it: how it goes, and how many lines, where they are counted. */
const rows: [script: string, lost: Record<string, string>][] = [
  ['echo more >> text.txt', {}],
  ['printf more >> noise.bin', {}],
  ['cat other.txt >> text.txt', {}],
  ['truncate -s +1M noise.bin', {}],
  ['echo first | cat - text.txt > new && mv new text.txt', {}],
  ['(head -c 1000000 noise.bin; echo between; tail -c +1000001 noise.bin) > new && mv new noise.bin', {}],
  ["sed -i -e 1000i\\\\x -e '400000r small.txt' text.txt", {}],
  ["sed -i 's/$/\\r/' text.txt", {}],
  ['cat noise.bin small.txt > new && mv new small.txt', {}],
  ['rm text.txt; cp other.txt text.txt', { 'text.txt': 'replaced, 500000 lines' }],
  ['cp text.txt copy.txt && echo 5 > text.txt', {}],
  ['sed -i 1d text.txt', { 'text.txt': 'edited, 1 line' }],
  ["sed -i '/7/d' text.txt", { 'text.txt': 'edited, 204755 lines' }],
  ["sed -i 's/1/x/' text.txt", { 'text.txt': 'replaced, 263804 lines' }],
  ['sort -o text.txt text.txt', { 'text.txt': 'edited, 0 lines' }],
  ['dd if=/dev/zero of=noise.bin bs=1k count=1 conv=notrunc status=none', { 'noise.bin': 'edited' }],
  ['dd if=/dev/zero of=noise.bin bs=1M seek=1 count=2 conv=notrunc status=none', { 'noise.bin': 'replaced' }],
  ['truncate -s 2M noise.bin', { 'noise.bin': 'edited' }],
  ['truncate -s 1M noise.bin', { 'noise.bin': 'replaced' }],
  ['cp text.txt noise.bin', { 'noise.bin': 'replaced' }],
  ['mkdir kept && cp noise.bin kept/other-name && rm noise.bin', {}],
  [
    'cp noise.bin almost && printf x | dd of=almost bs=1 seek=3000000 conv=notrunc status=none && rm noise.bin',
    { 'noise.bin': 'deleted' },
  ],
  [': > sparse && truncate -s 5G sparse && echo x >> sparse', {}],
  ['git checkout -q -- tracked.txt', { 'tracked.txt': 'replaced' }],
  ['sed -i 2d tracked.txt', { 'tracked.txt': 'edited' }],
];

byEachEngine('large files', ({ foretell, folder, workspace }) => {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8' };

  async function lostBy(script: string, cwd: string): Promise<Record<string, string>> {
    const action = { kind: 'command', script, shell: 'bash', cwd } as const;
    const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
    const prediction = await foldAll(action, events);
    await view.close();
    assert.equal(prediction.ending, 'done', prediction.endingReason);
    return Object.fromEntries(
      prediction.loss.map(({ path: lost, going, lines }) => {
        const count = lines === undefined ? '' : `, ${lines} line${lines === 1 ? '' : 's'}`;
        return [path.relative(cwd, lost), `${going}${count}`];
      }),
    );
  }

  for (const [script, lost] of rows)
    test(script, async () => {
      const cwd = workspace(files);
      fs.writeFileSync(path.join(cwd, 'noise.bin'), noise);
      if (script.includes('tracked')) makeTracked(cwd);
      assert.deepEqual(await lostBy(script, cwd), lost);
    });

  test('what is too large to be copied is said to be, and fills no disk', async () => {
    const cwd = workspace({ 'small.txt': 'one\n' });
    fs.writeFileSync(path.join(cwd, 'huge.log'), Buffer.alloc(24_000_000, 'x'));
    const reasonsOf = async (script: string, diskBytes = 16_000_000) => {
      const action = { kind: 'command', script, shell: 'bash', cwd } as const;
      const limits = { diskBytes };
      const { events, view } = foretell.predict({ action, env, limits, signal: new AbortController().signal });
      const prediction = await foldAll(action, events);
      await view.close();
      return [prediction.verdict.level, prediction.endingReason, ...prediction.verdict.reasons.map(({ kind }) => kind)];
    };
    const [level, reason, ...kinds] = await reasonsOf('echo more >> huge.log');
    assert.equal(level, 'caution');
    assert.match(reason ?? '', /^A rehearsal copies a file before it is changed, and .+huge\.log \(24 MB\) is more/);
    assert.ok(!kinds.includes('limit'), kinds.join(' '));
    // The copy of this one takes long enough to be seen by overlays too, whose kernel takes it back before the program is told.
    fs.writeFileSync(path.join(cwd, 'larger.log'), Buffer.alloc(400_000_000, 'x'));
    for (const script of ['echo more | tee -a larger.log', 'truncate -s +1 larger.log']) {
      const [, reason] = await reasonsOf(script, 200_000_000);
      assert.match(
        reason ?? '',
        /^A rehearsal copies a file before it is changed, and .+larger\.log \(400 MB\) is more/,
      );
    }
    const [worse, other] = await reasonsOf('head -c 24M /dev/zero > new');
    assert.deepEqual([worse, other?.includes('copies a file')], ['danger', false]);
  });

  test('of a folder that is copied with many files, the one that is changed in the copy is lost', async () => {
    const many = Object.fromEntries(Array.from({ length: 700 }, (_, at) => [`d/file${at}`, `number ${1000 + at}\n`]));
    const cwd = workspace(many);
    const script = 'cp -r d e && echo "another 12" > e/file313 && rm -r d';
    assert.deepEqual(await lostBy(script, cwd), { 'd/file313': 'deleted, 1 line' });
  });
});

function makeTracked(cwd: string): void {
  const file = path.join(cwd, 'tracked.txt');
  fs.writeFileSync(file, numbers(1, 400_000));
  const git = (...words: string[]) => execFileSync('git', words, { cwd });
  git('init', '-q');
  git('add', 'tracked.txt');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'a');
  fs.appendFileSync(file, 'more\n');
}
