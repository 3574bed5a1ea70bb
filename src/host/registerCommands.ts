import * as vscode from 'vscode';
import { isToRehearse } from '../core/facts/onlyLooks.ts';
import { countOf } from '../core/view/quantity.ts';
import { programText } from '../core/words/programText.ts';
import { clearKept, memoryFolder } from '../core/worlds/remembered/memoryStore.ts';
import type { Consents } from './consent/consents.ts';
import type { EditorParts } from './editorParts.ts';
import { describeEngine } from './engine/engineStatus.ts';
import { lensCommand } from './lens/codeLens.ts';
import type { Runnable } from './lens/runnable.ts';
import { besideTerminal, putBesideTerminal } from './panel/besideTerminal.ts';
import type { Panel } from './panel/panel.ts';
import { continueFromHere, rehearseForReal } from './panel/panelMessages.ts';
import type { PredictedDocuments } from './panel/predictedDocuments.ts';
import { allowEffects } from './policy/allowEffects.ts';
import { chooseProjectCommand } from './predict/projectCommands.ts';
import type { Run } from './predict/run.ts';
import { pointedByLens, pointedInEditor, pointedScript, usualFolder, usualShell } from './predict/selection.ts';
import type { RealRuns } from './realRun/runForReal.ts';
import { readSettings, type Settings } from './settings.ts';
import { hasSelection, type PointedOrNot, placeOf, pointedInTerminal, pointedTypedLine } from './terminal/terminals.ts';
import type { TypedLine } from './typedLine/typedLine.ts';
import { keyboardIsFree } from './walkthrough.ts';

export interface CommandsOptions extends EditorParts {
  realRuns: RealRuns;
  documents: PredictedDocuments;
  typedLine: TypedLine;
  consents: Consents;
}

/** Registers every command of package.json, and the one of the lenses. */
export function registerCommands(options: CommandsOptions): vscode.Disposable {
  const { predictions, predictPointed, panel, documents, typedLine, engine } = options;
  const noTerminal = { sentence: 'No terminal is open. Open one, or type a command here.' };
  const inTerminal = (point: (terminal: vscode.Terminal, settings: Settings) => Promise<PointedOrNot>) => async () => {
    engine.expect();
    const terminal = vscode.window.activeTerminal;
    // When the terminal gets another width, nothing is selected in it any more.
    const pointed = terminal ? await point(terminal, readSettings()) : noTerminal;
    await besideTerminal(options.context, terminal, panel);
    await predictPointed(pointed);
  };
  const handlers: Record<string, (...args: never[]) => unknown> = {
    predict: (given?: unknown) => predictTyped(options, given),
    predictSelection() {
      engine.expect();
      return predictPointed(pointedInEditor(readSettings()));
    },
    predictTerminalSelection: inTerminal(pointedInTerminal),
    predictTypedLine: inTerminal((terminal, settings) => pointedTypedLine(terminal, settings, typedLine)),
    predictTerminal: inTerminal(async (terminal, settings) => {
      return hasSelection(terminal) === true
        ? pointedInTerminal(terminal, settings)
        : pointedTypedLine(terminal, settings, typedLine);
    }),
    predictFile: async (file?: vscode.Uri) => {
      const script = file ?? vscode.window.activeTextEditor?.document.uri;
      await predictPointed(script && (await pointedScript(script, readSettings())));
    },
    predictProjectCommand: async () => {
      const pointed = await chooseProjectCommand();
      if (pointed) await predictPointed(pointed);
    },
    predictAgain: () => showing(panel, predictions.again()),
    applyPrediction: () => panel.reveal().then(() => options.realRuns.apply()),
    applyChosenResult: () => panel.reveal().then(() => options.realRuns.apply(true)),
    runForReal: () => panel.reveal().then(() => options.realRuns.run()),
    rehearseForReal: () => askAndRehearse(options),
    alwaysRehearse: () => options.consents.give(),
    consentToLook: () => options.consents.giveLook(),
    showConsents: () => options.consents.show(),
    takeBackConsent: () => options.consents.takeBack(),
    clearMemory: () => {
      const count = clearKept(memoryFolder(process.env));
      void vscode.window.showInformationMessage(`Forgot ${countOf(count, 'rehearsal')}.`);
    },
    restoreLost: async (id?: unknown) =>
      (await import('./safetyNet/restoreLost.ts')).restoreLost(options.engine.launcher, id),
    holdAtEnter: async () => (await import('./atEnter/holdAtEnter.ts')).holdAtEnter(options.context),
    allowEffects: () => allowEffects(predictions.current()),
    continueFromHere: async () => {
      if (continueFromHere(predictions, panel)) await panel.focus('command');
    },
    startOver: () => predictions.startOver(),
    openAllChanges: async () => {
      const run = predictions.current();
      if (run && (await documents.openAllChanges(run))) return;
      panel.banner({ kind: 'information', sentence: 'No file would have other content.' });
    },
    cancel: () => predictions.cancel(),
    showBesideTerminal: async () => {
      await putBesideTerminal();
      await panel.reveal();
    },
    showStatus: async () =>
      documents.openText(
        'Foretell status.txt',
        await describeEngine(options.context, options.engine, options.language),
      ),
    openSettings: () =>
      vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${options.context.extension.id}`),
  };
  const registered = Object.entries(handlers).map(([name, handler]) =>
    vscode.commands.registerCommand(`foretell.${name}`, handler),
  );
  const lens = vscode.commands.registerCommand(lensCommand, (runnable: Runnable, file: vscode.Uri) =>
    predictPointed(pointedByLens(runnable, file, readSettings())),
  );
  return vscode.Disposable.from(...registered, lens);
}

/** `given`: a command from a keybinding or another extension, as text or as `{ script, cwd }`. */
async function predictTyped({ input, predictions, predictPointed }: CommandsOptions, given: unknown): Promise<void> {
  const settings = readSettings();
  const terminal = vscode.window.activeTerminal;
  const record = typeof given === 'object' && given !== null ? (given as Record<string, unknown>) : {};
  const sequence = predictions.position().at(-1);
  const place = terminal ? await placeOf(terminal, settings) : { cwd: usualFolder(), shell: usualShell(settings) };
  const cwd = typeof record['cwd'] === 'string' ? record['cwd'] : (sequence?.leavesIn ?? place.cwd);
  const script = typeof given === 'string' ? given : record['script'];
  const text = typeof script === 'string' ? script : await keyboardIsFree().then(() => input.ask(cwd));
  if (text === undefined) return;
  await predictPointed({
    text,
    options: { shell: place.shell, cwd, source: 'input' },
    continues: true,
    ...(terminal ? { terminal } : {}),
  });
}

async function showing(panel: Panel, run: Run | undefined): Promise<void> {
  await panel.reveal();
  if (!run) await panel.focus('command');
}

/** From the palette nothing has been shown yet, so the programs are named before the gate opens. */
async function askAndRehearse({ predictions, panel }: CommandsOptions): Promise<void> {
  const { programs, assumptions = [] } = predictions.current()?.prediction ?? {};
  const stopped = programs?.filter((program) => isToRehearse(program, assumptions));
  if (!stopped || !vscode.workspace.isTrusted) {
    rehearseForReal(predictions, panel);
    return;
  }
  const yes = 'Rehearse Fully';
  const detail = [
    'They run on a copy of this machine, without network. What they change is thrown away.',
    '',
    ...stopped.slice(0, 12).map((program) => `• ${programText(program)}`),
  ].join('\n');
  const message = stopped.length > 0 ? 'Let these programs run, confined?' : 'Let every program run, confined?';
  if ((await vscode.window.showInformationMessage(message, { modal: true, detail }, yes)) !== yes) return;
  await panel.reveal();
  rehearseForReal(predictions, panel);
}
