import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { Attempt } from './attempt.ts';
import { type Canaries, makeCanaries } from './canaries.ts';
import { availableIdentities } from './identity.ts';
import { attemptConfined, proveUnconfined, whyNot, whyUnproven } from './judge.ts';

const only = process.env['FORETELL_ONLY'] ? new RegExp(process.env['FORETELL_ONLY']) : undefined;
const identities = availableIdentities().filter(
  (identity) => (process.env['FORETELL_IDENTITY'] ?? identity.name) === identity.name,
);

/**
 * The tests of a list of attempts: their names, the proof that each works without confinement, and each one confined, by
 * everybody who can be had. `atLeast`: how many there must be. `share`: one of so many is tried, where FORETELL_ONLY names
 * none. `modes`: those that are tried; an attempt may name its only one. `title`: what a group of confined ones is called.
 */
export function attemptSuite(
  attempts: readonly Attempt[],
  { atLeast, share = 1, modes, title }: AttemptSuiteOptions,
): void {
  const first = Number(process.env['FORETELL_FIRST'] ?? 0) % share;
  const chosen = attempts.filter(({ name }, index) => (only ? only.test(name) : index % share === first));

  test('the names of the attempts are unique, and there are enough', () => {
    assert.equal(new Set(attempts.map(({ name }) => name)).size, attempts.length);
    assert.ok(attempts.length >= atLeast, String(attempts.length));
  });

  describe('without confinement the attempt works', { skip: process.env['FORETELL_NO_PROOF'] !== undefined }, () => {
    const identity = availableIdentities()[0];
    for (const attempt of chosen) {
      if (!identity || typeof attempt.proof === 'object') continue;
      test(attempt.name, { skip: whyNot(attempt, identity) ?? whyUnproven(attempt) ?? false }, async () => {
        assert.equal(await proveUnconfined(attempt, identity), undefined);
      });
    }
  });

  for (const identity of identities) {
    for (const mode of modes) {
      describe(title(identity.name, mode), () => {
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
}

interface AttemptSuiteOptions {
  atLeast: number;
  share?: number;
  modes: readonly NonNullable<Attempt['mode']>[];
  title: (identity: string, mode: string) => string;
}
