import assert from 'node:assert/strict';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { observed, withModel } from '../model.ts';
import { test } from '../runner.ts';
import { chooseInMenu, drive, inProject, picture, press, runCommand, until, withSetting } from '../window.ts';

const fixtures = path.join(__dirname, '../../fixtures/agentworldbench');

const texts = async (selector: string) => ((await drive('texts', selector)) as string[]).map((text) => text.trim());
const treeRows = () => texts('.test-explorer .monaco-list-row');

/** The model says what is right for some rows and wrong for others. */
function answer(body: Record<string, unknown>): string {
  const messages = body['messages'] as { content: string }[];
  const last = messages.at(-1)?.content ?? '';
  if (last.includes('Ground Truth')) {
    return '<final_evaluation>{"strengths": [], "weaknesses": ["<b>invented</b> a file"], "scores": {"format": 5, "factuality": "4/5", "consistency": 5, "realism": 4, "quality": 4}}</final_evaluation>';
  }
  if (last.includes('pwd')) return observed('root@box:/app# pwd\n/app\nroot@box:/app#');
  if (last.includes('ls\\n')) return observed('root@box:/app# ls\nmain.py  other.txt\nroot@box:/app#');
  return observed('<b>nothing</b>');
}

async function bringRows(): Promise<void> {
  await vscode.extensions.getExtension('foretell.foretell')?.activate();
  await mkdir(inProject('bench'), { recursive: true });
  await copyFile(path.join(fixtures, 'terminal_test.jsonl'), inProject('bench/terminal_test.jsonl'));
  await until('the file in the Test Explorer', async () => {
    // There is no such view until there are tests.
    await runCommand('workbench.view.testing.focus');
    return (await treeRows()).some((row) => row.includes('terminal_test.jsonl'));
  });
}

test('benchmark rows: files that come into the workspace are in the Test Explorer, with trajectories and turns', async () => {
  await bringRows();
  await drive('click', '.test-explorer .monaco-list-row:has-text("terminal_test.jsonl")');
  // The file, then its first trajectory.
  await press('ArrowRight');
  await until('the trajectories', async () =>
    (await treeRows()).some((row) => row.includes('terminal/910000000000001')),
  );
  await press('ArrowDown');
  await press('ArrowRight');
  await until('the turns', async () => (await treeRows()).some((row) => /1: pwd/.test(row)));
  assert.ok((await treeRows()).some((row) => row.includes('terminal/910000000000001')));
});

test('benchmark rows: a run shows what is exactly right, and the difference of what is not; then its report', async () => {
  await bringRows();
  await withModel({ answer }, async ({ server }) => {
    await runCommand('testing.runAll');
    await until('the results', async () => {
      const labels = (await drive('texts', '.test-explorer .result-summary')) as string[];
      return labels.some((label) => /1\/6/.test(label)) && server.completions().length >= 6;
    });
    await picture('bench-explorer');
    await drive('click', '.test-output-peek-tree .monaco-list-row:has-text("2: ls")');
    await until('the difference', async () => {
      const shown = (
        await texts('.test-output-peek-message-container .view-lines, .monaco-diff-editor .view-lines')
      ).join();
      return /notes\.txt/.test(shown) && /other\.txt/.test(shown);
    });
    await picture('bench-difference');
    await runCommand('foretell.bench.report');
    await drive('waitFor', 'h1:has-text("AgentWorldBench")');
    await drive('waitFor', 'svg[aria-label^="Factual score"]');
    // What a model says is text.
    await drive('click', 'summary:has-text("910000000000001, turn 2")');
    await drive('waitFor', 'pre:has-text("other.txt")');
    await drive('click', 'summary:has-text("910000000000003")');
    await drive('waitFor', 'pre:has-text("<b>nothing</b>")');
    await picture('bench-report');
    await runCommand('workbench.action.closeAllEditors');

    const asked = server.completions().length;
    await runCommand('testing.runAll');
    await until('the same again', async () =>
      (await texts('.test-explorer .result-summary')).join().match(/1\/6/) ? true : undefined,
    );
    assert.equal(server.completions().length, asked, 'what was asked before is not asked again');
  });
});

test('benchmark rows: a judge gives the verdict in the other way to run them', async () => {
  await bringRows();
  await withModel({ answer, models: ['first/model', 'second/model'] }, async ({ server }) => {
    await withSetting('foretell.bench.judge.baseUrl', server.baseUrl, async () => {
      const settings = vscode.workspace.getConfiguration('foretell.bench');
      await settings.update('models', ['second/model'], vscode.ConfigurationTarget.Global);
      await drive('click', '.test-explorer .monaco-list-row:has-text("terminal_test.jsonl")');
      const before = server.completions().length;
      await drive('rightClick', '.test-explorer .monaco-list-row:has-text("terminal_test.jsonl")');
      await chooseInMenu('.action-label:has-text("Using Profile")');
      await until('the ways to run', async () => (await texts('.quick-input-list .monaco-list-row')).length > 0);
      await drive('click', '.quick-input-list .monaco-list-row:has-text("Predict and Judge")');
      await until('the judgements', async () => (await texts('.test-explorer .result-summary')).join().match(/6\/6/));
      const judged = server
        .completions()
        .slice(before)
        .filter(({ body }) => JSON.stringify(body).includes('Ground Truth'));
      // The second model says the same, so its judgements are those of the first.
      assert.equal(judged.length, 6);
      await picture('bench-judged');
      await settings.update('models', undefined, vscode.ConfigurationTarget.Global);
      // The report has both models.
      await until('the report', async () => {
        await runCommand('foretell.bench.report');
        await drive('waitFor', 'li:has-text("second-model")', 1000);
        return true;
      });
      await runCommand('workbench.action.closeAllEditors');
    });
  });
  // The last run beside the first.
  void runCommand('foretell.bench.compare');
  await until('the runs', async () => (await texts('.quick-input-list .monaco-list-row')).length > 2);
  await drive('click', '.quick-input-list .monaco-list-row:has-text("run-1,")');
  await drive('click', '.quick-input-list .monaco-list-row:has-text("run-3,"):has-text("first-model")');
  await press('Enter');
  const shown = await until('the comparison', () => {
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    return text.includes('6 rows that both have') ? text : undefined;
  });
  assert.match(shown, /Exactly the real observation +16\.67 +16\.67 +\+0\.00/);
  await picture('bench-compared');
  await runCommand('workbench.action.closeAllEditors');
  await rm(inProject('bench/terminal_test.jsonl'));
  await until('it is gone', async () => !(await treeRows()).some((row) => row.includes('terminal_test.jsonl')));
  await vscode.commands.executeCommand('workbench.view.explorer');
});
