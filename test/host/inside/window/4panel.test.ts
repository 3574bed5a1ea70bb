import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import {
  answerInPanel,
  clickInPanel,
  drive,
  folder,
  inPanel,
  inProject,
  open,
  panelCommand,
  panelText,
  picture,
  predict,
  press,
  runCommand,
  shownFor,
  sleep,
  typeInPanel,
  until,
  withSetting,
} from '../window.ts';

const activeTab = () => vscode.window.tabGroups.activeTabGroup.activeTab;

test('panel: a command edited there is predicted with Enter', async () => {
  await predict('echo one');
  await runCommand('foretell.panel.focus');
  await typeInPanel('echo two');
  await press('Enter');
  const shown = await shownFor('echo two');
  assert.match(shown.text, /^two$/m);
});

test('panel: a file opens in the diff editor', async () => {
  await predict("sed -i 's/Harbour/Haven/' README.md");
  await inPanel(
    `[...document.querySelectorAll('[role=treeitem]')].find((row) => row.textContent.includes('README.md')).click()`,
  );
  const tab = await until('a diff', () => {
    const input = activeTab()?.input;
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  });
  assert.equal(tab.original.fsPath, inProject('README.md'));
  const after = await vscode.workspace.openTextDocument(tab.modified);
  assert.match(after.getText(), /^# Haven/);
  assert.match(await readFile(inProject('README.md'), 'utf8'), /^# Harbour/);
  await picture('diff');
});

test('panel: all changes open in the multi-diff editor', async () => {
  await predict('rm docs/notes.md && echo x > new.txt && sed -i s/dist/out/ Makefile');
  await runCommand('foretell.openAllChanges');
  await until('the editor', () => activeTab()?.label === 'Predicted Changes (3 files)');
  await until('the first file', async () => Number(await drive('count', '.multiDiffEntry')) > 0);
  await picture('all-changes');
  await runCommand('workbench.action.closeAllEditors');
});

test('panel: what is unsaved counts', async () => {
  const editor = await open('docs/notes.md');
  await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'not saved\n'));
  const shown = await predict('rm docs/notes.md');
  assert.match(shown.text, /from the editor in which it is open/);
  await runCommand('workbench.action.files.revert');
  await runCommand('workbench.action.closeAllEditors');
});

test('panel: long work can be cancelled', async () => {
  await runCommand('foretell.predict', 'yes > /dev/null');
  await until('progress', () => inPanel("document.querySelector('[role=progressbar]') !== null"));
  await clickInPanel('Cancel');
  const shown = await shownFor('yes > /dev/null');
  assert.match(shown.verdict, /cancel/i);
});

test('panel: a program that asks is answered', async () => {
  await runCommand('foretell.predict', 'rm -i LICENSE');
  await until('the question', async () => /remove regular file/.test(await panelText()));
  await answerInPanel('y');
  const shown = await shownFor('rm -i LICENSE');
  assert.match(shown.text, /LICENSE/);
  assert.match(shown.text, /brought back|deleted/i);
  assert.ok(existsSync(inProject('LICENSE')));
});

test('panel: the gate is opened by an explicit choice', async () => {
  const before = await readFile(inProject('dist/ports.json'), 'utf8');
  const shown = await predict('npm run build');
  assert.equal(shown.verdict, 'CAUTION');
  await clickInPanel('Rehearse Fully');
  await clickInPanel('Rehearse');
  const rehearsed = await until('the rehearsal', async () => {
    const text = await panelText();
    return text.includes('Rehearsed fully') && text.includes('ports.json') ? text : undefined;
  });
  assert.match(rehearsed, /4 ports|3 ports/);
  assert.equal(await readFile(inProject('dist/ports.json'), 'utf8'), before, 'nothing was touched');
});

test('panel: a sequence goes on from the predicted state', async () => {
  await predict('mkdir berth && cd berth');
  await clickInPanel('Continue from Here');
  await until('the session', async () => /Starts after/.test(await panelText()));
  assert.equal(await inPanel("document.getElementById('command').value"), '');
  await typeInPanel('touch ../quay && ls .. && pwd');
  await press('Enter');
  const shown = await shownFor('touch ../quay && ls .. && pwd');
  assert.match(shown.output, /\bberth\b/);
  assert.ok(shown.output.includes(`${folder()}/berth`), shown.output);
  // Again from the same place: the state of the first attempt must not show.
  await typeInPanel('ls ..');
  await press('Enter');
  const again = await shownFor('ls ..');
  assert.match(again.output, /berth/);
  assert.ok(!/quay/.test(again.output), 'only the first step is part of the sequence');
  assert.ok(!existsSync(inProject('berth')));
  // A step of it is gone back to.
  await clickInPanel('mkdir berth && cd berth');
  await shownFor('mkdir berth && cd berth');
  await until('no session', async () => !/Starts after/.test(await panelText()));
  await clickInPanel('Continue from Here');
  await until('the session', async () => /Starts after/.test(await panelText()));
  await clickInPanel('Start Over');
  await until('no session', async () => !/Starts after/.test(await panelText()));
});

test('panel: hidden and shown again it has the same prediction', async () => {
  await predict('seq 1 2000');
  await runCommand('workbench.action.closePanel');
  await until('no panel', async () => {
    const text = await panelText().catch(() => undefined);
    return text === undefined;
  });
  await runCommand('foretell.predict', 'seq 5 7');
  const shown = await shownFor('seq 5 7');
  assert.match(shown.text, /5\n6\n7/);
});

test('panel: copies as JSON', async () => {
  await predict('rm -rf dist');
  await clickInPanel('Copy');
  await clickInPanel('Copy as JSON');
  const json = await until('the clipboard', async () => {
    const text = await vscode.env.clipboard.readText();
    return text.startsWith('{') ? text : undefined;
  });
  assert.equal((JSON.parse(json) as { version: number }).version, 1);
  await clickInPanel('Copy');
  await clickInPanel('Copy Summary');
  await until('the summary', async () => (await vscode.env.clipboard.readText()).startsWith('$ rm -rf dist'));
});

test('panel: 20,000 deletions are all there, and it stays alive', async () => {
  const script = 'mkdir many && seq 1 20000 | sed "s|^|many/|" | xargs touch';
  // However slow the machine is.
  const shown = await withSetting('foretell.limits.seconds', 120, () => predict(script));
  assert.match(shown.text, /20,00[01]/);
  assert.equal(await panelCommand(), script);
});

test('panel: a fork bomb, endless output and bytes that are no text end in one sentence each', async () => {
  for (const script of ['yes', 'head -c 100000 /dev/urandom', ':(){ :|:& };:']) {
    const shown = await withSetting('foretell.limits.seconds', 3, () => predict(script));
    assert.notEqual(shown.verdict, '', script);
  }
});

test('keyboard alone: from the palette to a button', async () => {
  await predict('rm -rf dist');
  await runCommand('foretell.panel.focus');
  const reached = new Set<string>();
  // The keyboard begins on the verdict: forwards to its buttons, backwards to the command.
  for (const key of [...Array<string>(10).fill('Tab'), ...Array<string>(13).fill('Shift+Tab')]) {
    await press(key);
    const name = await inPanel<string>(
      "document.hasFocus() ? (document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent?.trim() ?? '') : ''",
    );
    reached.add(name);
  }
  for (const name of ['Predict', 'Run for Real', 'Continue from Here', 'Copy']) {
    assert.ok(reached.has(name), `${name} is reached; reached were ${[...reached].join(' | ')}`);
  }
});

test('status, settings and walkthrough open', async () => {
  await runCommand('foretell.showStatus');
  await until('the status', () => /rehearsed on a copy/.test(vscode.window.activeTextEditor?.document.getText() ?? ''));
  assert.ok(!vscode.window.activeTextEditor?.document.getText().includes('undefined'));
  await runCommand('foretell.openSettings');
  await sleep(1500);
  await picture('settings');
  await until('the settings', async () => Number(await drive('count', '.settings-editor .setting-item-contents')) > 1);
  await runCommand('workbench.action.openWalkthrough', 'foretell.foretell#start', false);
  await until('the walkthrough', async () =>
    ((await drive('texts', '.getting-started-step .step-title')) as string[]).some((title) =>
      /Read the verdict/.test(title),
    ),
  );
  await picture('walkthrough');
  await runCommand('workbench.action.closeAllEditors');
});

test('the content security policy was never broken', async () => {
  const lines = ((await drive('consoleLines', 'Content Security Policy')) as string[]).filter((line) =>
    /nonce-/.test(line),
  );
  assert.deepEqual(lines, []);
});

const themes = {
  'Default Dark Modern': 'vscode-dark',
  'Default Light Modern': 'vscode-light',
  'Default High Contrast': 'vscode-high-contrast',
  'Default High Contrast Light': 'vscode-high-contrast-light',
};
for (const [theme, kind] of Object.entries(themes)) {
  test(`axe finds nothing serious: ${theme}`, async () => {
    const axe = await readFile(process.env['FORETELL_AXE'] ?? '', 'utf8');
    await withSetting('workbench.colorTheme', theme, async () => {
      await predict('git reset --hard && git clean -fd; npm run build');
      await until('the theme', () => inPanel(`document.body.classList.contains('${kind}')`));
      // Colours are faded from one theme to the next.
      await sleep(500);
      // The frame is transparent; axe would take the page behind it for white.
      await inPanel(`document.documentElement.style.background = 'var(--vscode-panel-background)'; ${axe}; 0`);
      const faults = await inPanel<{ id: string; impact: string; nodes: string[] }[]>(`axe.run(document).then((found) =>
        found.violations.filter((one) => one.impact === 'serious' || one.impact === 'critical')
          .map((one) => ({ id: one.id, impact: one.impact, nodes: one.nodes.map((node) => node.html + node.failureSummary) })))`);
      await picture(`panel-${theme.replaceAll(' ', '-').toLowerCase()}`);
      assert.deepEqual(faults, []);
    });
  });
}

test('nothing of all this has changed the project', async () => {
  const { execFileSync } = await import('node:child_process');
  const status = execFileSync('git', ['status', '--short'], { cwd: folder(), encoding: 'utf8' });
  assert.deepEqual(
    status
      .trim()
      .split('\n')
      .map((line) => line.trim()),
    ['A  data/oban.csv', 'M src/tides.js', '?? docs/notes.md'],
  );
});
