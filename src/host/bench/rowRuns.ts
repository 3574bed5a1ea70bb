import { rm } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { InferOptions, Variant } from '../../core/bench/run/infer.ts';
import type { JudgeOptions } from '../../core/bench/run/judge.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import { createLazyProvider } from '../model/lazyProvider.ts';
import { loadProvider } from '../model/model.ts';
import { readModelSettings } from '../model/modelSettings.ts';
import type { BenchItems } from './benchItems.ts';
import type { BenchParts } from './benchParts.ts';
import { type BenchSettings, readBenchSettings } from './benchSettings.ts';
import { offer } from './offer.ts';
import { createRowResults, type RowResults } from './rowResults.ts';

/** How rows are run. */
export interface Ways {
  judged: boolean;
  /** Replies that were kept from earlier runs count. */
  cached: boolean;
}

/** Runs rows of benchmark files, as the Test Explorer asks for it. */
export interface RowRuns {
  run(request: vscode.TestRunRequest, token: vscode.CancellationToken, ways: Ways): Promise<void>;
}

interface RowRunsOptions {
  parts: BenchParts;
  controller: vscode.TestController;
  items: BenchItems;
  /** A folder for runs and kept replies. */
  storage: string;
  log: vscode.LogOutputChannel;
  /** Told the page of the report. */
  reported: (file: string) => void;
}

export function createRowRuns(options: RowRunsOptions): RowRuns {
  const { parts, controller, log, storage } = options;
  let runs = 0;
  return {
    async run(request, token, ways) {
      const settings = readBenchSettings();
      const asked = await modelFor(parts, ways, settings);
      if (!asked) return;
      const testRun = controller.createTestRun(request, 'AgentWorldBench');
      const abort = new AbortController();
      const listener = token.onCancellationRequested(() => abort.abort());
      runs += 1;
      const folder = path.join(storage, `run-${runs}`);
      try {
        await rm(folder, { recursive: true, force: true });
        await runRows(options, { request, testRun, asked, settings, ways, folder, signal: abort.signal });
      } catch (error) {
        log.error('The run of benchmark rows failed.', error instanceof Error ? error : String(error));
        const why = error instanceof Error ? error.message : String(error);
        void vscode.window.showErrorMessage(`The run of benchmark rows failed (${why}); what was done is kept.`);
      } finally {
        listener.dispose();
        testRun.end();
      }
    },
  };
}

/** The connected model; where it or the judge is missing, offers to set it. */
async function modelFor(
  { language }: BenchParts,
  ways: Ways,
  settings: BenchSettings,
): Promise<LanguageRequest | undefined> {
  const asked = language.request();
  if (!asked) {
    await offer(
      'No language model is connected that could predict the rows.',
      'Connect a Model',
      'foretell.connectModel',
    );
    return undefined;
  }
  if (!ways.judged || settings.judgeUrl !== '') return asked;
  const sentence = 'There is no judge; name its server in the settings.';
  await offer(sentence, 'Open Settings', 'workbench.action.openSettings', 'foretell.bench.judge');
  return undefined;
}

/** One run of rows. */
interface RowRun {
  request: vscode.TestRunRequest;
  testRun: vscode.TestRun;
  asked: LanguageRequest;
  settings: BenchSettings;
  ways: Ways;
  folder: string;
  signal: AbortSignal;
}

/** What predicting and judging share. */
type Shared = Pick<
  InferOptions & JudgeOptions,
  'concurrency' | 'rounds' | 'cacheFolder' | 'onProgress' | 'takes' | 'signal' | 'templateFolders'
>;

async function runRows(options: RowRunsOptions, run: RowRun): Promise<void> {
  const { items, reported } = options;
  const { testRun, settings, ways, folder, signal } = run;
  const wanted = await wantedRows(options, run.request);
  const files = [...wanted.keys()].sort();
  const keys = new Set([...wanted.values()].flatMap((some) => [...some]));
  const results = await createRowResults({ testRun, items, files, settings, isJudged: ways.judged });
  results.enqueue(wanted);
  const status = await run.asked.provider.status(signal);
  if (!status.ok) return results.stop(status.message);
  const [{ scoreRun }, { scoreText }, { writeReports }] = await Promise.all([
    import('../../core/bench/run/benchRun.ts'),
    import('../../core/bench/report/scoreText.ts'),
    import('../../core/bench/report/writeReports.ts'),
  ]);
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'AgentWorldBench' },
    async (progress) => {
      const shared = await sharedOptions(options, run, { keys, progress });
      const isDone = await predictRows(options, run, { files, model: status.model, shared, results });
      if (isDone && !signal.aborted && ways.judged) await judgeRows(options, run, { shared, results });
    },
  );
  results.finish();
  const scored = await scoreRun(folder);
  if ('problem' in scored) return;
  for (const variant of scored.variants) testRun.appendOutput(lines(scoreText(variant)));
  const report = (await writeReports(scored, folder)).html;
  reported(report);
  testRun.appendOutput(lines(`Report: ${report}\n`));
  void offer('The rows are scored.', 'Show Report', 'foretell.bench.report');
}

/** The rows that are asked for: paths of files, and in each the keys. */
async function wantedRows(
  { controller, items }: RowRunsOptions,
  request: vscode.TestRunRequest,
): Promise<Map<string, Set<string>>> {
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

async function sharedOptions(
  { storage }: RowRunsOptions,
  { asked, settings, ways, signal }: RowRun,
  { keys, progress }: { keys: ReadonlySet<string>; progress: vscode.Progress<{ message?: string }> },
): Promise<Shared> {
  const { progressText } = await import('../../core/bench/run/runProgress.ts');
  return {
    concurrency: settings.concurrency,
    rounds: 1,
    ...(ways.cached ? { cacheFolder: path.join(storage, 'replies') } : {}),
    onProgress: (state) => progress.report({ message: progressText(state) }),
    takes: (row) => keys.has(row.key),
    templateFolders: asked.templateFolders,
    signal,
  };
}

/** False: it was stopped by a problem, which is told. */
async function predictRows(
  { parts: { engine, language } }: RowRunsOptions,
  { asked, settings, folder }: RowRun,
  parts: { files: readonly string[]; model: string; shared: Shared; results: RowResults },
): Promise<boolean> {
  const { files, model, shared, results } = parts;
  const [{ inferRun }, { folderName }] = await Promise.all([
    import('../../core/bench/run/benchRun.ts'),
    import('../../core/bench/run/runFolder.ts'),
  ]);
  const inferred = await inferRun(folder, variantsOf(asked, model, settings, folderName, language), {
    foretell: await engine.load(),
    files,
    ...shared,
    ...(settings.prices ? { prices: settings.prices } : {}),
    onRow: results.inferred,
  });
  const problem = problemOf(inferred);
  if (problem) results.stop(problem);
  return !problem;
}

async function judgeRows(
  { parts: { language } }: RowRunsOptions,
  { settings, folder, signal }: RowRun,
  { shared, results }: { shared: Shared; results: RowResults },
): Promise<void> {
  const { judgeRun } = await import('../../core/bench/run/benchRun.ts');
  const { judgeUrl: baseUrl, judgeModel } = settings;
  const { parameters } = readModelSettings();
  const provider = await loadProvider(
    { provider: 'server', baseUrl, parameters, ...(judgeModel === undefined ? {} : { model: judgeModel }) },
    () => language.apiKeys.read(baseUrl),
  );
  let judge = await provider.status(signal);
  if (!judge.ok && judge.code === 'key-refused') {
    const key = await askForKey(baseUrl, judge.message);
    if (key === undefined) return results.stop(judge.message);
    await language.apiKeys.store(baseUrl, key);
    judge = await provider.status(signal);
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
  const problem = problemOf(judged);
  if (problem) results.stop(problem);
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

/** Test output is a terminal. */
const lines = (text: string) => text.replaceAll('\n', '\r\n');

function problemOf(result: { problem: string } | { problem?: string }[]): string | undefined {
  return Array.isArray(result) ? result.find(({ problem }) => problem !== undefined)?.problem : result.problem;
}
