import { drawing as history } from 'codicon:history';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { HeadlineKind } from '../../../src/core/facts/headline.ts';
import type { PastCommand } from '../../../src/protocol/panelProtocol.ts';
import type { Panel } from '../../predict/panel.ts';
import { scriptOf, shownScript } from '../../predict/state.ts';
import { shownPath } from '../../shared/format.ts';
import { drawn, type IconName, icon } from '../../shared/icons.ts';
import { menuKey } from '../menuKey.ts';

/** Each has a shape of its own, and its word stands beside it. */
const marks: Record<HeadlineKind, [IconName, string]> = {
  safe: ['pass', 'safe'],
  caution: ['warning', 'caution'],
  danger: ['error', 'danger'],
  fails: ['close', 'fails'],
  newErrors: ['error', 'new errors'],
  unknown: ['question', 'unknown'],
};

/** Opens the list of commands that were predicted before. */
export function pastButton(panel: Panel): TemplateResult | typeof nothing {
  if (panel.state.past.length === 0) return nothing;
  const isOpen = panel.state.open === 'past';
  return html`<button
    class="icon-button"
    id="past"
    type="button"
    title="Earlier Predictions (Up brings back one after the other)"
    aria-label="Earlier Predictions"
    aria-haspopup="menu"
    aria-expanded=${isOpen}
    @click=${(event: Event) => {
      // What closes menus is told of clicks elsewhere.
      event.stopPropagation();
      panel.dispatch({ type: 'open', what: isOpen ? undefined : 'past' });
    }}
  >
    ${drawn(history)}<span class="label">Earlier</span>
  </button>`;
}

/** Commands that were predicted before, to be predicted again as the files are now. */
export function pastView(panel: Panel): TemplateResult {
  const close = () => {
    panel.dispatch({ type: 'open', what: undefined });
    document.getElementById('past')?.focus();
  };
  const choose = ({ atMs }: PastCommand) => {
    panel.send({ type: 'bringBack', atMs });
    close();
    document.getElementById('command')?.focus();
  };
  return html`<div class="menu past" role="menu" aria-label="Earlier Predictions" @keydown=${(event: KeyboardEvent) => menuKey(event, close)}>
    ${panel.state.past.map((past) => pastRow(panel, past, () => choose(past)))}
  </div>`;
}

function pastRow(panel: Panel, { script, cwd, headline, atMs }: PastCommand, onClick: () => void): TemplateResult {
  const { workspace, session } = panel.state;
  const [name, word] = marks[headline];
  const where = shownPath(cwd, workspace.folders, workspace.home);
  const title = `${script}\nin ${where}, ${new Date(atMs).toLocaleString()}`;
  return html`<button role="menuitem" tabindex="-1" title=${title} @click=${onClick}>
    <span class="past-mark ${headline}">${icon(name)}<span>${word}</span></span><code>${script.split('\n').join(' ↵ ')}</code
    >${cwd === session.cwd ? nothing : html`<span class="where">${where}</span>`}
  </button>`;
}

/** What stood in the box before the first command was brought back. */
let typed = '';

/** Up and Down in the box bring back commands of before, as in a shell. */
export function recallKey(panel: Panel, event: KeyboardEvent): void {
  const { key, shiftKey, altKey, ctrlKey, metaKey } = event;
  if ((key !== 'ArrowUp' && key !== 'ArrowDown') || shiftKey || altKey || ctrlKey || metaKey) return;
  const box = event.target as HTMLTextAreaElement;
  const { value, selectionStart, selectionEnd } = box;
  const isUp = key === 'ArrowUp';
  // In a command of several lines the key walks the lines first.
  const beyond = isUp ? value.slice(0, selectionStart) : value.slice(selectionEnd);
  if (selectionStart !== selectionEnd || beyond.includes('\n')) return;
  const scripts = [...new Set(panel.state.past.map(({ script }) => script))];
  const shown = shownScript(panel.state);
  const at = scripts.indexOf(shown);
  if (at < 0) typed = shown;
  const next = at + (isUp ? 1 : -1);
  const text = next < 0 ? typed : scripts[next];
  if (text === undefined || (at < 0 && !isUp)) return;
  event.preventDefault();
  const isShown = text === scriptOf(panel.state.prediction) && !panel.state.session.endsWithShown;
  panel.dispatch(isShown ? { type: 'restore' } : { type: 'edit', text });
  box.setSelectionRange(text.length, text.length);
}
