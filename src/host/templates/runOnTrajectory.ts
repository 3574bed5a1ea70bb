import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandAction } from '../../core/action/action.ts';
import type { TemplateReport } from '../../core/bench/templates/templateReport.ts';
import type { TriedTemplate } from '../../core/bench/templates/tryTemplate.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import type { Domain } from '../../core/worlds/language/prompt/turns/turn.ts';
import { loadTemplate } from '../../core/worlds/language/template/templates.ts';
import { canImagine } from '../model/languageMessages.ts';
import { folderMeant } from '../predict/selection.ts';
import type { TemplateFile } from './templateFile.ts';
import type { TemplatesOptions } from './templatesOptions.ts';
import type { TemplateTexts } from './templateTexts.ts';
import { chooseTrajectory, type TrajectoryChoice, type TrajectorySource } from './trajectorySource.ts';

/** Where results are written in a workspace folder. */
const runsInWorkspace = path.join('.foretell', 'runs');

/** What came of a run, for whoever started it. */
export interface TrajectoryRun {
  /** The trajectory with the attempts, absolute. */
  file: string;
  /** The table. */
  summary: string;
}

/**
 * Predicts the steps of a trajectory, or the command that was predicted last, with one template or several, writes what came as a new trajectory, and opens it with a
 * table of the scores. Undefined: thought better of it, or it could not be done, which was said.
 */
export async function runOnTrajectory(
  options: TemplatesOptions & { texts: TemplateTexts },
  { domain }: TemplateFile,
  templates: readonly TriedTemplate[],
  given: TrajectoryChoice,
): Promise<TrajectoryRun | undefined> {
  const { language, panel } = options;
  const tell = (sentence: string) => void vscode.window.showWarningMessage(sentence);
  if (!canImagine(language, panel)) {
    await panel.reveal();
    return undefined;
  }
  const folder = folderMeant();
  if (folder === undefined) {
    tell('Results are written into a workspace folder. Open a folder first.');
    return undefined;
  }
  const action = options.predictions.current()?.action;
  const isLive = domain === 'terminal' || domain === 'swe';
  const source = await chooseTrajectory(domain, given, isLive && action?.kind === 'command' ? action : undefined);
  if (!source) return undefined;
  if ('problem' in source) {
    tell(source.problem);
    return undefined;
  }
  const request = language.request();
  if (!request) return undefined;
  const [{ triedTrajectory }, { templateReport }, { redactSteps }, { trajectoryText }] = await Promise.all([
    import('../../core/bench/templates/tryTemplate.ts'),
    import('../../core/bench/templates/templateReport.ts'),
    import('../../core/trajectory/step/redactStep.ts'),
    import('../../core/trajectory/file/trajectoryFile.ts'),
  ]);
  const count = 'command' in source ? 1 : source.steps.length;
  const { value: versions, isCut } = await withProgress(
    `Running ${domain} prompt`,
    templates.length * count,
    (running) =>
      'command' in source
        ? tryOnCommand(options, request, source.command, domain === 'terminal' ? 'terminal' : 'swe', templates, running)
        : tryOnSteps(options, request, source, domain, templates, running),
  );
  const tries = versions.map((version) => version.tries);
  if (tries.every((tried) => tried.length === 0)) return undefined;
  const name = 'command' in source ? 'the command predicted last' : path.basename(source.file);
  const summary = templateReport({ source: name, domain, versions, isCut });
  const all = 'command' in source ? new Map(tries.flat().map(({ step }) => [step.id, step])) : source.all;
  const steps = triedTrajectory(all, tries);
  // Rows of a benchmark are data, and were not made here.
  const isData = steps.every(({ observation }) => observation?.source === 'agentworldbench');
  const kept = isData ? steps : (await redactSteps(steps)).steps;
  const base = 'command' in source ? 'command' : path.basename(source.file).replace(/(\.trajectory)?\.[a-z0-9]+$/i, '');
  const file = await writeRun(path.join(folder, runsInWorkspace), `${base}-${domain}`, trajectoryText(kept));
  const address = options.texts.address(`${path.basename(file).replace(/\.trajectory\.jsonl$/, '')}.md`, summary);
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), { preview: false });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(address), { preview: false });
  return { file, summary };
}

type Version = TemplateReport['versions'][number];

/** A run under way. */
interface Running {
  signal: AbortSignal;
  /** One more is done. */
  advance(): void;
}

/** Shows how far something is, with a way to end it. */
async function withProgress<T>(
  title: string,
  all: number,
  work: (running: Running) => Promise<T>,
): Promise<{ value: T; isCut: boolean }> {
  const abort = new AbortController();
  const place = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  const value = await vscode.window.withProgress(place, async (progress, token) => {
    token.onCancellationRequested(() => abort.abort());
    let done = 0;
    progress.report({ message: `0 of ${all}` });
    return work({
      signal: abort.signal,
      advance() {
        done += 1;
        progress.report({ message: `${done} of ${all}`, increment: 100 / all });
      },
    });
  });
  return { value, isCut: abort.signal.aborted };
}

async function tryOnSteps(
  { engine }: TemplatesOptions,
  language: LanguageRequest,
  { all, steps }: TrajectorySource,
  domain: Domain,
  templates: readonly TriedTemplate[],
  { signal, advance }: Running,
): Promise<Version[]> {
  const { tryTemplate } = await import('../../core/bench/templates/tryTemplate.ts');
  const known: string[] = [];
  for (const one of language.templateFolders) {
    const loaded = await loadTemplate(domain, 'system', [one]);
    if (loaded.ok) known.push(loaded.text);
  }
  known.push(...templates.map(({ text }) => text));
  const foretell = await engine.load();
  const versions: Version[] = [];
  for (const template of templates) {
    const tries = await tryTemplate({ foretell, language, all, steps, known, signal, onDone: advance }, template);
    versions.push({ name: template.name, tries });
  }
  return versions;
}

async function tryOnCommand(
  options: TemplatesOptions,
  language: LanguageRequest,
  action: CommandAction,
  domain: 'terminal' | 'swe',
  templates: readonly TriedTemplate[],
  { signal, advance }: Running,
): Promise<Version[]> {
  const { tryCommand } = await import('../../core/bench/templates/tryCommand.ts');
  const foretell = await options.engine.load();
  const { language: _, ...shared } = options.editorRequest();
  const way = { foretell, shared, language, action, domain, signal, onDone: advance };
  const tries = await tryCommand(way, templates);
  return templates.map(({ name }, index) => ({ name, tries: tries.slice(index, index + 1) }));
}

/** Writes a new file; none is ever overwritten. */
async function writeRun(folder: string, base: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  for (let count = 1; ; count += 1) {
    const name = `${base}-${stamp}${count > 1 ? `-${count}` : ''}.trajectory.jsonl`;
    const file = path.join(folder, name);
    try {
      await writeFile(file, text, { flag: 'wx' });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
