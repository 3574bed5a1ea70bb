import { render } from 'lit/html.js';
import * as z from 'zod/mini';
import { HostMessage, type PanelMessage } from '../../src/protocol/panelProtocol.ts';
import { followKeyboard, hasKeyboard, keepKeyboard } from '../shared/keyboard.ts';
import { onScroll } from '../shared/onScroll.ts';
import { outputTemplate, takeTheme } from '../shared/outputView.ts';
import { createMemory } from '../shared/remember.ts';
import { paintTree } from '../shared/treeView.ts';
import { outputMemory } from './factsView.ts';
import { panelTree } from './listViews.ts';
import type { Panel } from './panel.ts';
import { initialState, type Kept, needsModel, type PanelAction, reduce, shownScript, type TreeName } from './state.ts';
import './predict.css';
import { panelView } from './view.ts';
import { warmUp } from './warmUp.ts';

declare function acquireVsCodeApi(): {
  postMessage(message: PanelMessage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

// The content security policy forbids `eval`, which zod would try.
z.config({ jitless: true });

const Folding = z.catchall(z.object({}), z.boolean());
const Stored = z.object({
  draft: z.optional(z.object({ text: z.string(), run: z.number() })),
  sections: Folding,
  folding: z.catchall(z.object({}), Folding),
  model: z.optional(
    z.object({
      run: z.number(),
      view: z.enum(['prediction', 'prompt']),
      open: Folding,
      draft: z.optional(z.object({ question: z.number(), message: z.number(), text: z.string() })),
    }),
  ),
});

const code = acquireVsCodeApi();
/** The other scripts stand beside this one. */
const address = (document.currentScript as HTMLScriptElement).src;
const asked = new Set<'later' | 'model'>();
const root = document.body;
const stored = Stored.safeParse(code.getState());
/** When the user asked for the prediction that comes next, on the clock of `performance.now()`. */
let askedAtMs: number | undefined;
let askedInRun = -1;
/** What was reported as painted, for the current run. */
let painted = { run: -1, what: new Set<string>() };
let frame = 0;
let isHeld = false;
const patienceMs = 120;
let patience: ReturnType<typeof setTimeout> | undefined;
let again: ReturnType<typeof setTimeout> | undefined;
let begun = { run: -1, atMs: 0 };
/** Facts of an earlier prediction are on the screen. */
let showsFacts = false;

const panel: Panel = {
  state: initialState(stored.success ? (stored.data as Kept) : undefined),
  dispatch,
  together(change) {
    isHeld = true;
    try {
      change();
    } finally {
      isHeld = false;
    }
    draw();
  },
  send: (message) => code.postMessage(message),
  predict(event, how = 'predict') {
    const script = shownScript(panel.state);
    if (!script.trim()) {
      const { edit, run } = panel.state;
      if (edit) panel.send({ type: 'predictAgain', run });
      return;
    }
    askedAtMs = event.timeStamp;
    askedInRun = panel.state.run;
    panel.send({ type: how, script });
  },
  later: undefined,
  model: undefined,
  redraw(inMs) {
    if (inMs) again ??= setTimeout(draw, inMs);
    else draw();
  },
  tree: (name, label, roots, behaviour) => panelTree(panel, name, label, roots, behaviour),
  output: (name, of, pieces) => outputTemplate(outputMemory(panel, name, of, pieces), false),
  trees: new Map(),
  outputs: new Map(),
  remember: createMemory(),
};

function dispatch(action: PanelAction): void {
  const before = panel.state;
  panel.state = reduce(before, action);
  if (panel.state.kept !== before.kept) code.setState(panel.state.kept);
  if (panel.state.missed && !before.missed) panel.send({ type: 'ready' });
  if (isHeld) return;
  // What the user did is shown at once, and so is a verdict; what else the host sends, once a frame.
  if (action.type !== 'message' || hasJustEnded()) draw();
  else if (isJustBegun()) patience ??= setTimeout(draw, patienceMs);
  // A list of that length takes longer than a frame, and nobody reads it while it grows.
  else if (isLongAndGrows()) again ??= setTimeout(draw, patienceMs * 2);
  else frame ||= requestAnimationFrame(draw);
}

/**
 * Most predictions are over before an eye can follow: what is shown stays until there is something to show, so that
 * the panel does not flicker through "predicting".
 */
function isJustBegun(): boolean {
  const { run, prediction } = panel.state;
  if (run !== begun.run) begun = { run, atMs: performance.now() };
  const { ending, asks } = prediction ?? {};
  const isOpen = prediction !== undefined && !ending && asks === undefined;
  return isOpen && showsFacts && performance.now() - begun.atMs < patienceMs;
}

/** More and more files come in. */
function isLongAndGrows(): boolean {
  const { prediction, tree } = panel.state;
  return prediction?.ending === undefined && tree.nodes.size > 5_000;
}

/** It has ended, and that is not on the screen yet. */
function hasJustEnded(): boolean {
  const { run, prediction } = panel.state;
  return prediction?.ending !== undefined && !(painted.run === run && painted.what.has('ended'));
}

function draw(): void {
  cancelAnimationFrame(frame);
  clearTimeout(patience);
  clearTimeout(again);
  frame = 0;
  patience = undefined;
  again = undefined;
  const wasAsked = document.getElementById('answer') !== null;
  const hadMenu = document.querySelector('[role=menu]') !== null;
  const hadFocus = hasKeyboard();
  panel.trees.clear();
  render(panelView(panel), root);
  // Behind the first look, which must not wait.
  if (panel.state.connected) void load('later');
  if (needsModel(panel.state)) void load('model');
  showsFacts = panel.state.prediction !== undefined;
  paintTrees();
  growCommand();
  const answer = document.getElementById('answer');
  // Whoever works in the panel is led to the question; nobody is pulled out of an editor.
  if (answer && !wasAsked && (hadFocus || document.hasFocus())) answer.focus();
  if (!hadMenu) document.querySelector<HTMLElement>('[role=menuitem]')?.focus();
  if (hadFocus) keepKeyboard(['answer', 'verdict', 'command']);
  reportPainted();
}

/** Loads what a first look does not need: it would be half of the script. */
async function load(name: 'later' | 'model'): Promise<void> {
  if (asked.has(name)) return;
  asked.add(name);
  try {
    Object.assign(panel, { [name]: await import(new URL(`${name}.js`, address).href) });
    draw();
  } catch (error) {
    console.error(`The script ${name}.js of the panel cannot be loaded:`, error);
  }
}

function paintTrees(): void {
  for (const element of root.querySelectorAll<HTMLElement>('[role=tree]')) {
    paintTree(element, panel.trees.get(element.id as TreeName));
  }
}

function growCommand(): void {
  const box = document.getElementById('command');
  if (!box) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}

function reportPainted(): void {
  const { run, prediction } = panel.state;
  if (!prediction) return;
  if (painted.run !== run) painted = { run, what: new Set() };
  const reached = ['first' as const];
  const seen: ('first' | 'verdict' | 'ended')[] = reached;
  if (prediction.verdict.level !== undefined) seen.push('verdict');
  if (prediction.ending !== undefined) seen.push('ended');
  const fresh = seen.filter((what) => !painted.what.has(what));
  if (fresh.length === 0) return;
  const sinceMs = run !== askedInRun ? askedAtMs : undefined;
  for (const what of fresh) painted.what.add(what);
  if (painted.what.has('ended')) askedAtMs = undefined;
  // A task that is queued inside of the frame runs after the frame was painted.
  requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      for (const what of fresh) {
        performance.mark(`foretell-painted-${what}-${run}`);
        const sinceKeyMs = sinceMs === undefined ? {} : { sinceKeyMs: performance.now() - sinceMs };
        panel.send({ type: 'painted', run, what, atMs: Date.now(), ...sinceKeyMs });
      }
    };
    port2.postMessage(0);
  });
}

let reported = '';
let measuring: ReturnType<typeof setTimeout> | undefined;

function onResize(): void {
  growCommand();
  paintTrees();
  clearTimeout(measuring);
  measuring = setTimeout(reportSize, 200);
}

/** How many characters fit into the output, so that programs format for what the user sees. */
function reportSize(): void {
  const probe = document.querySelector<HTMLElement>('.probe');
  const place =
    document.querySelector<HTMLElement>('.happens .output') ?? document.querySelector<HTMLElement>('.panel');
  if (!probe || !place) return;
  const { width, height } = probe.getBoundingClientRect();
  const columns = Math.floor((place.clientWidth - 24) / (width / 50));
  const rows = Math.floor(window.innerHeight / height);
  if (!(columns > 0 && rows > 0)) return;
  const size = { columns: Math.max(20, Math.min(columns, 500)), rows: Math.max(10, Math.min(rows, 200)) };
  if (reported === `${size.columns}x${size.rows}`) return;
  reported = `${size.columns}x${size.rows}`;
  panel.send({ type: 'resize', ...size });
}

function onMessage(event: MessageEvent): void {
  const parsed = HostMessage.safeParse(event.data);
  if (!parsed.success) {
    console.error('The panel does not understand a message of the host:', parsed.error.issues);
    dispatch({ type: 'notUnderstood' });
    return;
  }
  const message = parsed.data;
  dispatch({ type: 'message', message });
  if (message.type === 'focus') {
    if (frame || again) draw();
    document.getElementById(message.on)?.focus();
  }
  if (message.type === 'snapshot' || (message.type === 'changed' && message.settings)) {
    const { family, sizePixels } = panel.state.settings.terminalFont ?? {};
    setVariable('--terminal-font', family);
    setVariable('--terminal-font-size', sizePixels === undefined ? undefined : `${sizePixels}px`);
    onResize();
  }
}

function setVariable(name: string, value: string | undefined): void {
  if (value) document.documentElement.style.setProperty(name, value);
  else document.documentElement.style.removeProperty(name);
}

window.addEventListener('message', onMessage);
window.addEventListener('keydown', (event) => panel.later?.findKey(panel, event), { capture: true });
onScroll(root, paintTrees);
root.addEventListener('click', (event) => {
  const inMenu = (event.target as Element).closest('.menu-place');
  if ((panel.state.open === 'copy' || panel.state.open === 'past') && !inMenu)
    dispatch({ type: 'open', what: undefined });
});
new ResizeObserver(onResize).observe(root);
// VS Code names the theme in the body's class and attributes, after it has set the variables.
new MutationObserver(() => takeTheme(document.documentElement)).observe(root, { attributes: true });
takeTheme(document.documentElement);
draw();
followKeyboard(['answer', 'command', 'verdict']);
panel.send({ type: 'ready' });
requestIdleCallback(() => warmUp(panel));
