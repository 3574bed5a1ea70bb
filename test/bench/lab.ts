// How fast the bench asks a model server, and how much memory many rows take.
//   node test/bench.mjs lab [--rows 10000]
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const delayMs = 100;
const rowsAt = process.argv.indexOf('--rows');
const manyRows = rowsAt > 0 ? Number(process.argv[rowsAt + 1]) : 10_000;
const cli = path.resolve('dist/cli.js');
const folder = mkdtempSync(path.join(os.tmpdir(), 'foretell-lab-'));

async function startServer(delay: number): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [path.resolve('test/bench/labServer.mjs'), String(delay)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, child };
}

/** Rows of one domain with a history, so that each is about `sizeBytes` long. */
function writeRows(name: string, count: number, sizeBytes: number): string {
  const file = path.join(folder, name, 'terminal_test.jsonl');
  const history = 'x'.repeat(Math.max(0, sizeBytes - 700));
  const lines: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const prompt = `### Turn 1\n**Current State:**\nroot@box:/app#\n\n**Action:**\n\`\`\`json\n[{"keystrokes": "ls ${index}\\n", "duration": 0.1}]\n\`\`\``;
    lines.push(
      JSON.stringify({
        task: 'terminal',
        id: Math.floor(index / 5),
        prompt: [prompt],
        response: [`**Environment Observation:**\nroot@box:/app# ls ${index}\nmain.py\nroot@box:/app#`],
        current_prompt: prompt,
        system_str: `You are a terminal. ${history}`,
        turn_idx: 1,
        total_turns: 1,
      }),
    );
  }
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}

/** Runs the command line; gives how long it took and its largest resident set. */
async function run(args: string[]): Promise<{ durationMs: number; peakBytes: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, 'bench', ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let peakBytes = 0;
  const watch = setInterval(() => {
    try {
      const line = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      peakBytes = Math.max(peakBytes, Number(line?.[1] ?? 0) * 1024);
    } catch {
      // It has ended.
    }
  }, 20);
  let said = '';
  child.stderr.on('data', (part) => {
    said = `${said}${part}`.slice(-2000);
  });
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(watch);
  if (code !== 0) throw new Error(`foretell bench ${args[0]} ended with ${code}: ${said}`);
  return { durationMs: performance.now() - startedAt, peakBytes };
}

const seconds = (durationMs: number) => `${(durationMs / 1000).toFixed(2)} s`;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

try {
  const slow = await startServer(delayMs);
  const small = writeRows('small', 200, 4000);
  const options = (out: string, url: string, jobs: number) => [
    ...['--out', path.join(folder, out), '--model-url', url, '--no-cache', '--jobs', String(jobs)],
  ];
  const empty = writeRows('one', 1, 4000);
  // The best of five: what else the machine does is no property of the bench.
  const best = async (name: string, rows: string): Promise<number> => {
    const times: number[] = [];
    for (let round = 0; round < 5; round += 1) {
      times.push((await run(['infer', rows, ...options(`${name}-${round}`, slow.url, 32)])).durationMs);
    }
    return Math.min(...times);
  };
  const startMs = (await best('one', empty)) - delayMs;
  const together = { durationMs: await best('many', small) };
  const alone = await run(['infer', small, ...options('run-1', slow.url, 1)]);
  slow.child.stdin?.end();
  const idealMs = Math.ceil(200 / 32) * delayMs;
  const rows = (durationMs: number) => durationMs - startMs;
  console.log(`load of the machine ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} processors`);
  console.log(`200 rows, a server that takes ${delayMs} ms (starting the program, ${seconds(startMs)}, taken off):`);
  console.log(
    `  32 at once     ${seconds(rows(together.durationMs))}, ideal ${seconds(idealMs)}: ${(rows(together.durationMs) / idealMs).toFixed(2)} ×`,
  );
  console.log(
    `  one at a time  ${seconds(rows(alone.durationMs))}: ${(rows(alone.durationMs) / rows(together.durationMs)).toFixed(1)} × as long`,
  );

  const fast = await startServer(0);
  const many = writeRows('many', manyRows, 20_000);
  const infer = await run(['infer', many, ...options('run-many', fast.url, 32)]);
  const runFolder = path.join(folder, 'run-many');
  const judge = await run(['judge', runFolder, '--judge-url', fast.url, '--no-cache']);
  const score = await run(['score', runFolder]);
  const report = await run(['report', runFolder]);
  fast.child.stdin?.end();
  console.log(`${manyRows.toLocaleString('en')} rows of 20 kB, largest resident set:`);
  for (const [name, one] of Object.entries({ infer, judge, score, report })) {
    console.log(`  ${name.padEnd(7)} ${megabytes(one.peakBytes)} in ${seconds(one.durationMs)}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
