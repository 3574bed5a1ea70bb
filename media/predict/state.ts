import { isToRehearse } from '../../src/core/facts/onlyLooks.ts';
import type { PredictionEvent } from '../../src/core/prediction/event.ts';
import { fold } from '../../src/core/prediction/fold.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type {
  Banner,
  Checked,
  HostMessage,
  Observed,
  PanelSettings,
  PastCommand,
  Refusal,
  SessionPosition,
  Unsaved,
  WorkspaceState,
} from '../../src/protocol/panelProtocol.ts';
import type { Folding } from '../shared/tree.ts';
import { createFileTree, type FileTree, insertChange } from './fileTree.ts';

/** The lists of the panel that are walked as trees. */
export type TreeName = 'gone' | 'recoverable' | 'files' | 'programs' | 'effects' | 'observed' | 'questions';

/** An output that is drawn: what is predicted, what a run has printed so far, and what was observed. */
export type OutputName = 'predicted' | 'soFar' | 'observed';

/** What the user looks at of what a language model was asked. */
export interface ModelShown {
  view: 'prediction' | 'prompt';
  /** What was folded or unfolded, by a name that the views give. */
  open: Readonly<Record<string, boolean>>;
  /**
   * A message that is being edited, and is not predicted with yet. Of an edit its text: `question` is 0, and `message` tells
   * from which text it was made.
   */
  draft?: { question: number; message: number; text: string } | undefined;
}

/** Under what a model imagines, and how often. */
export type Imagining = NonNullable<PanelSettings['imagining']>;

/** What the user set up in the panel; survives a reload of the webview. */
export interface Kept {
  /** Command as edited and not predicted yet, and the run it was edited from. */
  draft?: { text: string; run: number };
  /** Sections that the user folded or unfolded. */
  sections: Readonly<Record<string, boolean>>;
  folding: Readonly<Partial<Record<TreeName, Folding>>>;
  /** Belongs to the prediction with the number `run`. */
  model?: ModelShown & { run: number };
}

/** Everything the panel shows. `prediction` and `tree` are changed in place; `version` tells when. */
export interface PanelState {
  connected: boolean;
  version: number;
  run: number;
  /** Number of the last event taken in. */
  sequence: number;
  /** Events are missing: a snapshot is needed. */
  missed: boolean;
  prediction: Prediction | undefined;
  tree: FileTree;
  workspace: WorkspaceState;
  settings: PanelSettings;
  session: SessionPosition;
  observed: Observed | undefined;
  banner: Banner | undefined;
  /** What editors hold that the prediction did not see. */
  unsaved: Unsaved | undefined;
  /** Why the last question has no answer. */
  refusal: Refusal | undefined;
  gateOpened: boolean;
  /** So many answers were typed before and are kept. */
  keptAnswers: number;
  /** Another prediction of the same command. */
  beside: { title: string; isLast?: boolean | undefined; prediction: Prediction } | undefined;
  /** There is a prediction before this one to compare it with. */
  hasLast: boolean;
  /** Of an edit: what it is and what follows from it; read by the second script. */
  edit: unknown;
  consequences: unknown;
  /** Safer commands, proven; read by the second script. */
  safer: unknown;
  /** What language services say of the edit. */
  checked: Checked | undefined;
  /** Commands that were predicted before, the latest first. */
  past: readonly PastCommand[];
  /** What is searched for in output and files, and which of the places is shown. */
  find: { query: string; at: number } | undefined;
  kept: Kept;
  /** Row that the keyboard is on, by tree. */
  active: Readonly<Partial<Record<TreeName, string>>>;
  /** What is unfolded above the facts: the question before the gate opens, the copy menu, commands of before, or under what is imagined. */
  open: 'rehearse' | 'copy' | 'imagine' | 'past' | undefined;
  /** What was typed for the program that asks. */
  answer: string;
  /** It was sent, and the program has not asked again. */
  answered: boolean;
}

/** Everything that can change the state. */
export type PanelAction =
  | { type: 'message'; message: HostMessage }
  /** A message of the host that is none: as a rule another version of Foretell runs behind this page. */
  | { type: 'notUnderstood' }
  | { type: 'edit'; text: string }
  | { type: 'restore' }
  | { type: 'section'; name: string; open: boolean }
  | { type: 'fold'; tree: TreeName; key: string; open: boolean }
  | { type: 'active'; tree: TreeName; key: string }
  | { type: 'open'; what: PanelState['open'] }
  | { type: 'find'; find: PanelState['find'] }
  | { type: 'answering'; text: string }
  | { type: 'answered' }
  | { type: 'model'; shown: Partial<ModelShown> }
  | { type: 'imagining'; chosen: Partial<Imagining> };

/** The state before the host said anything. */
export function initialState(kept?: Kept): PanelState {
  return {
    connected: false,
    version: 0,
    run: -1,
    sequence: 0,
    missed: false,
    prediction: undefined,
    tree: createFileTree([]),
    workspace: { trusted: true, folders: [], engine: { available: true, name: '' } },
    settings: { keys: {} },
    session: { scripts: [], cwd: '/' },
    observed: undefined,
    banner: undefined,
    unsaved: undefined,
    refusal: undefined,
    gateOpened: false,
    keptAnswers: 0,
    beside: undefined,
    hasLast: false,
    edit: undefined,
    consequences: undefined,
    safer: undefined,
    checked: undefined,
    past: [],
    find: undefined,
    kept: kept ?? { sections: {}, folding: {} },
    active: {},
    open: undefined,
    answer: '',
    answered: false,
  };
}

/** What was typed is dropped: the box has the command below again, or waits for the one that follows it. */
function withoutDraft({ kept, session, run }: PanelState): Kept {
  const { draft: _, ...rest } = kept;
  return session.endsWithShown ? { ...rest, draft: { text: '', run } } : rest;
}

/** The second script has its sentence. */
const notUnderstood: Banner = { kind: 'error', sentence: '', offer: 'reloadWindow' };

/** The one reducer of the panel. */
export function reduce(state: PanelState, action: PanelAction): PanelState {
  const next = { ...state, version: state.version + 1 };
  switch (action.type) {
    case 'message':
      return takeMessage(next, action.message);
    case 'notUnderstood':
      return { ...next, connected: true, banner: notUnderstood };
    case 'edit':
      return { ...next, kept: { ...next.kept, draft: { text: action.text, run: next.run } } };
    case 'restore':
      return { ...next, kept: withoutDraft(next) };
    case 'section':
      if (next.kept.sections[action.name] === action.open) return next;
      return { ...next, kept: { ...next.kept, sections: { ...next.kept.sections, [action.name]: action.open } } };
    case 'fold': {
      // What is derived from the folding of a large tree is kept where nothing changes.
      if (next.kept.folding[action.tree]?.[action.key] === action.open) return next;
      const folding = { ...next.kept.folding[action.tree], [action.key]: action.open };
      return { ...next, kept: { ...next.kept, folding: { ...next.kept.folding, [action.tree]: folding } } };
    }
    case 'active':
      return { ...next, active: { ...next.active, [action.tree]: action.key } };
    case 'open':
      return { ...next, open: action.what };
    case 'find':
      return { ...next, find: action.find };
    case 'answering':
      return { ...next, answer: action.text };
    case 'answered':
      return { ...next, answer: '', answered: true };
    case 'model': {
      const model = { ...modelShown(next), ...action.shown, run: next.run };
      return { ...next, kept: { ...next.kept, model } };
    }
    case 'imagining': {
      const { imagining } = next.settings;
      if (!imagining) return next;
      return { ...next, settings: { ...next.settings, imagining: { ...imagining, ...action.chosen } } };
    }
  }
}

/** Something rests on what was assumed. */
export function hasAssumptions({ assumptions, otherwise }: Prediction): boolean {
  return assumptions.length + otherwise.length > 0;
}

/** The gate stopped a program of which more can be known. */
export function hasStopped({ programs, assumptions }: Prediction): boolean {
  return programs.some((program) => isToRehearse(program, assumptions));
}

/** Something is to be shown that the third script draws. */
export function needsModel({ prediction, beside }: PanelState): boolean {
  return beside !== undefined || (prediction !== undefined && prediction.questions.length > 0);
}

/** What is shown of the language model. */
export function modelShown({ kept, run }: PanelState): ModelShown {
  return kept.model?.run === run ? kept.model : { view: 'prediction', open: {} };
}

/** The command as it stands in the box. */
export function shownScript(state: PanelState): string {
  return state.kept.draft?.text ?? scriptOf(state.prediction);
}

/** The box does not hold the command that the facts below are about. */
export function isEdited(state: PanelState): boolean {
  const draft = state.kept.draft?.text;
  // After an edit the box is for the command that comes next.
  return !state.edit && draft !== undefined && draft !== scriptOf(state.prediction);
}

/** The script that was predicted; empty when it was an edit of files, or nothing. */
export function scriptOf(prediction: Prediction | undefined): string {
  return prediction?.action.kind === 'command' ? prediction.action.script : '';
}

function takeMessage(state: PanelState, message: HostMessage): PanelState {
  switch (message.type) {
    case 'snapshot':
      return takeSnapshot(state, message);
    case 'events':
      return takeEvents(state, message);
    case 'observed':
      return message.run === state.run ? { ...state, observed: message.observed } : state;
    case 'consequences':
      return message.run === state.run
        ? { ...state, consequences: message.consequences, checked: message.checked }
        : state;
    case 'safer':
      return message.run === state.run ? { ...state, safer: message.safer } : state;
    case 'changed':
      return takeChange(state, message);
    case 'past':
      return { ...state, past: message.commands };
    case 'focus':
      return state;
  }
}

function takeSnapshot(state: PanelState, snapshot: Extract<HostMessage, { type: 'snapshot' }>): PanelState {
  const sameRun = snapshot.run === state.run;
  const prediction = snapshot.prediction ?? undefined;
  const tree = createFileTree(snapshot.workspace.folders, snapshot.workspace.home);
  for (const file of prediction?.files ?? []) insertChange(tree, file);
  const { draft, ...keptWithoutDraft } = state.kept;
  // A draft belongs to the run that it was typed over, and must survive a reload: then the first snapshot comes.
  const { asked } = snapshot.refusal ?? {};
  const refusedDraft = asked === undefined ? undefined : { text: asked, run: snapshot.run };
  const keepsDraft = draft !== undefined && (draft.run === snapshot.run || (!prediction && draft.run < 0));
  // Whoever predicts the same command with another prompt goes on reading prompts.
  const sameScript = scriptOf(state.prediction) === scriptOf(prediction);
  // What is predicted again, because files have changed, takes nothing from who types the next command meanwhile.
  const moved = draft && !keepsDraft && sameScript && draft.run === state.run && draft.text.trim() !== '';
  const movedDraft =
    moved && draft.text !== scriptOf(prediction ?? state.prediction) ? { ...draft, run: snapshot.run } : undefined;
  const staysInPrompt = !sameRun && state.connected && sameScript && modelShown(state).view === 'prompt';
  return {
    ...state,
    connected: true,
    run: snapshot.run,
    sequence: snapshot.sequence,
    missed: false,
    prediction,
    tree,
    workspace: snapshot.workspace,
    settings: snapshot.settings,
    session: snapshot.session,
    observed: snapshot.observed,
    banner: snapshot.banner,
    unsaved: snapshot.unsaved,
    refusal: snapshot.refusal,
    gateOpened: snapshot.gateOpened ?? false,
    keptAnswers: snapshot.keptAnswers ?? 0,
    beside: snapshot.beside,
    hasLast: snapshot.hasLast ?? false,
    edit: snapshot.edit,
    consequences: snapshot.consequences,
    safer: snapshot.safer,
    checked: snapshot.checked,
    kept: {
      ...(keepsDraft ? state.kept : keptWithoutDraft),
      ...(movedDraft ? { draft: movedDraft } : {}),
      ...(refusedDraft ? { draft: refusedDraft } : {}),
      ...(staysInPrompt ? { model: { view: 'prompt', open: {}, run: snapshot.run } } : {}),
      folding: sameRun || !state.connected ? state.kept.folding : {},
    },
    active: sameRun ? state.active : {},
    open: sameRun ? state.open : undefined,
    answer: sameRun ? state.answer : '',
    answered: sameRun && state.answered,
  };
}

function takeEvents(state: PanelState, batch: Extract<HostMessage, { type: 'events' }>): PanelState {
  if (batch.run !== state.run || !state.prediction) {
    // Late events of an older run are nothing; those of a newer one say that its snapshot was missed.
    return batch.run > state.run ? { ...state, missed: true } : state;
  }
  const known = state.sequence - batch.first + 1;
  if (known < 0) return { ...state, missed: true };
  for (const event of batch.events.slice(known)) takeEvent(state.prediction, state.tree, event);
  const asksAgain = batch.events.slice(known).some((event) => event.type === 'asks');
  return {
    ...state,
    sequence: Math.max(state.sequence, batch.first + batch.events.length - 1),
    answered: state.answered && !asksAgain,
  };
}

function takeEvent(prediction: Prediction, tree: FileTree, event: PredictionEvent): void {
  fold(prediction, event);
  if (event.type === 'file') {
    const file = prediction.files.at(-1);
    if (file) insertChange(tree, file);
  }
}

function takeChange(state: PanelState, change: Extract<HostMessage, { type: 'changed' }>): PanelState {
  let tree = state.tree;
  const folders = change.workspace?.folders;
  if (folders && folders.join('\n') !== tree.folders.join('\n')) {
    tree = createFileTree(folders, change.workspace?.home);
    for (const file of state.prediction?.files ?? []) insertChange(tree, file);
  }
  const goesOn = change.session?.endsWithShown && !state.session.endsWithShown;
  return {
    ...state,
    tree,
    // Whoever goes on begins with an empty line.
    kept: goesOn ? { ...state.kept, draft: { text: '', run: state.run } } : state.kept,
    workspace: change.workspace ?? state.workspace,
    settings: change.settings ?? state.settings,
    session: change.session ?? state.session,
    banner: change.banner === undefined ? state.banner : (change.banner ?? undefined),
    unsaved: change.unsaved === undefined ? state.unsaved : (change.unsaved ?? undefined),
  };
}
