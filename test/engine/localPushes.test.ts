import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { fixtureEnv, run } from './plainLooker.ts';

/** A push into a folder of this machine is judged by what it changes there. */

const { foretell, folder } = throwAwayForetell('local-pushes');
const base = fs.realpathSync(folder);
run(
  base,
  `set -e; git init -q --bare -b main hub.git; git init -q -b main p; cd p; git remote add origin ../hub.git
seq 3 > a; git add a; git commit -qm One; seq 4 > a; git commit -qam Two; git branch side; git push -q -u origin --all; seq 5 > a; git commit -qam Three
git clone -q ../hub.git ../other; cd ../other; git checkout -q side; seq 9 > o; git add o; git commit -qm Foreign; git push -q`,
);

async function predicted(script: string) {
  const cwd = path.join(base, 'p');
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd };
  const request = { action, env: fixtureEnv, workspaceFolders: [base], signal: new AbortController().signal };
  const { events, view } = foretell.predict(request);
  const prediction = await foldAll(action, events);
  await view.close();
  const { level, reasons } = prediction.verdict;
  return {
    level,
    reasons: reasons.map(({ text }) => text).join('\n'),
    effects: prediction.effects.map(({ detail }) => detail),
  };
}

test('commits that only go on there lose nothing', async () => {
  for (const script of [
    'git push',
    'git push ../hub.git main',
    'git push --force',
    `git push file://${base}/hub.git +main`,
  ]) {
    const { level, effects } = await predicted(script);
    assert.equal(level, 'safe', script);
    assert.ok(
      effects.some((detail) => detail.startsWith('moves branch main from')),
      script,
    );
  }
});

test('what is taken away there is told by its facts', async () => {
  const back = await predicted('git push -f origin main~2:main');
  assert.equal(back.level, 'caution');
  assert.match(back.reasons, /^Moves branch main from .* drops 1 commit \(“Two”\)/m);
  assert.doesNotMatch(back.reasons, /rewrites the history/);
  const foreign = await predicted('git push origin :side');
  assert.equal(foreign.level, 'danger');
  assert.match(foreign.reasons, /1 commit on no other branch, tag or remote: “Foreign”/);
});

test('a push that was not started, or goes to others, is judged by its words', async () => {
  for (const script of ['true || git push -f', 'git push -f ssh://nobody@localhost/x main'])
    assert.equal((await predicted(script)).level, 'danger', script);
});

test('a push that a folder refuses has failed here', async () => {
  run(base, 'git -C hub.git config receive.denyDeletes true');
  for (const script of [
    'git push -f nowhere main',
    'git push --delete origin nosuch',
    'git push --delete origin main',
  ]) {
    const { level, reasons } = await predicted(script);
    assert.equal(level, 'caution', script);
    assert.match(reasons, /fails with exit code \d+: /, script);
    assert.match(reasons, /\(it failed here\)/, script);
  }
});

test('a branch goes there that stands among the packed names', async () => {
  run(
    base,
    'git -C hub.git config receive.denyDeletes false; git -C hub.git branch packed main; git -C hub.git pack-refs --all; git -C p fetch -q',
  );
  const { level, reasons, effects } = await predicted('git push origin :packed');
  assert.equal(level, 'caution', reasons);
  assert.ok(
    effects.some((detail) => /^deletes branch packed \(was \w+\) in .*\/hub\.git$/.test(detail)),
    `${effects} ${reasons}`,
  );
  assert.doesNotMatch(reasons, /packed-refs|1 line/);
});
