import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';
import { countOf } from '../../core/view/quantity.ts';
import { readModelSettings } from '../model/modelSettings.ts';
import { folderMeant } from '../predict/selection.ts';
import type { LoopOptions } from './registerLoop.ts';
import { openTrajectory, signalOf, tell } from './trajectoryOutput.ts';

/** What the command can be given instead of asking: the text of a list, or the address of a file. */
const CollectWishes = z.object({ commands: z.string() });

/** Rehearses the commands of the selection or of a file and opens their true observations as a trajectory. */
export async function collectCommand(
  options: LoopOptions & { folder: vscode.Uri },
  given: unknown,
): Promise<vscode.Uri | undefined> {
  const cwd = folderMeant();
  if (cwd === undefined) return tell('Open a folder first: the commands are rehearsed in it.');
  const text = await commandText(given);
  if (text === undefined) return undefined;
  const [foretell, { readCommandList }, { collect }] = await Promise.all([
    options.engine(),
    import('../../core/bench/collect/commandList.ts'),
    import('../../core/bench/collect/collect.ts'),
  ]);
  const { commands, bad } = readCommandList(text);
  const [first] = bad;
  if (commands.length === 0)
    return tell(first ? `Line ${first.line}: ${first.problem}` : 'There is no command in it; write one a line.');
  const steps: TrajectoryStep[] = [];
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: 'Collecting true observations',
    cancellable: true,
  };
  const { dialect } = readModelSettings();
  const counts = await vscode.window.withProgress(progress, (shown, token) =>
    collect({
      foretell,
      commands,
      cwd,
      forms: [{ domain: 'swe', dialect }],
      concurrency: 2,
      write: async (some) => void steps.push(...some),
      onProgress: ({ done, asked }) => shown.report({ message: `${done} of ${asked}` }),
      onInexact: ({ script }, _, { why }) => options.log.info(`No true observation of ${script}: ${why}`),
      signal: signalOf(token),
    }),
  );
  const left = Object.values(counts.inexact).reduce((sum, count) => sum + count, 0);
  const because = left > 0 ? ` ${left} had no certain outcome; the log of Foretell tells why.` : '';
  const skipped = first
    ? ` ${bad.length === 1 ? `Line ${first.line} is no command.` : `${countOf(bad.length, 'line')} are no commands; the first is line ${first.line}.`}`
    : '';
  if (steps.length === 0) return tell(`No command had a certain outcome.${because}${skipped}`);
  const file = await openTrajectory(options.folder, 'observations', steps);
  tell(`${countOf(counts.trueSteps, 'true observation')} of ${countOf(counts.done, 'command')}.${because}${skipped}`);
  return file;
}

/** The selection, else a file that the user chooses. */
async function commandText(given: unknown): Promise<string | undefined> {
  const read = CollectWishes.safeParse(given);
  if (read.success) return read.data.commands;
  if (given instanceof vscode.Uri) return fileText(given);
  const editor = vscode.window.activeTextEditor;
  if (editor && !editor.selection.isEmpty) return editor.document.getText(editor.selection);
  const title = 'A file with a command a line';
  const chosen = await vscode.window.showOpenDialog({ title, canSelectMany: false, openLabel: 'Collect' });
  return chosen?.[0] && fileText(chosen[0]);
}

async function fileText(file: vscode.Uri): Promise<string> {
  return Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8');
}
