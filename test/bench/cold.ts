import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { servicePlace } from '../engine/servicePlace.ts';
import { summarise } from './summary.ts';

/**
 * How long a person waits for `foretell` on the command line, from the start of the program to its end, and how much processor
 * time that takes with everything that it starts: with the resident service, without it, and without what is kept between starts;
 * beside bash and Node that do nothing. One of each after the other, so that what else the machine does meets all alike.
 *   node test/bench.mjs cold [ROUNDS]
 */
const rounds = Number(process.argv[2] ?? 30);
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-cold-')));
const place = servicePlace(folder);
const cwd = path.join(folder, 'work');
const cli = path.resolve('dist/cli.js');

interface Case {
  name: string;
  aimMs?: number;
  words: string[];
  env?: Record<string, string>;
}

const cases: Case[] = [
  { name: '`bash -c true`', words: ['bash', '-c', 'true'] },
  { name: '`node -e 0`', words: [process.execPath, '-e', '0'] },
  { name: '`true`, by the service', aimMs: 60, words: [place.program, 'true'] },
  { name: '`rm notes.txt`, by the service', aimMs: 60, words: [place.program, 'rm notes.txt'] },
  { name: '`true`, without', aimMs: 120, words: [process.execPath, cli, 'true'] },
  { name: '`rm notes.txt`, without', words: [process.execPath, cli, 'rm notes.txt'] },
  { name: '`--version`, without', words: [process.execPath, cli, '--version'] },
  {
    name: '`true`, without, nothing kept',
    words: [process.execPath, cli, 'true'],
    // A place where nothing can be kept.
    env: { XDG_CACHE_HOME: '/dev/null/none' },
  },
];

function run({ words, env }: Case): { wallMs: number; cpuMs: number } {
  const beganAt = performance.now();
  const { stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null 2>&1 </dev/null', 'bash', ...words],
    {
      cwd,
      env: { ...place.env, ...env },
      encoding: 'utf8',
    },
  );
  const [wall = (performance.now() - beganAt) / 1_000, user = 0, system = 0] = stderr.trim().split(' ').map(Number);
  return { wallMs: wall * 1_000, cpuMs: (user + system) * 1_000 };
}

try {
  fs.mkdirSync(cwd);
  fs.writeFileSync(path.join(cwd, 'notes.txt'), 'one\ntwo\n');
  await place.start();
  for (const one of cases) for (let warm = 0; warm < 2; warm++) run(one);
  const taken = new Map(cases.map((one) => [one, [] as ReturnType<typeof run>[]]));
  for (let round = 0; round < rounds; round++) for (const [one, times] of taken) times.push(run(one));
  console.log(
    `${os.cpus().length} × ${os.cpus()[0]?.model ?? ''}, load ${os.loadavg()[0]?.toFixed(1)} at the end, Node ${process.version}\n`,
  );
  console.log(
    'In milliseconds; of the wall clock the least, the median and the 95th percentile, of the processor the median.\n',
  );
  console.log('| what | aim | least | median | 95 % | processor |\n| --- | --: | --: | --: | --: | --: |');
  for (const [{ name, aimMs }, times] of taken) {
    const walls = times.map(({ wallMs }) => wallMs);
    const { p50, p95 } = summarise(walls);
    const cpu = summarise(times.map(({ cpuMs }) => cpuMs)).p50;
    console.log(
      `| ${name} | ${aimMs ?? ''} | ${Math.min(...walls).toFixed(0)} | ${p50.toFixed(0)} | ${p95.toFixed(0)} | ${cpu.toFixed(0)} |`,
    );
  }
} finally {
  await place.end();
  fs.rmSync(folder, { recursive: true, force: true });
}
