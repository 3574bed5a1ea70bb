import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { InferOptions, Variant } from '../../core/bench/run/infer.ts';
import type { JudgeOptions } from '../../core/bench/run/judge.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import { createLazyProvider } from '../model/lazyProvider.ts';
import { loadProvider } from '../model/model.ts';
import { readModelSettings } from '../model/modelSettings.ts';
import { createBenchItems } from './benchItems.ts';
import type { BenchParts } from './benchParts.ts';
import { showBenchReport } from './benchReport.ts';
import { type BenchSettings, readBenchSettings } from './benchSettings.ts';
import { createRowResults } from './rowResults.ts';

/** The benchmark files of the workspace in the Test Explorer. */
export interface BenchTests extends vscode.Disposable {
  /** `hasChanged`: what was read of it before does not count any more. */
  add(uri: vscode.Uri, hasChanged: boolean): void;
  remove(uri: vscode.Uri): void;
  /** Opens the report of the last run; says so where there is none. */
  showReport(): Promise<void>;
  /** Compares two of the runs that are kept. */
  compare(): Promise<void>;
}

interface Ways {
  judged: boolean;
  /** Replies that were kept from earlier runs count. */
  cached: boolean;
}

/** Makes the tests: three ways to run them. */
export function createBenchTests(parts: BenchParts, log: vscode.LogOutputChannel): BenchTests {
  const { context, engine, language } = parts;
  const controller = vscode.tests.createTestController('foretell.bench', 'AgentWorldBench');
  const items = createBenchItems(controller, log);
  const storage = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'bench').fsPath;
  let runs = 0;
  let lastReport: string | undefined;
  controller.resolveHandler = async (item) => {
    if (item) await items.resolve(item);
  };

  const add = (name: string, ways: Ways, isDefault = false) =>
    controller.createRunProfile(
      name,
      vscode.TestRunProfileKind.Run,
      (request, token) => run(request, token, ways),
      isDefault,
    );
  add('Predict and Compare', { judged: false, cached: true }, true);
  add('Predict and Judge', { judged: true, cached: true });
  add('Predict Again, Without Kept Replies', { judged: false, cached: false });

  /** The rows that are asked for: paths of files, and in each the keys. */
  async function wantedRows(request: vscode.TestRunRequest): Promise<Map<string, Set<string>>> {
    const wanted = new Map<string, Set<string>>();
    const roots = [...controller.items].map(([, item]) => item);
    for (const item of request.include ?? roots) {
      if (!item.uri) continue;
      if (item.canResolveChildren) await items.resolve(item);
      const keys = wanted.get(item.uri.fsPath) ?? new Set();
      for (const key of items.keysBelow(item)) keys.add(key);
      wanted.set(item.uri.fsPath, keys);
    }
    for (const item of request.exclude ?? []) {
      for (const key of items.keysBelow(item)) wanted.get(item.uri?.fsPath ?? '')?.delete(key);
    }
    return wanted;
  }

  async function run(request: vscode.TestRunRequest, token: vscode.CancellationToken, ways: Ways): Promise<void> {
    const asked = language.request();
    const settings = readBenchSettings();
    const modelSettings = readModelSettings();
    if (!asked) {
      await offer(
        'No language model is connected that could predict the rows.',
        'Connect a Model',
        'foretell.connectModel',
      );
      return;
    }
    if (ways.judged && settings.judgeUrl === '') {
      const open = 'Open Settings';
      await offer(
        'There is no judge; name its server in the settings.',
        open,
        'workbench.action.openSettings',
        'foretell.bench.judge',
      );
      return;
    }
    const testRun = controller.createTestRun(request, 'AgentWorldBench');
    const abort = new AbortController();
    const listener = token.onCancellationRequested(() => abort.abort());
    runs += 1;
    const folder = path.join(storage, `run-${runs}`);
    try {
      await rm(folder, { recursive: true, force: true });
      const wanted = await wantedRows(request);
      const files = [...wanted.keys()].sort();
      const all = new Set([...wanted.values()].flatMap((keys) => [...keys]));
      const results = await createRowResults({ testRun, items, files, settings, isJudged: ways.judged });
      results.enqueue(wanted);
      const status = await asked.provider.status(abort.signal);
      if (!status.ok) return results.stop(status.message);
      const { model } = status;
      const [{ inferRun, judgeRun, scoreRun }, { folderName }, { progressText }, { scoreText }, { writeReports }] =
        await Promise.all([
          import('../../core/bench/run/benchRun.ts'),
          import('../../core/bench/run/runFolder.ts'),
          import('../../core/bench/run/runProgress.ts'),
          import('../../core/bench/report/scoreText.ts'),
          import('../../core/bench/report/writeReports.ts'),
        ]);
      await vscode.window.withProgress(
        { location: vscode.ProgressLocation.Window, title: 'AgentWorldBench' },
        async (progress) => {
          const shared: Pick<
            InferOptions & JudgeOptions,
            'concurrency' | 'rounds' | 'cacheFolder' | 'onProgress' | 'takes' | 'signal' | 'templateFolders'
          > = {
            concurrency: settings.concurrency,
            rounds: 1,
            ...(ways.cached ? { cacheFolder: path.join(storage, 'replies') } : {}),
            onProgress: (state) => progress.report({ message: progressText(state) }),
            takes: (row) => all.has(row.key),
            templateFolders: asked.templateFolders,
            signal: abort.signal,
          };
          const inferred = await inferRun(folder, variantsOf(asked, model, settings, folderName, language), {
            foretell: await engine.load(),
            files,
            ...shared,
            ...(settings.prices ? { prices: settings.prices } : {}),
            onRow: results.inferred,
          });
          const problem = problemOf(inferred);
          if (problem) results.stop(problem);
          if (problem || abort.signal.aborted || !ways.judged) return;
          const { judgeUrl: baseUrl, judgeModel } = settings;
          const judgeSettings = { provider: 'server' as const, baseUrl, parameters: modelSettings.parameters };
          const provider = await loadProvider(
            { ...judgeSettings, ...(judgeModel === undefined ? {} : { model: judgeModel }) },
            () => language.apiKeys.read(baseUrl),
          );
          let judge = await provider.status(abort.signal);
          if (!judge.ok && judge.code === 'key-refused') {
            const key = await askForKey(baseUrl, judge.message);
            if (key === undefined) return results.stop(judge.message);
            await language.apiKeys.store(baseUrl, key);
            judge = await provider.status(abort.signal);
          }
          if (!judge.ok) return results.stop(judge.message);
          const judged = await judgeRun(folder, {
            judge: { name: judge.model, provider, model: judgeModel ?? judge.model, url: baseUrl },
            style: 'rubric',
            attempts: 3,
            ...shared,
            ...(settings.judgePrices ? { prices: settings.judgePrices } : {}),
            onRow: results.judged,
          });
          const judgeProblem = problemOf(judged);
          if (judgeProblem) results.stop(judgeProblem);
        },
      );
      results.finish();
      const scored = await scoreRun(folder);
      if ('problem' in scored) return;
      for (const variant of scored.variants) testRun.appendOutput(lines(scoreText(variant)));
      lastReport = (await writeReports(scored, folder)).html;
      testRun.appendOutput(lines(`Report: ${lastReport}\n`));
      void offer('The rows are scored.', 'Show Report', 'foretell.bench.report');
    } catch (error) {
      log.error('The run of benchmark rows failed.', error instanceof Error ? error : String(error));
      const why = error instanceof Error ? error.message : String(error);
      void vscode.window.showErrorMessage(`The run of benchmark rows failed (${why}); what was done is kept.`);
    } finally {
      listener.dispose();
      testRun.end();
    }
  }

  return {
    add: (uri, hasChanged) => items.add(uri, hasChanged),
    remove: (uri) => items.remove(uri),
    async showReport() {
      lastReport ??= await newestReport(storage);
      if (lastReport !== undefined) return showBenchReport(lastReport);
      await vscode.window.showInformationMessage('No rows were run yet; the Test Explorer runs them.');
    },
    async compare() {
      const { compareBenchRuns } = await import('./compareBenchRuns.ts');
      await compareBenchRuns(storage);
    },
    dispose: () => controller.dispose(),
  };
}

/**
 * The connected model with the rows' own prompts first, which the Test Explorer shows; then the other models and templates
 * of the settings, which the report has beside it.
 */
function variantsOf(
  asked: LanguageRequest,
  model: string,
  { models, templateFolders }: BenchSettings,
  folderName: (name: string) => string,
  { apiKeys }: BenchParts['language'],
): Variant[] {
  const { provider, baseUrl, parameters } = readModelSettings();
  const url = provider === 'server' ? baseUrl : provider;
  const others = models.filter((name) => name !== model);
  const providerOf = (name: string) =>
    createLazyProvider(
      () => loadProvider({ provider: 'server', baseUrl, model: name, parameters }, () => apiKeys.read(baseUrl)),
      () => {},
    );
  const all = [
    { model, provider: asked.provider },
    ...(provider === 'server' ? others.map((name) => ({ model: name, provider: providerOf(name) })) : []),
  ];
  return all.flatMap((one) =>
    [undefined, ...templateFolders].map((folder): Variant => {
      const at = folder === undefined ? undefined : absolute(folder);
      return {
        ...one,
        name: folderName(at === undefined ? one.model : `${one.model}+${path.basename(at)}`),
        url,
        ...(asked.parameters ? { parameters: asked.parameters } : {}),
        ...(at === undefined ? {} : { template: { source: 'configured', path: at } }),
      };
    }),
  );
}

/** A folder of the settings; relative to the workspace. */
const absolute = (folder: string) => path.resolve(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '/', folder);

/** The key is kept in the secret storage, for this address only. */
async function askForKey(baseUrl: string, why: string): Promise<string | undefined> {
  const key = await vscode.window.showInputBox({
    title: `API key of the judge at ${baseUrl}`,
    prompt: why,
    password: true,
    ignoreFocusOut: true,
  });
  return key?.trim() || undefined;
}

/** The report of an earlier window. */
async function newestReport(storage: string): Promise<string | undefined> {
  const names = await readdir(storage).catch(() => []);
  const found: { file: string; writtenMs: number }[] = [];
  for (const name of names) {
    const file = path.join(storage, name, 'report.html');
    const read = await stat(file).catch(() => undefined);
    if (read) found.push({ file, writtenMs: read.mtimeMs });
  }
  return found.sort((a, b) => b.writtenMs - a.writtenMs)[0]?.file;
}

/** Says something and offers one way on. */
async function offer(message: string, label: string, command: string, ...args: unknown[]): Promise<void> {
  if ((await vscode.window.showInformationMessage(message, label)) === label) {
    await vscode.commands.executeCommand(command, ...args);
  }
}

/** Test output is a terminal. */
const lines = (text: string) => text.replaceAll('\n', '\r\n');

function problemOf(result: { problem: string } | { problem?: string }[]): string | undefined {
  return Array.isArray(result) ? result.find(({ problem }) => problem !== undefined)?.problem : result.problem;
}
