import { drawing as edit } from 'codicon:edit';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { drawn, icon } from '../shared/icons.ts';
import type { Lab } from './lab.ts';
import type { Draft } from './state.ts';

/** Whether the user is writing this. */
export function isDrafting({ state }: Lab, id: string, what: Draft['what']): boolean {
  const { draft } = state.kept;
  return draft?.id === id && draft.what === what;
}

/** A button that opens a text to be edited in its place. */
export function editButton(lab: Lab, draft: Draft, title: string): TemplateResult {
  return html`<button
    class="icon-button small"
    id="edit-${draft.what}"
    title=${title}
    aria-label=${title}
    aria-pressed=${isDrafting(lab, draft.id, draft.what)}
    @click=${() => lab.dispatch({ type: 'draft', draft })}
  >
    ${drawn(edit)}
  </button>`;
}

let saving: ReturnType<typeof setTimeout> | undefined;

const typed = () => document.querySelector<HTMLTextAreaElement>('#draft')?.value ?? '';

/** The text that is being edited, and what can be done with it. */
export function draftView(lab: Lab, save: string, form: 'shell' | 'json' | 'text'): TemplateResult {
  const { draft } = lab.state.kept;
  if (!draft) return html``;
  const { refusal } = lab.state;
  const rows = Math.min(24, Math.max(3, draft.text.split('\n').length + 1));
  return html`<div class="draft ${form}">
    <textarea
      id="draft"
      class="text-field"
      rows=${rows}
      spellcheck="false"
      aria-label=${save}
      aria-invalid=${refusal !== undefined}
      .value=${draft.text}
      @input=${() => keepSoon(lab, draft)}
      @keydown=${(event: KeyboardEvent) => onKey(lab, draft, event)}
    ></textarea>
    ${refusal === undefined ? nothing : html`<p class="refusal" role="alert">${icon('error')}<span>${refusal}</span></p>`}
    <div class="draft-buttons">
      <button class="primary" title="Ctrl+Enter" @click=${() => send(lab, draft)}>${save}</button>
      <button class="secondary" @click=${() => close(lab)}>Cancel</button>
    </div>
  </div>`;
}

/** The whole draft is stored each time, so not at every key. */
function keepSoon(lab: Lab, draft: Draft): void {
  clearTimeout(saving);
  saving = setTimeout(() => lab.dispatch({ type: 'draft', draft: { ...draft, text: typed() } }), 400);
}

function onKey(lab: Lab, draft: Draft, event: KeyboardEvent): void {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send(lab, draft);
  else if (event.key === 'Escape') close(lab);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function send(lab: Lab, { id, what }: Draft): void {
  clearTimeout(saving);
  const text = typed();
  lab.dispatch({ type: 'draft', draft: { id, what, text } });
  if (what === 'fork') lab.request({ type: 'fork', id, text });
  else lab.request({ type: 'edit', id, what, text });
}

function close(lab: Lab): void {
  clearTimeout(saving);
  lab.dispatch({ type: 'draft', draft: undefined });
}
