import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { readTrajectory, stepsOf } from '../../../../src/core/trajectory/file/trajectoryFile.ts';
import { toAgentWorldRow } from '../../../../src/core/worlds/language/prompt/promptRow.ts';
import { observed, screen as wholeScreen, withModel } from '../model.ts';
import { test } from '../runner.ts';
import { drive, inProject, picture, predict, runCommand, sleep, until } from '../window.ts';
import { lensesOf, openPrompt, ownPrompts, preparePrompts, replace } from './promptFolder.ts';

const terminal = () => path.join(ownPrompts(), 'terminal/system_prompt.txt');
const rowsFile = () => inProject('data/terminal_test.jsonl');

const turn = (number: number, keys: string) => {
  const state = number === 1 ? '**Current State:**\nuser@host:~$\n\n' : '';
  const action = JSON.stringify([{ keystrokes: `${keys}\n`, duration: 0.5 }], null, 2);
  return { role: 'user' as const, content: `### Turn ${number}\n${state}**Action:**\n\`\`\`json\n${action}\n\`\`\`` };
};
const screen = (keys: string, output: string) => `user@host:~$ ${keys}\n${output}user@host:~$`;

async function prepareRows(): Promise<void> {
  await preparePrompts();
  const system = { role: 'system' as const, content: await readFile(terminal(), 'utf8') };
  const row = (id: string, keys: string, output: string) =>
    JSON.stringify(
      toAgentWorldRow({ domain: 'terminal', id, messages: [system, turn(1, keys)], observation: screen(keys, output) }),
    );
  await mkdir(path.dirname(rowsFile()), { recursive: true });
  const rows = [row('one', 'echo tide', 'tide\n'), row('two', 'pwd', '/home/user\n'), row('three', 'whoami', 'user\n')];
  await writeFile(rowsFile(), `${rows.join('\n')}\n`);
}

type Messages = { content: string }[];

/** Knows what `echo` and `pwd` print, and `whoami` only when it is told who it is. */
const answer = (body: Record<string, unknown>) => {
  const messages = body['messages'] as Messages;
  const asked = messages.at(-1)?.content ?? '';
  const isTold = messages[0]?.content.includes('You are called user.');
  if (asked.includes('echo tide')) return observed(screen('echo tide', 'tide\n'));
  if (asked.includes('pwd')) return observed(screen('pwd', '/home/user\n'));
  return observed(screen('whoami', isTold ? 'user\n' : 'root\n'));
};

/** The table of a run, once it is shown. */
const summaryShown = () =>
  until('the table', () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.scheme === 'foretell-prompt' && /^# /.test(document.getText())
      ? document.getText()
      : undefined;
  });

async function trajectoriesOf(): Promise<string[]> {
  const found = await vscode.workspace.findFiles('.foretell/runs/*.trajectory.jsonl');
  return found.map(({ fsPath }) => fsPath).sort();
}

test('prompt files: run on rows of a benchmark: chosen, counted, predicted, scored, kept as a trajectory', async () => {
  await prepareRows();
  await withModel({ answer }, async ({ server }) => {
    const { document } = await openPrompt(terminal());
    const lens = await until('the lens', async () =>
      (await lensesOf(document)).find(({ title }) => /Run on Trajectory/.test(title)),
    );
    const running = runCommand(lens.command, ...(lens.arguments ?? []));
    // The files of the workspace are there to be chosen from, then how many of the steps.
    await until('the list of files', async () =>
      /terminal_test\.jsonl/.test(
        String(await drive('evaluate', "document.querySelector('.quick-input-widget')?.textContent ?? ''")),
      ),
    );
    await picture('template-trajectory-choose');
    await drive('press', 'Enter');
    await until('how many', async () =>
      /How many of 3 steps/.test(
        String(await drive('evaluate', "document.querySelector('.quick-input-widget')?.textContent ?? ''")),
      ),
    );
    await drive('press', 'Enter');
    await running;
    const summary = await summaryShown();
    assert.match(summary, /\*\*A\*\* `terminal\/system_prompt\.txt`[\s\S]*\| A +\| +0\.\d{3} \| +2 \| +3 of 3 \|/);
    assert.match(summary, /\+ root/);
    assert.equal(server.completions().length, 3);
    const [file] = await trajectoriesOf();
    const steps = stepsOf(readTrajectory(await readFile(file ?? '', 'utf8')));
    assert.equal(steps.length, 3);
    assert.ok(steps.every(({ prediction, observation, reply }) => prediction && observation && reply));
    assert.ok(steps.every(({ scores }) => typeof scores?.factual?.score === 'number'));
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label));
    assert.ok(
      tabs.some((label) => label === path.basename(file ?? '')),
      'the trajectory is opened',
    );
    await picture('template-trajectory');
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file ?? ''));
    await until('the trajectory editor', async () =>
      /whoami/.test(String(await drive('evaluateInFrame', 'main.lab', 'document.body.innerText'))),
    );
    await picture('template-trajectory-editor');
  });
  await runCommand('workbench.action.closeAllEditors');
});

test('prompt files: two versions are compared by what the model makes of both', async () => {
  await prepareRows();
  await withModel({ answer }, async ({ server }) => {
    const editor = await openPrompt(terminal());
    await replace(editor, /# Input\n/, 'You are called user.\n\n# Input\n');
    const before = (await trajectoriesOf()).length;
    const choice = { version: 'saved', how: 'results', file: rowsFile(), most: 3 };
    await runCommand('foretell.templates.compare', editor.document.uri, choice);
    const summary = await summaryShown();
    assert.equal(server.completions().length, 6);
    assert.match(summary, /\| `terminal\/three#1` +\| +0\.\d{3} \| +1\.000 \| \+0\.\d{3} \|/);
    assert.match(summary, /\| `terminal\/one#1` +\| +1\.000 \| +1\.000 \| +same \|/);
    await sleep(300);
    await picture('template-compare-results');
    const files = await trajectoriesOf();
    assert.equal(files.length, before + 1);
    const steps = stepsOf(readTrajectory(await readFile(files.at(-1) ?? '', 'utf8')));
    assert.ok(
      steps.every(({ others }) => others?.length === 2),
      'the other version, and what was there',
    );
    assert.deepEqual(
      [steps[0]?.template?.name, steps[0]?.others?.[0]?.template?.name],
      ['terminal/system_prompt.txt, saved', 'terminal/system_prompt.txt, unsaved'],
    );
    await openPrompt(terminal());
    await runCommand('workbench.action.revertAndCloseActiveEditor');
  });
  await runCommand('workbench.action.closeAllEditors');
});

test('prompt files: two versions are compared on the command that was predicted last, against what the engine knows', async () => {
  await prepareRows();
  const told = (body: Record<string, unknown>) => {
    const messages = body['messages'] as Messages;
    const isTold = messages[0]?.content.includes('You are exact.');
    const asked = messages.at(-1)?.content ?? '';
    return asked.includes('echo high')
      ? wholeScreen('echo high; echo low', isTold ? 'high\nlow\n' : 'high\n')
      : observed('');
  };
  await withModel({ answer: told }, async () => {
    await predict('echo high; echo low');
    const editor = await openPrompt(terminal());
    await replace(editor, /# Input\n/, 'You are exact.\n\n# Input\n');
    const choice = { version: 'saved', how: 'results', command: true };
    await runCommand('foretell.templates.compare', editor.document.uri, choice);
    const summary = await summaryShown();
    assert.match(summary, /\| `command#1` \| +0\.\d{3} \| +1\.000 \| \+0\.\d{3} \|/);
    assert.match(summary, /\n- low\n/);
    await openPrompt(terminal());
    await runCommand('workbench.action.revertAndCloseActiveEditor');
  });
  await runCommand('workbench.action.closeAllEditors');
});

test('prompt files: a file without fitting steps says so, and Git without a version too', async () => {
  await prepareRows();
  await withModel({ answer }, async ({ server }) => {
    const swe = await openPrompt(path.join(ownPrompts(), 'swe/system_prompt.txt'));
    await runCommand('foretell.templates.runOnTrajectory', swe.document.uri, { file: rowsFile(), most: 3 });
    assert.equal(server.completions().length, 0);
    // Nothing was committed of it yet; then there is something to compare with.
    await runCommand('foretell.templates.compare', swe.document.uri, { version: 'HEAD', how: 'text' });
    assert.ok(!(vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff));
    const { execFileSync } = await import('node:child_process');
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@b', ...args], { cwd: inProject() });
    git('add', '-f', '.foretell/prompts');
    git('commit', '-qm', 'Prompts', '--', '.foretell/prompts');
    await replace(swe, /# Role/, '# My Role');
    await runCommand('foretell.templates.compare', swe.document.uri, { version: 'HEAD', how: 'text' });
    const tab = await until('the diff', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    assert.match((await vscode.workspace.openTextDocument(tab.original)).getText(), /^# Role/);
    await runCommand('workbench.action.closeActiveEditor');
    await openPrompt(path.join(ownPrompts(), 'swe/system_prompt.txt'));
    await runCommand('workbench.action.revertAndCloseActiveEditor');
  });
  await runCommand('workbench.action.closeAllEditors');
});
