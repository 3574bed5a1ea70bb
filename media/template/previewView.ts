import { drawing as goToFile } from 'codicon:go-to-file';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { PreviewedPart, PreviewedPrompt } from '../../src/protocol/templateProtocol.ts';
import { cssom } from '../shared/cssom.ts';
import { grouped } from '../shared/format.ts';
import { drawn, icon } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import { tokenWords } from '../shared/modelWords.ts';
import { partWords } from '../shared/promptParts.ts';
import { visibleText } from '../shared/visibleText.ts';

/** What the page shows. */
export interface PreviewState {
  prompt?: PreviewedPrompt;
  problem?: string;
  /** What the reader has folded or unfolded, by name. */
  open: Record<string, boolean>;
}

/** What the reader can do. */
export interface PreviewActions {
  toggle(name: string, open: boolean): void;
  /** Shows a place of the template in the editor. */
  reveal(offset: number): void;
}

/** Parts that a reader of a template looks at first. */
const startsOpen: readonly PreviewedPart['part'][] = ['template', 'condition', 'action', 'suffix'];

/** The whole page: everything in it is text. */
export function previewView({ prompt, problem, open }: PreviewState, actions: PreviewActions): TemplateResult {
  return html`<main class="preview" aria-busy=${prompt || problem ? 'false' : 'true'}>
    ${problem ? html`<p class="banner" role="alert">${icon('warning')}<span>${visibleText(problem)}</span></p>` : nothing}
    ${prompt ? promptView(prompt, open, actions) : problem ? nothing : html`<p class="dim">Rendering…</p>`}
  </main>`;
}

function promptView(prompt: PreviewedPrompt, open: PreviewState['open'], actions: PreviewActions): TemplateResult {
  const parts = prompt.messages.flatMap((message) => message.parts);
  const all = sum(parts);
  return html`<header>
      <h1>${visibleText(prompt.name)} <span class="dim">for</span> <code>${visibleText(prompt.asks)}</code></h1>
      <p class="facts">
        <span class="total">${tokenWords(all.tokens, all.exact)}</span>
        <span class="dim">${countedWords(parts)}</span>
      </p>
      ${barView(parts)}
      ${prompt.prefix ? html`<p class="note">${icon('info')}<span>${visibleText(prompt.prefix)}.</span></p>` : nothing}
      ${prompt.notes.map((note) => html`<p class="note">${icon('info')}<span>${visibleText(note)}</span></p>`)}
    </header>
    ${prompt.messages.map(
      ({ role, parts: own }, index) => html`<section class="message">
        <h2><span>${role}</span><span class="tokens">${words(sum(own))}</span></h2>
        ${own.map((part, at) => partView(part, `${index}.${at}.${part.title}`, open, actions))}
      </section>`,
    )}`;
}

function partView(
  part: PreviewedPart,
  name: string,
  open: PreviewState['open'],
  actions: PreviewActions,
): TemplateResult {
  const isOpen = open[name] ?? startsOpen.includes(part.part);
  const { source } = part;
  const title = visibleText(part.title) || partWords[part.part];
  return html`<section class="part" data-start=${source ? String(source.start) : nothing}>
    <h3>
      <button class="fold" aria-expanded=${isOpen} @click=${() => actions.toggle(name, !isOpen)}>
        ${icon(isOpen ? 'chevronDown' : 'chevronRight')}<span class="swatch ${part.part}"></span>
        <span class="part-title">${title}</span>
        ${title === partWords[part.part] ? nothing : html`<span class="dim">${partWords[part.part]}</span>`}
      </button>
      <span class="tokens">${words(part)}</span>
      ${
        source
          ? html`<button
              class="icon-button"
              title="Show in the Editor"
              aria-label="Show ${title} in the editor"
              @click=${() => actions.reveal(source.start)}
            >
              ${drawn(goToFile)}
            </button>`
          : html`<span class="icon-place"></span>`
      }
    </h3>
    ${
      isOpen
        ? html`<div class="part-text" role="region" aria-label=${title} tabindex="0">${longText(part, name, part.text)}</div>`
        : nothing
    }
  </section>`;
}

function barView(parts: readonly PreviewedPart[]): TemplateResult {
  const shares = new Map<PreviewedPart['part'], PreviewedPart[]>();
  for (const part of parts) shares.set(part.part, [...(shares.get(part.part) ?? []), part]);
  return html`<div class="token-bar" aria-hidden="true">
      ${parts.map(({ part, tokens }) => html`<span class="swatch ${part}" style=${cssom({ 'flex-grow': String(tokens) })}></span>`)}
    </div>
    <ul class="token-legend" aria-label="Tokens by part">
      ${[...shares].map(
        ([part, own]) =>
          html`<li><span class="swatch ${part}"></span>${partWords[part]} <span class="dim">${words(sum(own))}</span></li>`,
      )}
    </ul>`;
}

function sum(parts: readonly PreviewedPart[]): { tokens: number; exact: boolean } {
  return {
    tokens: parts.reduce((all, { tokens }) => all + tokens, 0),
    exact: parts.length > 0 && parts.every(({ exact }) => exact),
  };
}

function words({ tokens, exact }: { tokens: number; exact: boolean }): string {
  return `${exact ? '' : '≈\u00a0'}${grouped(tokens)}`;
}

function countedWords(parts: readonly PreviewedPart[]): string {
  const counted = parts.filter(({ exact }) => exact).length;
  if (counted === parts.length) return 'counted with the model’s own tokenizer; not sent';
  return counted === 0 ? 'estimated (≈); not sent' : 'partly counted, the others estimated (≈); not sent';
}
