// A workspace of several folders: each way in predicts in the folder that is meant and says which, paths tell the folders apart
// and lead to the right file, and a consent holds for one of them.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { personAt, until } from '../support/outside.mjs';

export const settings = {
  // Only so are the rows of a terminal text that can be read.
  'terminal.integrated.gpuAcceleration': 'off',
  'terminal.integrated.env.linux': { PS1: '$ ' },
};

const second = {
  'README.md': '# Quay\n\nThe crane is not of the harbour.\n',
  'tidy.sh': '#!/bin/bash\nrm -rf dist\n',
  'dist/crane.json': '{ "reach": 40 }\n',
  'reach.js': 'console.log(5 * 8)\n',
  'package.json': '{ "name": "quay", "scripts": { "lift": "node reach.js" } }\n',
};

/** Beside the sample project a folder that has files of the same names. */
export async function opens(harbour) {
  const parent = path.dirname(harbour);
  for (const [file, text] of Object.entries(second)) {
    await mkdir(path.dirname(path.join(parent, 'quay', file)), { recursive: true });
    await writeFile(path.join(parent, 'quay', file), text);
  }
  const both = path.join(parent, 'both.code-workspace');
  await writeFile(both, JSON.stringify({ folders: [{ path: 'harbour' }, { path: 'quay' }] }));
  return both;
}

export async function drive(host) {
  const { words } = host;
  const person = personAt(host);
  const parent = path.dirname(host.folder);
  const quay = path.join(parent, 'quay');
  await person.started();
  const { listed, openFile, predicted, shows } = person;

  await fromEditor();
  await typed();
  await sameNames();
  await projectCommands();
  await fromExplorer();
  await consents();
  await fromTerminal();

  /** A line in a file of the second folder. */
  async function fromEditor() {
    await openFile('tidy.sh');
    await until('the keyboard in the editor', () =>
      words.evaluate("document.activeElement?.closest('.editor-instance') !== null"),
    );
    await words.press('Control+Home');
    await words.press('ArrowDown');
    await words.press('Alt+p');
    assert.equal(await predicted('rm -rf dist'), 'DANGER');
    await shows(/in quay .*quay\/dist\/crane\.json/);
    await person.picture('roots-editor');
    assert.ok(existsSync(path.join(quay, 'dist/crane.json')));
  }

  /** What is typed in the palette means the folder of the file in front, and says so. */
  async function typed() {
    await person.runCommand('foretell.predict');
    await until('the folder', async () => (await words.texts('.quick-input-title')).some((one) => one.endsWith(quay)));
    await words.press('Escape');
    await person.predict('cat reach.js');
    await shows(/console\.log\(5 \* 8\)/);
  }

  /** Two files of the same name are told apart, in the panel and in the dialog, and each opens as itself. */
  async function sameNames() {
    await person.predict('rm -f README.md ../harbour/README.md ../harbour/docs/notes.md');
    await shows(/LOST FOR GOOD.*harbour\/docs\/notes\.md.*quay\/README\.md.*BROUGHT BACK.*harbour\/README\.md/);
    await person.picture('roots-both');
    await person.clickInPanel('Run for Real');
    await words.waitFor('.monaco-dialog-box');
    const question = await words.text('.monaco-dialog-box');
    assert.match(question, /quay[/•].*README\.md/);
    assert.match(question, /harbour[/•].*notes\.md/);
    await words.press('Escape');
    await until('no dialog', async () => (await words.count('.monaco-dialog-box')) === 0);
    await person.inPanel(`(() => {
      const row = [...document.querySelectorAll('.row.loss')].find((one) => one.innerText.includes('quay/README.md'));
      (row.querySelector('button, .name') ?? row).click();
    })()`);
    await until('the file of the second folder', async () =>
      (await words.texts('.editor-instance .view-lines')).some((text) => text.includes('crane')),
    );
    await person.picture('roots-opened');
  }

  /** Commands of every folder, each with where it would run. */
  async function projectCommands() {
    await person.runCommand('foretell.predictProjectCommand');
    await listed('git reset --hard', { isNext: false });
    await words.type('npm run lift');
    assert.match(await listed('npm run lift'), /quay\/package\.json/);
    await person.picture('roots-project');
    await words.press('Enter');
    await predicted('npm run lift');
    await shows(/in quay/);
  }

  /** From the Explorer's menu, on a script of the second folder. */
  async function fromExplorer() {
    await words.rightClick('.explorer-viewlet .monaco-list-row:has-text("tidy.sh")');
    await words.waitFor('.monaco-menu');
    await person.chooseInMenu('Foretell', 'ArrowRight');
    await person.chooseInMenu('Predict This Script', 'Enter');
    await predicted('bash tidy.sh');
    await shows(/in quay/);
    await shows(/quay\/dist\/crane\.json/);
  }

  /** Given in the second folder, a consent counts there alone. */
  async function consents() {
    await person.predict('node reach.js');
    await shows(/is not known/);
    await person.clickInPanel('Always Rehearse Programs of This Workspace…');
    await words.waitFor('.monaco-dialog-box');
    assert.ok((await words.text('.monaco-dialog-box')).includes(quay));
    await words.click('.monaco-dialog-box :is(a, button):has-text("Rehearse Every Program")');
    await shows(/\b40\b/);
    const kept = JSON.parse(readFileSync(path.join(process.env.XDG_CONFIG_HOME, 'foretell/consent.json'), 'utf8'));
    assert.ok(kept.consents.some(({ folder }) => folder === quay));
    assert.ok(!kept.consents.some(({ folder }) => folder === path.join(parent, 'harbour')));
    await openFile('Makefile');
    await person.predict('node ../quay/reach.js');
    await shows(/in harbour .*is not known/);
    await person.picture('roots-consent');
  }

  /** A terminal of the second folder, also with a file of the first in front. */
  async function fromTerminal() {
    await person.runCommand('Terminal: Create New Terminal');
    await listed('quay', { isNext: false });
    await words.type('quay');
    await words.press('Enter');
    const shown = async () =>
      (await words.texts('.terminal-wrapper.active .xterm-rows > div')).map((row) => row.replaceAll('\u00a0', ' '));
    await until('a prompt', async () => (await shown()).some((row) => row.includes('$')));
    // The shell is ready when its integration has found its way into it.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await words.type('rm -rf dist');
    await until('the line', async () => (await shown()).join('').includes('rm -rf dist'));
    await words.press('Alt+p');
    assert.equal(await predicted('rm -rf dist'), 'DANGER');
    await shows(/in quay .*quay\/dist\/crane\.json/);
    await person.picture('roots-terminal');
  }
}
