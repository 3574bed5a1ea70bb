/**
 * `node test/bench.mjs environment`: turns a second of the environment's service with many sessions at once, against a
 * model server on this machine that takes a fixed time for each reply.
 *
 * Options: `--sessions N` (default 1000), `--turns N` (default 5), `--jobs N` (default 256), `--latency MS` (default 100).
 */
import http from 'node:http';
import { cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { createForetell } from '../../src/core/foretell.ts';
import { createEnvironment } from '../../src/core/loop/environment.ts';
import { startService } from '../../src/core/loop/service.ts';
import { createOpenAiProvider } from '../../src/core/worlds/language/client/client.ts';
import { startServer } from '../cassettes/server.ts';
import { ask } from '../unit/loop/serviceClient.ts';

const { values: flags } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    turns: { type: 'string', default: '5' },
    jobs: { type: 'string', default: '256' },
    latency: { type: 'string', default: '100' },
  },
});
const [sessions, turns, jobs, latencyMs] = [flags.sessions, flags.turns, flags.jobs, flags.latency].map(Number) as [
  number,
  number,
  number,
  number,
];
http.globalAgent.maxSockets = Number.POSITIVE_INFINITY;
const observation = `<predicted_observation>\n${'a line of the screen\n'.repeat(20)}</predicted_observation>`;
const world = await startServer({
  dialect: 'vllm',
  answer: () =>
    new Promise((resolve) => {
      setTimeout(() => resolve({ content: observation, pieceLength: 200 }), latencyMs);
    }),
});
const foretell = createForetell({ launcher: '/nowhere', spareLaunchers: 0 });
const environment = createEnvironment(foretell, {
  language: {
    provider: createOpenAiProvider({ baseUrl: world.baseUrl }),
    templateFolders: [{ source: 'shipped', path: 'prompts' }],
  },
  concurrency: jobs,
});
const service = await startService({ environment });
console.log(`${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, load ${loadavg()[0]?.toFixed(1)} at the beginning`);
const startedAt = performance.now();
await Promise.all(
  Array.from({ length: sessions }, async (_, index) => {
    const { id } = (await ask(service, '/start', { domain: 'terminal' })).json;
    for (let turn = 1; turn <= turns; turn += 1) {
      const told = await ask(service, '/step', {
        id,
        action: [{ keystrokes: `echo ${index} ${turn}\n`, duration: 1 }],
      });
      if (told.status !== 200) throw new Error(JSON.stringify(told.json));
    }
  }),
);
const seconds = (performance.now() - startedAt) / 1000;
const { heapUsed, rss } = process.memoryUsage();
const ideal = (sessions * turns * latencyMs) / 1000 / jobs;
console.log(
  `${sessions} sessions × ${turns} turns at ${latencyMs} ms, ${jobs} at once: ${seconds.toFixed(1)} s, ${Math.round((sessions * turns) / seconds)} turns a second (the model alone allows ${Math.round((sessions * turns) / ideal)}); ${(heapUsed / 1e6).toFixed(0)} MB of heap, ${(rss / 1e6).toFixed(0)} MB in all, with service, harness and model server in one process`,
);
await service.close(0);
await world.close();
process.exit(0);
