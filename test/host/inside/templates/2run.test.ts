import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { observed, scripted, shellReply, withModel } from '../model.ts';
import { test } from '../runner.ts';
import {
  drive,
  inPanel,
  panelText,
  picture,
  predict,
  runCommand,
  shownFor,
  showPrediction,
  sleep,
  until,
  withSetting,
} from '../window.ts';
import { lensesOf, openPrompt, ownPrompts, preparePrompts, replace } from './promptFolder.ts';

const swe = () => path.join(ownPrompts(), 'swe/system_prompt.txt');

const model = scripted([
  [/a letter of mine/, shellReply('it read your letter')],
  [/build\.js/, shellReply('built')],
  [/./, observed('')],
]);

/** What the preview shows, as a person would read it. */
const previewText = () => drive('evaluateInFrame', 'main.preview', 'document.body.innerText').then(String);

test('prompt files: run on the last command with the text as it stands unsaved; the panel shows what came', async () => {
  await preparePrompts();
  await withModel({ answer: model }, async ({ prompts, server }) => {
    await predict('npm run build # 1');
    const asked = prompts().length;
    assert.ok(!prompts().some((prompt) => prompt.includes('I collect stamps')));
    const editor = await openPrompt(swe());
    await replace(editor, /\{demonstrations\}\n/, '{demonstrations}\n\nI collect stamps.\n');
    assert.ok(editor.document.isDirty);

    // The server has read the beginning of this prompt already.
    const lens = await until('what it costs of the cache', async () =>
      (await lensesOf(editor.document)).find(({ title }) => /The prompt changes at token/.test(title)),
    );
    const [at = 0, all = 0, lost = 0] = (lens.title.match(/\d[\d,]*/g) ?? []).map((one) =>
      Number(one.replaceAll(',', '')),
    );
    assert.ok(at > 2_000 && at < all && at + lost === all, lens.title);
    const usage = server.completions().length;
    assert.ok(usage > 0);
    await runCommand(lens.command ?? '', ...(lens.arguments ?? []));
    const active = vscode.window.activeTextEditor?.selection.active.line ?? 0;
    assert.ok(Math.abs(active - editor.document.positionAt(editor.document.getText().indexOf('I collect')).line) <= 1);

    const run = (await lensesOf(editor.document)).find(({ title }) => /Run on Selection/.test(title)) ?? assert.fail();
    await runCommand(run.command, ...(run.arguments ?? []));
    await shownFor('npm run build # 1');
    await until('the prompt', () =>
      prompts()
        .slice(asked)
        .some((prompt) => prompt.includes('I collect stamps')),
    );
    assert.match(await panelText(), /Predicted with swe\/system_prompt\.txt as it stands unsaved/);
    await picture('template-run');

    // A command that needs no model says so.
    await runCommand('foretell.templates.runOnSelection', editor.document.uri, 'ls # no model');
    await shownFor('ls # no model');
    await until('why not', async () => /the prompt was not used/.test(await panelText()));

    // What is selected beside it goes before what was predicted last.
    const picked = await vscode.workspace.openTextDocument({ content: 'echo no\nnpm run build # picked\n' });
    const beside = await vscode.window.showTextDocument(picked, { viewColumn: vscode.ViewColumn.Two });
    beside.selection = new vscode.Selection(1, 0, 1, 22);
    await runCommand(run.command, ...(run.arguments ?? []));
    await shownFor('npm run build # picked');
    assert.ok((prompts().at(-1) ?? '').includes('I collect stamps'));
    beside.selection = new vscode.Selection(0, 0, 0, 0);

    // What is unsaved is for that run only.
    await predict('npm run build # 2');
    const last = prompts().at(-1) ?? '';
    assert.ok(!last.includes('I collect stamps'));
  });
  await vscode.window.showTextDocument(vscode.Uri.file(swe()));
  await runCommand('workbench.action.revertAndCloseActiveEditor');
});

test('prompt files: the preview shows the whole prompt, follows the typing, and is text', async () => {
  await withModel({ answer: model }, async ({ prompts }) => {
    await predict('npm run build # 3');
    const asked = prompts().length;
    const editor = await openPrompt(swe());
    await runCommand('foretell.templates.preview', editor.document.uri);
    await until('the prompt', async () => /npm run build: what it prints|build\.js/.test(await previewText()));
    await until('exact counts', async () => /counted with the model’s own tokenizer/.test(await previewText()));
    const shown = await previewText();
    for (const part of ['Role', 'Tools', 'Demonstrations', 'Workspace context', 'Action', 'Suffix']) {
      assert.ok(shown.includes(part), part);
    }
    const axe = await readFile(process.env['FORETELL_AXE'] ?? '', 'utf8');
    // The frame is transparent; axe would take the page behind it for white.
    const background = "document.documentElement.style.background = 'var(--vscode-editor-background)'";
    await drive('evaluateInFrame', 'main.preview', `${background}; ${axe}; 0`);
    const faults = await drive(
      'evaluateInFrame',
      'main.preview',
      "axe.run(document).then(({ violations }) => violations.filter(({ impact }) => impact === 'serious' || impact === 'critical').map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))",
    );
    assert.deepEqual(faults, []);
    await replace(editor, /# Role\n/, '# Role <img src=x onerror=alert(1)>\n');
    await until('what was typed', async () => (await previewText()).includes('Role <img src=x onerror=alert(1)>'));
    assert.equal(await drive('evaluateInFrame', 'main.preview', "document.querySelectorAll('img').length"), 0);
    assert.match(await previewText(), /The prompt changes at token/);

    // A placeholder without a value is told, and what was shown stays.
    await replace(editor, /\{demonstrations\}/, '{demonstrations} {tool_definitions}');
    await until('twice the tools', async () => ((await previewText()).match(/\bTools\b/g) ?? []).length > 3);
    assert.equal(prompts().length, asked, 'nothing is sent for a preview');

    for (const [theme, name] of [['Default High Contrast', 'hc']] as const) {
      await withSetting('workbench.colorTheme', theme, async () => {
        await sleep(700);
        await picture(`template-preview-${name}`);
      });
    }
  });
  await runCommand('workbench.action.revertAndCloseActiveEditor');
  await runCommand('workbench.action.closeAllEditors');
});

test('the Prompt tab says of each block how many tokens the model’s own tokenizer counts', async () => {
  const slow = async (body: Record<string, unknown>) => {
    // As long as a model takes at the least.
    await sleep(250);
    return model(body);
  };
  await withModel({ answer: slow }, async ({ server }) => {
    // What a busy machine has not counted when the answer comes is known the next time.
    let times = 0;
    await until('the counts', async () => {
      times += 1;
      await predict(`npm run build # counted ${times}`);
      await inPanel("document.getElementById('tab-prompt').click()");
      return /Counted block by block with the model’s own tokenizer/.test(await panelText());
    });
    const legend = await inPanel<string>("document.querySelector('.token-legend').innerText");
    assert.match(legend, /Tools\s+1,362/);
    assert.ok(!legend.includes('≈'));
    const texts = server.requests.filter(({ path: asked, body }) => asked === '/tokenize' && body?.['prompt']);
    const distinct = new Set(texts.map(({ body }) => body?.['prompt']));
    assert.ok(distinct.size >= 8 && texts.length < distinct.size + 8, 'what was counted is not counted again');
    await picture('prompt-counted');
    await showPrediction();
  });
});

test('prompt files: of a domain without commands an example is previewed, also without a model', async () => {
  const shipped = path.join(ownPrompts(), '../../agent-world/prompts/mcp/system_prompt.txt');
  const editor = await openPrompt(shipped);
  await runCommand('foretell.templates.preview', editor.document.uri);
  await until('the example', async () => /this turn is an example/.test(await previewText()));
  const text = await previewText();
  assert.match(text, /list_events/);
  assert.match(text, /estimated \(≈\); not sent/);
  assert.ok(!(await inPanel<string>('document.body.innerText')).includes('list_events'));
  await runCommand('workbench.action.closeAllEditors');
});

test('prompt files: two versions are compared as text', async () => {
  const editor = await openPrompt(swe());
  await replace(editor, /# Role/, '# My Role');
  await runCommand('foretell.templates.compare', editor.document.uri, { version: 'saved', how: 'text' });
  const tab = await until('the diff', () => {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  });
  assert.equal(tab.modified.toString(), editor.document.uri.toString());
  const left = await vscode.workspace.openTextDocument(tab.original);
  assert.match(left.getText(), /^# Role/);
  assert.equal(left.languageId, 'foretell-prompt');
  await picture('template-diff');
  await runCommand('workbench.action.closeActiveEditor');
  await runCommand('foretell.templates.compare', editor.document.uri, { version: 'shipped', how: 'text' });
  await until('the shipped one', () => /shipped/.test(vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? ''));
  await runCommand('workbench.action.closeActiveEditor');
  await runCommand('workbench.action.revertAndCloseActiveEditor');
  await runCommand('workbench.action.closeAllEditors');
});
