import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { TrajectoryStep } from '../../../../src/core/trajectory/step/step.ts';
import { chooseRow, clickInLab, inLab, labShows, labText, openSample, openTrajectory, writeDraft } from '../lab.ts';
import { scripted, shellReply, withModel } from '../model.ts';
import { test } from '../runner.ts';
import { drive, inProject, picture, runCommand, sleep, until } from '../window.ts';

const file = () => inProject('tides.trajectory.jsonl');
let document: vscode.TextDocument;
const lines = () => document.getText().trimEnd().split('\n');
const stepOn = (line: number) => JSON.parse(lines()[line - 1] ?? '') as TrajectoryStep;
const shownRows = () =>
  inLab<string[]>("[...document.querySelectorAll('#turns .row .name')].map((one) => one.textContent.trim())");
const detailText = () => inLab<string>("document.getElementById('detail').innerText");
const detailShows = (pattern: RegExp) =>
  until(`the turn shows ${pattern}`, async () => {
    const text = await detailText();
    return pattern.test(text) ? text : undefined;
  });

async function setTheme(theme: string, kind: string): Promise<void> {
  const settings = vscode.workspace.getConfiguration();
  await settings.update('workbench.colorTheme', theme, vscode.ConfigurationTarget.Global);
  await until(theme, () => drive('evaluate', `document.querySelector('.monaco-workbench.${kind}') !== null`));
  await sleep(400);
}

test('lab: a trajectory opens in its editor, with what is predicted beside what is real', async () => {
  const settings = vscode.workspace.getConfiguration();
  await settings.update('files.autoSave', 'off', vscode.ConfigurationTarget.Global);
  await runCommand('workbench.action.closePanel');
  await runCommand('workbench.action.closeAuxiliaryBar');
  document = await openSample('tides.trajectory.jsonl');
  await labShows(/12\sturns/);
  await chooseRow('docs/missing.md');
  const text = await detailShows(/Predicted beside real/);
  assert.match(text, /Exit code\s*predicted 0, real 1/);
  assert.match(text, /Exit Code: 0[\s\S]*Exit Code: 1/);
  for (const [name, theme, kind] of [
    ['light', 'Default Light Modern', 'vs'],
    ['high-contrast', 'Default High Contrast', 'hc-black'],
    ['dark', 'Default Dark Modern', 'vs-dark'],
  ] as const) {
    await setTheme(theme, kind);
    await picture(`lab-${name}`);
  }
  assert.equal(document.isDirty, false);
});

test('lab: a search and filters leave the turns that are asked for', async () => {
  await inLab(`(() => {
    const box = document.getElementById('search');
    box.value = 'OBAN';
    box.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await labShows(/\d of 12\sturns/);
  const found = await until('the rows', async () => {
    const rows = await shownRows();
    return rows.length < 12 ? rows : undefined;
  });
  assert.ok(found.length > 0 && found.some((row) => row.includes('out/oban.csv')), found.join());
  await inLab(`(() => {
    const box = document.getElementById('search');
    box.value = '';
    box.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
  await clickInLab('Wrong exit code');
  assert.deepEqual(await shownRows(), ['cat docs/missing.md']);
  await clickInLab('Cut');
  assert.equal((await shownRows()).length, 2);
  await clickInLab('Cut');
  await clickInLab('Wrong exit code');
  assert.equal((await shownRows()).length, 12);
});

const answer = scripted([
  [/npm test/, { reasoning: 'The tests of the tides are few.', content: shellReply('3 passing') }],
  [/./, shellReply('imagined')],
]);

test('lab: without a model the editor offers to connect one', async () => {
  await chooseRow('npm test');
  await clickInLab('Predict');
  await labShows(/No language model is connected[\s\S]*Connect a Model/);
});

test('lab: a turn is predicted from the turns before it, as one change that can be undone', async () => {
  const before = lines();
  await withModel({ answer }, async ({ prompts }) => {
    await chooseRow('npm test');
    await clickInLab('Predict');
    await detailShows(/3 passing/);
    assert.equal(prompts().length, 1);
    assert.match(prompts()[0] ?? '', /git status --short[\s\S]*docs\/missing\.md[\s\S]*No such file[\s\S]*npm test/);
    // It is shown as it comes; the file has it when it is complete.
    await until('the prediction in the file', () => stepOn(8).prediction?.ending === 'done');
    const step = stepOn(8);
    assert.equal(step.template?.name, 'swe/system_prompt.txt');
    assert.match(step.reply?.reasoning ?? '', /tests of the tides/);
    assert.ok((step.messages?.length ?? 0) > 10);
  });
  assert.deepEqual(lines().toSpliced(7, 1), before.toSpliced(7, 1), 'no other line has changed');
  assert.equal(document.isDirty, true);
  await runCommand('undo');
  await until('the line as it was', () => lines()[7] === before[7]);
  await detailShows(/not predicted/);
  await runCommand('redo');
  await until('the prediction again', () => lines()[7] !== before[7]);
  await detailShows(/3 passing/);
});

test('lab: samples are grouped by what they say', async () => {
  let count = 0;
  const says = ['3 passing', '2 passing', '3 passing', '3 passing', '2 passing'];
  const sampled = () => shellReply(says[count++ % says.length] ?? '');
  await withModel({ answer: sampled }, async ({ prompts }) => {
    await chooseRow('npm test');
    await clickInLab('Samples');
    const text = await detailShows(/2\sdistinct answers of 6\stries/);
    assert.equal(prompts().length, 5);
    await until('the samples in the file', () => stepOn(8).others?.length === 5);
    assert.match(text, /4×\s*3 passing[\s\S]*2×\s*2 passing/);
    await picture('lab-samples');
    await clickInLab('Show This One');
    await until('the other answer', () => /2 passing/.test(stepOn(8).prediction?.text ?? ''));
    assert.equal(stepOn(8).others?.length, 5);
  });
});

/** Chooses a row of the quick pick by its words. */
async function pick(words: string): Promise<void> {
  const row = `.quick-input-list .monaco-list-row:has-text(${JSON.stringify(words)})`;
  await until(`the row ${words}`, async () =>
    ((await drive('texts', '.quick-input-list .monaco-list-row')) as string[]).some((one) => one.includes(words)),
  );
  await drive('click', row);
}

test('lab: the same turn under a condition, by another model, and with another template', async () => {
  await withModel({ answer, models: ['tides-small', 'tides-large'] }, async ({ server, prompts }) => {
    await chooseRow('npm test');
    await clickInLab('Condition…');
    await pick('Disk full');
    await drive('press', 'Enter');
    await until('the prediction', () => stepOn(8).perturbations?.includes('disk-full'));
    assert.match(prompts()[0] ?? '', /ENOSPC/);
    await clickInLab('Model…');
    await pick('tides-large');
    await until('the other model', () => stepOn(8).model === 'tides-large');
    assert.equal(server.completions().at(-1)?.body?.['model'], 'tides-large');
    assert.doesNotMatch(prompts()[1] ?? '', /ENOSPC/);
    await mkdir(inProject('prompts/swe'), { recursive: true });
    await writeFile(inProject('prompts/swe/short.txt'), 'You are a very small harbour.');
    await clickInLab('Template…');
    await pick('short.txt');
    await until('the other template', () => stepOn(8).template?.name === 'prompts/swe/short.txt');
    assert.match(prompts()[2] ?? '', /You are a very small harbour/);
    await rm(inProject('prompts'), { recursive: true });
  });
});

test('lab: a prediction is shown as it comes, and can be cancelled', async () => {
  const before = lines();
  await withModel({ answer, faults: [{ kind: 'hang', at: 'middle' }] }, async ({ server }) => {
    await chooseRow('npm test');
    await clickInLab('Predict Again');
    await labShows(/Predicting…/);
    await until('the question', () => server.completions().length > 0);
    await clickInLab('Cancel');
    await until('the end of the connection', () => server.completions()[0]?.abortedAtMs !== undefined);
    await until('the end', async () => !/Predicting…/.test(await labText()));
  });
  assert.deepEqual(lines(), before, 'nothing is written of it');
});

test('lab: the confined engine gives the true observation', async () => {
  await chooseRow('git log');
  await detailShows(/git log/);
  const before = stepOn(11).observation;
  await clickInLab('Edit Observation');
  await writeDraft('nobody knows');
  await until('what was written', () => stepOn(11).observation?.text === 'nobody knows');
  assert.equal(stepOn(11).observation?.basis, 'assumed');
  await clickInLab('Rehearse Alone');
  await until('the rehearsal', () => stepOn(11).observation?.text === before?.text);
  assert.equal(stepOn(11).observation?.basis, 'rehearsed');
  await runCommand('undo');
  await runCommand('undo');
  await until('as it was', () => stepOn(11).edited === undefined && stepOn(11).observation?.text === before?.text);
});

test('lab: a fork is one new line, and its branch is predicted from its own turns', async () => {
  const before = lines();
  await chooseRow('wc -l');
  await detailShows(/wc -l data/);
  await clickInLab('Fork From Here');
  await writeDraft('tail -1 data/oban.csv');
  await until('the new line', () => lines().length === before.length + 1);
  assert.deepEqual(lines().slice(0, -1), before);
  const fork = stepOn(13);
  assert.equal(fork.after, 'tides-4');
  assert.equal(fork.action.kind === 'command' && fork.action.script, 'tail -1 data/oban.csv');
  await detailShows(/Turn 5[\s\S]*branch[\s\S]*tail -1/);
  await withModel({ answer }, async ({ prompts }) => {
    await clickInLab('Predict');
    await until('its prediction', () => stepOn(13).prediction !== undefined);
    assert.match(prompts()[0] ?? '', /wc -l[\s\S]*tail -1/);
    assert.doesNotMatch(prompts()[0] ?? '', /docs\/missing/);
    await clickInLab('Rehearse');
    await until('its observation', () => stepOn(13).observation?.basis === 'rehearsed');
    assert.match(stepOn(13).observation?.text ?? '', /oban,/);
    await detailShows(/Predicted beside real/);
  });
  await picture('lab-fork');
});

test('lab: after an edit what follows is marked, and is predicted again in order', async () => {
  assert.equal(await inLab<number>("document.querySelectorAll('.row.resting').length"), 0);
  await chooseRow('awk -F');
  await detailShows(/awk/);
  await clickInLab('Edit Action');
  await writeDraft('cat out/oban.csv');
  await until('the edit', () => stepOn(10).edited?.action !== undefined);
  await detailShows(/predicted before an edit[\s\S]*2\sturns after it may be otherwise[\s\S]*cat out\/oban\.csv/);
  assert.equal(await inLab<number>("document.querySelectorAll('.row.resting').length"), 3);
  const heights = await inLab<number[]>("[...document.querySelectorAll('#turns .row')].map((row) => row.offsetHeight)");
  assert.ok(
    heights.every((height) => height === 22),
    heights.join(),
  );
  await picture('lab-edited');
  await withModel({ answer }, async ({ prompts }) => {
    await clickInLab('Predict Again');
    await until('the prediction', () => stepOn(10).prediction?.text?.includes('imagined'));
    await clickInLab('Predict What Follows');
    await until('the two after it', () => prompts().length === 3 && /imagined/.test(stepOn(12).prediction?.text ?? ''));
    assert.match(prompts()[1] ?? '', /cat out\/oban\.csv[\s\S]*imagined[\s\S]*git log/);
  });
});

test('lab: saved, every line that was not touched has its bytes', async () => {
  const before = readFileSync(file(), 'utf8').split('\n');
  await document.save();
  const after = (await readFile(file(), 'utf8')).split('\n');
  const untouched = [1, 2, 3, 4, 5, 6, 7, 9].map((line) => line - 1);
  for (const line of untouched) assert.equal(after[line], before[line], `line ${line + 1}`);
  assert.notEqual(after[7], before[7]);
  assert.equal(document.isDirty, false);
});

test('lab: what changes on disk is shown, and bad lines are kept with their numbers', async () => {
  const text = await readFile(file(), 'utf8');
  const changed = text.replace('"script":"ls -1"', '"script":"ls -1A"').replace(/\n/, '\n{"broken\n');
  await writeFile(file(), changed);
  await until('the row', async () => (await shownRows()).some((row) => row === 'ls -1A'));
  await until('the bad line', async () => (await shownRows()).some((row) => row === 'line 2'));
  await chooseRow('line 2');
  await detailShows(/Line 2 is no step[\s\S]*not JSON[\s\S]*kept as it stands/);
  await chooseRow('cat package.json');
  await clickInLab('Write a Note');
  await writeDraft('looks right');
  await until('the note', () => document.getText().includes('looks right'));
  await document.save();
  const after = (await readFile(file(), 'utf8')).split('\n');
  assert.equal(after[1], '{"broken');
});

test('lab: axe finds no serious fault, and the keyboard reaches everything', async () => {
  const axe = readFileSync(process.env['FORETELL_AXE'] ?? '', 'utf8');
  await drive('evaluateInFrame', 'main.lab', axe);
  const faults = await inLab<string[]>(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
    violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ' ' + nodes[0].html.slice(0, 200)))`);
  assert.deepEqual(faults, []);
});

test('lab: other lines of JSON open in it on request', async () => {
  await runCommand('workbench.action.closeAllEditors');
  const other = inProject('other.jsonl');
  await writeFile(other, `${lines()[0] ?? ''}\n{"a": 1}\n`);
  await openTrajectory(other).catch(() => undefined);
  await runCommand('workbench.action.closeAllEditors');
  const plain = await vscode.commands
    .executeCommand('vscode.open', vscode.Uri.file(other))
    .then(() => until('a text editor', () => vscode.window.activeTextEditor?.document.uri.fsPath === other));
  assert.ok(plain, 'by itself it opens as text');
  await runCommand('vscode.openWith', vscode.Uri.file(other), 'foretell.trajectoryOfLines');
  await labShows(/1\sturn[\s\S]*Bad lines/);
  await runCommand('workbench.action.closeAllEditors');
});
