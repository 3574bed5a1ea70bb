import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { ask, callHook, changed, command, focusView, rows, toTop, view, widenAgents } from '../agentCalls.ts';
import { labText } from '../lab.ts';
import { test } from '../runner.ts';
import { chooseInMenu, drive, inProject, picture, press, runCommand, shownFor, sleep, until } from '../window.ts';

const shownRows = async () => (await drive('texts', rows)) as string[];
const rowOf = (words: string) => `${rows}[aria-label*=${JSON.stringify(words)}]`;
/** The row that the keyboard is on, as a screen reader says it. */
const focused = () =>
  drive(
    'evaluate',
    `document.querySelector(${JSON.stringify(`${view} .monaco-list-row.focused`)})?.ariaLabel ?? ''`,
  ) as Promise<string>;
const tabOf = <T>(what: string, kind: new (...given: never[]) => T) =>
  until(what, () => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    return input instanceof kind ? input : undefined;
  });

test('agents driven: three agents at once, each call in its session, with the right numbers', async () => {
  await runCommand('foretell.showAgents');
  await widenAgents();
  const agents = ['claude', 'codex', 'gemini'] as const;
  const scripts = ['cat src/main.ts', 'rm -rf docs', 'echo a > made-by.txt', 'git status --short'];
  const calls = scripts.flatMap((script, at) => agents.map((agent) => ({ agent, script, id: `${agent} ${at}` })));
  const worker = async () => {
    for (let next = calls.shift(); next; next = calls.shift()) await callHook(next.agent, next.script, next.id);
  };
  await Promise.all([worker(), worker(), worker()]);
  for (const title of ['Claude Code', 'Codex', 'Gemini CLI']) {
    const row = await until(`the session of ${title}`, async () =>
      (await shownRows()).find((text) => text.startsWith(title) && /4 calls/.test(text)),
    );
    assert.match(row, /4 calls, 1 denied/);
  }
});

test('agents driven: by the keyboard alone a call is found, read, its difference opened, and predicted again', async () => {
  const file = inProject('keys.md');
  await writeFile(file, 'one\n');
  await ask({
    deed: command('sed -i s/one/two/ keys.md'),
    session: 'keys',
    more: { files: [changed(file)] },
    texts: { [file]: ['one\n', 'two\n'] },
  });
  await until('the row', async () => (await shownRows()).some((text) => text.includes('keys.md')));
  await focusView();
  await press('Home');
  await until('the session', async () => /^Claude Code/.test(await focused()));
  await press('ArrowDown');
  await until('the call', async () => /^safe, .*keys\.md/.test(await focused()));
  await press('ArrowRight');
  await until('the facts', async () => (await shownRows()).some((text) => /keys\.md\s*modified/.test(text)));
  for (let steps = 0; steps < 8 && !/^keys\.md/.test(await focused()); steps += 1) {
    await press('ArrowDown');
    await sleep(100);
  }
  assert.match(await focused(), /^keys\.md/);
  await press('Enter');
  await tabOf('the difference', vscode.TabInputTextDiff);
  await focusView();
  await press('ArrowLeft');
  await until('the call again', async () => /^safe, .*keys\.md/.test(await focused()));
  await press('Enter');
  await until('its text', () => vscode.window.activeTextEditor?.document.getText().includes('sed -i s/one/two/'));
  await focusView();
  await press('Shift+F10');
  await drive('waitFor', '.monaco-menu [aria-label="Predict Call Again"]');
  await sleep(500);
  for (let steps = 0; steps < 12; steps += 1) {
    const on = (await drive('texts', '.monaco-menu .action-item.focused')) as string[];
    if (on.some((text) => /Predict Call Again/.test(text))) break;
    await press('ArrowDown');
    await sleep(50);
  }
  await press('Enter');
  const { verdict } = await shownFor('sed -i s/one/two/ keys.md');
  assert.match(verdict, /caution|danger|safe/i);
});

test('agents driven: from the menu of a row a session is forked into the lab, which shows its steps', async () => {
  const forked = `forked ${Date.now()}`;
  await ask({ deed: command('echo before the fork'), session: forked });
  await ask({ deed: command('echo the fork'), session: forked });
  await ask({ deed: command('echo behind the fork'), session: forked });
  await until('the rows', async () => (await shownRows()).some((text) => text.includes('behind the fork')));
  await toTop();
  await drive('rightClick', `${rowOf('Command: echo the fork')} .monaco-icon-label`);
  await chooseInMenu('Fork Call');
  await tabOf('the lab', vscode.TabInputCustom);
  const text = await until('the steps', async () => {
    const shown = await labText();
    return shown.includes('echo the fork') ? shown : undefined;
  });
  assert.match(text, /echo before the fork/);
  assert.doesNotMatch(text, /behind the fork/);
  await picture('agents-fork');
});

test('agents driven: from the menu of a session all of it is saved, in a format that is chosen', async () => {
  await toTop();
  await drive('rightClick', `${rows}[aria-label^="Claude Code, 3 calls"] .monaco-icon-label`);
  await chooseInMenu('Export Calls of Session…');
  await until('the formats', async () => ((await drive('count', '.quick-input-list .monaco-list-row')) as number) > 1);
  await picture('agents-formats');
  await press('Enter');
  await until('the name', async () =>
    /jsonl/.test(String(await drive('evaluate', "document.querySelector('.quick-input-box input')?.value ?? ''"))),
  );
  const to = inProject('all.trajectory.jsonl');
  await press('Control+A');
  await drive('type', to);
  await press('Enter');
  await until('the file', async () => (await stat(to)).size > 0);
  const lines = (await readFile(to, 'utf8')).trim().split('\n');
  assert.equal(lines.length, 3);
});

test('agents driven: five hundred calls, numbers that are right, the oldest reached by the keyboard', async () => {
  await runCommand('foretell.showAgents');
  const levels = ['safe', 'caution', 'danger'] as const;
  const session = `many ${Date.now()}`;
  for (let index = 0; index < 500; index += 1) {
    const level = levels[index % 10 === 0 ? 2 : index % 3 === 0 ? 1 : 0] ?? 'safe';
    const isDanger = level === 'danger';
    await ask({
      deed: command(`touch file-${index}.txt`),
      session,
      answer: isDanger ? { kind: 'deny', toAgent: 'x', toUser: 'x', code: 'abcdef' } : { kind: 'nothing' },
      more: { verdict: { level, reasons: [] }, files: [changed(inProject(`file-${index}.txt`))] },
    });
  }
  const title = await until('the session', async () => (await shownRows()).find((text) => text.includes('500 calls')));
  assert.match(title, /500 calls, 50 denied/);
  await toTop();
  await until('the session', async () => /500 calls/.test(await focused()));
  await picture('agents-many');
  for (const more of [200, 100]) {
    const row = rowOf(`Show ${more} older calls`);
    await until(`the row of ${more} older calls`, async () => {
      if (((await drive('count', row)) as number) > 0) return true;
      await press('PageDown');
      await sleep(60);
      return false;
    });
    await drive('click', `${row} .monaco-icon-label`);
    await until('more rows', async () => ((await drive('count', row)) as number) === 0);
    await focusView();
  }
  await until('the oldest', async () => {
    if ((await shownRows()).some((text) => text.includes('touch file-0.txt'))) return true;
    await press('PageDown');
    return false;
  });
  const oldest = (await shownRows()).find((text) => text.includes('touch file-0.txt'));
  assert.match(oldest ?? '', /danger · denied/);
});

test('agents driven: a narrow view cuts words, not what matters', async () => {
  await runCommand('foretell.showAgents');
  await callHook('claude', 'rm -rf docs', 'narrow');
  await focusView();
  await until('the row', async () => {
    // Rows that are scrolled away, or of a session that is closed, are not there.
    await press('Home');
    await press('ArrowRight');
    return (await shownRows()).some((text) => text.includes('rm -rf docs'));
  });
  const box = (await drive('box', '.part.sidebar')) as { x: number; y: number; width: number; height: number };
  const edge = box.x + box.width;
  await drive('mouseDrag', { x: edge, y: 300 }, { x: box.x + 220, y: 300 });
  await toTop();
  for (const theme of ['Default Dark Modern', 'Default Light Modern', 'Default High Contrast']) {
    await vscode.workspace.getConfiguration().update('workbench.colorTheme', theme, vscode.ConfigurationTarget.Global);
    await sleep(1_000);
    await picture(`agents-narrow-${theme.split(' ')[1]?.toLowerCase()}`);
  }
  await vscode.workspace
    .getConfiguration()
    .update('workbench.colorTheme', undefined, vscode.ConfigurationTarget.Global);
});
