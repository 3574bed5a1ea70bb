/**
 * Commands that agents really called, replayed through the hook as it is installed, with the resident service, by an ordinary user in
 * a throw-away repository: how long the agent waits, what it is answered, and of how many everything is known, with the exact
 * difference. Nothing of them is run. A file of one JSON object with `command` a line.
 *   node test/bench.mjs replay FILE [--first N] [--every N] [--from N] [--here]
 * `--from`: how many of `every` are left out before the first. `--here`: a folder that a call changes to at its beginning, which is
 * another machine's, is the fixture's.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { AgentCall } from '../../src/core/hooks/calls/agentCall.ts';
import { createCallReader } from '../../src/core/hooks/calls/readCalls.ts';
import { hookFolder } from '../../src/core/hooks/hookFolder.ts';
import { servicePlace } from '../engine/servicePlace.ts';
import { truthEnvironment } from '../truth/fixture.ts';
import { identityFor } from '../truth/identity.ts';
import { makeBase } from '../truth/place.ts';
import { buildVotesFixture } from '../truth/votesFixture.ts';
import { summarise } from './summary.ts';

const { values: flags, positionals } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    first: { type: 'string', default: '500' },
    from: { type: 'string', default: '0' },
    here: { type: 'boolean', default: false },
    inside: { type: 'string' },
  },
  allowPositionals: true,
});
const [file = ''] = positionals;

/** Makes the fixture, and does the rest as its user. */
function outside(): number {
  const identity = identityFor('user');
  if (!identity || !fs.existsSync(file)) return 2;
  const base = makeBase('replay', identity);
  const root = path.join(base, 'run');
  fs.mkdirSync(root);
  try {
    buildVotesFixture(root, identity);
    const commands = path.join(root, 'commands.jsonl');
    fs.copyFileSync(file, commands);
    fs.chmodSync(commands, 0o644);
    const asUser = process.getuid?.() === 0 ? { uid: identity.uid, gid: identity.gid } : {};
    const words = [process.argv[1] ?? '', commands, '--inside', root, '--every', flags.every, '--first', flags.first];
    words.push('--from', flags.from, ...(flags.here ? ['--here'] : []));
    const env = truthEnvironment(root, identity);
    return spawnSync(process.execPath, words, { env, stdio: 'inherit', ...asUser }).status ?? 1;
  } finally {
    fs.rmSync(base, { recursive: true, force: true });
  }
}

/** `cd /Users/somebody/project && …` */
const farFolder = /^cd (?:'\/[^']*'|"\/[^"]*"|\/\S*?)(?=\s*(?:&&|;|\n))/;

interface Replayed {
  ms: number;
  answer: string;
  isWhole: boolean;
  files: number;
}

async function inside(root: string): Promise<number> {
  const cwd = path.join(root, 'project');
  const commands = fs
    .readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { command: string }).command)
    .filter((_, at) => at % Number(flags.every) === Number(flags.from))
    .map((command) => (flags.here ? command.replace(farFolder, 'cd .') : command))
    .slice(0, Number(flags.first));
  const place = servicePlace(path.join(root, 'home'));
  const times: number[] = [];
  let calls: readonly AgentCall[] = [];
  try {
    await place.start();
    const reader = createCallReader(hookFolder(place.env), () => true);
    for (const [at, command] of commands.entries()) {
      const event = { hook_event_name: 'PreToolUse', session_id: 's', tool_use_id: `t${at}`, cwd, tool_name: 'Bash' };
      const beganAt = performance.now();
      place.call(JSON.stringify({ ...event, tool_input: { command } }), ['claude'], { SHELL: '/bin/bash' });
      times.push(performance.now() - beganAt);
    }
    // What was answered is written behind the answer.
    for (let tries = 0; tries < 100 && (calls.length < commands.length || !calls.at(-1)?.answered); tries++) {
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
      await reader.read();
      calls = reader.sessions().flatMap((session) => session.calls);
    }
  } finally {
    await place.end();
  }
  const rows = calls.map(({ answered }, at): Replayed => {
    const { ending, fileCount = 0 } = answered?.prediction ?? {};
    return { ms: times[at] ?? 0, answer: answered?.answer ?? 'late', isWhole: ending === 'done', files: fileCount };
  });
  report(rows, commands.length, times);
  for (const { asked, answered } of calls)
    if (answered?.answer !== 'nothing' && answered?.answer !== 'note')
      console.log(`\n${answered?.answer ?? 'unanswered'}: ${asked.title}\n  ${answered?.prediction?.verdict ?? ''}`);
  return rows.length === commands.length ? 0 : 1;
}

function report(rows: readonly Replayed[], asked: number, times: readonly number[]): void {
  const load = os.loadavg()[0]?.toFixed(1);
  console.log(`${asked} calls, ${rows.length} read by the hook; load ${load} at the end.\n`);
  console.log(
    '| answer | calls | everything known | of these change files, exact difference | p50 (ms) | p95 (ms) | longest (ms) |',
  );
  console.log('| --- | --: | --: | --: | --: | --: | --: |');
  const line = (title: string, some: readonly Replayed[], ms: readonly number[]) => {
    const whole = some.filter(({ isWhole }) => isWhole);
    const changing = whole.filter(({ files }) => files > 0);
    const { p50, p95 } = summarise(ms);
    const waited = [p50, p95, Math.max(...ms)].map((one) => one.toFixed(0)).join(' | ');
    console.log(
      `| ${title} | ${some.length} | ${whole.length} (${((100 * whole.length) / some.length).toFixed(1)} %) | ${changing.length} | ${waited} |`,
    );
  };
  line('all', rows, times);
  for (const answer of ['nothing', 'note', 'deny', 'late']) {
    const some = rows.filter((row) => row.answer === answer);
    if (some.length > 0)
      line(
        answer,
        some,
        some.map(({ ms }) => ms),
      );
  }
}

process.exitCode = flags.inside === undefined ? outside() : await inside(flags.inside);
