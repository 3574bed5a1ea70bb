import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { cliFile } from '../hostile/batch.ts';
import { makeCanaries } from '../hostile/canaries.ts';
import { availableIdentities, spawnAs } from '../hostile/identity.ts';

// Cancelling at any moment: the prediction ends with `cancelled` (aim: within 100 ms), and no process is left.
const rounds = Number(process.env['FORETELL_ROUNDS'] ?? 200);

const scripts = [
  'while :; do :; done',
  'sleep 1000',
  'npm run build && rm -rf sub',
  'yes',
  'grep -r x / 2>/dev/null',
  ':(){ :|:& };:',
  'rm -rf sub; git status; find . | xargs cat',
  'cp -r .git copy; rm -rf copy',
  'ls -laR / | head -100000 | sort | wc -l',
  'cat a',
];

/** In a process of its own, as the user: cancels many predictions and writes one line for each. */
async function cancelMany(): Promise<void> {
  const foretell = createForetell({ launcher: launcherPath(path.dirname(cliFile)) });
  let seed = 1;
  for (let round = 0; round < rounds; round += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    const delayMs = (seed % 1000) ** 2 / 4000; // Most moments lie in the first 50 ms, where most happens.
    const abort = new AbortController();
    const script = scripts[round % scripts.length] ?? 'true';
    const { events, view } = foretell.predict({
      action: { kind: 'command', script, shell: 'bash', cwd: process.cwd() },
      signal: abort.signal,
    });
    let cancelledAt = 0;
    const timer = setTimeout(() => {
      cancelledAt = performance.now();
      abort.abort();
    }, delayMs);
    const endings: string[] = [];
    for await (const event of events)
      if (['done', 'abstained', 'failed', 'cancelled'].includes(event.type)) endings.push(event.type);
    const endedAt = performance.now();
    clearTimeout(timer);
    await view.close();
    const tookMs = cancelledAt === 0 ? 0 : endedAt - cancelledAt;
    process.stdout.write(`${JSON.stringify({ script, delayMs, endings, cancelled: cancelledAt > 0, tookMs })}\n`);
  }
  await foretell.dispose();
}

interface Round {
  script: string;
  delayMs: number;
  endings: string[];
  cancelled: boolean;
  tookMs: number;
}

if (process.env['FORETELL_ROLE'] === 'canceller') {
  await cancelMany();
} else {
  test(`${rounds} predictions are cancelled at random moments`, async () => {
    const [identity] = availableIdentities();
    assert.ok(identity);
    const canaries = await makeCanaries(identity);
    const state = await canaries.state();
    const child = spawn(process.execPath, [process.argv[1] ?? ''], {
      cwd: canaries.workspace,
      env: {
        ...canaries.environment,
        FORETELL_ROLE: 'canceller',
        FORETELL_ROUNDS: String(rounds),
        FORETELL_DIST: path.dirname(cliFile),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      ...spawnAs(identity),
    });
    const results: Round[] = [];
    createInterface({ input: child.stdout }).on('line', (line) => results.push(JSON.parse(line) as Round));
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.equal(code, 0);
    assert.equal(results.length, rounds);
    const wrong = results.filter(
      (one) => one.endings.length !== 1 || (one.cancelled && one.endings[0] !== 'cancelled' && one.tookMs > 20),
    );
    assert.deepEqual(wrong, []);
    const times = results
      .filter((one) => one.cancelled)
      .map((one) => one.tookMs)
      .sort((a, b) => a - b);
    assert.ok(times.length > rounds / 4, `only ${times.length} were cancelled`);
    const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
    console.log(`cancelled in ${at(0.5)} ms (p50), ${at(0.95)} ms (p95), ${at(1)} ms at most; the aim is 100 ms`);
    assert.deepEqual(await canaries.compare(state), []);
    await canaries.remove();
  });
}
