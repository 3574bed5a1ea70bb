import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { countOf } from '../../core/view/quantity.ts';
import { readModelSettings } from '../model/modelSettings.ts';
import { folderMeant } from '../predict/selection.ts';
import type { LoopOptions } from './registerLoop.ts';
import { offerConnection, openTrajectory, signalOf, tell } from './trajectoryOutput.ts';

/** What the command can be given instead of asking. */
const FailureWishes = z.object({ text: z.string(), exitCode: z.optional(z.number()) });

/** Asks a model for sequences that end in a failure, rehearses them, and opens those that do as a trajectory each. */
export async function failingStepsCommand(
  options: LoopOptions & { folder: vscode.Uri },
  given: unknown,
): Promise<vscode.Uri | undefined> {
  const cwd = folderMeant();
  if (cwd === undefined) return tell('Open a folder first: the steps begin in it.');
  const request = options.language.request();
  if (!request) return offerConnection('Steps are proposed by a language model, and none is connected.');
  const read = FailureWishes.safeParse(given);
  const failure = read.success ? read.data : await askFailure();
  if (!failure) return undefined;
  const [foretell, { failingSteps }] = await Promise.all([
    options.engine(),
    import('../../core/loop/failure/failingSteps.ts'),
  ]);
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: 'Steps that end in this failure',
    cancellable: true,
  };
  const found = await vscode.window.withProgress(progress, async (shown, token) => {
    const signal = signalOf(token);
    shown.report({ message: 'asking the model' });
    const result = await failingSteps({
      ...{ foretell, failure, cwd, signal, count: 5 },
      form: { domain: 'swe', dialect: readModelSettings().dialect },
      provider: request.provider,
      parameters: request.parameters ?? {},
      ...(request.budgetTokens === undefined ? {} : { budgetTokens: request.budgetTokens }),
      onProgress: ({ proposed, kept }) =>
        shown.report({ message: `${countOf(proposed, 'sequence')} proposed, ${kept} of them proven` }),
    });
    return signal.aborted ? undefined : result;
  });
  if (!found) return undefined;
  if ('problem' in found) return tell(found.problem);
  for (const { commands, came } of found.left)
    options.log.info(`Does not end in the failure: ${JSON.stringify(commands)}: ${came}`);
  const others = found.left.length;
  if (found.kept.length === 0)
    return tell(
      `None of ${countOf(others, 'proposed sequence')} ends in it; the log of Foretell tells what each came to.`,
    );
  const steps = found.kept.flatMap((one) => one.steps);
  const file = await openTrajectory(options.folder, 'failure', steps);
  const ends = found.kept.length === 1 ? 'sequence ends' : 'sequences end';
  tell(
    `${found.kept.length} ${ends} in it, proven by a rehearsal.${others > 0 ? ` ${countOf(others, 'other')} did not.` : ''}`,
  );
  return file;
}

/** The selection, else what the user types. */
async function askFailure(): Promise<{ text: string } | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (editor && !editor.selection.isEmpty) return { text: editor.document.getText(editor.selection) };
  const text = await vscode.window.showInputBox({
    title: 'Find Steps That End in This Failure',
    prompt: 'A line that the failure prints. Select it in an editor first if it has several.',
    placeHolder: 'for example: error: pathspec did not match any file(s) known to git',
    ignoreFocusOut: true,
  });
  return text === undefined || text.trim() === '' ? undefined : { text };
}
