import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ownEnvironment } from '../../src/core/context/user.ts';
import { createForetell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { completeRequest } from '../../src/core/prediction/request.ts';
import { usualLimits } from '../../src/core/worlds/remembered/memoryStore.ts';
import { recall } from '../../src/core/worlds/remembered/recall.ts';
import { cpuMs } from '../cpuMs.ts';

/**
 * How long a remembered answer takes, beside the plain run and a rehearsal with and without being remembered; medians, in
 * milliseconds. `lookup` is what decides whether the inputs are the same; `first` until the first output, `all` until the end;
 * `cpu` is the processor's time of this process until then.
 *   node test/bench.mjs remembered [ROUNDS] [COMMAND…]
 */
const [rounds = '7', ...words] = process.argv.slice(2);

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-remembered-bench-')));
fs.mkdirSync(path.join(folder, 'src'));
for (let index = 0; index < 400; index++)
  fs.writeFileSync(path.join(folder, `src/f${index}.js`), `exports.n = ${index};\n`);
fs.writeFileSync(
  path.join(folder, 'all.js'),
  "let n = 0; for (const f of require('fs').readdirSync('src')) n += require('./src/' + f).n; console.log(n); require('fs').writeFileSync('sum', String(n))",
);
const commands =
  words.length > 0 ? [words.join(' ')] : ['node -e 1', 'node all.js', 'python3 -c "import json, unittest"'];

const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 2 });
const memory = { folder: path.join(folder, 'memory'), version: 'bench', ...usualLimits };
const signal = new AbortController().signal;

const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function timed(script: string, way: 'remembered' | 'kept' | 'plainly'): Promise<{ first: number; all: number }> {
  const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
  const use = way === 'plainly' ? {} : { memory: { ...memory, isFresh: way === 'kept' } };
  const consent = { folder, programs: 'all' } as const;
  const startedAt = performance.now();
  let first = Number.NaN;
  const { events, view } = foretell.predict({ action, env: ownEnvironment(script), consent, signal, ...use });
  await foldAll(action, events, ({ type }) => {
    if (type === 'program' || type === 'output') first = Number.isNaN(first) ? performance.now() - startedAt : first;
  });
  const all = performance.now() - startedAt;
  await view.close();
  return { first, all };
}

async function lookup(script: string): Promise<{ ms: number; inputs: number }> {
  const action = { kind: 'command', script, shell: 'bash', cwd: folder } as const;
  const { request } = completeRequest({ action, env: ownEnvironment(script), signal }, false);
  const parts = {
    looker: foretell.looker,
    launcher: launcherPath(path.resolve('dist')),
    // Holding what was changed is begun behind the lookup.
    hold: async () => ({ view: { read: async () => undefined, close: async () => {} }, inView: foretell.looker }),
    shellState: async () => undefined,
  };
  const startedAt = performance.now();
  const found = await recall(request, memory, parts);
  const ms = performance.now() - startedAt;
  if (!found || 'changed' in found) return { ms: Number.NaN, inputs: 0 };
  let inputs = 0;
  for await (const event of found.rehearsal.events)
    if (event.type === 'notice' && event.fact.kind === 'remembered') inputs = event.fact.of;
  return { ms, inputs };
}

for (const script of commands) {
  const times: Record<string, number[]> = { plain: [], lookup: [], first: [], all: [], cpu: [], kept: [], unkept: [] };
  let inputs = 0;
  await timed(script, 'kept');
  for (let round = 0; round < Number(rounds); round++) {
    const startedAt = performance.now();
    spawnSync('bash', ['-c', script], { cwd: folder });
    times['plain']?.push(performance.now() - startedAt);
    fs.rmSync(path.join(folder, 'sum'), { force: true });
    await new Promise((resolve) => setTimeout(resolve, 100));
    times['unkept']?.push((await timed(script, 'plainly')).all);
    times['kept']?.push((await timed(script, 'kept')).all);
    const found = await lookup(script);
    inputs = found.inputs;
    times['lookup']?.push(found.ms);
    const before = cpuMs();
    const { first, all } = await timed(script, 'remembered');
    times['cpu']?.push(cpuMs() - before);
    times['first']?.push(first);
    times['all']?.push(all);
  }
  const shown = Object.entries(times).map(([name, values]) => `${name} ${median(values).toFixed(1)}`);
  console.log(`${script}: ${shown.join('  ')}  (${inputs} inputs)`);
}
await foretell.dispose();
fs.rmSync(folder, { recursive: true, force: true });
