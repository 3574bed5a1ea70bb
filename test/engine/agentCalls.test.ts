import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { isAwaited, outcomeOf } from '../../src/core/hooks/calls/agentCall.ts';
import { readCallDetails } from '../../src/core/hooks/calls/callDetails.ts';
import { createCallReader } from '../../src/core/hooks/calls/readCalls.ts';
import { hookFolder } from '../../src/core/hooks/hookFolder.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { folder, workspace } = throwAwayForetell('agent-calls');
const env = { ...process.env, XDG_STATE_HOME: path.join(folder, 'state'), SHELL: '/bin/bash' };

/** An event of Claude Code, answered by the hook as a process. `done`: what came of the call. */
function hook(cwd: string, id: string, command: string, done?: object): string {
  const event = {
    ...{ session_id: 'real', cwd, tool_name: 'Bash', tool_input: { command }, tool_use_id: id },
    ...(done ? { hook_event_name: 'PostToolUse', tool_response: done } : { hook_event_name: 'PreToolUse' }),
  };
  const args = [path.resolve('dist/hook.js'), 'claude', '--within', '60'];
  return spawnSync(process.execPath, args, { env, input: JSON.stringify(event), encoding: 'utf8' }).stdout;
}

test('what the hook answers is kept as it was: the call, the texts, the answer, and how it came out', async () => {
  const cwd = workspace({ 'a.txt': 'one\n', 'notes.txt': 'mine\n' });
  hook(cwd, 't1', 'sed s/one/two/ a.txt > b.txt; cat b.txt');
  fs.writeFileSync(path.join(cwd, 'b.txt'), 'two\n');
  hook(cwd, 't1', 'sed s/one/two/ a.txt > b.txt; cat b.txt', { stdout: 'two\n', stderr: '' });
  hook(cwd, 't2', 'cat a.txt');
  hook(cwd, 't2', 'cat a.txt', { stdout: 'another\n', stderr: '' });
  const denied = hook(cwd, 't3', 'rm notes.txt');
  hook(cwd, 't4', `: ${'x'.repeat(300_000)}`);
  const reader = createCallReader(hookFolder(env), (one) => one === cwd);
  await reader.read();
  const [session, ...others] = reader.sessions();
  assert.equal(others.length, 0);
  const calls = session?.calls ?? [];
  assert.deepEqual(
    calls.map((call, index) => outcomeOf(call, Date.now(), isAwaited(calls, index))),
    [{ kind: 'agrees' }, { kind: 'differs', parts: ['output'] }, { kind: 'denied' }, { kind: 'waiting' }],
  );
  const [made, , refused, long] = calls;
  const details = readCallDetails(hookFolder(env), made?.asked.key ?? '');
  assert.deepEqual(details?.texts, [{ path: path.join(cwd, 'b.txt'), after: 'two\n' }]);
  assert.equal(details?.step.output[0]?.text, 'two\n');
  assert.equal(refused?.answered?.prediction?.headline, 'danger');
  assert.equal(refused?.answered?.prediction?.lostCount, 1);
  assert.ok(denied.includes(`foretell allow ${refused?.answered?.code}`));
  // What could not be predicted is not said to be anything.
  assert.equal(long?.answered?.prediction, undefined);
  assert.equal(long?.asked.deed, undefined);
});
