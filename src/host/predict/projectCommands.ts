import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Runnable } from '../lens/runnable.ts';
import { readSettings } from '../settings.ts';
import { keyboardIsFree } from '../walkthrough.ts';
import { localFolders, type Pointed, pointedByLens, usualShell } from './selection.ts';

/** Files in which projects write their commands, and the language of each; others are found by opening them. */
const written: readonly (readonly [glob: string, languageId: string])[] = [
  ['package.json', 'json'],
  ['{Makefile,makefile,GNUmakefile}', 'makefile'],
  ['{,scripts/,bin/}*.sh', 'shellscript'],
  ['README.md', 'markdown'],
  ['.vscode/tasks.json', 'jsonc'],
  ['.github/workflows/*.{yml,yaml}', 'yaml'],
];

/** Files that are read at most, and how large each may be, in bytes. */
const mostFiles = 40;
const largestBytes = 200_000;

/** What uncommitted work is lost by or put aside by, wherever there is git; nothing shows better what a prediction is for. */
const inEveryRepository = ['git stash --include-untracked', 'git reset --hard', 'git clean -fdx'];

type Item = vscode.QuickPickItem & { pointed?: Pointed };

/** Lets the user choose a command that the project has written down; undefined: thought better of it. */
export async function chooseProjectCommand(): Promise<Pointed | { sentence: string } | undefined> {
  const folders = localFolders();
  if (folders.length === 0)
    return { sentence: 'No folder is open, so there is no command of a project. Open one, or type a command here.' };
  const items = itemsOf(folders);
  await keyboardIsFree();
  const chosen = await vscode.window.showQuickPick<Item>(items, {
    title: 'Predict Project Command',
    placeHolder: 'Nothing is run: you see what it would do',
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return chosen?.pointed;
}

/** Of several folders each: what stands beside a command says in which it would run. */
async function itemsOf(folders: readonly string[]): Promise<Item[]> {
  const each = folders.flatMap((folder) => written.map(([glob, language]) => runnablesIn(folder, glob, language)));
  const found = await Promise.all(each);
  const ofFiles = found.flat().map(({ runnable, file }) => ({
    label: firstLine(runnable.text),
    description: vscode.workspace.asRelativePath(file),
    pointed: pointedByLens(runnable, file, readSettings()),
  }));
  const ofGit = (await Promise.all(folders.map((folder) => gitItems(folder, folders.length > 1)))).flat();
  const heading = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator });
  return [
    ...(ofGit.length > 0 ? [heading('touches uncommitted work'), ...ofGit] : []),
    ...(ofFiles.length > 0 ? [heading('written in this project'), ...ofFiles] : []),
  ];
}

/** What takes uncommitted work from a folder that is a repository. */
async function gitItems(folder: string, isNamed: boolean): Promise<Item[]> {
  const repository = vscode.Uri.file(path.join(folder, '.git'));
  const options = { shell: usualShell(readSettings()), cwd: folder, source: 'input' as const };
  const items = inEveryRepository.map((text) => ({
    label: text,
    ...(isNamed ? { description: path.basename(folder) } : {}),
    pointed: { text, options },
  }));
  return vscode.workspace.fs.stat(repository).then(
    () => items,
    () => [],
  );
}

async function runnablesIn(
  folder: string,
  glob: string,
  languageId: string,
): Promise<{ runnable: Runnable; file: vscode.Uri }[]> {
  const { findRunnables } = await import('../lens/findRunnables.ts');
  const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, glob), undefined, mostFiles);
  const read = files.sort().map(async (file) => {
    const { size } = await vscode.workspace.fs.stat(file);
    if (size > largestBytes) return [];
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file)).replaceAll('\r\n', '\n');
    const found = findRunnables({ path: file.fsPath, languageId, text, workspaceFolder: folder, home: os.homedir() });
    return found.map((runnable) => ({ runnable, file }));
  });
  return (await Promise.all(read)).flat();
}

/** The first line of a command, without the fence that a Markdown file puts around it. */
function firstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n').filter((line) => line.trim() !== '' && !/^\s*(```|~~~)/.test(line));
  return rest.length > 0 ? `${first} …` : first;
}
