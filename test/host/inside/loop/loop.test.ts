import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { readTrajectory } from '../../../../src/core/trajectory/file/trajectoryFile.ts';
import { shellReply, withModel } from '../model.ts';
import { test } from '../runner.ts';
import { drive, open, picture, runCommand, sleep, until } from '../window.ts';

async function stepsOf(file: vscode.Uri) {
  return readTrajectory(await readFile(file.fsPath, 'utf8')).lines.flatMap((line) =>
    line.kind === 'step' ? [line.step] : [],
  );
}

const openedName = () => {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab?.label ?? '';
};

test('loop: commands of a selection become true observations, and the trajectory opens', async () => {
  const document = await vscode.workspace.openTextDocument({
    content: '# mine\necho one; echo two >&2\nls /nowhere\nnode x.js\n',
  });
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(0, 0, 4, 0);
  const file = (await runCommand('foretell.collectObservations')) as vscode.Uri;
  const steps = await stepsOf(file);
  assert.equal(steps.length, 2, 'what node would do is not certain');
  assert.match(steps[0]?.observation?.text ?? '', /Output: one\nError: two\nExit Code: 0/);
  assert.match(steps[1]?.observation?.text ?? '', /Exit Code: 2/);
  await until('the trajectory is open', () => openedName().startsWith('observations-'));
  await sleep(1000);
  await picture('loop-observations');
});

test('loop: without a model, an agent has no environment, and the way to one is shown', async () => {
  const asked = runCommand('foretell.runAgent', { task: 'x' });
  // Tests do not disturb: what is told stands in the list.
  await sleep(500);
  await runCommand('notifications.showList');
  const toast = '.notification-list-item-message';
  await until('a notification', async () =>
    ((await drive('texts', toast)) as string[]).some((text) => /none is connected/.test(text)),
  );
  await runCommand('notifications.clearAll');
  assert.equal(await asked, undefined);
});

test('loop: an agent works in the simulated environment; its trajectory shows what is really so', async () => {
  await open('README.md');
  let asked = 0;
  const answer = (body: Record<string, unknown>) => {
    if (!body['tools']) return shellReply('imagined', 0);
    asked += 1;
    const command = ['echo real', 'echo imagined'][asked - 1];
    if (command === undefined) return { content: '', calls: [{ name: 'finish', arguments: '{"summary":"done"}' }] };
    return { content: '', calls: [{ name: 'run_shell_command', arguments: JSON.stringify({ command }) }] };
  };
  await withModel({ answer }, async ({ server }) => {
    const file = (await runCommand('foretell.runAgent', {
      task: 'Say something.',
      turns: 5,
      world: 'Everything is blue.',
    })) as vscode.Uri;
    const steps = await stepsOf(file);
    assert.deepEqual(
      steps.map((step) => [
        /Output: (\w+)/.exec(step.prediction?.text ?? '')?.[1],
        /Output: (\w+)/.exec(step.observation?.text ?? '')?.[1],
      ]),
      [
        ['imagined', 'real'],
        ['imagined', 'imagined'],
      ],
    );
    assert.equal(steps[1]?.scores?.factual?.score, 1);
    assert.match(JSON.stringify(server.completions()[1]?.body), /Everything is blue/);
    await until('the trajectory is open', () => openedName().startsWith('agent-'));
    await sleep(1500);
    await picture('loop-agent');
  });
});

test('loop: steps that end in a failure are proposed by the model, proven by a rehearsal, and open', async () => {
  const sequences = [['rm README.md', 'cat README.md'], ['cat nowhere.txt', 'true'], ['true']];
  const document = await vscode.workspace.openTextDocument({ content: 'No such file or directory\n' });
  const editor = await vscode.window.showTextDocument(document);
  editor.selection = new vscode.Selection(0, 0, 1, 0);
  await withModel({ answer: () => JSON.stringify(sequences) }, async () => {
    const file = (await runCommand('foretell.findFailingSteps')) as vscode.Uri;
    const steps = await stepsOf(file);
    assert.equal(steps.length, 3);
    assert.match(steps[1]?.observation?.text ?? '', /No such file or directory/);
    assert.match(steps[2]?.observation?.text ?? '', /nowhere\.txt/);
    await until('the trajectory is open', () => openedName().startsWith('failure-'));
    await sleep(1000);
    await picture('loop-failure');
  });
});
