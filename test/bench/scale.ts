/**
 * `node test/bench.mjs scale`: how the cost of a prediction grows with the command's own work.
 *
 * Ten commands over 100 to 50,000 files, each predicted in a running process of its own, from the question to the last event,
 * with plain bash beside it in the same round, on a copy that is thrown away. Options: `--files 100,1000` (the sizes),
 * `--only TEXT` (commands whose name has it), `--rounds N`, `--identity user|root` (default user), `--out FOLDER`.
 * A cell says the medians in milliseconds and how many times plain bash the prediction takes; the aim is 3 × plain + 15 ms.
 * `cpu` is processor time, which a busy machine hardly changes: of plain bash, of Node with its collector's threads, and of the
 * launchers with all that runs in them; in steps of 10 ms but for Node.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { createForetell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { cpuMs, cpuMsOf } from '../cpuMs.ts';
import { engineChoice } from '../engineChoice.ts';
import type { Identity } from '../truth/fixture.ts';
import { identityFor } from '../truth/identity.ts';
import { makeBase } from '../truth/place.ts';
import { credentialsOf } from '../truth/realRun.ts';
import { memoryOf, watchDescendants } from './footprint.ts';
import { interleave } from './interleave.ts';
import { giveTree, makeFiles, makeRepository } from './speedFixture.ts';
import { summarise } from './summary.ts';

const { values: flags } = parseArgs({
  options: {
    files: { type: 'string', default: '100,1000,5000,50000' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    identity: { type: 'string', default: 'user' },
    out: { type: 'string', default: 'test/.out' },
    worker: { type: 'boolean', default: false },
  },
});

/** What one prediction took, in milliseconds. */
interface Took {
  /** To the last event. */
  endMs: number;
  /** To the first file that is told. */
  fileMs?: number | undefined;
  /** Until the verdict had its final level. */
  verdictMs?: number | undefined;
  ending?: string | undefined;
  reason?: string | undefined;
  level?: string | undefined;
  files: number;
  /** Processor time of this process, and of the launchers. */
  nodeCpuMs: number;
  launcherCpuMs: number;
}

interface Row {
  name: string;
  script: string;
  inRepository?: boolean;
}

const rows: Row[] = [
  { name: 'rm -rf', script: 'rm -rf big' },
  { name: 'mv of the folder', script: 'mv big moved' },
  { name: 'cp -r', script: 'cp -r big copied' },
  { name: 'chmod -R', script: 'chmod -R o-r big' },
  { name: 'touch of all', script: 'find big -type f -exec touch {} +' },
  { name: 'sed -i on all', script: "find big -type f -exec sed -i 's/needle/thread/' {} +" },
  { name: 'tar czf', script: 'tar czf big.tgz big' },
  { name: 'find -delete', script: "find big -name '*.txt' -delete" },
  { name: 'git add', script: 'git add big', inRepository: true },
  { name: 'git clean -fdx', script: 'git clean -fdxq', inRepository: true },
];

/** The aim of issue 12: not more than this for so much work of the command itself. */
const aimMs = (plainMs: number) => 3 * plainMs + 15;
const aimBytes = 200e6;

const ms = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const times = ({ predictedMs, plainMs }: Cell) => `${(predictedMs / plainMs).toFixed(1)} ×`;
const mega = (bytes: number) => `${(bytes / 1e6).toFixed(0)} MB`;

if (flags.worker) await work();
else process.exitCode = await main();

interface Cell {
  name: string;
  files: number;
  plainMs: number;
  predictedMs: number;
  fileMs: number;
  verdictMs: number;
  nodeBytes: number;
  launcherBytes: number;
  plainCpuMs: number;
  nodeCpuMs: number;
  launcherCpuMs: number;
  said: Took;
}

async function main(): Promise<number> {
  const identity = identityFor(flags.identity);
  if (!identity) return 2;
  const counts = flags.files.split(',').map(Number);
  const wanted = rows.filter(({ name }) => name.includes(flags.only));
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Linux ${release()}, as ${identity.name}, load ${loadavg()[0]?.toFixed(1)} at the beginning\n`,
  );
  console.log(
    '| command | files | plain | predicted | times | first file | verdict | node | launcher | cpu: plain | node | launcher |',
  );
  console.log(`| --- |${' --: |'.repeat(11)}`);
  const cells: Cell[] = [];
  const base = makeBase('scale', identity);
  try {
    for (const files of counts) {
      for (const row of wanted) {
        const cell = await measure(row, files, base, identity);
        cells.push(cell);
        console.log(line(cell));
      }
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  console.log(`\n${table(cells, counts)}`);
  mkdirSync(flags.out, { recursive: true });
  writeFileSync(join(flags.out, 'scale.json'), `${JSON.stringify(cells, null, 1)}\n`);
  return judge(cells);
}

async function measure(row: Row, files: number, base: string, identity: Identity): Promise<Cell> {
  const [master, plain] = [join(base, 'master'), join(base, 'plain')];
  mkdirSync(master);
  if (row.inRepository) makeRepository(master, 10);
  makeFiles(join(master, 'big'), files);
  giveTree(master, identity);
  const home = join(base, 'home');
  mkdirSync(home, { recursive: true });
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LANG: 'C.UTF-8', TERM: 'dumb', SHELL: '/bin/bash' };
  const worker = startWorker({ ...env, ...engineChoice() }, identity);
  const told: Took[] = [];
  const plainCpuMs: number[] = [];
  const rounds = Number(flags.rounds ?? (files > 10_000 ? 3 : 5));
  const watch = watchDescendants(worker.pid ?? 0);
  const samples = await interleave(
    [
      {
        name: 'predicted',
        async measure() {
          const took = await ask(worker, { script: row.script, cwd: master });
          told.push(took);
          return took.endMs;
        },
      },
      {
        name: 'plain',
        prepare() {
          rmSync(plain, { recursive: true, force: true });
          copyTree(master, plain);
        },
        async measure() {
          const before = cpuMsOf('self').children;
          const took = await timeBash(row.script, plain, env, identity);
          plainCpuMs.push(cpuMsOf('self').children - before);
          return took;
        },
      },
    ],
    { rounds, warmUps: 1 },
  );
  const launcherBytes = watch.stop();
  const nodeBytes = memoryOf(worker.pid ?? 0)?.peak ?? 0;
  await close(worker);
  for (const folder of [master, plain, home]) rmSync(folder, { recursive: true, force: true });
  const median = (pick: (took: Took) => number | undefined) =>
    summarise(told.slice(1).flatMap((took) => pick(took) ?? [])).p50;
  const [said] = told.slice(-1);
  if (!said) throw new Error('Nothing was predicted.');
  if (said.ending !== 'done') console.error(`${row.name}, ${files} files: ${said.ending}, ${said.reason}`);
  return {
    name: row.name,
    files,
    plainMs: summarise(samples.get('plain') ?? []).p50,
    predictedMs: summarise(samples.get('predicted') ?? []).p50,
    fileMs: median((took) => took.fileMs),
    verdictMs: median((took) => took.verdictMs),
    nodeBytes,
    launcherBytes,
    plainCpuMs: summarise(plainCpuMs.slice(1)).p50,
    nodeCpuMs: median((took) => took.nodeCpuMs),
    launcherCpuMs: median((took) => took.launcherCpuMs),
    said,
  };
}

// ---- the process that predicts ----

function startWorker(env: Record<string, string>, identity: Identity): ChildProcess {
  const own = process.argv[1];
  if (own === undefined) throw new Error('This program does not know its own file.');
  return spawn(process.execPath, [own, '--worker'], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    ...credentialsOf(identity),
  });
}

function ask(worker: ChildProcess, request: { script: string; cwd: string }): Promise<Took> {
  return new Promise((answered, failed) => {
    let text = '';
    const take = (piece: Buffer) => {
      text += piece.toString();
      if (!text.endsWith('\n')) return;
      worker.stdout?.off('data', take);
      answered(JSON.parse(text) as Took);
    };
    worker.once('close', () => failed(new Error('The process that predicts ended.')));
    worker.stdout?.on('data', take);
    worker.stdin?.write(`${JSON.stringify(request)}\n`);
  });
}

function close(worker: ChildProcess): Promise<unknown> {
  worker.removeAllListeners('close');
  const closed = new Promise((gone) => worker.once('close', gone));
  worker.stdin?.end();
  return closed;
}

async function work(): Promise<void> {
  const foretell = createForetell({ launcher: launcherPath(resolve('dist')) });
  for await (const request of createInterface({ input: process.stdin })) {
    const { script, cwd } = JSON.parse(request) as { script: string; cwd: string };
    const action = { kind: 'command', script, shell: 'bash', cwd } as const;
    const startedAt = performance.now();
    const cpuBefore = { node: cpuMs(), launcher: cpuMsOf('self').children };
    const took = () => performance.now() - startedAt;
    let [fileMs, verdictMs] = [undefined as number | undefined, undefined as number | undefined];
    let level: string | undefined;
    const { events, view } = foretell.predict({
      action,
      limits: { wallMs: 300_000 },
      signal: new AbortController().signal,
    });
    const prediction = await foldAll(action, events, (event, folded) => {
      if (event.type === 'file') fileMs ??= took();
      if (folded.verdict.level !== level) verdictMs = took();
      level = folded.verdict.level;
    });
    const endMs = took();
    const { ending, endingReason: reason, files } = prediction;
    await view.close();
    const nodeCpuMs = cpuMs() - cpuBefore.node;
    const launcherCpuMs = cpuMsOf('self').children - cpuBefore.launcher;
    const said = { endMs, fileMs, verdictMs, ending, reason, level, files: files.length, nodeCpuMs, launcherCpuMs };
    console.log(JSON.stringify(said satisfies Took));
  }
  await foretell.dispose();
}

// ---- beside it ----

function copyTree(from: string, to: string): void {
  const { status, stderr } = spawnSync('cp', ['-a', from, to]);
  if (status !== 0) throw new Error(`The fixture could not be copied: ${stderr.toString().slice(0, 300)}`);
}

function timeBash(script: string, cwd: string, env: Record<string, string>, identity: Identity): Promise<number> {
  return new Promise((done, failed) => {
    const startedAt = performance.now();
    const child = spawn('/bin/bash', ['-c', script], {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
      ...credentialsOf(identity),
    });
    child.stdout.resume();
    child.on('error', failed);
    child.on('close', () => done(performance.now() - startedAt));
  });
}

// ---- what is printed ----

function line(cell: Cell): string {
  const { name, files, plainMs, predictedMs, fileMs, verdictMs, nodeBytes, launcherBytes } = cell;
  const parts = [
    files,
    ms(plainMs),
    ms(predictedMs),
    times(cell),
    Number.isNaN(fileMs) ? '–' : ms(fileMs),
    ms(verdictMs),
  ];
  const cpu = [cell.plainCpuMs, cell.nodeCpuMs, cell.launcherCpuMs].map((value) => value.toFixed(0));
  return `| ${[name, ...parts, mega(nodeBytes), mega(launcherBytes), ...cpu].join(' | ')} |`;
}

function table(cells: readonly Cell[], counts: readonly number[]): string {
  const head = `| command | ${counts.map((count) => `${count.toLocaleString('en')} files`).join(' | ')} |`;
  const cellOf = (name: string, count: number) => {
    const cell = cells.find((one) => one.name === name && one.files === count);
    return cell ? `${ms(cell.plainMs)} → ${ms(cell.predictedMs)} (${times(cell)})` : '–';
  };
  const names = [...new Set(cells.map(({ name }) => name))];
  const body = names.map((name) => `| ${name} | ${counts.map((count) => cellOf(name, count)).join(' | ')} |`);
  return ['Plain → predicted, milliseconds:\n', head, `| --- |${counts.map(() => ' --: |').join('')}`, ...body].join(
    '\n',
  );
}

function judge(cells: readonly Cell[]): number {
  const missed = cells.flatMap(({ name, files, plainMs, predictedMs, nodeBytes, launcherBytes }) => [
    ...(predictedMs > aimMs(plainMs)
      ? [`${name}, ${files} files: ${ms(predictedMs)} ms, the aim is ${ms(aimMs(plainMs))}`]
      : []),
    ...(nodeBytes + launcherBytes > aimBytes
      ? [`${name}, ${files} files: ${mega(nodeBytes + launcherBytes)}, the aim is ${mega(aimBytes)}`]
      : []),
  ]);
  console.log(missed.length === 0 ? '\nAll aims are met.' : `\nMissed:\n${missed.map((one) => `- ${one}`).join('\n')}`);
  return missed.length === 0 ? 0 : 1;
}
