import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FoundLoss } from '../../src/core/facts/loss.ts';
import { withLossText } from '../../src/core/words/lossText.ts';
import { lostTitle } from '../../src/core/words/recoveryText.ts';
import { judgedInWords } from './judgedInWords.ts';

const going = 'deleted';
const unasked: FoundLoss = {
  ...{ path: '/w/a.txt', class: 'unknown', going, sizeBytes: 100 },
  because: { kind: 'gitFailed', failure: 'git took too long' },
  recovery: { kind: 'unknown' },
};
const untracked: FoundLoss = {
  ...{ path: '/w/b.txt', class: 'untracked', going, sizeBytes: 100 },
  because: { kind: 'untracked' },
  recovery: { kind: 'none' },
};

function judged(...loss: FoundLoss[]): string[] {
  const action = { kind: 'command', script: 'rm a.txt b.txt', shell: 'bash', cwd: '/w' } as const;
  const place = { workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {} };
  const nothing = { programs: [], files: [], effects: [], errors: '' };
  const risks = judgedInWords({ action, ...place, ...nothing, loss }).filter(({ level }) => level === 'danger');
  return risks.map(({ level, reason }) => `${level}: ${reason}`);
}

test('of files that git could not be asked about nobody says that they exist nowhere else', () => {
  const alone = 'danger: Deletes 1 file with 100 B; whether git has it is not known.';
  assert.deepEqual(judged(unasked), [alone]);
  const both = judged(unasked, untracked);
  assert.deepEqual(both, ['danger: Deletes 1 file with 100 B that exists nowhere else.', alone]);
  assert.equal(withLossText(unasked).recoverable, 'not known');
  assert.equal(lostTitle([unasked]), 'May be lost for good');
  assert.equal(lostTitle([unasked, untracked]), 'Lost, or may be lost, for good');
  assert.equal(lostTitle([untracked]), 'Lost for good');
});
