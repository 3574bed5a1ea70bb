import { drawing as checklist } from 'codicon:checklist';
import { drawing as telescope } from 'codicon:telescope';
import { drawing as trash } from 'codicon:trash';
import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { EditShown } from '../../../src/protocol/editProtocol.ts';
import type { Panel } from '../../predict/panel.ts';
import { modelShown } from '../../predict/state.ts';
import { grouped } from '../../shared/format.ts';
import { drawn, icon } from '../../shared/icons.ts';
import { consequencesOf } from './consequencesView.ts';

/** What is longer is only kept while the panel is shown, for it is stored with each key. */
const longestKept = 1_000_000;
/** A long text of the edit as it was changed and not predicted yet. */
let longDraft: { run: number; text: string } | undefined;

/** Tells one text from another well enough: the number of a prediction counts anew in each window. */
function markOf(text: string): number {
  let mark = text.length;
  for (let at = 0; at < Math.min(text.length, 4_000); at += 1) mark = (mark * 31 + text.charCodeAt(at)) % 1_000_000_007;
  return mark;
}

function editOf(panel: Panel): EditShown {
  const { edit } = panel.state;
  return panel.remember('edit', [edit], () => {
    const parsed = EditShown.safeParse(edit);
    return parsed.success ? parsed.data : { title: 'Edit', applies: 'nothing' };
  });
}

/** What the edit is, in place of a command; where it was read from a text, with that to be changed. */
export function editView(panel: Panel): TemplateResult {
  const { title, text } = editOf(panel);
  const { lines } = consequencesOf(panel) ?? {};
  const isOpen = panel.state.kept.sections['editText'] ?? false;
  return html`<div class="edit">
    <p class="edit-action">
      ${
        text === undefined
          ? icon('changes')
          : html`<button
              class="fold"
              aria-expanded=${isOpen}
              aria-label="Text of the edit"
              title=${isOpen ? 'Hide the text of the edit' : 'Show the text of the edit'}
              @click=${() => panel.dispatch({ type: 'section', name: 'editText', open: !isOpen })}
            >
              ${icon(isOpen ? 'chevronDown' : 'chevronRight')}
            </button>`
      }
      <span
        ><strong>${title}</strong>${
          lines && lines.added + lines.removed > 0
            ? html` <span class="dim">+${grouped(lines.added)} −${grouped(lines.removed)} lines</span>`
            : nothing
        }</span
      >
    </p>
    ${text !== undefined && isOpen ? textView(panel, text) : nothing}
  </div>`;
}

function textView(panel: Panel, text: string): TemplateResult {
  const { run } = panel.state;
  // Read when a key is pressed: what was typed just before may not be drawn yet.
  const current = () => {
    if (longDraft?.run === run) return longDraft.text;
    const { draft } = modelShown(panel.state);
    return draft?.question === 0 && draft.message === markOf(text) ? draft.text : text;
  };
  const shown = current();
  const change = (next: string | undefined) => {
    const isLong = next !== undefined && next.length > longestKept;
    longDraft = isLong ? { run, text: next } : undefined;
    const draft = next === undefined || isLong ? undefined : { question: 0, message: markOf(text), text: next };
    panel.dispatch({ type: 'model', shown: { draft } });
    panel.redraw(0);
  };
  const predict = () => {
    if (current().trim()) panel.send({ type: 'predict', script: current() });
  };
  return html`<form
    class="edit-text"
    @submit=${(event: Event) => {
      event.preventDefault();
      predict();
    }}
  >
    <textarea
      id="edit-text"
      aria-label="Text of the edit"
      aria-describedby="edit-keys"
      rows=${Math.min(Math.max(shown.split('\n').length, 3), 14)}
      spellcheck="false"
      autocomplete="off"
      .value=${live(shown)}
      @input=${(event: Event) => change((event.target as HTMLTextAreaElement).value)}
      @keydown=${(event: KeyboardEvent) => {
        if (event.isComposing) return;
        if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
          event.preventDefault();
          predict();
        } else if (event.key === 'Escape' && current() !== text) {
          event.preventDefault();
          event.stopPropagation();
          change(undefined);
        }
      }}
    ></textarea>
    <p class="actions">
      <button class="secondary" type="submit" ?disabled=${!shown.trim()}>${drawn(telescope)}Predict This Text</button>
      <span class="dim" id="edit-keys">Enter predicts, Shift and Enter begins a new line, Escape restores</span>
    </p>
  </form>`;
}

/** What can be done with a predicted edit. */
export function editButtons(panel: Panel): TemplateResult {
  const { run, observed, prediction, workspace } = panel.state;
  const { applies } = editOf(panel);
  const works = prediction?.ending === 'done' || prediction?.ending === 'abstained';
  const isApplied = observed?.state === 'ended' || observed?.state === 'running';
  const changes = prediction !== undefined && prediction.files.length > 0;
  return html`${
    applies !== 'nothing' && works && changes
      ? html`<button
          class="primary"
          title=${applies === 'save' ? 'Save these editors' : 'Change the files; Undo in the editor takes it back'}
          ?disabled=${isApplied || !workspace.trusted}
          @click=${() => panel.send({ type: 'applyForReal', run })}
        >
          ${icon('check')}Apply for Real
        </button>`
      : nothing
  }${
    applies === 'edit' && works && changes
      ? html`<button
          class="secondary"
          title="Show the edit in a Refactor Preview and choose what of it is applied"
          ?disabled=${isApplied || !workspace.trusted}
          @click=${() => panel.send({ type: 'applyForReal', run, chooses: true })}
        >
          ${drawn(checklist)}Choose…
        </button>`
      : nothing
  }<button class="secondary" title=${applies === 'save' ? 'Take this prediction away; the editors stay as they are' : 'Take this prediction away'} @click=${() => panel.send({ type: 'discard', run })}>
      ${applies === 'save' ? html`${icon('close')}Close` : html`${drawn(trash)}Discard`}
    </button>`;
}
