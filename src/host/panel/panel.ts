import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { PredictionEvent } from '../../core/prediction/event.ts';
import type { Prediction } from '../../core/prediction/prediction.ts';
import type { Consequences, EditShown } from '../../protocol/editProtocol.ts';
import type {
  Banner,
  Checked,
  HostMessage,
  Observed,
  PanelMessage,
  PanelSettings,
  Refusal,
  SessionPosition,
  Unsaved,
  WorkspaceState,
} from '../../protocol/panelProtocol.ts';
import type { Run } from '../predict/run.ts';
import { besideOf } from './besideOf.ts';
import { panelHtml } from './panelHtml.ts';

/** Name of the view in package.json. */
export const panelView = 'foretell.panel';

/** Events that came within this time go into one message: one painted frame. */
const frameMs = 16;
const mostEvents = 1_000;

/** Where the panel gets what it shows. */
export interface PanelSource {
  run(): Run | undefined;
  session(): SessionPosition;
  workspace(): WorkspaceState;
  /** What is unsaved and was not seen by a prediction that has ended. */
  unsaved(run: Run): Unsaved | undefined;
  settings(): PanelSettings;
}

/** The panel beside the terminal. It may be hidden or reloaded at any time; then everything is sent again. */
export interface Panel extends vscode.Disposable {
  /** Shows it without taking the keyboard away. */
  reveal(): Promise<void>;
  /** Puts the keyboard into it. */
  focus(on: 'command' | 'verdict' | 'answer'): Promise<void>;
  /** Sends the whole state: a new prediction has begun. Banner and what was observed belong to the one before. */
  show(): void;
  /** Sends it again, because something else stands beside it. */
  refresh(): void;
  event(run: Run, event: PredictionEvent): void;
  observed(run: Run, observed: Observed): void;
  /** Replaces what is known of what follows from an edit. */
  consequences(run: Run, consequences: Consequences): void;
  /** The prediction has ended. */
  ended(run: Run): void;
  banner(banner: Banner | null): void;
  /** Says why a question has no answer, in place of a prediction. */
  refuse(refusal: Refusal): Promise<void>;
  /** Settings, trust, folders or session have changed. */
  changed(): void;
  observedSoFar(): Observed | undefined;
}

export function createPanel(
  context: vscode.ExtensionContext,
  source: PanelSource,
  onMessage: (message: PanelMessage) => void,
  log: vscode.LogOutputChannel,
): Panel {
  let view: vscode.WebviewView | undefined;
  /** The script has said `ready` and is visible: it takes messages. */
  let isReady = false;
  let shownBanner: Banner | undefined;
  let refused: Refusal | undefined;
  let seen: Observed | undefined;
  let following: Consequences | undefined;
  let waiting: { run: number; first: number; events: PredictionEvent[] } | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wake = () => {};

  function post(message: HostMessage): void {
    // Not awaited: a webview that is hidden answers false, and says `ready` when it is shown again.
    if (isReady) void view?.webview.postMessage(message);
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const batch = waiting;
    waiting = undefined;
    if (!batch) return;
    for (let start = 0; start < batch.events.length; start += mostEvents) {
      const events = batch.events.slice(start, start + mostEvents);
      post({ type: 'events', run: batch.run, first: batch.first + start, events });
    }
  }

  function snapshot(): void {
    const run = source.run();
    // What waits is in the snapshot already.
    waiting = undefined;
    post({
      type: 'snapshot',
      run: run?.number ?? 0,
      sequence: run?.sequence ?? 0,
      prediction: run ? posted(run.prediction) : null,
      workspace: source.workspace(),
      settings: source.settings(),
      session: source.session(),
      ...(seen ? { observed: seen } : {}),
      ...(shownBanner ? { banner: shownBanner } : {}),
      ...(run?.prediction.ending === undefined ? {} : { unsaved: source.unsaved(run) }),
      ...(refused && !run ? { refusal: refused } : {}),
      ...(run?.action.kind === 'edit'
        ? { edit: editShown(run), consequences: following, ...checkedIn(following) }
        : {}),
      ...(run?.openGate ? { gateOpened: true } : {}),
      ...besideOf(run),
    });
  }

  async function receive(raw: unknown): Promise<void> {
    const { PanelMessage: schema } = await import('../../protocol/panelProtocol.ts');
    const parsed = schema.safeParse(raw);
    if (!parsed.success) {
      log.error('The panel sent a message that is not in the protocol.');
      return;
    }
    if (parsed.data.type !== 'ready') {
      onMessage(parsed.data);
      return;
    }
    isReady = true;
    snapshot();
    wake();
  }

  const provider: vscode.WebviewViewProvider = {
    resolveWebviewView(resolved) {
      view = resolved;
      isReady = false;
      const media = vscode.Uri.joinPath(context.extensionUri, 'dist', 'media');
      const { webview } = resolved;
      webview.options = { enableScripts: true, localResourceRoots: [media] };
      const address = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
      webview.html = panelHtml({
        script: address('predict.js'),
        style: address('predict.css'),
        origin: webview.cspSource,
        nonce: randomBytes(16).toString('base64url'),
      });
      webview.onDidReceiveMessage((raw: unknown) => void receive(raw));
      resolved.onDidChangeVisibility(() => {
        // Hidden, its page is thrown away; it says `ready` when it comes back.
        if (!resolved.visible) isReady = false;
      });
      resolved.onDidDispose(() => {
        if (view === resolved) view = undefined;
        isReady = false;
      });
    },
  };
  const registration = vscode.window.registerWebviewViewProvider(panelView, provider);

  async function reveal(preserveFocus: boolean): Promise<void> {
    if (view?.visible && preserveFocus) return;
    if (view && preserveFocus) view.show(true);
    else await vscode.commands.executeCommand(`${panelView}.focus`, { preserveFocus });
  }

  return {
    reveal: () => reveal(true),
    async focus(on) {
      await reveal(false);
      if (!isReady) await new Promise<void>((resolve) => (wake = resolve));
      post({ type: 'focus', on });
    },
    async refuse(refusal) {
      shownBanner = undefined;
      refused = refusal;
      await reveal(true);
      if (isReady) snapshot();
    },
    show() {
      shownBanner = undefined;
      refused = undefined;
      seen = undefined;
      following = undefined;
      if (isReady) snapshot();
    },
    refresh() {
      if (isReady) snapshot();
    },
    event(run, event) {
      if (!isReady) return;
      if (waiting?.run !== run.number) {
        flush();
        waiting = { run: run.number, first: run.sequence, events: [] };
      }
      waiting.events.push(event);
      const isLast = run.prediction.ending !== undefined;
      if (isLast || event.type === 'asks') flush();
      else timer ??= setTimeout(flush, frameMs);
    },
    observed(run, observed) {
      if (source.run() !== run) return;
      seen = observed;
      post({ type: 'observed', run: run.number, observed });
    },
    consequences(run, consequences) {
      if (source.run() !== run) return;
      following = consequences;
      post({ type: 'consequences', run: run.number, consequences, ...checkedIn(consequences) });
    },
    ended(run) {
      if (source.run() === run) post({ type: 'changed', unsaved: source.unsaved(run) ?? null });
    },
    observedSoFar: () => seen,
    banner(banner) {
      shownBanner = banner ?? undefined;
      post({ type: 'changed', banner });
    },
    changed() {
      const workspace = source.workspace();
      post({ type: 'changed', workspace, settings: source.settings(), session: source.session() });
    },
    dispose() {
      clearTimeout(timer);
      registration.dispose();
    },
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

function editShown({ origin }: Run): EditShown {
  const { title = 'Edit', text, applies = 'edit' } = origin ?? {};
  return { title, applies, ...(text !== undefined && text.length <= longestText ? { text } : {}) };
}
