import path from 'node:path';
import * as vscode from 'vscode';
import type { LookKind } from '../../core/facts/consent.ts';
import type { Errand, PanelMessage, Unsaved } from '../../protocol/panelProtocol.ts';
import { mayBeEdit } from '../edit/editText.ts';
import { saveFiles } from '../edit/unsavedBeside.ts';
import { reopenInWsl } from '../engine/reopenInWsl.ts';
import { answerLanguageMessage, type LanguageMessagesOptions } from '../model/languageMessages.ts';
import type { History } from '../predict/history.ts';
import type { Predictions } from '../predict/predictions.ts';
import type { Run } from '../predict/run.ts';
import type { RealRuns } from '../realRun/runForReal.ts';
import { copyText } from './copyText.ts';
import type { Panel } from './panel.ts';

export interface PanelMessagesOptions extends LanguageMessagesOptions {
  realRuns: () => RealRuns;
  history: History;
  /** Asks for consent to rehearse programs of the workspace, or for one kind of look outside. */
  askConsent(to: 'rehearse' | LookKind): Promise<void>;
  /** What is unsaved and was not seen by a prediction. */
  unsaved(run: Run): Unsaved | undefined;
  log: vscode.LogOutputChannel;
  /** Characters that fit into the panel's output. */
  resized(size: { columns: number; rows: number }): void;
}

/** Opens the gate for the current command. The caller has shown which programs would run. */
export function rehearseForReal(predictions: Predictions, panel: Panel): Run | undefined {
  if (vscode.workspace.isTrusted) return predictions.again({ openGate: true });
  const sentence = 'Programs that are not known to be harmless stay stopped in a workspace that is not trusted.';
  panel.banner({ kind: 'warning', sentence, offer: 'manageTrust' });
  return undefined;
}

/** Goes on from the current prediction, or says why that is not possible. */
export function continueFromHere(predictions: Predictions, panel: Panel): boolean {
  if (predictions.continueFromHere()) return true;
  const isImagined = predictions.current()?.whole === true;
  const sentence = isImagined
    ? 'Nothing can start from a whole command that was imagined. Predict the command first.'
    : 'The next command can start from here when this prediction is complete.';
  panel.banner({ kind: 'information', sentence });
  return false;
}

/** A command typed below an edit follows it. What is staged is in the files already, so nothing follows that. */
function isBefore(run: Run | undefined, script: string): boolean {
  return run?.action.kind === 'edit' && !run.isApart && !mayBeEdit(script);
}

async function saveAndPredict(
  { predictions, panel, unsaved }: PanelMessagesOptions,
  run: Run | undefined,
): Promise<void> {
  const refused = await saveFiles((run && unsaved(run)?.paths) ?? []);
  predictions.again();
  if (refused.length === 0) return;
  const names = refused.map((file) => path.basename(file)).join(', ');
  panel().banner({ kind: 'warning', sentence: `VS Code could not save ${names}.` });
}

/** Predicts a command of before, in its folder. */
async function bringBack({ history, predictPointed }: PanelMessagesOptions, when: number): Promise<void> {
  const past = (await history.past()).find(({ atMs }) => atMs === when);
  if (!past) return;
  const { script: text, shell, cwd } = past;
  await predictPointed()({ text, options: { shell, cwd, source: 'input' } });
}

function paintedText({ what, run, sinceKeyMs }: Extract<PanelMessage, { type: 'painted' }>): string {
  return `Painted ${what} of prediction ${run}, ${sinceKeyMs?.toFixed(1) ?? '?'} ms after the key.`;
}

/** Does what the panel asks for. A message about a prediction that is not shown any more is left undone. */
export function answerPanel(options: PanelMessagesOptions): (message: PanelMessage) => void {
  const { predictions, documents, log } = options;

  async function answer(message: PanelMessage): Promise<void> {
    const panel = options.panel();
    const run = predictions.current();
    if ('run' in message && message.run !== run?.number) return;
    switch (message.type) {
      case 'predict':
        // After an edit a command is predicted as if the edit had been made, as the box says; another edit takes its place.
        if (isBefore(run, message.script) && !continueFromHere(predictions, panel)) return;
        await options.predictPointed().script(message.script);
        return;
      case 'predictAgain':
        predictions.again();
        return;
      case 'applyForReal':
        return options.realRuns().run(false, message.chooses);
      case 'saveAndPredict':
        return saveAndPredict(options, run);
      case 'showEarlier':
        return predictions.bringBack();
      case 'discard':
        return predictions.discard();
      case 'openAt':
        if (run) await documents.openAt(run, message);
        return;
      case 'cancel':
        return predictions.cancel();
      case 'runForReal':
        return options.realRuns().run();
      case 'confirmRun':
        return options.realRuns().run(true);
      case 'rehearseForReal':
        rehearseForReal(predictions, panel);
        return;
      case 'askConsent':
        return options.askConsent(message.to);
      case 'bringBack':
        return bringBack(options, message.atMs);
      case 'copy':
        if (run) await vscode.env.clipboard.writeText(await copyText(run, message.what, panel.observedSoFar()));
        return;
      case 'continueFromHere':
        if (continueFromHere(predictions, panel)) await panel.focus('command');
        return;
      case 'startOver':
        return predictions.startOver();
      case 'goToStep':
        return void predictions.goToStep(message.step);
      case 'answerAnew':
        return void predictions.again({}, []);
      case 'openDiff':
        if (run && !(await documents.openDiff(run, message.path))) await openFile(message.path, panel);
        return;
      case 'openAllChanges':
        if (run) await documents.openAllChanges(run);
        return;
      case 'openFile':
        return openFile(message.path, panel);
      case 'answer':
        return predictions.answer(message.text);
      case 'resize':
        return options.resized({ columns: message.columns, rows: message.rows });
      case 'imagine':
      case 'imagining':
      case 'askAgain':
      case 'openQuestion':
      case 'copyQuestion':
      case 'compareLast':
        return answerLanguageMessage(options, message, run);
      case 'errand':
        return runErrand(message.errand, log);
      case 'painted':
        log.debug(paintedText(message));
        return;
      case 'ready':
        return;
    }
  }

  return (message) => {
    answer(message).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.error(`${message.type}: ${reason}`);
      options.panel().banner({ kind: 'error', sentence: `That did not work: ${reason}`, offer: 'showLog' });
    });
  };
}

/** A folder is shown in the explorer, a file is opened, and that something is not there is said. */
async function openFile(named: string, panel: Panel): Promise<void> {
  const file = vscode.Uri.file(named);
  const status = await vscode.workspace.fs.stat(file).then(
    (found) => found,
    () => undefined,
  );
  if (!status) {
    panel.banner({ kind: 'information', sentence: `\`${path.basename(named)}\` is not there now.` });
    return;
  }
  if (status.type & vscode.FileType.Directory) await vscode.commands.executeCommand('revealInExplorer', file);
  else await vscode.commands.executeCommand('vscode.open', file, { preview: true });
}

async function runErrand(errand: Errand, log: vscode.LogOutputChannel): Promise<void> {
  const run = vscode.commands.executeCommand;
  switch (errand) {
    case 'openFolder':
      return void (await run('vscode.openFolder'));
    case 'manageTrust':
      return void (await run('workbench.trust.manage'));
    case 'showLog':
      return log.show();
    case 'reloadWindow':
      return void (await run('workbench.action.reloadWindow'));
    case 'openSettings':
      return void (await run('foretell.openSettings'));
    case 'chooseModel':
    case 'connectModel':
      return void (await run('foretell.connectModel'));
    case 'imagine':
      return void (await run('foretell.imagine'));
    case 'reopenInWsl':
      return reopenInWsl();
    case 'showStatus':
      return void (await run('foretell.showStatus'));
    case 'takeTour':
      return void (await run('foretell.takeTour'));
    case 'applyPrediction':
    case 'allowEffects':
    case 'restoreLost':
      return void (await run(`foretell.${errand}`));
    case 'openWalkthrough':
      return void (await run('workbench.action.openWalkthrough', 'foretell.foretell#start', false));
  }
}
