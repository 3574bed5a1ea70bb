import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { servicePlace } from '../engine/servicePlace.ts';
import { commitAll } from '../gitSettings.ts';
import { summarise } from './summary.ts';

/**
 * How long an agent waits for its hook, in milliseconds: from the start of `foretell-hook` to its end, with the resident service and
 * without, beside bash that does the same and beside bash that does nothing.
 *   node test/bench.mjs hooks [ROUNDS]
 */
const rounds = Number(process.argv[2] ?? 30);
/** Starts of Node are slow, and vary less. */
const fewer = Math.max(3, Math.ceil(rounds / 5));

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-hooks-')));
const place = servicePlace(folder);
const cwd = path.join(folder, 'repository');

interface Case {
  name: string;
  aimMs: number;
  tool: string;
  command: string;
}

const cases: Case[] = [
  { name: 'a tool that is not ours', aimMs: 5, tool: 'Read', command: '' },
  { name: 'reads: `cat kept.txt`', aimMs: 30, tool: 'Bash', command: 'cat kept.txt' },
  { name: 'reads: `git status --short`', aimMs: 30, tool: 'Bash', command: 'git status --short' },
  { name: 'reads: `grep -rn needle . \\| head`', aimMs: 30, tool: 'Bash', command: 'grep -rn needle . | head' },
  { name: 'effects: `echo x > new.txt`', aimMs: 60, tool: 'Bash', command: 'echo x > new.txt' },
  { name: 'effects: `sed -i s/kept/held/ kept.txt`', aimMs: 60, tool: 'Bash', command: 'sed -i s/kept/held/ kept.txt' },
  { name: 'loss: `rm notes.txt`', aimMs: 60, tool: 'Bash', command: 'rm notes.txt' },
  { name: 'loss: `rm -rf src && git clean -fdx`', aimMs: 60, tool: 'Bash', command: 'rm -rf src && git clean -fdx' },
];

function makeRepository(): void {
  fs.mkdirSync(path.join(cwd, 'src'), { recursive: true });
  fs.writeFileSync(path.join(cwd, 'kept.txt'), 'kept\n');
  for (let at = 0; at < 200; at++) fs.writeFileSync(path.join(cwd, `src/f${at}.ts`), `export const needle${at} = 1;\n`);
  commitAll(cwd);
  fs.writeFileSync(path.join(cwd, 'notes.txt'), 'one\ntwo\n');
}

const eventFor = ({ tool, command }: Case) =>
  JSON.stringify({ hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_name: tool, tool_input: { command } });

function timesOf(count: number, run: () => void): number[] {
  return Array.from({ length: count }, () => {
    const beganAt = performance.now();
    run();
    return performance.now() - beganAt;
  });
}

/** The same command really run, in a copy that is made anew. */
function plainTimes(command: string): number[] {
  const copy = path.join(folder, 'copy');
  return Array.from({ length: fewer }, () => {
    fs.rmSync(copy, { recursive: true, force: true });
    fs.cpSync(cwd, copy, { recursive: true });
    return timesOf(1, () => spawnSync('bash', ['-c', command], { cwd: copy }))[0] ?? 0;
  });
}

const shown = (times: readonly number[]) => {
  const { p50, p95 } = summarise(times);
  return `${p50.toFixed(1)} / ${p95.toFixed(1)}`;
};

try {
  makeRepository();
  await place.start();
  console.log(
    `${os.cpus().length} × ${os.cpus()[0]?.model ?? ''}, load ${os.loadavg()[0]?.toFixed(1)} at the beginning\n`,
  );
  console.log('Median / 95th percentile, in milliseconds.\n');
  console.log('| call | aim | with the service | without | plain bash |\n| --- | --: | --: | --: | --: |');
  const missed: string[] = [];
  for (const one of cases) {
    const event = eventFor(one);
    for (let warm = 0; warm < 3; warm++) place.call(event);
    const served = timesOf(rounds, () => place.call(event));
    const itself = timesOf(fewer, () => place.callItself(event));
    if (summarise(served).p50 > one.aimMs) missed.push(one.name);
    console.log(
      `| ${one.name} | ${one.aimMs} | ${shown(served)} | ${shown(itself)} | ${shown(plainTimes(one.command || 'true'))} |`,
    );
  }
  console.log(missed.length === 0 ? '\nEvery aim is met.' : `\nBehind the aims: ${missed.join(', ')}`);
} finally {
  await place.end();
  fs.rmSync(folder, { recursive: true, force: true });
}
