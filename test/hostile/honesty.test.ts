import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { type Batch, type BatchAnswer, cliFile, isEngine, startBatch } from './batch.ts';
import { type Canaries, makeCanaries } from './canaries.ts';
import { deceptions, evasions, forgeries, hostileRepositories } from './cases/honesty.ts';
import { availableIdentities, spawnAs } from './identity.ts';

const identities = availableIdentities().filter((one) => (process.env['FORETELL_IDENTITY'] ?? one.name) === one.name);

for (const identity of identities) {
  describe(`a prediction does not lie, as ${identity.name}`, () => {
    let canaries: Canaries;
    let batch: Batch;
    before(async () => {
      canaries = await makeCanaries(identity);
      batch = startBatch(canaries, 2);
    });
    after(async () => {
      await batch.close();
      await canaries.remove();
      fs.rmSync(`${canaries.base}.cache`, { recursive: true, force: true });
    });

    async function predict(script: string): Promise<BatchAnswer> {
      const state = await canaries.state();
      const [answer] = await batch.ask([{ script, timeLimitMs: 5_000 }], 120_000);
      assert.ok(answer);
      assert.deepEqual(await canaries.compare(state, isEngine), []);
      return answer;
    }

    for (const deception of deceptions) {
      test(`deception: ${deception.name}`, async () => {
        const answer = await predict(deception.script);
        const touched = new Set(answer.files?.filter((file) => file.change !== 'created').map((file) => file.path));
        for (const name of deception.hits ?? [])
          assert.ok(touched.has(`${canaries.workspace}/${name}`), `${name}: ${JSON.stringify(answer).slice(0, 1500)}`);
        assert.notEqual(answer.verdict?.level, 'safe', JSON.stringify(answer).slice(0, 1500));
      });
    }

    for (const evasion of evasions) {
      test(`looks whether it is watched: ${evasion.name}`, async () => {
        const answer = await predict(evasion.script);
        const says = answer.files?.some((file) => file.path.endsWith('/precious')) || answer.verdict?.level !== 'safe';
        assert.ok(says, JSON.stringify(answer).slice(0, 1500));
      });
    }

    for (const [name, script] of forgeries) {
      test(`forged output: ${name}`, async () => {
        const answer = await predict(script);
        assert.ok(['done', 'abstained'].includes(answer.ending), JSON.stringify(answer).slice(0, 500));
        for (const colors of ['always', 'never']) {
          const shown = spawnSync(process.execPath, [cliFile, '--color', colors, script], {
            cwd: canaries.workspace,
            env: { ...canaries.environment, XDG_CACHE_HOME: `${canaries.base}.cache` },
            ...spawnAs(identity),
          });
          assert.deepEqual(dangerousSequences(shown.stdout.toString('latin1'), colors === 'always'), [], name);
          assert.equal(shown.stderr.toString(), '');
        }
      });
    }
  });

  describe(`a hostile repository is only looked at, as ${identity.name}`, () => {
    for (const [name, setup] of hostileRepositories) {
      test(name, async () => {
        const canaries = await makeCanaries(identity);
        const prepared = spawnSync('/bin/bash', ['-c', setup], {
          cwd: canaries.workspace,
          env: canaries.environment,
          timeout: 120_000,
          ...spawnAs(identity),
        });
        assert.equal(prepared.signal, null, prepared.stderr.toString());
        fs.rmSync(`${canaries.outside}/touched`, { force: true });
        const state = await canaries.state();
        const batch = startBatch(canaries, 1);
        try {
          const scripts = ['rm -f a precious', 'echo x > b', 'git status', 'rm -rf .git', 'git reset --hard', 'true'];
          const answers = await batch.ask(
            scripts.map((script) => ({ script, timeLimitMs: 3_000 })),
            300_000,
          );
          assert.equal(answers.at(-1)?.ending, 'done', JSON.stringify(answers.at(-1)).slice(0, 500));
          assert.ok(answers[0]?.files?.some((file) => file.path.endsWith('/precious')));
          assert.deepEqual(await canaries.compare(state, isEngine), []);
        } finally {
          await batch.close();
          assert.deepEqual(await canaries.compare(state), []);
          await canaries.remove();
          fs.rmSync(`${canaries.base}.cache`, { recursive: true, force: true });
        }
      });
    }
  });
}

/** What a terminal would obey instead of showing it: everything but newline, tab and, with colours, SGR. */
function dangerousSequences(text: string, colored: boolean): string[] {
  const rest = colored ? text.replace(/\x1b\[[0-9;:]*m/g, '') : text;
  const found: string[] = [];
  for (const match of rest.matchAll(/[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]/g))
    found.push(JSON.stringify(rest.slice(Math.max(0, match.index - 20), match.index + 30)));
  return found;
}
