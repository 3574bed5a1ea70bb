import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { Consequences } from '../../protocol/editProtocol.ts';
import type { Run } from '../predict/run.ts';
import { countLines } from './countLines.ts';
import { documentDiagnostics } from './documentDiagnostics.ts';
import { renames } from './followingImports.ts';
import { jsonDiagnostics } from './jsonDiagnostics.ts';
import { nextCommands, testGlobs } from './nextCommands.ts';
import { remainingUses } from './remainingUses.ts';
import { projectDiagnostics } from './typescriptProject.ts';

export interface FindOptions {
  run: Run;
  /** The prediction is still the one that is looked at. */
  isShown(): boolean;
  /** The folder with the built files. */
  distFolder: string;
  /** The extension's own storage, beside that of other extensions. */
  storageFolder: string;
  /** Told again whenever more is known. */
  tell(consequences: Consequences): void;
  log: vscode.LogOutputChannel;
}

const mostTests = 20;
const longestManifest = 1024 ** 2;

/** Finds out what follows from an edit. Reads only; asks the language services about texts that exist only in memory. */
export async function findConsequences({
  run,
  isShown,
  distFolder,
  storageFolder,
  tell,
  log,
}: FindOptions): Promise<void> {
  const { ending, files } = run.prediction;
  if (ending !== 'done' && ending !== 'abstained') return;
  let found: Consequences = {
    isOpen: true,
    renames: renames(run),
    diagnostics: [],
    uses: [],
    tests: [],
    next: [],
    covers: [],
  };
  const add = (more: Partial<Consequences>) => {
    found = { ...found, ...more };
    if (isShown()) tell(found);
  };
  const step = async (what: string, find: () => Promise<void>) => {
    if (!isShown()) return;
    try {
      await find();
    } catch (error) {
      log.warn(`${what} could not be found out: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  await Promise.all([
    step('Lines', async () => {
      const lines = await countLines(run);
      if (lines) add({ lines });
    }),
    step('Next commands', async () => add({ next: await nextOf(run) })),
    step('Tests', async () => add({ tests: await testsOf(files.map((file) => file.path)) })),
  ]);
  const parsed = parsedDiagnostics(run);
  add({ diagnostics: parsed });
  // A program of the workspace may have a say in what a language service does.
  if (vscode.workspace.isTrusted && files.length > 0) {
    const covered = new Set<string>();
    await step('What TypeScript says', async () => {
      const project = await projectDiagnostics(run, distFolder, isShown);
      for (const file of project.covered) covered.add(file);
      const kept = found.diagnostics.filter((one) => !covered.has(one.path));
      add({
        diagnostics: [...kept, ...project.changes],
        covers: project.covers,
        ...(project.imports ? { imports: project.imports } : {}),
      });
    });
    await step('What JSON says', async () => {
      const json = await jsonDiagnostics(run, storageFolder, isShown);
      for (const file of json.covered) covered.add(file);
      const kept = found.diagnostics.filter((one) => !json.covered.has(one.path));
      add({ diagnostics: [...kept, ...json.changes], covers: [...found.covers, ...json.covers] });
    });
    await step('What the language services say', async () => {
      const documents = await documentDiagnostics(run, (file) => covered.has(file), isShown);
      const covers = [...found.covers];
      if (documents.sources.length > 0) {
        covers.push(`${documents.sources.join(', ')}: each changed file alone, without the files that it uses.`);
      }
      if (documents.leftOut > 0) covers.push(`${documents.leftOut} changed files were not looked at.`);
      const kept = found.diagnostics.filter((one) => covered.has(one.path) || !documents.answered.has(one.path));
      for (const file of documents.answered) covered.add(file);
      add({ diagnostics: [...kept, ...documents.changes], covers });
    });
    // The editors of unsaved changes show these themselves.
    if (run.origin?.applies === 'edit' && run.position.length === 0) {
      await step('Uses', async () => add({ uses: await remainingUses(run, isShown) }));
    }
  }
  const parsers = new Set(found.diagnostics.filter((one) => parsed.includes(one)).map((one) => one.source));
  if (parsers.size > 0) {
    add({ covers: [...found.covers, `${[...parsers].sort().join(', ')}: the text of each changed file alone.`] });
  }
  add({ isOpen: false });
}

/** What the parsers of the engine found while it was predicted. */
function parsedDiagnostics({ prediction }: Run): Consequences['diagnostics'] {
  return (prediction.diagnostics ?? []).flatMap(({ status, message, path: file, severity, line, column, source }) =>
    status === 'remains' ? [] : [{ change: status, severity, path: file, line, column, text: message, source }],
  );
}

async function nextOf(run: Run): Promise<string[]> {
  const [first] = run.prediction.files;
  const root = first && vscode.workspace.getWorkspaceFolder(vscode.Uri.file(first.path))?.uri.fsPath;
  const folder = root ?? run.action.cwd;
  if (folder === undefined) return [];
  const isChanged = new Set(run.prediction.files.map((file) => file.path));
  return nextCommands(folder, async (file) => {
    const bytes = isChanged.has(file)
      ? await run.view?.read(file, 'after', longestManifest)
      : await readFile(file).catch(() => undefined);
    return bytes && Buffer.from(bytes).toString('utf8');
  });
}

async function testsOf(files: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  const excluded = '**/{node_modules,.git,dist,out,build,.venv,venv,target}/**';
  for (const file of files.slice(0, mostTests)) {
    const globs = testGlobs(path.basename(file));
    if (globs.length === 0) continue;
    for (const uri of await vscode.workspace.findFiles(`{${globs.join(',')}}`, excluded, mostTests)) {
      if (!files.includes(uri.fsPath)) found.add(uri.fsPath);
    }
    if (found.size >= mostTests) break;
  }
  return [...found].slice(0, mostTests);
}
