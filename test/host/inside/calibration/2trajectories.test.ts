import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { folder, inProject, runCommand, until } from '../window.ts';

const cast = [
  '{"version": 2, "width": 80, "height": 24}',
  '[0.1, "o", "\\u001b]133;A\\u0007$ \\u001b]133;B\\u0007echo hi\\r\\n\\u001b]133;C\\u0007hi\\r\\n\\u001b]133;D;0\\u0007"]',
  'oops',
].join('\n');

test('trajectories: a recording is imported, opened, and exported again', async () => {
  const [from, to, back] = [inProject('demo.cast'), inProject('demo.trajectory.jsonl'), inProject('demo_test.jsonl')];
  await writeFile(from, cast);
  await runCommand('foretell.importTrajectory', { from, to });
  const step = JSON.parse(await readFile(to, 'utf8'));
  assert.deepEqual(step.action.turn.keystrokes[0].keystrokes, 'echo hi\n');
  assert.equal(step.observation.facts.exitCode, 0);
  const isOpen = (path: string) =>
    vscode.window.tabGroups.all.some(({ tabs }) =>
      tabs.some(({ input }) => (input as { uri?: vscode.Uri } | undefined)?.uri?.fsPath === path),
    );
  await until('the trajectory is open', () => isOpen(to));
  await runCommand('foretell.exportTrajectory', { from: to, to: back, format: 'agentworld' });
  const row = JSON.parse(await readFile(back, 'utf8'));
  assert.equal(row.task, 'terminal');
  assert.match(row.system_str, /terminal/i);
  await until('the rows are open', () => isOpen(back));
});

test('trajectories: the log that is open is imported, and nobody is asked for it', async () => {
  const [from, to] = [inProject('open.cast'), inProject('open.trajectory.jsonl')];
  await writeFile(from, cast);
  await vscode.window.showTextDocument(vscode.Uri.file(from));
  await runCommand('foretell.importTrajectory', { to });
  const step = JSON.parse(await readFile(to, 'utf8'));
  assert.deepEqual(step.action.turn.keystrokes[0].keystrokes, 'echo hi\n');
});

test('trajectories: nothing is recorded without an answer', async () => {
  const before = readdirSync(folder());
  // VS Code shows no dialog to a test run; the dialog itself is tried from outside.
  await runCommand('foretell.recordTerminal');
  await runCommand('foretell.stopRecording');
  assert.deepEqual(readdirSync(folder()), before);
  assert.ok(!existsSync(inProject('terminal.trajectory.jsonl')));
});
