import { drawing as editIcon } from 'codicon:edit';
import { drawing as goToFile } from 'codicon:go-to-file';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { AskedQuestion } from '../../src/core/prediction/question.ts';
import type { Panel } from '../predict/panel.ts';
import { modelShown } from '../predict/state.ts';
import { drawn } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import { tokenCount } from '../shared/modelWords.ts';
import { partWords, type SentBlock, type SentMessage } from '../shared/promptParts.ts';
import { visibleText } from '../shared/visibleText.ts';
import { foldButton, isOpen } from './foldButton.ts';

/** Blocks of at most this length are unfolded with their message. */
const shortLength = 1200;

/** All messages of a prompt, folded: a text is only drawn when somebody unfolds it. */
export function messagesView(panel: Panel, question: AskedQuestion, messages: readonly SentMessage[]): TemplateResult {
  return html`<ol class="messages">
    ${messages.map((message) => messageView(panel, question, message, message.index === messages.length - 1))}
  </ol>`;
}

function messageView(panel: Panel, question: AskedQuestion, message: SentMessage, isLast: boolean): TemplateResult {
  const { index, role, blocks } = message;
  const name = `message ${question.id}.${index}`;
  const open = isOpen(panel, name, isLast);
  const { draft } = modelShown(panel.state);
  const edited = draft?.question === question.id && draft.message === index ? draft : undefined;
  const only = blocks.length === 1 ? blocks[0] : undefined;
  return html`<li class="message ${role}">
    <div class="message-title">
      ${foldButton(
        panel,
        name,
        open,
        html`<span class="role">${role}</span>${
          only
            ? blockName(only)
            : html`<span class="message-name" title=${partNames(blocks)}>${partNames(blocks)}</span>`
        }`,
      )}
      ${weightView(message)}
      ${
        edited
          ? draftButtons(panel, question, message)
          : html`<button
                class="icon-button"
                id="edit-${index}"
                title="Edit and Predict Again"
                aria-label="Edit message ${index + 1} and predict again"
                @click=${() => edit(panel, question, message)}
              >
                ${drawn(editIcon)}
              </button>
              <button
                class="icon-button"
                title="Open in an Editor"
                aria-label="Open message ${index + 1} in an editor"
                @click=${() => openMessage(panel, question, index)}
              >
                ${drawn(goToFile)}
              </button>`
      }
    </div>
    ${edited ? draftView(panel, question, message, edited.text) : open ? textsView(panel, question, message) : nothing}
  </li>`;
}

function partNames(blocks: readonly SentBlock[]): string {
  return [...new Set(blocks.map(({ part }) => partWords[part]))].join(', ');
}

function blockName({ part, title }: SentBlock): TemplateResult {
  const words = partWords[part];
  const name = visibleText(title) || words;
  return html`<span class="swatch ${part}"></span
    ><span class="message-name" title=${`${words}: ${name}`}
      >${name}${name === words ? nothing : html` <span class="dim">${words}</span>`}</span
    >`;
}

/** Tokens of a message or a block, and whether the server had them in its cache. */
function weightView({ cached, tokens, exact }: Pick<SentBlock, 'cached' | 'tokens' | 'exact'>): TemplateResult {
  const words = { whole: 'cached · ', part: 'partly cached · ', none: '' }[cached];
  const { count, unit } = tokenCount(tokens, exact);
  const how = exact ? 'Counted by the model’s own tokenizer' : 'Estimated: the server has not counted this';
  return html`<span class="dim effort" title=${how}
    ><span class="where-wide">${words}</span>${count}<span class="where-wide">\u00a0${unit}</span></span
  >`;
}

function textsView(panel: Panel, question: AskedQuestion, { index, content, blocks }: SentMessage): TemplateResult {
  if (blocks.length === 1) return textView(question, `message ${index}`, content);
  return html`<ol class="blocks">
    ${blocks.map((block, at) => {
      const name = `block ${question.id}.${index}.${at}`;
      const open = isOpen(panel, name, block.end - block.start <= shortLength);
      return html`<li class="prompt-block">
        <div class="message-title">
          ${foldButton(panel, name, open, blockName(block))}${weightView(block)}
        </div>
        ${open ? textView(question, `message ${index}.${at}`, content.slice(block.start, block.end)) : nothing}
      </li>`;
    })}
  </ol>`;
}

function textView(question: AskedQuestion, name: string, text: string): TemplateResult {
  return html`<div class="model-text prompt-text" role="region" aria-label="Text of the message" tabindex="0">
    ${longText(question, name, text)}
  </div>`;
}

function openMessage(panel: Panel, { id }: AskedQuestion, message: number): void {
  panel.send({ type: 'openQuestion', run: panel.state.run, question: id, what: 'message', message });
}

function edit(panel: Panel, { id }: AskedQuestion, { index, content }: SentMessage): void {
  panel.dispatch({ type: 'model', shown: { draft: { question: id, message: index, text: content } } });
  document.getElementById('message-draft')?.focus();
}

let saving: ReturnType<typeof setTimeout> | undefined;

/** The message as it stands in the box. */
function typed(): string | undefined {
  return document.querySelector<HTMLTextAreaElement>('#message-draft')?.value;
}

/** The whole draft is stored each time, so not at every key. */
function saveSoon(panel: Panel, question: number, message: number): void {
  clearTimeout(saving);
  saving = setTimeout(() => {
    const text = typed();
    if (text !== undefined) panel.dispatch({ type: 'model', shown: { draft: { question, message, text } } });
  }, 400);
}

function closeDraft(panel: Panel, message: number): void {
  clearTimeout(saving);
  panel.dispatch({ type: 'model', shown: { draft: undefined } });
  document.getElementById(`edit-${message}`)?.focus();
}

function sendDraft(panel: Panel, question: number, message: number): void {
  clearTimeout(saving);
  panel.send({ type: 'askAgain', run: panel.state.run, question, message, content: typed() ?? '' });
}

function draftButtons(panel: Panel, { id }: AskedQuestion, { index }: SentMessage): TemplateResult {
  return html`<span class="actions">
    <button class="primary" title="Ctrl+Enter" @click=${() => sendDraft(panel, id, index)}>Predict Again</button>
    <button class="secondary" @click=${() => closeDraft(panel, index)}>Cancel</button>
  </span>`;
}

function draftView(panel: Panel, { id }: AskedQuestion, { index, content }: SentMessage, text: string): TemplateResult {
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) sendDraft(panel, id, index);
    else if (event.key === 'Escape' && typed() === content) closeDraft(panel, index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<div class="draft">
    <textarea
      id="message-draft"
      spellcheck="false"
      aria-label="Text of message ${index + 1}"
      .value=${text}
      @input=${() => saveSoon(panel, id, index)}
      @keydown=${onKey}
    ></textarea>
    <p class="dim">Only this message of the prompt is changed, for one prediction.</p>
  </div>`;
}
