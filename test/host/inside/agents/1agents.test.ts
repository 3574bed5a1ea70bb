import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { createCallLog } from '../../../../src/core/hooks/calls/callLog.ts';
import type { HookCall } from '../../../../src/core/hooks/hookCall.ts';
import { hookFolder } from '../../../../src/core/hooks/hookFolder.ts';
import { ask, cameOut, changed, command, rows, toTop, usualSession, widenAgents } from '../agentCalls.ts';
import { test } from '../runner.ts';
import { drive, folder, inProject, panelText, picture, runCommand, shownFor, sleep, until } from '../window.ts';

const shownRows = async () => (await drive('texts', rows)) as string[];

test('agents: where none has asked, the view says how they would', async () => {
  await runCommand('foretell.showAgents');
  const welcome = '.pane-body .welcome-view-content';
  await drive('waitFor', welcome);
  const texts = ((await drive('texts', welcome)) as string[]).join(' ');
  assert.match(texts, /No agent has asked/);
  assert.match(texts, /Install Hooks/);
});

test('agents: hooks are installed in a terminal, which asks before it writes', async () => {
  await runCommand('foretell.installHooks');
  const terminal = await until('the terminal', () =>
    vscode.window.terminals.find(({ name }) => name === 'Foretell: Hooks'),
  );
  terminal.dispose();
});

test('agents: a call appears as it comes, with what was predicted; then what came of it', async () => {
  const file = inProject('notes.md');
  const key = await ask({
    deed: command('sed -i s/one/two/ notes.md'),
    more: { files: [changed(file)] },
    texts: { [file]: ['one\n', 'two\n'] },
  });
  const row = await until('the row', async () => (await shownRows()).find((text) => text.includes('sed -i')));
  assert.match(row, /safe · let through, no result yet · 1 file/);
  cameOut(key);
  await until('what came of it', async () =>
    (await shownRows()).some((text) => text.includes('came out as predicted')),
  );
});

test('agents: a call in another folder is not shown', async () => {
  await ask({ deed: command('echo elsewhere'), cwd: '/', session: 'other' });
  const seen = await ask({ deed: command('echo after') });
  await until('the next one', async () => (await shownRows()).some((text) => text.includes('echo after')));
  assert.ok(!(await shownRows()).some((text) => text.includes('elsewhere')));
  assert.ok(seen);
});

test('agents: the difference that was predicted opens, also when the file is another one by now', async () => {
  const file = inProject('notes.md');
  const key = await ask({
    deed: command('sed -i s/three/four/ notes.md'),
    more: { files: [changed(file)] },
    texts: { [file]: ['three\n', 'four\n'] },
  });
  await until('the row', async () => (await shownRows()).some((text) => text.includes('three/four')));
  await runCommand('foretell.agents.openDiff', key);
  const diff = await until('a diff', () => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  });
  const texts = await Promise.all(
    [diff.original, diff.modified].map(async (uri) => (await vscode.workspace.openTextDocument(uri)).getText()),
  );
  assert.deepEqual(texts, ['three\n', 'four\n']);
});

test('agents: what an agent writes is text: no link, no icon, no markup', async () => {
  const hostile =
    'echo $(alert) [run](command:workbench.action.closeWindow) <img src=x onerror=alert(1)> \u202e**bold**';
  const key = await ask({
    deed: command(hostile),
    answer: { kind: 'deny', toAgent: 'x', toUser: 'x', code: 'abcdef' },
  });
  const row = await until('the row', async () => (await shownRows()).find((text) => text.includes('closeWindow')));
  assert.ok(row.includes('$(alert) [run](command:workbench.action.closeWindow) <img src=x onerror=alert(1)>'));
  assert.ok(!row.includes('\u202e'));
  assert.equal(await drive('count', `${rows} a[href], ${rows} img`), 0);
  // Its text is asked for when it is shown.
  const hover = await until('the hover', async () => {
    const text = ((await drive('texts', '.monaco-hover:not(.hidden)')) as string[]).join('\n');
    if (text.includes('[run](command:workbench.action.closeWindow)')) return text;
    await drive('hover', '.part.statusbar');
    await drive('hover', `${rows}[aria-label*="closeWindow"]`);
    await sleep(700);
    return undefined;
  });
  assert.ok(hover.includes('$(alert)'), hover);
  assert.equal(await drive('count', '.monaco-hover a, .monaco-hover img, .monaco-hover strong'), 0);
  await runCommand('foretell.agents.copyRelease', key);
  await until(
    'the words of the release',
    async () => (await vscode.env.clipboard.readText()) === 'foretell allow abcdef',
  );
});

test('agents: everything that is kept of a call is a text', async () => {
  const key = await ask({ deed: command('echo kept | tee kept.txt') });
  await runCommand('foretell.agents.openCall', key);
  const text = await until('the text', () => {
    const { document } = vscode.window.activeTextEditor ?? {};
    return document?.uri.scheme === 'foretell' ? document.getText() : undefined;
  });
  assert.match(text, /Command\n─+\necho kept \| tee kept\.txt/);
});

test('agents: a call is predicted again from the files as they are now', async () => {
  const key = await ask({ deed: command('echo replayed') });
  await runCommand('foretell.agents.replay', key);
  const shown = await shownFor('echo replayed');
  assert.match(shown.output, /replayed/);
  const edit = await ask({
    deed: {
      ...{ kind: 'edit', agent: 'claude' },
      call: { name: 'Write', arguments: { file_path: inProject('made.txt'), content: 'made\n' } },
    },
  });
  await runCommand('foretell.agents.replay', edit);
  await until('the edit in the panel', async () => /made\.txt/.test(await panelText()));
});

test('agents: a session is exported as a trajectory, and forked into the lab', async () => {
  const key = await ask({ deed: command('echo forked'), session: 'lab' });
  await ask({ deed: command('echo behind it'), session: 'lab' });
  const to = inProject('session.trajectory.jsonl');
  await runCommand('foretell.agents.export', key, { to, format: 'foretell' });
  const steps = (await readFile(to, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    steps.map(({ action }) => action.script),
    ['echo forked', 'echo behind it'],
  );
  await runCommand('foretell.agents.fork', key);
  const opened = await until('the lab', () => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    const isFork = input instanceof vscode.TabInputCustom && input.uri.fsPath.includes('/agents/');
    return isFork ? input : undefined;
  });
  assert.equal(opened.viewType, 'foretell.trajectory');
  const lines = readFileSync(opened.uri.fsPath, 'utf8').trim().split('\n');
  assert.equal(lines.length, 1);
});

test('agents: a thousand calls stay smooth, and older ones are a click away', async () => {
  const log = createCallLog(hookFolder(process.env), { agent: 'codex', session: 'long' }, folder());
  const by = { agent: 'codex', session: 'long' } as const;
  for (let index = 0; index < 1_000; index += 1) {
    const call: HookCall = { deed: command(`echo long ${index}`), cwd: folder(), id: `long t${index}`, by };
    const key = log.asked(call, { cwd: folder(), shell: 'bash' }, Date.now()) ?? '';
    log.answered(key, { answer: { kind: 'nothing' }, isLate: false, now: Date.now() });
  }
  const title = await until('the session', async () =>
    (await shownRows()).find((text) => text.includes('1,000 calls')),
  );
  assert.match(title, /Codex/);
  await toTop();
  await until('the newest first', async () => (await shownRows()).some((text) => text.includes('echo long 999')));
  // The tree holds few rows of the many that there are.
  assert.ok(((await drive('count', rows)) as number) < 120);
});

test('agents: the hook’s own calls stand there, told apart in every theme and by whoever does not see them', async () => {
  await runCommand('foretell.showAgents');
  await usualSession();
  const denied = `${rows}[aria-label^="danger, denied"][aria-label*="rm -rf docs"]`;
  await drive('waitFor', denied);
  const label = String(await drive('evaluate', `document.querySelector(${JSON.stringify(denied)}).ariaLabel`));
  assert.match(label, /^danger, denied, \d+ files?, \d+ paths? lost for good\. Command: rm -rf docs data/);
  const shown = await shownRows();
  for (const words of [
    /git log[\s\S]*came out as predicted/,
    /CHANGES\.md[\s\S]*safe[\s\S]*came out as predicted/,
    /npm test[\s\S]*caution/,
  ])
    assert.ok(
      shown.some((text) => words.test(text)),
      `${words}: ${shown.slice(0, 8).join('\n')}`,
    );
  await drive('click', `${denied} .monaco-tl-twistie`);
  await until('the way to let it through', async () =>
    (await shownRows()).some((text) => /foretell allow [0-9a-f]{6}/.test(text)),
  );
  await until('the loss', async () => (await shownRows()).some((text) => text.includes('lost for good')));
  await widenAgents();
  for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast']) {
    await vscode.workspace.getConfiguration().update('workbench.colorTheme', theme, vscode.ConfigurationTarget.Global);
    await sleep(1_500);
    await picture(`agents-${theme.split(' ')[1]?.toLowerCase()}`);
  }
});
