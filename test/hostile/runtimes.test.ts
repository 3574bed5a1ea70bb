import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Canaries, makeCanaries } from './canaries.ts';
import { runtimeAttempts } from './cases/runtimes.ts';
import { availableIdentities } from './identity.ts';
import { attemptConfined, proveUnconfined, whyNot } from './judge.ts';

// More than 300 hostile programs of every runtime, with the gate open. A run takes a share of them (FORETELL_SHARE=1: all).
const share = Number(process.env['FORETELL_SHARE'] ?? 16) === 1 ? 1 : 6;
const first = Number(process.env['FORETELL_FIRST'] ?? 0);
const only = process.env['FORETELL_ONLY'] ? new RegExp(process.env['FORETELL_ONLY']) : undefined;
const chosen = runtimeAttempts.filter((attempt, index) =>
  only ? only.test(attempt.name) : index % share === first % share,
);
const identities = availableIdentities().filter(
  (identity) => (process.env['FORETELL_IDENTITY'] ?? identity.name) === identity.name,
);

test('the names of the attempts are unique, and there are enough', () => {
  assert.equal(new Set(runtimeAttempts.map(({ name }) => name)).size, runtimeAttempts.length);
  assert.ok(runtimeAttempts.length >= 300, String(runtimeAttempts.length));
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
  describe(`with the gate open as ${identity.name}`, () => {
    let canaries: Canaries | undefined;
    after(async () => canaries?.remove());
    for (const attempt of chosen) {
      test(attempt.name, { skip: whyNot(attempt, identity) ?? false }, async () => {
        canaries ??= await makeCanaries(identity);
        const { complaints } = await attemptConfined(attempt, canaries, 'copy');
        if (complaints.length > 0) {
          await canaries.remove();
          canaries = undefined;
        }
        assert.deepEqual(complaints, []);
      });
    }
  });
}
