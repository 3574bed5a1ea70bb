/**
 * `npm run bench`: how long it takes from an action to its verdict, with plain bash beside it in the same run.
 *
 * Options: `--quick` (a tenth of the files, fewer rounds), `--rounds N`, `--only TEXT` (rows whose name has it),
 * `--identity user|root` (default user), `--cli FILE`, `--launcher FILE`, `--out FOLDER`.
 * Columns: plain bash; the launcher in look mode and in copy mode; `foretell batch` when warm (with effects, loss and
 * verdict); the whole program `foretell --json` when cold; `try`, where it is installed. Times are in milliseconds, p50 and
 * p95; a factor says how many times plain bash a median is. The fixtures are made below the system's temporary directory
 * and removed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type Batch, startBatch } from '../truth/batch.ts';
import type { Identity } from '../truth/fixture.ts';
import { identities } from '../truth/identity.ts';
import { makeBase } from '../truth/place.ts';
import { credentialsOf } from '../truth/realRun.ts';
import { memoryOf, shortName, sizes, watchDescendants } from './footprint.ts';
import { interleave, type Way } from './interleave.ts';
import { timeMode } from './modes.ts';
import { giveTree, makeFiles, makeRepository } from './speedFixture.ts';
import { type Summary, summarise } from './summary.ts';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    only: { type: 'string', default: '' },
    identity: { type: 'string', default: 'user' },
    cli: { type: 'string', default: 'dist/cli.js' },
    launcher: { type: 'string', default: `dist/native/confine-linux-${process.arch === 'arm64' ? 'arm64' : 'x64'}` },
    out: { type: 'string', default: 'test/.out' },
  },
});

interface Row {
  name: string;
  script: string;
  /** Makes the directory that the command runs in; called once. */
  build(folder: string): void;
  /** It destroys something: a plain run needs a new copy each time. */
  destroys?: boolean;
  rounds: number;
}

const scale = flags.quick ? 0.1 : 1;
const files = (count: number) => Math.round(count * scale);
const small = (folder: string) => makeRepository(folder, 50);
const repository = (count: number) => (folder: string) => makeRepository(folder, files(count));

const rows: Row[] = [
  { name: 'true', script: 'true', build: small, rounds: 40 },
  { name: 'ls -la (50 files)', script: 'ls -la d000', build: small, rounds: 40 },
  { name: 'git status, 50 files', script: 'git status', build: small, rounds: 40 },
  { name: 'rm one file of 50', script: 'rm d000/f10.txt', build: small, destroys: true, rounds: 30 },
  { name: `git status, ${files(50_000)} files`, script: 'git status', build: repository(50_000), rounds: 8 },
  {
    name: `grep -r, ${files(20_000)} files`,
    script: 'grep -rc needle . | wc -l',
    build: (folder) => makeFiles(folder, files(20_000)),
    rounds: 8,
  },
  {
    name: `rm -rf, ${files(50_000)} files`,
    script: 'rm -rf big',
    build: (folder) => makeFiles(join(folder, 'big'), files(50_000)),
    destroys: true,
    rounds: 4,
  },
  { name: '1,000 processes', script: 'for i in {1..1000}; do /bin/true; done', build: small, rounds: 6 },
  ...[1_000, 10_000, 100_000].flatMap((count): Row[] => [
    { name: `git status, repository of ${files(count)}`, script: 'git status', build: repository(count), rounds: 8 },
    {
      name: `rm -rf 100 files, repository of ${files(count)}`,
      script: 'rm -rf d000',
      build: repository(count),
      destroys: true,
      rounds: 5,
    },
  ]),
];

process.exitCode = await main();

async function main(): Promise<number> {
  const [identity] = identities(flags.identity === 'root' ? 'root' : 'user');
  for (const file of [flags.cli, flags.launcher]) {
    if (existsSync(file)) continue;
    console.error(`${file} is not there: run \`npm run build\` first.`);
    return 2;
  }
  if (!identity) {
    console.error('This machine has no such identity.');
    return 2;
  }
  const tryTool = spawnSync('sh', ['-c', 'command -v try']).status === 0;
  const columns = ['plain', 'look', 'copy', 'warm', 'cold', ...(tryTool ? ['try'] : [])];
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? 'processor'}, Linux ${release()}, as ${identity.name}, load ${loadavg()[0]?.toFixed(1)} at the beginning\n`,
  );
  console.log(`| command | ${columns.join(' | ')} |\n| --- |${columns.map(() => ' --: |').join('')}`);
  const report: { name: string; summaries: Record<string, Summary> }[] = [];
  const memory: string[] = [];
  const base = makeBase('speed', identity);
  try {
    for (const row of rows.filter((one) => one.name.includes(flags.only))) {
      const { summaries, memoryLine } = await measureRow(row, { base, identity, tryTool });
      report.push({ name: row.name, summaries });
      memory.push(memoryLine);
      console.log(`| ${row.name} | ${columns.map((column) => cell(summaries, column)).join(' | ')} |`);
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
  console.log(
    `\n| memory | of the warm process | its highest | highest sum of what it started |\n| --- | --: | --: | --: |\n${memory.join('\n')}`,
  );
  console.log('\n| file | size |\n| --- | --: |');
  for (const [file, bytes] of sizes()) console.log(`| ${shortName(file)} | ${(bytes / 1000).toFixed(0)} kB |`);
  mkdirSync(flags.out, { recursive: true });
  writeFileSync(join(flags.out, 'speed.json'), `${JSON.stringify(report, null, 1)}\n`);
  return judge(report);
}

interface Place {
  base: string;
  identity: Identity;
  tryTool: boolean;
}

async function measureRow(row: Row, place: Place): Promise<{ summaries: Record<string, Summary>; memoryLine: string }> {
  const { base, identity } = place;
  const [master, cwd] = [join(base, 'master'), join(base, 'work')];
  const home = join(base, 'home');
  mkdirSync(home, { recursive: true });
  mkdirSync(master);
  row.build(master);
  giveTree(master, identity);
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    SHELL: '/bin/bash',
    USER: identity.login,
  };
  const batch = startBatch({ cli: resolve(flags.cli), env, cwd, identity, limitMs: 180_000 });
  const renew = () => {
    rmSync(cwd, { recursive: true, force: true });
    copyTree(master, cwd);
    // A copy has other inode numbers than git remembers; the first status writes them down.
    spawnSync('git', ['status'], { cwd, env, ...credentialsOf(identity) });
  };
  renew();
  // Starts the process, and finds out what it needs to know of the machine.
  await timeWarm(batch, row, cwd, env);
  const mode = (name: 'look' | 'copy'): Way => ({
    name,
    measure: () => timeMode({ launcher: resolve(flags.launcher), mode: name, script: row.script, cwd, env, identity }),
  });
  const ways: Way[] = [
    mode('look'),
    mode('copy'),
    { name: 'warm', measure: () => timeWarm(batch, row, cwd, env) },
    {
      name: 'cold',
      rounds: Math.min(row.rounds, 10),
      measure: () =>
        timeProgram(process.execPath, [resolve(flags.cli), '--json', '--time-limit', '120', '--cwd', cwd, row.script], {
          cwd,
          env,
          identity,
        }),
    },
    ...(place.tryTool
      ? [{ name: 'try', rounds: 5, measure: () => timeProgram('try', ['-n', row.script], { cwd, env, identity }) }]
      : []),
    {
      name: 'plain',
      // Last in its round, so that what it destroys was there for the others.
      async measure() {
        const took = await timeProgram('/bin/bash', ['-c', row.script], { cwd, env, identity });
        if (row.destroys) renew();
        return took;
      },
    },
  ];
  const rounds = Number(flags.rounds ?? (flags.quick ? Math.ceil(row.rounds / 4) : row.rounds));
  const watch = watchDescendants(batch.pid() ?? process.pid);
  const samples = await interleave(ways, { rounds, warmUps: rounds > 10 ? 3 : 1 });
  const highest = watch.stop();
  const own = memoryOf(batch.pid() ?? 0);
  await batch.close();
  for (const folder of [master, cwd, home]) rmSync(folder, { recursive: true, force: true });
  const summaries = Object.fromEntries([...samples].map(([name, values]) => [name, summarise(values)]));
  const mega = (bytes: number | undefined) => (bytes === undefined ? '–' : `${(bytes / 1e6).toFixed(0)} MB`);
  return { summaries, memoryLine: `| ${row.name} | ${mega(own?.now)} | ${mega(own?.peak)} | ${mega(highest)} |` };
}

function copyTree(from: string, to: string): void {
  const result = spawnSync('cp', ['-a', '--reflink=auto', from, to]);
  if (result.status !== 0)
    throw new Error(`The fixture could not be copied: ${result.stderr.toString().slice(0, 300)}`);
}

async function timeWarm(batch: Batch, row: Row, cwd: string, env: Record<string, string>): Promise<number | undefined> {
  const start = performance.now();
  const prediction = await batch.predict({ id: row.name, script: row.script, cwd, env, timeLimitMs: 120_000 });
  const took = performance.now() - start;
  if (prediction.ending !== 'done') console.error(`${row.name}: ${prediction.ending}, ${prediction.reason}`);
  return prediction.ending === 'failed' ? undefined : took;
}

/** Milliseconds from starting a program to its end, its output read and thrown away. */
function timeProgram(
  program: string,
  args: readonly string[],
  where: { cwd: string; env: Record<string, string>; identity: Identity },
): Promise<number | undefined> {
  return new Promise((done) => {
    const start = performance.now();
    const child = spawn(program, [...args], {
      cwd: where.cwd,
      env: where.env,
      stdio: ['ignore', 'pipe', 'ignore'],
      ...credentialsOf(where.identity),
    });
    child.stdout.resume();
    child.on('error', () => done(undefined));
    child.on('close', () => done(performance.now() - start));
  });
}

function cell(summaries: Record<string, Summary>, column: string): string {
  const summary = summaries[column];
  if (!summary || summary.samples === 0) return '–';
  const text = `${round(summary.p50)} / ${round(summary.p95)}`;
  const plain = summaries['plain']?.p50;
  return column === 'plain' || plain === undefined ? text : `${text} (${(summary.p50 / plain).toFixed(1)} ×)`;
}

function round(milliseconds: number): string {
  return milliseconds < 10 ? milliseconds.toFixed(1) : milliseconds.toFixed(0);
}

/** The aims: a small command within 15 ms; look mode within 1.2 × plain + 10 ms, copy mode within 3 × plain + 10 ms. */
function judge(report: readonly { name: string; summaries: Record<string, Summary> }[]): number {
  const missed: string[] = [];
  for (const { name, summaries } of report) {
    const median = (way: string) => summaries[way]?.p50 ?? Number.NaN;
    const plain = median('plain');
    if (plain < 10 && median('warm') > 15) missed.push(`${name}: ${round(median('warm'))} ms when warm, the aim is 15`);
    if (median('look') > 1.2 * plain + 10)
      missed.push(`${name}: look mode ${round(median('look'))} ms, the aim is ${round(1.2 * plain + 10)}`);
    if (median('copy') > 3 * plain + 10)
      missed.push(`${name}: copy mode ${round(median('copy'))} ms, the aim is ${round(3 * plain + 10)}`);
  }
  console.log(
    missed.length === 0 ? '\nAll aims are met.' : `\nMissed:\n${missed.map((line) => `- ${line}`).join('\n')}`,
  );
  return missed.length === 0 ? 0 : 1;
}
