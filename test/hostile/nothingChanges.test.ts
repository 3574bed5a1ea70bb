import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { describe, test } from 'node:test';
import { placeWords } from '../places/places.ts';
import { type Batch, type BatchRequest, cliFile, isEngine, startBatch } from './batch.ts';
import { type Canaries, makeCanaries } from './canaries.ts';
import { readCommands, readOpenGateCommands } from './commands.ts';
import { availableIdentities, type Identity, spawnAs } from './identity.ts';
import { populate } from './populate.ts';

// Every command that others call dangerous or safe is predicted, and nothing changes: not a byte, not a time, not a
// process, and nobody is connected to.
const chunkSize = 50;
const share = Number(process.env['FORETELL_SHARE'] ?? 1);
const first = Number(process.env['FORETELL_FIRST'] ?? 0);

/** This run's share of the commands; of `rarely` times fewer than the others, unless all are wanted. */
function shareOf(commands: readonly string[], rarely = 1): string[] {
  const every = share === 1 ? 1 : share * rarely;
  return commands.filter((_, index) => index % every === first % every);
}

interface Watched {
  canaries: Canaries;
  batch: Batch;
}

/** How commands are predicted: in another place (`places/places.ts`), with consent for the workspace. */
interface Circumstances {
  place?: string;
  consent?: true;
}

async function surround(identity: Identity, { place, consent }: Circumstances = {}): Promise<Watched> {
  const canaries = await makeCanaries(identity, 'quick', populate);
  const wrapper = place === undefined ? [] : placeWords(place);
  // Storage of our own, for consents and for what is remembered of them.
  const own = `${canaries.base}.cache`;
  const environment = { XDG_CONFIG_HOME: `${own}/config`, XDG_STATE_HOME: `${own}/state` };
  if (consent) {
    const words = [cliFile, 'consent', 'give', canaries.workspace];
    const given = spawnSync(process.execPath, words, {
      env: { ...canaries.environment, ...environment },
      encoding: 'utf8',
      ...spawnAs(canaries.identity),
    });
    assert.equal(given.status, 0, given.stderr);
  }
  // Most of them only wait for their limit of time.
  const batch = startBatch(canaries, 4, { wrapper, environment });
  if (consent) {
    const [answer] = await batch.ask([{ script: `${process.execPath} -p 6*7` }]);
    assert.equal(answer?.output?.[0]?.text, '42\n', 'the consent counts');
  }
  return { canaries, batch };
}

async function leave({ canaries, batch }: Watched): Promise<void> {
  await batch.close();
  await canaries.remove();
  fs.rmSync(`${canaries.base}.cache`, { recursive: true, force: true });
}

/** Predicts all and says what is different after; the answers must all be predictions. */
async function predictAll({ canaries, batch }: Watched, requests: readonly BatchRequest[]): Promise<string[]> {
  const before = await canaries.state();
  let answers: Awaited<ReturnType<Batch['ask']>>;
  try {
    // As root a removal of everything takes as long as there are files to be listed.
    answers = await batch.ask(requests, 1_800_000);
  } catch (error) {
    return [String(error)];
  }
  const wrong = answers.flatMap((answer, index) =>
    ['done', 'abstained', 'failed'].includes(answer.ending) &&
    !/unexpected|TypeError|RangeError/.test(answer.reason ?? '')
      ? []
      : [`${requests[index]?.script}: ${answer.ending} ${answer.reason}`],
  );
  return [...wrong, ...(await canaries.compare(before, isEngine))];
}

/** Repeats a chunk that changed something, command by command, to name the guilty. */
async function findGuilty(
  identity: Identity,
  requests: readonly BatchRequest[],
  around?: Circumstances,
): Promise<string[]> {
  const guilty: string[] = [];
  for (const request of requests) {
    const watched = await surround(identity, around);
    const complaints = await predictAll(watched, [request]);
    await leave(watched);
    if (complaints.length === 0) continue;
    guilty.push(`${request.script} ⇒ ${complaints.slice(0, 5).join('; ')}`);
    // A run of all commands takes hours: FORETELL_VERBOSE=1 shows what it finds at once.
    console.error(`${identity.name}: ${guilty.at(-1)}`);
  }
  return guilty;
}

async function predictInChunks(
  identity: Identity,
  requests: readonly BatchRequest[],
  around: Circumstances = {},
): Promise<string[]> {
  const failures: string[] = [];
  let watched = await surround(identity, around);
  for (let at = 0; at < requests.length; at += chunkSize) {
    const chunk = requests.slice(at, at + chunkSize);
    const complaints = await predictAll(watched, chunk);
    console.error(
      `${identity.name}${around.place ? ` in ${around.place}` : ''}: ${at + chunk.length} of ${requests.length}`,
    );
    if (complaints.length === 0) continue;
    await leave(watched).catch(() => {});
    const guilty = await findGuilty(identity, chunk, around);
    failures.push(
      ...(guilty.length > 0 ? guilty : complaints.map((line) => `commands ${at} to ${at + chunkSize}: ${line}`)),
    );
    watched = await surround(identity, around);
  }
  const last = await watched.canaries.state();
  await watched.batch.close();
  failures.push(...(await watched.canaries.compare(last)));
  await leave(watched);
  return failures;
}

for (const identity of availableIdentities().filter(
  (one) => (process.env['FORETELL_IDENTITY'] ?? one.name) === one.name,
)) {
  describe(`predicting as ${identity.name} changes nothing`, () => {
    test('every command', async () => {
      const commands = readCommands();
      assert.ok(commands.length > 3000, String(commands.length));
      const requests = shareOf(commands).map((script) => ({ script, timeLimitMs: 2_000 }));
      assert.deepEqual(await predictInChunks(identity, requests), []);
    });
    test('where nothing can be copied, and look mode alone answers', async () => {
      const requests = shareOf(readCommands(), 5).map((script) => ({ script, timeLimitMs: 2_000 }));
      assert.deepEqual(await predictInChunks(identity, requests, { place: 'no-namespaces' }), []);
    });
    test('with the gate open', { skip: identity.name === 'root' ? 'only as an ordinary user' : false }, async () => {
      const requests = shareOf(readOpenGateCommands(), 4).map((script) => ({
        script,
        openGate: true,
        timeLimitMs: 2_000,
      }));
      assert.ok(requests.length > 40 / share, String(requests.length));
      assert.deepEqual(await predictInChunks(identity, requests), []);
    });
    test('with consent for the workspace', {
      skip: identity.name === 'root' ? 'only as an ordinary user' : false,
    }, async () => {
      const requests = shareOf(readOpenGateCommands(), 12).map((script) => ({ script, timeLimitMs: 2_000 }));
      assert.deepEqual(await predictInChunks(identity, requests, { consent: true }), []);
    });
  });
}
