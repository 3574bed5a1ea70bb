import path from 'node:path';
import * as vscode from 'vscode';
import { registerAgents } from './host/agents/registerAgents.ts';
import { registerCompare } from './host/alternatives/compareCommand.ts';
import { registerBench } from './host/bench/registerBench.ts';
import { consentIn, createConsents, looksIn } from './host/consent/consents.ts';
import { setContext } from './host/contextKeys.ts';
import { registerEditCommands } from './host/edit/editCommands.ts';
import { createUnsavedBeside } from './host/edit/unsavedBeside.ts';
import { createEngine, type Engine } from './host/engine/engine.ts';
import { refreshClientLater } from './host/engine/refreshClient.ts';
import { registerTrajectoryEditor } from './host/lab/trajectoryEditor.ts';
import { registerCodeLens } from './host/lens/codeLens.ts';
import { registerLoop } from './host/loop/registerLoop.ts';
import { createLanguage } from './host/model/language.ts';
import { createMessageEditor } from './host/model/messageEditor.ts';
import { registerModelCommands } from './host/model/modelCommands.ts';
import { checkedIn, createPanel, type Panel } from './host/panel/panel.ts';
import { answerPanel } from './host/panel/panelMessages.ts';
import { createPredictedDocuments } from './host/panel/predictedDocuments.ts';
import { createRefuse } from './host/panel/refuse.ts';
import { createCommandInput } from './host/predict/commandInput.ts';
import { readEditorRequest } from './host/predict/editorRequest.ts';
import { showFirstScript } from './host/predict/firstScript.ts';
import { createHistory, type History } from './host/predict/history.ts';
import { predictAhead } from './host/predict/predictAhead.ts';
import { createPredictions, type Predictions } from './host/predict/predictions.ts';
import { createPredictPointed, type PredictPointed } from './host/predict/predictPointed.ts';
import { type EditorRequest, type Run, stepTitle } from './host/predict/run.ts';
import { usualFolder } from './host/predict/selection.ts';
import type { PredictionListener } from './host/predict/shownRun.ts';
import { watchWorkspace } from './host/predict/workspaceState.ts';
import { createRunner } from './host/realRun/realRun.ts';
import { createRealRuns, type RealRuns } from './host/realRun/runForReal.ts';
import { registerCommands } from './host/registerCommands.ts';
import { onSettingsChanged, readPanelSettings } from './host/settings.ts';
import { createStatusBar, type StatusBar } from './host/statusBar.ts';
import { registerTemplates, type Templates } from './host/templates/registerTemplates.ts';
import { createPrompt } from './host/terminal/prompt.ts';
import { registerToolResult } from './host/toolResult/predictToolResult.ts';
import { registerTools } from './host/tools/registerTools.ts';
import { createTrajectories } from './host/trajectories/trajectories.ts';
import { createLineEditing } from './host/typedLine/lineEditing.ts';
import { createRanInTerminals } from './host/typedLine/ranInTerminals.ts';
import { createTypedLine } from './host/typedLine/typedLine.ts';
import { registerTypingHint } from './host/typedLine/typingHint.ts';
import type { Observed, SessionPosition } from './protocol/panelProtocol.ts';

/** Makes every object by hand, in order. Nothing of the engine is loaded here. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Foretell', { log: true });
  const distFolder = path.join(context.extensionPath, 'dist');
  const engine = createEngine(distFolder);
  const statusBar = createStatusBar(() => ({
    workspace: workspace.read(),
    model: language.model.name(),
    hasConsent: consentIn(predictions.current()?.action.cwd, log) !== undefined,
  }));
  const unsaved = createUnsavedBeside((run) => panel.unsavedChanged(run));
  const history = createHistory(context.workspaceState);
  const input = createCommandInput(history.past);
  let terminalSize = { columns: 80, rows: 24 };
  const storage = vscode.Uri.joinPath(context.storageUri ?? context.globalStorageUri, 'scripts');
  const language = createLanguage(context, storage, () => panel.changed());

  const editorRequest = () => readEditorRequest(context, terminalSize, language);
  const requestIn = (folder: string | undefined) => ({ ...editorRequest(), ...consentGiven(folder, log) });
  const predictions = createPredictions({
    engine: engine.load,
    editorRequest,
    ...{ consentIn: (folder: string | undefined) => consentIn(folder, log), looksIn },
    listener: listenerOf({
      ...{ statusBar, unsaved, history, log },
      ...{ panel: () => panel, templates: () => templates },
      predictions: () => predictions,
      offerSafer: (run) => lookForSafer(run, { predictions, engine, requestIn, panel: () => panel, log }),
      applyEnded: (run) => realRuns.ended(run),
      findConsequences: (run) => lookForConsequences(run, { context, predictions, panel, statusBar, log }),
    }),
  });
  const documents = createPredictedDocuments(predictions);
  const messageEditor = createMessageEditor(predictions, () => panel);
  const workspace = watchWorkspace(engine, language.model, editorRequest, () => panel.changed());
  // The panel and what it asks for know each other; each is made before the other is used.
  let predictPointed: PredictPointed;
  let realRuns: RealRuns;
  let templates: Templates;
  const panel: Panel = createPanel(
    context,
    {
      run: predictions.current,
      unsaved: unsaved.of,
      workspace: workspace.read,
      settings: () => ({ ...readPanelSettings(), ...language.panelSettings() }),
      ...{ session: () => sessionOf(predictions), past: history.past },
    },
    answerPanel({
      ...{ predictions, documents, language, messageEditor, history, log },
      panel: () => panel,
      predictPointed: () => predictPointed,
      realRuns: () => realRuns,
      askConsent: (to) => (to === 'rehearse' ? consents.give() : consents.giveLook(to)),
      unsaved: unsaved.of,
      resized: (size) => (terminalSize = size),
    }),
    log,
  );
  const searchPath = () => editorRequest().env?.['PATH'] ?? process.env['PATH'] ?? '';
  const consents = createConsents({ predictions, panel, searchPath });
  const refuse = createRefuse(predictions, panel, statusBar);
  const ran = createRanInTerminals();
  const typedLine = createTypedLine({ folder: storage, ran, lineEditing: createLineEditing(engine) });
  const runner = createRunner({ folder: storage, typedIn: typedLine.seen });
  const promptOf = (terminal: vscode.Terminal) => createPrompt(terminal, typedLine.told);
  predictPointed = createPredictPointed({ predictions, panel, input, refuse, promptOf });
  const trajectories = createTrajectories(context, engine, storage.fsPath, log);
  const compared = (run: Run, observed: Observed) => {
    statusBar.compared(observed);
    return trajectories.compared(run, observed);
  };
  const { terminalOf } = predictPointed;
  const { launcher } = engine;
  realRuns = createRealRuns({ predictions, panel, runner, log, launcher, terminalOf, compared });

  const parts = { context, engine, language, predictions, predictPointed, panel, input };
  templates = registerTemplates({ ...parts, editorRequest });
  context.subscriptions.push(
    ...[log, statusBar, unsaved, documents, panel, ran, typedLine, registerCodeLens()],
    ...[templates, language, messageEditor, trajectories, registerBench(parts, log)],
    registerCommands({ ...parts, realRuns, documents, typedLine, consents }),
    ...[registerCompare({ ...parts, requestIn, log }), registerToolResult({ ...parts, documents })],
    registerEditCommands({ engine, predictions, predictPointed, panel, refuse, realRuns }),
    registerTrajectoryEditor(context, { engine: engine.load, language, log, editorRequest }),
    ...[registerLoop(context, { engine: engine.load, language, log }), registerAgents({ ...parts, documents })],
    ...[registerTools({ context, engine, editorRequest, log }), refreshClientLater(context, distFolder)],
    ...[registerModelCommands({ ...parts, storage }), registerTypingHint({ engine, editorRequest, promptOf })],
    vscode.workspace.onDidGrantWorkspaceTrust(panel.changed),
    ...[vscode.workspace.onDidChangeWorkspaceFolders(panel.changed), onSettingsChanged(panel.changed)],
    { dispose: () => void predictions.dispose() },
    ...[showFirstScript(context.workspaceState, predictPointed), predictAhead(predictions, panel)],
  );
}

function sessionOf(predictions: Predictions): SessionPosition {
  return {
    scripts: predictions.position().map(stepTitle),
    ...(endsWithShown(predictions) ? { endsWithShown: true } : {}),
    cwd: predictions.position().at(-1)?.leavesIn ?? predictions.latest()?.action.cwd ?? usualFolder(),
  };
}

/** The user went on from the prediction that is shown. */
function endsWithShown(predictions: Predictions): boolean {
  const run = predictions.current();
  return run !== undefined && !run.isApart && predictions.position().length > run.position.length;
}

/** The user's consent for a folder, as a request has it. */
function consentGiven(folder: string | undefined, log: vscode.LogOutputChannel): Pick<EditorRequest, 'consent'> {
  const consent = consentIn(folder, log);
  return consent ? { consent } : {};
}

/** Safer commands are looked for when the prediction is shown. */
function lookForSafer(
  run: Run,
  {
    predictions,
    engine,
    requestIn,
    panel,
    log,
  }: {
    predictions: Predictions;
    engine: Engine;
    requestIn: (folder: string | undefined) => EditorRequest;
    panel: () => Panel;
    log: vscode.LogOutputChannel;
  },
): void {
  void import('./host/alternatives/offerSafer.ts').then(async ({ offerSafer: offer }) => {
    const request = requestIn(run.action.cwd);
    const typedAt = await run.prompt?.request(request.env ?? {});
    return offer({
      run,
      isShown: () => predictions.current() === run,
      engine,
      request: { ...request, ...typedAt },
      tell: (safer) => panel().safer(run, safer),
      log,
    });
  });
}

/** What follows from an edit is looked for when it is known what the edit does. */
function lookForConsequences(
  run: Run,
  {
    context,
    predictions,
    panel,
    statusBar,
    log,
  }: {
    context: vscode.ExtensionContext;
    predictions: Predictions;
    panel: Panel;
    statusBar: StatusBar;
    log: vscode.LogOutputChannel;
  },
): void {
  void import('./host/consequences/consequences.ts').then(({ findConsequences: find }) =>
    find({
      run,
      isShown: () => predictions.current() === run,
      distFolder: path.join(context.extensionPath, 'dist'),
      storageFolder: context.globalStorageUri.fsPath,
      tell: (found) => {
        panel.consequences(run, found);
        const { checked } = checkedIn(found);
        if (checked) statusBar.checked(run, checked);
      },
      log,
    }),
  );
}

/** Who is told of predictions. What is made later is asked for when it is needed. */
interface Told {
  panel: () => Panel;
  statusBar: StatusBar;
  unsaved: ReturnType<typeof createUnsavedBeside>;
  history: History;
  log: vscode.LogOutputChannel;
  templates: () => Templates;
  predictions: () => Predictions;
  offerSafer: (run: Run) => void;
  /** What may be applied is noted at once. */
  applyEnded: (run: Run) => void;
  findConsequences: (run: Run) => void;
}

/** Shorter than this, that a prediction is under way is told to nobody who would only change his looks twice. */
const workingMs = 120;
/** By then what the page was told is painted. */
const paintMs = 50;

function listenerOf({
  panel,
  statusBar,
  unsaved,
  history,
  log,
  templates,
  predictions,
  offerSafer,
  applyEnded,
  findConsequences,
}: Told): PredictionListener {
  let working: ReturnType<typeof setTimeout> | undefined;

  /** What keeps this thread or the window busy, and can be a moment later than the verdict. */
  function afterPaint(run: Run): void {
    if (predictions().current() === run) {
      statusBar.ended(run);
      setContext({ predicting: false });
      if (run.action.kind !== 'edit' && run.prediction.verdict.level === 'danger') offerSafer(run);
    }
    templates().ended(run);
    void history.take(run).then(() => panel().pastChanged());
    const { ending, failureCode, durationMs } = run.prediction;
    log.info(`Prediction ${run.number}: ${ending}${failureCode ? ` (${failureCode})` : ''} in ${durationMs} ms.`);
  }

  return {
    started(run) {
      unsaved.started(run);
      statusBar.started(run);
      panel().show();
      setContext({ hasPrediction: true, hasEdit: run.action.kind === 'edit' });
      clearTimeout(working);
      working = setTimeout(() => setContext({ predicting: true }), workingMs);
    },
    event(run, event) {
      panel().event(run, event);
      statusBar.event(event);
    },
    ended(run) {
      clearTimeout(working);
      applyEnded(run);
      // Until language services have looked, an edit is not called safe.
      if (run.action.kind === 'edit') findConsequences(run);
      setTimeout(() => afterPaint(run), paintMs);
    },
    compared: () => panel().refresh(),
    discarded() {
      clearTimeout(working);
      panel().show();
      statusBar.clear();
      setContext({ predicting: false, hasPrediction: false, hasEdit: false });
    },
    setAside() {
      clearTimeout(working);
      setContext({ predicting: false, hasPrediction: false, hasEdit: false });
    },
    broughtBack(run) {
      panel().show();
      statusBar.ended(run);
      setContext({ hasPrediction: true, hasEdit: run.action.kind === 'edit' });
    },
    moved() {
      setContext({ inSession: predictions().position().length > 0 });
      panel().changed();
    },
  };
}
