import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Attempt } from './attempt.ts';
import { type Canaries, makeCanaries } from './canaries.ts';
import { gitAttempts } from './cases/git.ts';
import { exhaustionAttempts, kernelAttempts, memoryAttempts } from './cases/kernel.ts';
import { libraryAttempts } from './cases/libraries.ts';
import { programAttempts } from './cases/programs.ts';
import { rootAttempts } from './cases/root.ts';
import { shellAttempts } from './cases/shell.ts';
import { availableIdentities } from './identity.ts';
import { attemptConfined, proveUnconfined, whyNot } from './judge.ts';

// Every attempt to get out, by everybody, in both modes: directly against the launcher, through its frames.
const attempts: Attempt[] = [
  ...programAttempts,
  ...libraryAttempts,
  ...gitAttempts,
  ...shellAttempts,
  ...kernelAttempts,
  ...rootAttempts,
  ...memoryAttempts,
  ...exhaustionAttempts,
];

const only = process.env['FORETELL_ONLY'] ? new RegExp(process.env['FORETELL_ONLY']) : /./;
const chosen = attempts.filter((attempt) => only.test(attempt.name));
const identities = availableIdentities().filter(
  (identity) => (process.env['FORETELL_IDENTITY'] ?? identity.name) === identity.name,
);

test('the names of the attempts are unique, and there are enough', () => {
  assert.equal(new Set(attempts.map((attempt) => attempt.name)).size, attempts.length);
  assert.ok(attempts.length >= 80, String(attempts.length));
});

describe('without confinement the attempt works', { skip: process.env['FORETELL_NO_PROOF'] !== undefined }, () => {
  const identity = availableIdentities()[0];
  for (const attempt of chosen) {
    if (!identity || typeof attempt.proof === 'object') continue;
    test(attempt.name, { skip: whyNot(attempt, identity) ?? false }, async () => {
      assert.equal(await proveUnconfined(attempt, identity), undefined);
    });
  }
});

for (const identity of identities) {
  for (const mode of ['copy', 'look'] as const) {
    describe(`confined as ${identity.name}, ${mode} mode`, () => {
      let canaries: Canaries | undefined;
      after(async () => canaries?.remove());
      for (const attempt of chosen) {
        if (attempt.mode && attempt.mode !== mode) continue;
        const reason = whyNot(attempt, identity);
        if (reason?.startsWith('only')) continue;
        test(attempt.name, { skip: reason ?? false }, async () => {
          canaries ??= await makeCanaries(identity);
          const complaints: string[] = [];
          for (let round = 0; round < (attempt.repeat ?? 1) && complaints.length === 0; round += 1) {
            complaints.push(...(await attemptConfined(attempt, canaries, mode)).complaints);
          }
          if (complaints.length > 0) {
            await canaries.remove();
            canaries = undefined;
          }
          assert.deepEqual(complaints, []);
        });
      }
    });
  }
}
