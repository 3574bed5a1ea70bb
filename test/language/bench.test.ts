import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { after } from 'node:test';
import type { Fault } from '../cassettes/faults.ts';
import { type Reply, type ServerOptions, startServer } from '../cassettes/server.ts';
import { seeded } from '../unit/language/seeded.ts';

const fixtures = path.resolve('test/fixtures/agentworldbench');
const cli = path.resolve('dist/cli.js');
const places: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'foretell-bench-'));
  places.push(folder);
  return folder;
};
after(() => {
  for (const place of places) rmSync(place, { recursive: true, force: true });
});

const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest();

/** A model and a judge in one: the same question has the same reply. */
function answer(body: Record<string, unknown>): Reply {
  const messages = body['messages'] as { content: string }[];
  const chance = digest(messages);
  const last = messages.at(-1)?.content ?? '';
  if (body['model'] === 'judge') {
    if (last.includes('\\boxed')) return { content: `It is \\boxed{${(chance[0] ?? 0) % 2 ? 'A' : 'B'}}` };
    const score = (at: number) => 1 + ((chance[at] ?? 0) % 5);
    const scores = `{"format": ${score(0)}, "factuality": ${score(1)}, "consistency": ${score(2)}, "realism": ${score(3)}, "quality": ${score(4)},}`;
    return {
      content: `<final_evaluation>\n{"strengths": [], "scores": ${scores}}\n</final_evaluation>`,
      pieceLength: 400,
    };
  }
  const lines = ['root@box:/app#', 'main.py', 'Exit Code: 0', '<b>&</b>'].slice(0, 1 + ((chance[0] ?? 0) % 4));
  return {
    content: `<predicted_observation>\n${lines.join('\n')}\n</predicted_observation>`,
    reasoning: 'so',
    pieceLength: 400,
    ...((chance[1] ?? 0) % 5 === 0 ? { finish: 'length' as const } : {}),
  };
}

const serve = (more: Partial<ServerOptions> = {}, delayMs = 0) =>
  startServer({
    dialect: 'vllm',
    models: ['world', 'judge'],
    async answer(body) {
      if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
      return answer(body);
    },
    ...more,
  });

interface Ended {
  code: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
}

/** Runs the command line; `end` may end it. */
async function bench(args: string[], end?: (child: ReturnType<typeof spawn>) => void): Promise<Ended> {
  const env = { ...process.env, XDG_CACHE_HOME: path.join(newFolder(), 'cache') };
  const child = spawn(process.execPath, [cli, 'bench', ...args], { stdio: ['ignore', 'pipe', 'pipe'], env });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (part) => {
    stdout += part;
  });
  child.stderr.on('data', (part) => {
    stderr += part;
  });
  end?.(child);
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  return { code, signal, stdout, stderr };
}

/** Three copies of each row of the fixtures, with another id. */
function manyRows(): string {
  const folder = newFolder();
  for (const domain of ['terminal', 'swe', 'mcp', 'os']) {
    const rows = readFileSync(path.join(fixtures, `${domain}_test.jsonl`), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const copies = [1, 2, 3].flatMap((copy) =>
      rows.map((row) => JSON.stringify({ ...row, id: `${row.id}-${copy}`, system_str: `${row.system_str} (${copy})` })),
    );
    writeFileSync(path.join(folder, `${domain}_test.jsonl`), `${copies.join('\n')}\n`);
  }
  return folder;
}

test('a run that is killed at any moment and taken up gives what one that was never killed gives', async () => {
  const server = await serve({}, 8);
  const rows = manyRows();
  const [whole, killed] = [newFolder(), newFolder()];
  const args = (out: string) => [
    ...['run', rows, '--out', out, '--model-url', server.baseUrl, '--model', 'world', '--jobs', '4', '--no-cache'],
    ...['--judge-url', server.baseUrl, '--judge-model', 'judge', '--price', '1,2'],
  ];
  try {
    const first = await bench(args(whole));
    assert.equal(first.code, 0, first.stderr);
    const { below } = seeded(Date.now() & 0xffff);
    let kills = 0;
    let last: Ended | undefined;
    for (let attempt = 0; attempt < 40 && last?.code !== 0; attempt += 1) {
      const seen = server.completions().length;
      const after_ = 2 + below(12);
      last = await bench(args(killed), (child) => {
        // After so many requests of this attempt, wherever the program is then; the last attempt may end by itself.
        const watch = setInterval(() => {
          if (server.completions().length - seen >= after_ && kills < 6) child.kill('SIGKILL');
        }, 1);
        child.once('exit', () => clearInterval(watch));
      });
      if (last.signal === 'SIGKILL') kills += 1;
    }
    assert.equal(last?.code, 0, last?.stderr);
    assert.ok(kills >= 3, `killed ${kills} times`);
    assert.equal(last?.stdout, first.stdout);
    for (const file of ['world/score.json', 'report.md']) {
      assert.equal(readFileSync(path.join(killed, file), 'utf8'), readFileSync(path.join(whole, file), 'utf8'), file);
    }
    const gens = (folder: string) =>
      readFileSync(path.join(folder, 'world/judged.jsonl'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => {
          const { id, turn_idx, gen, total_score, extracted_output } = JSON.parse(line);
          return { id, turn_idx, gen, total_score, extracted_output };
        });
    assert.deepEqual(gens(killed), gens(whole));
  } finally {
    await server.close();
  }
});

test('a run in four shards, each with a server of its own, is one run when they are merged', async () => {
  const servers = await Promise.all([serve(), serve(), serve(), serve()]);
  const rows = manyRows();
  const [whole, merged] = [newFolder(), path.join(newFolder(), 'merged')];
  const shards = servers.map(() => newFolder());
  const args = (out: string, server: (typeof servers)[number]) => [
    ...['run', rows, '--out', out, '--model-url', server.baseUrl, '--model', 'world', '--no-cache'],
    ...['--judge-url', server.baseUrl, '--judge-model', 'judge', '--price', '1,2'],
  ];
  const [first] = servers;
  assert.ok(first);
  try {
    assert.equal((await bench(args(whole, first))).code, 0);
    const asked = first.completions().length;
    for (const [index, server] of servers.entries()) {
      const shard = await bench([...args(shards[index] ?? '', server), '--shard', `${index + 1}/4`]);
      assert.equal(shard.code, 0, shard.stderr);
    }
    const counts = servers.map((server, index) => server.completions().length - (index === 0 ? asked : 0));
    assert.ok(
      counts.every((count) => count > 0),
      `each has some: ${counts}`,
    );
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      asked,
    );
    const merge = await bench(['merge', '-o', merged, ...shards]);
    assert.equal(merge.code, 0, merge.stderr);
    const withoutTimes = (file: string) =>
      readFileSync(file, 'utf8').replace(/"(?:durationMs|firstTokenMs)":[\d.]+/g, '"time":0');
    for (const file of ['world/predictions.jsonl', 'world/judged.jsonl'])
      assert.equal(withoutTimes(path.join(merged, file)), withoutTimes(path.join(whole, file)), file);
    assert.equal((await bench(['report', merged])).code, 0);
    assert.equal(
      readFileSync(path.join(merged, 'report.md'), 'utf8'),
      readFileSync(path.join(whole, 'report.md'), 'utf8'),
    );
    assert.equal((await bench(['score', merged])).stdout, (await bench(['score', whole])).stdout);
    // The merged run goes on like any other: nothing is left to ask.
    const before = first.completions().length;
    assert.equal((await bench(args(merged, first))).code, 0);
    assert.equal(first.completions().length, before);
    for (const [parts, sentence] of [
      [[merged, newFolder()], /holds no run; give the folders that were written with --shard/],
      [shards, /holds a run already; choose another --out/],
    ] as const) {
      const refused = await bench(['merge', '-o', merged, ...parts]);
      assert.equal(refused.code, 64);
      assert.match(refused.stderr, sentence);
    }
  } finally {
    await Promise.all(servers.map((server) => server.close()));
  }
});

test('a line that a crash tore is cut off, and its row is asked again', async () => {
  const server = await serve();
  const out = newFolder();
  const file = path.join(fixtures, 'terminal_test.jsonl');
  const args = ['infer', file, '--out', out, '--model-url', server.baseUrl, '--model', 'world', '--no-cache'];
  try {
    assert.equal((await bench(args)).code, 0);
    const store = path.join(out, 'world/infer.jsonl');
    const lines = readFileSync(store, 'utf8').trimEnd().split('\n');
    const asked = server.completions().length;
    // The last row is half there.
    writeFileSync(store, `${lines.slice(0, -1).join('\n')}\n${lines.at(-1)?.slice(0, 50)}`);
    const again = await bench(args);
    assert.equal(again.code, 0, again.stderr);
    assert.equal(server.completions().length, asked + 1);
    const after_ = readFileSync(store, 'utf8').trimEnd().split('\n');
    assert.equal(after_.length, lines.length);
    for (const line of after_) JSON.parse(line);
    // A line of somebody else is left alone and harms nobody.
    appendFileSync(store, 'not json\n');
    assert.equal((await bench(args)).code, 0);
    assert.equal(server.completions().length, asked + 1);
  } finally {
    await server.close();
  }
});

test('Ctrl+C keeps what was done, and says how to go on', async () => {
  const server = await serve({}, 40);
  const out = newFolder();
  const args = ['infer', manyRows(), '--out', out, '--model-url', server.baseUrl, '--model', 'world', '--jobs', '2'];
  try {
    const stopped = await bench([...args, '--no-cache'], (child) => {
      const watch = setInterval(() => {
        if (server.completions().length < 8) return;
        clearInterval(watch);
        child.kill('SIGINT');
      }, 5);
      child.once('exit', () => clearInterval(watch));
    });
    assert.equal(stopped.code, 130, stopped.stderr);
    assert.match(stopped.stderr, /Cancelled; the same command goes on from here/);
    const done = readFileSync(path.join(out, 'world/predictions.jsonl'), 'utf8').trim().split('\n').length;
    assert.ok(done >= 4 && done < 48, `${done} rows`);
  } finally {
    await server.close();
  }
});

test('faults of a moment are asked again, those that stay are counted, and general ones stop the run', async () => {
  const reset: Fault = { kind: 'reset' };
  const server = await serve({ faults: [undefined, { kind: 'status', status: 400, message: 'no' }, reset] });
  const out = newFolder();
  const file = path.join(fixtures, 'mcp_test.jsonl');
  const args = (url: string) => [
    ...['infer', file, '--out', out, '--model-url', url, '--model', 'world', '--jobs', '1', '--no-cache'],
  ];
  try {
    const run = await bench(args(server.baseUrl));
    assert.equal(run.code, 0, run.stderr);
    assert.match(run.stderr, /3 of 3 rows are predicted, 1 of them failed/);
    const score = JSON.parse((await bench(['score', '--json', out])).stdout);
    assert.equal(score.world.counts.failed, 1);
    assert.deepEqual(score.world.failures, { 'bad-request': 1 });
  } finally {
    await server.close();
  }
  const gone = await bench(args(server.baseUrl));
  assert.equal(gone.code, 64);
  assert.match(gone.stderr, /^foretell bench infer: .+\.$/m);
});

test('complete replies come from the cache when a row is asked again in another run', async () => {
  const server = await serve();
  const cache = newFolder();
  const args = (out: string) => [
    ...['infer', path.join(fixtures, 'os_test.jsonl'), '--out', out, '--model-url', server.baseUrl],
    ...['--model', 'world', '--cache', cache],
  ];
  const [a, b] = [newFolder(), newFolder()];
  try {
    assert.equal((await bench(args(a))).code, 0);
    const asked = server.completions().length;
    assert.equal((await bench(args(b))).code, 0);
    assert.equal(server.completions().length, asked);
    const gens = (folder: string) =>
      readFileSync(path.join(folder, 'world/predictions.jsonl'), 'utf8').match(/"gen":"[^"]*"/g);
    assert.deepEqual(gens(b), gens(a));
  } finally {
    await server.close();
  }
});

test('predictions of the evaluation script are judged in its own form; a choice is judged in the other styles', async () => {
  const server = await serve();
  const folder = newFolder();
  const file = path.join(folder, 'predictions.jsonl');
  const rows = readFileSync(path.join(fixtures, 'terminal_test.jsonl'), 'utf8').trim().split('\n');
  const gens = ['<predicted_observation>\nroot@box:/app# pwd\n/app\nroot@box:/app#\n</predicted_observation>', '', 'x'];
  writeFileSync(file, rows.map((row, at) => `${JSON.stringify({ ...JSON.parse(row), gen: gens[at % 3] })}\n`).join(''));
  const judge = ['--judge-url', server.baseUrl, '--judge-model', 'judge', '--no-cache'];
  try {
    const judged = await bench(['judge', file, ...judge]);
    assert.equal(judged.code, 0, judged.stderr);
    assert.match(judged.stdout, /--- Terminal \(4\/6 valid, 2 failed\) ---/);
    const lines = readFileSync(path.join(folder, 'judged.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ failed }) => failed),
      [0, 1, 0, 0, 1, 0],
    );
    assert.equal(lines[1].error_message, 'No model generation');
    assert.equal(lines[0].extracted_output, 'root@box:/app# pwd\n/app\nroot@box:/app#');
    assert.ok(lines[0].total_score >= 1 && lines[0].total_score <= 5);
    const prompt = server.completions().at(0)?.body?.['messages'] as { role: string; content: string }[];
    assert.equal(prompt[0]?.role, 'system');
    assert.match(prompt[1]?.content ?? '', /# Current Turn:[\s\S]*Simulated[\s\S]*Ground Truth/);
    assert.equal((await bench(['judge', file, ...judge, '--style', 'turing'])).code, 0);
    const choices = readFileSync(path.join(folder, 'judged-turing.jsonl'), 'utf8').trim().split('\n');
    assert.deepEqual(
      choices.map((line) => JSON.parse(line).failed),
      [0, 1, 0, 0, 1, 0],
    );
    const same = await bench(['compare', path.join(folder, 'judged.jsonl'), path.join(folder, 'judged.jsonl')]);
    assert.match(same.stdout, /6 rows that both have[\s\S]*No row differs\./);
  } finally {
    await server.close();
  }
});
