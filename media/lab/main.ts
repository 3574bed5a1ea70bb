import { render } from 'lit/html.js';
import * as z from 'zod/mini';
import { stepFilters } from '../../src/core/trajectory/step/stepFilter.ts';
import { LabHostMessage, type LabMessage } from '../../src/protocol/labProtocol.ts';
import { followKeyboard, hasKeyboard, keepKeyboard } from '../shared/keyboard.ts';
import { onScroll } from '../shared/onScroll.ts';
import { createMemory } from '../shared/remember.ts';
import { paintTree } from '../shared/treeView.ts';
import type { Lab } from './lab.ts';
import { activeId, activePlace, initialState, type Kept, type LabAction, reduce } from './state.ts';
import { labView } from './view.ts';
import './lab.css';

declare function acquireVsCodeApi(): {
  postMessage(message: LabMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

// The content security policy forbids `eval`, which zod would try.
z.config({ jitless: true });

const Folding = z.catchall(z.object({}), z.boolean());
const Stored = z.object({
  active: z.optional(z.string()),
  folding: Folding,
  sections: Folding,
  filters: z.array(z.enum(stepFilters)),
  query: z.string(),
  samples: z.number(),
  draft: z.optional(
    z.object({ id: z.string(), what: z.enum(['action', 'observation', 'note', 'fork']), text: z.string() }),
  ),
});

const code = acquireVsCodeApi();
const root = document.body;
const stored = Stored.safeParse(code.getState());
let frame = 0;
/** Key of the row that was drawn last. */
let drawnKey: string | undefined;
/** What the host was asked for last: a step, as its line was then. */
let wanted: { id: string; summary: unknown } | undefined;
let wantedPrompt: { detail: unknown } | undefined;

const lab: Lab = {
  state: initialState(stored.success ? (stored.data as Kept) : undefined),
  dispatch,
  send: (message) => code.postMessage(message),
  request(message) {
    const request = lab.state.request + 1;
    lab.dispatch({ type: 'asked', request });
    lab.send({ ...message, request });
  },
  list: undefined,
  remember: createMemory(),
};

function dispatch(action: LabAction): void {
  const before = lab.state;
  lab.state = reduce(before, action);
  if (lab.state.kept !== before.kept) code.setState(lab.state.kept);
  if (lab.state.missed && !before.missed) lab.send({ type: 'ready' });
  askForDetail();
  // What the user did is shown at once; what the host sends, once a frame.
  if (action.type !== 'message') draw();
  else frame ||= requestAnimationFrame(draw);
}

/** Asks for what is shown of a step when another one is shown, or its line has changed. */
function askForDetail(): void {
  const id = activeId(lab.state);
  const summary = activePlace(lab.state)?.step;
  if (id !== undefined && summary && (wanted?.id !== id || wanted.summary !== summary)) {
    wanted = { id, summary };
    lab.send({ type: 'want', id });
  }
  const { detail, kept } = lab.state;
  if (detail && detail.messages > 0 && kept.sections['prompt'] && wantedPrompt?.detail !== detail) {
    wantedPrompt = { detail };
    lab.send({ type: 'wantMessages', id: detail.id });
  }
}

const takeKeyboard = followKeyboard(['turns']);

function draw(): void {
  cancelAnimationFrame(frame);
  frame = 0;
  const { draft } = lab.state.kept;
  const hadDraft = document.getElementById('draft') !== null;
  const hadFocus = hasKeyboard();
  render(labView(lab), root);
  const { active } = lab.state.kept;
  const detail = document.getElementById('detail');
  // Another turn begins at its top.
  if (detail && active !== drawnKey) detail.scrollTop = 0;
  drawnKey = active;
  paintList();
  const box = document.querySelector<HTMLTextAreaElement>('#draft');
  if (box && !hadDraft && draft) {
    box.focus();
    if (draft.what === 'fork') box.select();
  }
  if (!box && hadDraft) detail?.focus();
  if (hadFocus) keepKeyboard(['turns']);
  takeKeyboard();
}

function paintList(): void {
  const element = document.getElementById('turns');
  if (element) paintTree(element, lab.list);
}

/** Brings the row that is shown into sight, once, after the page was loaded or the host chose it. */
function revealActive(): void {
  const rows = lab.list?.rows ?? [];
  const index = rows.findIndex(({ node }) => node.key === lab.state.kept.active);
  const pane = document.querySelector('.list-pane .rows');
  if (!pane || index < 0) return;
  const top = index * 22;
  if (top < pane.scrollTop || top + 22 > pane.scrollTop + pane.clientHeight) {
    pane.scrollTop = Math.max(0, top - pane.clientHeight / 2);
  }
  paintList();
}

window.addEventListener('message', (event: MessageEvent) => {
  const parsed = LabHostMessage.safeParse(event.data);
  if (!parsed.success) {
    console.error('The editor does not understand a message of the host:', parsed.error.issues);
    return;
  }
  const message = parsed.data;
  dispatch({ type: 'message', message });
  if (message.type === 'select' || message.type === 'snapshot') {
    draw();
    revealActive();
  }
  if (message.type === 'snapshot' && lab.state.kept.query !== '') {
    lab.send({ type: 'search', query: lab.state.kept.query });
  }
});
onScroll(root, paintList);
root.addEventListener('keydown', (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key === 'f') {
    event.preventDefault();
    document.querySelector<HTMLInputElement>('#search')?.select();
  }
});
new ResizeObserver(paintList).observe(root);
draw();
lab.send({ type: 'ready' });
