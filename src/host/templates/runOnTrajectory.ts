import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import type { TriedStep, TriedTemplate } from '../../core/bench/tryTemplate.ts';
import { loadTemplate } from '../../core/worlds/language/templates.ts';
import { canImagine } from '../languageMessages.ts';
import { localFolders } from '../selection.ts';
import type { TemplatesOptions } from './registerTemplates.ts';
import type { TemplateFile } from './templateFile.ts';
import type { TemplateTexts } from './templateTexts.ts';
import { chooseTrajectory, type TrajectoryChoice } from './trajectorySource.ts';

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
 * Predicts the steps of a trajectory with one template or several, writes what came as a new trajectory, and opens it with a
 * table of the scores. Undefined: thought better of it, or it could not be done, which was said.
 */
export async function runOnTrajectory(
  options: TemplatesOptions & { texts: TemplateTexts },
  { domain }: TemplateFile,
  templates: readonly TriedTemplate[],
  given: TrajectoryChoice,
): Promise<TrajectoryRun | undefined> {
  const { language, engine, panel } = options;
  const tell = (sentence: string) => void vscode.window.showWarningMessage(sentence);
  if (!canImagine(language, panel)) {
    await panel.reveal();
    return undefined;
  }
  const [folder] = localFolders();
  if (folder === undefined) {
    tell('Results are written into a workspace folder. Open a folder first.');
    return undefined;
  }
  const source = await chooseTrajectory(domain, given);
  if (!source) return undefined;
  if ('problem' in source) {
    tell(source.problem);
    return undefined;
  }
  const request = language.request();
  if (!request) return undefined;
  const [{ tryTemplate, triedTrajectory }, { templateReport }, { trajectoryText }] = await Promise.all([
    import('../../core/bench/tryTemplate.ts'),
    import('../../core/bench/templateReport.ts'),
    import('../../core/trajectory/trajectoryFile.ts'),
  ]);
  const foretell = await engine.load();
  const known: string[] = [];
  for (const one of request.templateFolders) {
    const loaded = await loadTemplate(domain, 'system', [one]);
    if (loaded.ok) known.push(loaded.text);
  }
  known.push(...templates.map(({ text }) => text));

  const all = templates.length * source.steps.length;
  let isCut = false;
  const versions: { name: string; tries: TriedStep[] }[] = [];
  await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title: `Running ${domain} prompt`, cancellable: true },
    async (progress, token) => {
      const abort = new AbortController();
      token.onCancellationRequested(() => abort.abort());
      let done = 0;
      progress.report({ message: `0 of ${all} steps` });
      for (const template of templates) {
        const tries = await tryTemplate(
          {
            ...{ foretell, language: request, all: source.all, steps: source.steps, known, signal: abort.signal },
            onDone() {
              done += 1;
              progress.report({ message: `${done} of ${all} steps`, increment: 100 / all });
            },
          },
          template,
        );
        versions.push({ name: template.name, tries });
      }
      isCut = abort.signal.aborted;
    },
  );
  if (versions.every(({ tries }) => tries.length === 0)) return undefined;
  const summary = templateReport({ source: path.basename(source.file), domain, versions, isCut });
  const steps = triedTrajectory(
    source.all,
    versions.map(({ tries }) => tries),
  );
  const file = await writeRun(path.join(folder, runsInWorkspace), source.file, domain, trajectoryText(steps));
  const address = options.texts.address(`${path.basename(file).replace(/\.trajectory\.jsonl$/, '')}.md`, summary);
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(file), { preview: false });
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(address), { preview: false });
  return { file, summary };
}

/** Writes a new file; none is ever overwritten. */
async function writeRun(folder: string, source: string, domain: string, text: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const base = path.basename(source).replace(/(\.trajectory)?\.[a-z0-9]+$/i, '');
  const stamp = new Date().toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-');
  for (let count = 1; ; count += 1) {
    const name = `${base}-${domain}-${stamp}${count > 1 ? `-${count}` : ''}.trajectory.jsonl`;
    const file = path.join(folder, name);
    try {
      await writeFile(file, text, { flag: 'wx' });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
