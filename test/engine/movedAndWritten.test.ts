import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { foldAll } from '../../src/core/foretell.ts';
import { byEachEngine } from '../byEachEngine.ts';

/** What a command moves and writes into as well: what of it is gone is lost, what stands on is not. */

const lines = Array.from({ length: 60 }, (_, index) => `line ${index}\n`).join('');

/** Lines that are lost for good, by path; of all of a file that is none: `whole`. */
type Lost = Record<string, number | 'whole'>;

const scripts: Record<string, Lost> = {
  'mv src d && : > d/a.txt': { 'src/a.txt': 60 },
  'mv src d && echo x >> d/a.txt': {},
  'mv src d && sed -i "s/^line 7$/seven/" d/a.txt': { 'src/a.txt': 1 },
  'mv src d && rm d/a.txt': { 'src/a.txt': 60 },
  'mv src d && cp d/a.txt k && cat k > d/a.txt': {},
  'mv src d && touch d/a.txt && chmod 600 d/a.txt': {},
  'mv src d && mv d/a.txt d/b.txt': { 'src/b.txt': 60 },
  'mv src d && mv d e && truncate -s 0 e/a.txt e/b.txt': { 'src/a.txt': 60, 'src/b.txt': 60 },
  'mv src/a.txt g && : > g': { 'src/a.txt': 60 },
  'mv src/a.txt g && echo x >> g': {},
  'mv src/a.txt g && sed -i "s/^line 7$/seven/" g': { 'src/a.txt': 1 },
  'mv src/a.txt g && sed -i "1d;s/^line 7$/seven/" g': { 'src/a.txt': 2 },
  'sed "s/^line 7$/seven/" src/a.txt > new && rm src/a.txt': { 'src/a.txt': 1 },
  'sort -r src/a.txt > sorted && rm src/a.txt': { 'src/a.txt': 'whole' },
  'mv src/a.txt src/b.txt src/c.txt .': {},
  'mv src/a.txt x && mv src/b.txt src/a.txt && mv x src/b.txt': {},
};

byEachEngine('movedAndWritten', ({ foretell, predicted, folder, workspace }, engine) => {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, LC_ALL: 'C.UTF-8' };

  for (const [script, lost] of Object.entries(scripts)) {
    test(script, async () => {
      const others = { 'src/b.txt': lines.replaceAll('line', 'LINE'), 'src/c.txt': `${lines}c\n` };
      const place = workspace({ 'src/a.txt': lines, ...others });
      const { loss, verdict } = await predicted(script, place, env);
      const found = loss
        .filter(({ recovery }) => recovery.kind === 'none')
        .map((one) => [path.relative(place, one.path), one.lines ?? 'whole']);
      assert.deepEqual(Object.fromEntries(found), lost);
      if (found.length > 0) assert.notEqual(verdict.level, 'safe');
      else assert.notEqual(verdict.level, 'danger');
    });
  }

  test('what comes behind a file with several names that overlays keep apart is not claimed', async () => {
    const place = workspace({ 'links/one': 'old\n' });
    for (const name of ['two', 'three']) fs.linkSync(path.join(place, 'links/one'), path.join(place, `links/${name}`));
    const session = foretell.openSession();
    const said = [];
    for (const script of ['mv links moved', 'echo new > moved/one', 'cat moved/two']) {
      const action = { kind: 'command', script, shell: 'bash', cwd: place } as const;
      const { events } = session.predict({ action, env, signal: new AbortController().signal });
      const { ending, output } = await foldAll(action, events);
      said.push([ending, output.map(({ text }) => text).join('')]);
    }
    await session.close();
    if (engine === 'supervision') assert.deepEqual(said.at(-1), ['done', 'new\n']);
    else assert.notEqual(said.at(-1)?.[0], 'done');
  });

  test('files that look alike are told as moved where supervision sees it', {
    skip: engine === 'overlays',
  }, async () => {
    const place = workspace({ 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'src/c.txt': 'c\n' });
    for (const name of ['a', 'b', 'c'])
      fs.utimesSync(path.join(place, `src/${name}.txt`), 1_700_000_000, 1_700_000_000);
    const { files } = await predicted('mv src/*.txt .', place, env);
    assert.deepEqual(
      files.map(({ change, from }) => [change, from && path.relative(place, from)]),
      ['a', 'b', 'c'].map((name) => ['renamed', `src/${name}.txt`]),
    );
  });
});
