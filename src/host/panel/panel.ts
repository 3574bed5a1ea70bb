import type * as vscode from 'vscode';
import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import type { SaferCommands } from '../../protocol/compareProtocol.ts';
import type { Consequences, EditShown } from '../../protocol/editProtocol.ts';
import type {
  Banner,
  Checked,
  HostMessage,
  Observed,
  PanelMessage,
  PanelSettings,
  PastCommand,
  Refusal,
  SessionPosition,
  Unsaved,
  WorkspaceState,
} from '../../protocol/panelProtocol.ts';
import type { Run } from '../predict/run.ts';
import { besideOf } from './besideOf.ts';
import { createEventFrames } from './eventFrames.ts';
import { createPanelPage } from './panelPage.ts';

/** Where the panel gets what it shows. */
export interface PanelSource {
  run(): Run | undefined;
  session(): SessionPosition;
  workspace(): WorkspaceState;
  /** What is unsaved and was not seen by a prediction that has ended. */
  unsaved(run: Run): Unsaved | undefined;
  settings(): PanelSettings;
  /** Commands that were predicted before, the latest first. */
  past(): Promise<readonly PastCommand[]>;
}

/** The panel beside the terminal. It may be hidden or reloaded at any time; then everything is sent again. */
export interface Panel extends vscode.Disposable {
  /** Shows it without taking the keyboard away. */
  reveal(): Promise<void>;
  isVisible(): boolean;
  /** Puts the keyboard into it. */
  focus(on: 'command' | 'verdict' | 'answer'): Promise<void>;
  /** Sends the whole state: a new prediction has begun. Banner and what was observed belong to the one before. */
  show(): void;
  /** Sends it again, because something else stands beside it. */
  refresh(): void;
  event(run: Run, event: PredictionEvent): void;
  /** What is unsaved and was not seen by it is something else now. */
  unsavedChanged(run: Run): void;
  observed(run: Run, observed: Observed): void;
  /** Replaces what is known of what follows from an edit. */
  consequences(run: Run, consequences: Consequences): void;
  /** Shows safer commands beside the prediction. */
  safer(run: Run, safer: SaferCommands): void;
  /** There are others among the commands of before. */
  pastChanged(): Promise<void>;
  banner(banner: Banner | null): void;
  /** Says why a question has no answer, in place of a prediction. */
  refuse(refusal: Refusal): Promise<void>;
  /** Settings, trust, folders or session have changed. */
  changed(): void;
  observedSoFar(): Observed | undefined;
}

/** An answer that is there already comes with the first message: so long that waits for it. */
const answerMs = 10;

export function createPanel(
  context: vscode.ExtensionContext,
  source: PanelSource,
  onMessage: (message: PanelMessage) => void,
  log: vscode.LogOutputChannel,
): Panel {
  let beside: Beside = {};
  const page = createPanelPage(context, { listens, onMessage, log });
  const frames = createEventFrames(page.post);
  /** A new prediction that the page does not know yet. */
  let begun: ReturnType<typeof setTimeout> | undefined;

  function snapshot(): void {
    clearTimeout(begun);
    begun = undefined;
    // What waits is in the snapshot already.
    frames.forget(source.run()?.sequence);
    page.post(snapshotOf(source, beside));
  }

  function post(message: HostMessage): void {
    if (begun) snapshot();
    page.post(message);
  }

  function listens(): void {
    snapshot();
    void pastChanged();
  }

  async function pastChanged(): Promise<void> {
    post({ type: 'past', commands: [...(await source.past())] });
  }

  return {
    reveal: () => page.reveal(true),
    isVisible: page.isVisible,
    async focus(on) {
      await page.reveal(false);
      await page.whenReady();
      post({ type: 'focus', on });
    },
    async refuse(refusal) {
      beside = { ...beside, banner: undefined, refusal };
      await page.reveal(true);
      if (page.isReady()) snapshot();
    },
    show() {
      beside = {};
      if (!page.isReady()) return;
      frames.forget();
      clearTimeout(begun);
      begun = setTimeout(snapshot, answerMs);
    },
    refresh() {
      if (page.isReady()) snapshot();
    },
    event(run, event) {
      if (!page.isReady()) return;
      const hasEnded = run.prediction.ending !== undefined;
      if (begun) {
        if (hasEnded || event.type === 'asks') snapshot();
        return;
      }
      const unsaved = hasEnded ? source.unsaved(run) : undefined;
      // Said first: the verdict is drawn as it comes, and with that.
      if (unsaved) post({ type: 'changed', unsaved });
      const isUrgent = hasEnded || event.type === 'asks';
      frames.add(event, { run: run.number, sequence: run.sequence, isUrgent });
    },
    unsavedChanged(run) {
      if (source.run() === run) post({ type: 'changed', unsaved: source.unsaved(run) ?? null });
    },
    observed(run, observed) {
      if (source.run() !== run) return;
      beside.observed = observed;
      post({ type: 'observed', run: run.number, observed });
    },
    consequences(run, consequences) {
      if (source.run() !== run) return;
      beside.consequences = consequences;
      post({ type: 'consequences', run: run.number, consequences, ...checkedIn(consequences) });
    },
    safer(run, safer) {
      if (source.run() !== run) return;
      beside.safer = safer;
      post({ type: 'safer', run: run.number, safer });
    },
    pastChanged,
    observedSoFar: () => beside.observed,
    banner(banner) {
      beside.banner = banner ?? undefined;
      post({ type: 'changed', banner });
    },
    changed() {
      const workspace = source.workspace();
      post({ type: 'changed', workspace, settings: source.settings(), session: source.session() });
    },
    dispose() {
      clearTimeout(begun);
      frames.dispose();
      page.dispose();
    },
  };
}

/** What stands beside the prediction, and belongs to it. */
interface Beside {
  banner?: Banner | undefined;
  /** Says why a question has no answer. */
  refusal?: Refusal | undefined;
  observed?: Observed | undefined;
  /** Of an edit: what follows from it. */
  consequences?: Consequences | undefined;
  safer?: SaferCommands | undefined;
}

function snapshotOf(source: PanelSource, { banner, refusal, observed, consequences, safer }: Beside): HostMessage {
  const run = source.run();
  return {
    type: 'snapshot',
    run: run?.number ?? 0,
    sequence: run?.sequence ?? 0,
    prediction: run ? posted(run.prediction) : null,
    workspace: source.workspace(),
    settings: source.settings(),
    session: source.session(),
    ...(observed ? { observed } : {}),
    ...(banner ? { banner } : {}),
    ...(safer ? { safer } : {}),
    ...(run?.prediction.ending === undefined ? {} : { unsaved: source.unsaved(run) }),
    ...(refusal && !run ? { refusal } : {}),
    ...(run?.action.kind === 'edit' ? editState(run, consequences) : {}),
    ...(run?.openGate ? { gateOpened: true } : {}),
    ...(run && run.answers.kept > 0 ? { keptAnswers: run.answers.kept } : {}),
    ...besideOf(run),
  };
}

/** What the headline needs of the consequences. */
export function checkedIn(consequences: Consequences | undefined): { checked?: Checked } {
  if (!consequences) return {};
  const { diagnostics, isOpen } = consequences;
  const newErrors = diagnostics.filter(({ change, severity }) => change === 'new' && severity === 'error').length;
  return { checked: { newErrors, isOpen } };
}

/** The contents that an edit writes are not shown, and may be many megabytes. */
function posted(prediction: Prediction): Prediction {
  const { action } = prediction;
  return action.kind === 'edit' ? { ...prediction, action: { kind: 'edit', changes: [] } } : prediction;
}

/** A longer text is not shown to be edited. */
const longestText = 200_000;

function editState(run: Run, consequences: Consequences | undefined) {
  return { edit: editShown(run), consequences, ...checkedIn(consequences) };
}

function editShown({ origin }: Run): EditShown {
  const { title = 'Edit', text, applies = 'edit' } = origin ?? {};
  return { title, applies, ...(text !== undefined && text.length <= longestText ? { text } : {}) };
}
