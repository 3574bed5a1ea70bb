import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Effect } from '../../src/core/facts/effect.ts';
import type { FoundLoss } from '../../src/core/facts/loss.ts';
import { findStaticPrograms } from '../../src/core/programs/staticPrograms.ts';
import { judgedInWords } from './judgedInWords.ts';

const place = { workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {} };
const committed: FoundLoss = {
  path: '/w/a',
  class: 'committed-local',
  because: { kind: 'committedHere' },
  recovery: { kind: 'commit', commit: 'c0ffee' },
  sizeBytes: 3,
  lines: 1,
  going: 'deleted',
};
const switched: Effect = {
  effect: 'git',
  basis: 'rehearsed',
  git: { kind: 'headSwitched', repository: '/w', from: 'main', to: 'feat' },
} as unknown as Effect;

function levels(script: string, loss: FoundLoss = committed): string[] {
  const action = { kind: 'command', script, shell: 'bash', cwd: '/w' } as const;
  const written = findStaticPrograms(script, { cwd: '/w', home: '/home/me', env: {} });
  const programs = written.map(({ argv }, id) => ({ id, argv, cwd: '/w', basis: 'rehearsed', exitCode: 0 }) as const);
  const facts = { action, ...place, written, programs, files: [], effects: [switched], loss: [loss], errors: '' };
  return judgedInWords({ ...facts, exitCode: 0 })
    .filter(({ kind }) => kind === 'filesTakenAway' || kind === 'filesLost')
    .map(({ level }) => level);
}

test('files that a branch has and another one has not are no loss where git only goes there', () => {
  for (const script of [
    'git switch feat',
    'git checkout feat',
    'git fetch; git merge feat',
    'git switch feat && git log | head',
  ])
    assert.deepEqual(levels(script), [], script);
});

test('what something else may have taken away is told as before', () => {
  for (const script of [
    'git switch feat; rm a',
    'git checkout feat -- a',
    'git switch feat; git rm a',
    'git switch feat; ./tool',
    'git reset --hard feat',
    'git switch feat && npm install',
  ])
    assert.deepEqual(levels(script), ['caution'], script);
  const lost: FoundLoss = {
    ...committed,
    class: 'modified',
    because: { kind: 'modified' },
    recovery: { kind: 'none' },
  };
  assert.deepEqual(levels('git switch feat', lost), ['danger']);
});
