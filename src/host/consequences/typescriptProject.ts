import { existsSync } from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { DiagnosticChange, Imports } from '../../protocol/editProtocol.ts';
import type { Run } from '../predict/run.ts';
import { diffDiagnostics } from './diffDiagnostics.ts';
import { importsFollow, noteFollowing, renamedBy } from './followingImports.ts';
import { bytesOf } from './textOf.ts';
import type { TypescriptAnswer, TypescriptQuestion } from './typescriptAnswer.ts';

/** A project that takes longer to check, twice, is not checked. */
const mostMs = 20_000;
const memoryMegabytes = 1_500;
const longestBytes = 4 * 1024 ** 2;
const mostEarlier = 500;

const isSource = (file: string) => /\.[cm]?[jt]sx?$/.test(file);
const isOfProject = (file: string) => isSource(file) || /(?:^|\/)(?:[tj]sconfig[^/]*\.json|package\.json)$/.test(file);

/** What TypeScript says about the projects of the changed files. */
export interface ProjectDiagnostics {
  changes: DiagnosticChange[];
  /** Changed files that it has looked at, absolute. */
  covered: Set<string>;
  /** One sentence for each project. */
  covers: string[];
  /** Of a rename whose project was looked at: files whose imports follow. */
  imports?: Imports;
}

/** Checks the projects of the changed files before and after the edit, with the TypeScript that VS Code brings. */
export async function projectDiagnostics(
  run: Run,
  distFolder: string,
  isShown: () => boolean,
): Promise<ProjectDiagnostics> {
  const found: ProjectDiagnostics = { changes: [], covered: new Set(), covers: [] };
  const typescript = typescriptOfEditor();
  const paths = run.prediction.files.flatMap(({ path: file, from }) => (from ? [file, from] : [file]));
  if (!typescript || !paths.some(isSource)) return found;
  const configs = new Set(paths.filter(isSource).flatMap((file) => configAbove(file) ?? []));
  const changes = await changesOf(run);
  const earlier = await earlierChangesOf(run);
  for (const config of configs) {
    if (!isShown()) break;
    const name = vscode.workspace.asRelativePath(config);
    const renamed = renamedBy(run);
    const follow = renamed ? importsFollow(renamed.to) : 'never';
    const answer = await ask(
      { typescript, config, earlier, changes, ...(follow === 'never' ? {} : { renamed }) },
      distFolder,
    );
    if (answer === 'late') {
      found.covers.push(
        `TypeScript: checking the project of ${name} took more than ${mostMs / 1000} s, so it was stopped.`,
      );
      continue;
    }
    if (!answer?.isProject) continue;
    const files = new Set(answer.files);
    for (const file of paths) if (files.has(file)) found.covered.add(file);
    const { following } = answer;
    // The setting says that none follow, or the project says which.
    if (renamed) found.imports = { asks: false, paths: [], errorsWithout: 0 };
    const without = diffDiagnostics(answer.before, answer.after);
    found.changes.push(...(following ? diffDiagnostics(answer.before, following.after) : without));
    if (following) {
      const paths = following.files.map((file) => file.path);
      found.imports = { asks: follow === 'prompt', paths, errorsWithout: newErrors(without) };
      if (follow === 'always') noteFollowing(run, following.files);
    }
    const used = vscode.workspace.asRelativePath(answer.config);
    found.covers.push(
      `TypeScript ${answer.version} has checked all ${answer.checked} files of the project of ${used} as they would be.`,
    );
  }
  return found;
}

function newErrors(changes: readonly DiagnosticChange[]): number {
  return changes.filter(({ change, severity }) => change === 'new' && severity === 'error').length;
}

/** The script of the TypeScript that comes with VS Code; one of the workspace would be code that nobody vouches for. */
function typescriptOfEditor(): string | undefined {
  const extension = vscode.extensions.getExtension('vscode.typescript-language-features');
  const folders = [extension && path.dirname(extension.extensionPath), path.join(vscode.env.appRoot, 'extensions')];
  const scripts = folders.flatMap((folder) =>
    folder ? [path.join(folder, 'node_modules/typescript/lib/typescript.js')] : [],
  );
  return scripts.find((script) => existsSync(script));
}

/** The nearest config file above a file, inside the workspace. */
function configAbove(file: string): string | undefined {
  const root = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(file))?.uri.fsPath;
  if (root === undefined) return undefined;
  for (let folder = path.dirname(file); folder.startsWith(root); folder = path.dirname(folder)) {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      if (existsSync(path.join(folder, name))) return path.join(folder, name);
    }
    if (folder === root) break;
  }
  return undefined;
}

async function changesOf(run: Run): Promise<TypescriptQuestion['changes']> {
  const changes: TypescriptQuestion['changes'] = [];
  for (const file of run.prediction.files) {
    if (file.from && isOfProject(file.from)) changes.push([file.from, null]);
    if (!isOfProject(file.path) || file.type !== 'file' || file.change === 'mode') continue;
    if (file.change === 'deleted') {
      changes.push([file.path, null]);
      continue;
    }
    const bytes = await bytesOf(run, file, 'after', longestBytes);
    if (bytes) changes.push([file.path, Buffer.from(bytes).toString('utf8')]);
  }
  return changes;
}

/** What the steps before it in the session have changed, as it is when the edit begins. */
async function earlierChangesOf({ position, view }: Run): Promise<TypescriptQuestion['earlier']> {
  const paths = new Set(position.flatMap((step) => step.changes).filter(isOfProject));
  const earlier: TypescriptQuestion['earlier'] = [];
  for (const file of [...paths].slice(0, mostEarlier)) {
    const bytes = await view?.read(file, 'before', longestBytes);
    earlier.push([file, bytes ? Buffer.from(bytes).toString('utf8') : null]);
  }
  return earlier;
}

function ask(question: TypescriptQuestion, distFolder: string): Promise<TypescriptAnswer | 'late' | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(path.join(distFolder, 'typescriptWorker.js'), {
      workerData: question,
      resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes },
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    const end = (answer: TypescriptAnswer | 'late' | undefined) => {
      clearTimeout(timer);
      void worker.terminate();
      resolve(answer);
    };
    const timer = setTimeout(() => end('late'), mostMs);
    worker.once('message', (answer: TypescriptAnswer) => end(answer));
    worker.once('error', () => end(undefined));
    worker.once('exit', () => end(undefined));
  });
}
