import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import { type CollectOptions, collect } from '../../../src/core/bench/collect/collect.ts';
import { makeRows } from '../../../src/core/bench/collect/rows.ts';
import { lineOf, readTrajectoryLine } from '../../../src/core/trajectory/file/trajectoryFile.ts';
import type { TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';
import { type AgentWorldRow, fromAgentWorldRow } from '../../../src/core/worlds/language/prompt/promptRow.ts';
import { throwAwayForetell } from '../../throwAwayForetell.ts';

const { foretell, folder } = throwAwayForetell('collect', { spareLaunchers: 2 });
before(() => {
  fs.writeFileSync(path.join(folder, 'a.txt'), 'alpha\n');
});

async function collected(options: Partial<CollectOptions> & Pick<CollectOptions, 'commands'>) {
  const steps: TrajectoryStep[] = [];
  const counts = await collect({
    foretell,
    cwd: folder,
    forms: [{ domain: 'terminal' }, { domain: 'swe', dialect: 'qwen' }],
    concurrency: 3,
    signal: new AbortController().signal,
    write: async (some) => void steps.push(...some),
    ...options,
  });
  return { steps, counts };
}

describe('collecting true observations', () => {
  test('the steps of all shards, one after the other, are those of one run', async () => {
    const scripts = ['cat a.txt', 'cat nothing', 'ls', 'wc -c a.txt', 'echo x > c.txt', 'cat c.txt', 'sort a.txt'];
    const commands = scripts.map((script, index) => ({
      script,
      ...(index === 4 || index === 5 ? { session: 's' } : {}),
    }));
    const { steps: whole, counts } = await collected({ commands });
    const parts = [];
    for (const index of [1, 2, 3, 4, 5]) parts.push(await collected({ commands, shard: { index, of: 5 } }));
    const told = (steps: readonly TrajectoryStep[]) => steps.map(({ id, observation }) => [id, observation?.text]);
    assert.deepEqual(
      parts.flatMap(({ steps }) => told(steps)),
      told(whole),
    );
    assert.equal(
      parts.reduce((sum, part) => sum + part.counts.asked, 0),
      counts.asked,
    );
    assert.ok(whole.length > 8 && parts.every(({ steps }) => steps.length > 0));
  });

  test('with the gate open, programs that may not run by themselves give true steps as well', async () => {
    fs.writeFileSync(path.join(folder, 'made.js'), "console.log('made'); process.exit(3);\n");
    const commands = [{ script: 'node made.js' }, { script: 'node -e "console.log(process.hrtime.bigint())"' }];
    const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: folder };
    const forms = [{ domain: 'swe', dialect: 'qwen' }] as const;
    const shut = await collected({ commands, env, forms });
    assert.deepEqual([shut.steps.length, shut.counts.inexact], [0, { abstained: 2 }]);
    const open = await collected({ commands, env, forms, openGate: true });
    assert.deepEqual(open.counts.inexact, { volatile: 1 });
    assert.match(open.steps[0]?.observation?.text ?? '', /made[\s\S]*Exit Code: 3/);
    fs.rmSync(path.join(folder, 'made.js'));
  });

  test('both forms, in the order of the commands; what is not certain is counted', async () => {
    const commands = [
      'cat a.txt',
      'date +%N',
      'node x.js',
      'cat nothing',
      'echo AKIAIOSFODNN7EXAMPLQ',
      'echo new > b.txt',
    ];
    const { steps, counts } = await collected({ commands: commands.map((script) => ({ script })) });
    assert.deepEqual(
      steps.map(({ id }) => id),
      ['terminal-1.1', 'terminal-4.1', 'terminal-6.1', 'swe-qwen-1.1', 'swe-qwen-4.1', 'swe-qwen-6.1'],
    );
    assert.deepEqual(counts.inexact, { volatile: 2, abstained: 2, secret: 2 });
    assert.equal(counts.trueSteps, 6);
    const [typed, failed, , called] = steps;
    assert.match(typed?.observation?.text ?? '', /^\w+@host:\S+[#$] cat a\.txt\nalpha\n\w+@host:\S+[#$]$/);
    assert.match(failed?.observation?.text ?? '', /cat: nothing: No such file or directory\n/);
    assert.equal(typed?.observation?.basis, 'rehearsed');
    assert.match(
      called?.observation?.text ?? '',
      /^Command: cat a\.txt\nDirectory: \(root\)\nOutput: alpha\nError: \(none\)\nExit Code: 0\n/,
    );
    const [change] = steps[5]?.observation?.facts?.files ?? [];
    assert.equal(change?.path, path.join(folder, 'b.txt'));
    assert.equal(fs.existsSync(path.join(folder, 'b.txt')), false);
    for (const step of steps) assert.equal(readTrajectoryLine(lineOf(step).text).kind, 'step');
  });

  test('a session goes on; what is not certain ends it, and a new one begins', async () => {
    const scripts = ['x=1; (cd /); echo one > c.txt', 'cat c.txt; echo "x=$x"', 'node y.js', 'cat c.txt'];
    const { steps, counts } = await collected({ commands: scripts.map((script) => ({ script, session: 's' })) });
    const texts = new Map(steps.map((step) => [step.id, step.observation?.text ?? '']));
    assert.match(texts.get('terminal-s.2') ?? '', /\none\nx=1\n/);
    assert.match(texts.get('swe-qwen-s.2') ?? '', /Output: one\nx=\n/, 'a shell tool has a new shell each time');
    assert.match(texts.get('terminal-s-2.1') ?? texts.get('terminal-s-3.1') ?? '', /No such file/);
    assert.equal(steps.find(({ id }) => id === 'terminal-s.2')?.after, 'terminal-s.1');
    assert.equal(counts.trueSteps, 6);
  });

  test('what is not certain is kept where that is wanted, without an observation', async () => {
    const { steps } = await collected({
      commands: [{ script: 'date +%N' }],
      forms: [{ domain: 'swe', dialect: 'claude' }],
      keepsInexact: true,
    });
    assert.equal(steps[0]?.observation, undefined);
    assert.match(steps[0]?.note ?? '', /varies from run to run/);
    assert.equal(steps[0]?.prediction?.ending, 'done');
  });

  test('what waits at a terminal is no true screen', async () => {
    const { counts } = await collected({
      commands: [{ script: 'read -p "Name? " n' }],
      forms: [{ domain: 'terminal' }],
    });
    assert.deepEqual(counts.inexact, { waits: 1 });
  });

  test('cancelling ends it with what there is', async () => {
    const abort = new AbortController();
    abort.abort();
    const { counts } = await collected({ commands: [{ script: 'ls' }], signal: abort.signal });
    assert.deepEqual([counts.done, counts.trueSteps], [0, 0]);
  });
});

describe('rows of the benchmark', () => {
  test('the workspace, the steps before, and the truth as the answer', async () => {
    const { steps } = await collected({
      commands: ['echo two > d.txt', 'cat d.txt a.txt'].map((script) => ({ script, session: 'r' })),
    });
    const rows: AgentWorldRow[] = [];
    const counts = await makeRows(steps, {
      foretell,
      language: { templateFolders: [{ source: 'shipped', path: path.resolve('prompts') }] },
      onRow: async (row) => void rows.push(row),
      signal: new AbortController().signal,
    });
    assert.deepEqual(counts, { rows: 4, leftOut: 0 });
    const [, second, , called] = rows;
    assert.equal(second?.task, 'terminal');
    assert.match(second?.response.at(-1) ?? '', /^\*\*Environment Observation:\*\*\n.*cat d\.txt a\.txt\ntwo\nalpha\n/);
    assert.equal(second?.turn_idx, second?.prompt.length);
    assert.equal(second?.response.length, second?.prompt.length);
    assert.match(second?.prompt[0] ?? '', /\*\*Current State:\*\*/);
    assert.match(second?.prompt.at(-2) ?? '', /echo two > d\.txt/);
    assert.ok(
      second?.prompt.slice(0, -2).some((text) => text.includes('a.txt')),
      'the workspace is shown',
    );
    assert.match(called?.system_str ?? '', /run_shell_command/);
    const read = fromAgentWorldRow(called);
    assert.ok(read.ok);
    assert.match(read.ok ? (read.messages.at(-1)?.content ?? '') : '', /predicted_observation/);
  });

  test('steps without an observation, and those whose past is not known, give none', async () => {
    const { steps } = await collected({ commands: [{ script: 'cat a.txt' }], forms: [{ domain: 'terminal' }] });
    const [step] = steps;
    assert.ok(step);
    const { observation: _, ...silent } = { ...step, id: 'silent' };
    const after = { ...step, id: 'after', after: 'silent' };
    const why: string[] = [];
    const counts = await makeRows([silent, after], {
      foretell,
      language: { templateFolders: [{ source: 'shipped', path: path.resolve('prompts') }] },
      onRow: async () => assert.fail('no row'),
      onLeftOut: (_step, reason) => why.push(reason),
      signal: new AbortController().signal,
    });
    assert.deepEqual(counts, { rows: 0, leftOut: 2 });
    assert.match(why[0] ?? '', /silent/);
  });
});
