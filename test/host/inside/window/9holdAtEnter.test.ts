import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { test } from '../runner.ts';
import { drive, runCommand, until } from '../window.ts';

/** Chooses bash in the list, and waits until its start file is shown, changed and not yet saved. */
async function chooseBash(file: string): Promise<vscode.TextDocument> {
  const rows = async () => (await drive('texts', '.quick-input-list .monaco-list-row')) as string[];
  const asked = runCommand('foretell.holdAtEnter');
  await until('the shells', async () => (await rows()).length === 3);
  assert.match((await rows())[0] ?? '', /bash/);
  await runCommand('workbench.action.acceptSelectedQuickOpenItem');
  await asked;
  return until('the start file', () => {
    const document = vscode.window.activeTextEditor?.document;
    return document?.uri.fsPath === file && document.isDirty ? document : undefined;
  });
}

test('lines at Enter are switched on and off by a change of the start file that is saved by hand', async () => {
  const home = mkdtempSync(path.join(tmpdir(), 'foretell-home-'));
  const [hadHome, hadData] = [process.env['HOME'], process.env['XDG_DATA_HOME']];
  Object.assign(process.env, { HOME: home, XDG_DATA_HOME: path.join(home, 'data') });
  const file = path.join(home, '.bashrc');
  const own = "alias ll='ls -l'\n";
  try {
    writeFileSync(file, own);
    const document = await chooseBash(file);
    assert.equal(readFileSync(file, 'utf8'), own, 'nothing is written unseen');
    await until('it is saved', async () => (await document.save()) && readFileSync(file, 'utf8') !== own);
    const client = path.join(home, 'data/foretell/bin/foretell');
    assert.equal(readFileSync(file, 'utf8'), `${own}eval "$(${client} enter bash)"\n`);
    // What the line evaluates is there.
    assert.ok(existsSync(path.join(path.dirname(client), 'foretell-enter')));
    assert.match(execFileSync(client, ['enter', 'bash'], { encoding: 'utf8' }), /__foretell_client=/);
    const again = await chooseBash(file);
    assert.equal(again.getText(), own);
    await until('it is saved', async () => (await again.save()) && readFileSync(file, 'utf8') === own);
  } finally {
    for (const [name, value] of [
      ['HOME', hadHome],
      ['XDG_DATA_HOME', hadData],
    ] as const)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    await runCommand('workbench.action.closeActiveEditor');
    rmSync(home, { recursive: true, force: true });
  }
});
