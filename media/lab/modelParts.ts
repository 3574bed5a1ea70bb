import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { StepDetail } from '../../src/protocol/labProtocol.ts';
import { counted, duration, grouped } from '../shared/format.ts';
import { icon } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import { ruleWords, tokenWords } from '../shared/modelWords.ts';
import { visibleText } from '../shared/visibleText.ts';
import { isOpen, type Lab } from './lab.ts';
import { labSection } from './labSection.ts';
import { underWords } from './words.ts';

/** How the model came to its answer, folded. */
export function reasoningView(lab: Lab, { reply }: StepDetail): TemplateResult | typeof nothing {
  if (!reply || reply.reasoning === '') return nothing;
  const tokens = reply.usage?.reasoningTokens;
  return labSection(lab, {
    name: 'reasoning',
    title: 'Reasoning',
    startsOpen: false,
    beside: tokens === undefined ? counted(reply.reasoning.length, 'character') : tokenWords(tokens, true),
    content: () =>
      html`<div class="prose boxed" tabindex="0" role="region" aria-label="Reasoning">
        ${longText(reply, 'reasoning', reply.reasoning)}
      </div>`,
  });
}

/** The messages of the prompt: asked for when the part is unfolded, drawn when a message is. */
export function promptView(lab: Lab, detail: StepDetail): TemplateResult | typeof nothing {
  const { id, messages: count, reply } = detail;
  if (count === 0) return nothing;
  const tokens = reply?.usage?.promptTokens;
  const size = tokens === undefined ? '' : ` · ${tokenWords(tokens, reply?.usage?.exact ?? false)}`;
  return labSection(lab, {
    name: 'prompt',
    title: 'Prompt',
    startsOpen: false,
    beside: `${counted(count, 'message')}${size}`,
    buttons: html`<button class="link" @click=${() => lab.send({ type: 'open', id, what: 'prompt' })}>
      Open in an Editor
    </button>`,
    content: () => {
      const { prompt } = lab.state;
      if (prompt?.id !== id) return html`<p class="dim none">Reading…</p>`;
      if (prompt.messages.length === 0)
        return html`<p class="dim none">A step that it begins with is not in the file.</p>`;
      return html`<ol class="messages">
        ${prompt.messages.map((message, index) => messageView(lab, message, index, index === prompt.messages.length - 1))}
      </ol>`;
    },
  });
}

function messageView(
  lab: Lab,
  message: { role: string; content: string },
  index: number,
  startsOpen: boolean,
): TemplateResult {
  const name = `message ${index}`;
  const open = isOpen(lab, name, startsOpen);
  const toggle = () => lab.dispatch({ type: 'fold', what: 'sections', key: name, open: !open });
  const first =
    message.content
      .slice(0, 200)
      .split('\n')
      .find((line) => line.trim() !== '') ?? '';
  return html`<li class="message ${message.role}">
    <button class="fold" aria-expanded=${open} @click=${toggle}>
      ${icon(open ? 'chevronDown' : 'chevronRight')}<span class="role">${message.role}</span
      ><span class="dim message-line">${visibleText(first)}</span
      ><span class="dim">${grouped(message.content.length)}</span>
    </button>
    ${
      open
        ? html`<div class="prose boxed" tabindex="0" role="region" aria-label="Message ${index + 1}">
            ${longText(message, 'content', message.content)}
          </div>`
        : nothing
    }
  </li>`;
}

/** Who was asked, how, and what it took. */
export function numbersView(lab: Lab, detail: StepDetail): TemplateResult | typeof nothing {
  const { reply, way, parameters, prediction, judge } = detail;
  if (!reply && !prediction && !judge) return nothing;
  const { usage } = reply ?? {};
  const rows: (readonly [string, unknown])[] = [
    ['Model', way.model],
    ['Template', way.template],
    ['Under', underWords(way)],
    ['Predicted at', way.at === undefined ? '' : new Date(way.at).toLocaleString()],
    ['Prompt', usage ? `${tokenWords(usage.promptTokens, usage.exact)}${cachedWords(usage)}` : ''],
    ['Reply', usage ? `${tokenWords(usage.completionTokens, usage.exact)}${reasoningWords(usage)}` : ''],
    ['Time', reply ? timeWords(reply) : ''],
    ['Ended', reply ? finishWords(reply.finish) : ''],
    ['Observation', reply?.rule === undefined ? '' : ruleWords(reply.rule)],
    [
      'Parameters',
      parameters
        ? Object.entries(parameters)
            .map(([name, value]) => `${name} ${String(value)}`)
            .join(', ')
        : '',
    ],
    ['Warnings', reply?.warnings.join(' ')],
    ['Judge', judge ? `${judgeWords(judge.dimensions)} (${judge.model})` : ''],
  ];
  const sum = [usage ? tokenWords(usage.completionTokens, usage.exact) : '', reply ? duration(reply.durationMs) : ''];
  return labSection(lab, {
    name: 'numbers',
    title: 'Model and effort',
    startsOpen: false,
    beside: sum.filter(Boolean).join(' · '),
    buttons: reply
      ? html`<button class="link" @click=${() => lab.send({ type: 'open', id: detail.id, what: 'reply' })}>
          Open the Whole Reply
        </button>`
      : nothing,
    content: () =>
      html`<dl class="numbers">
        ${rows
          .filter(([, value]) => value !== undefined && value !== '')
          .map(([name, value]) => html`<dt>${name}</dt><dd>${visibleText(String(value))}</dd>`)}
      </dl>`,
  });
}

type Usage = NonNullable<NonNullable<StepDetail['reply']>['usage']>;

function cachedWords({ cachedTokens, promptTokens }: Usage): string {
  if (!cachedTokens) return '';
  return `, ${grouped(cachedTokens)} cached (${Math.round((100 * cachedTokens) / Math.max(1, promptTokens))} %)`;
}

function reasoningWords({ reasoningTokens }: Usage): string {
  return reasoningTokens === undefined ? '' : `, ${grouped(reasoningTokens)} of them reasoning`;
}

function timeWords({ durationMs, firstTokenMs }: NonNullable<StepDetail['reply']>): string {
  return `${duration(durationMs)}${firstTokenMs === undefined ? '' : `, the first token after ${duration(firstTokenMs)}`}`;
}

function finishWords(finish: NonNullable<StepDetail['reply']>['finish']): string {
  return {
    stop: 'by itself',
    length: 'cut at the limit of its tokens',
    other: 'for another reason',
    failed: 'it failed',
    cancelled: 'cancelled',
  }[finish];
}

function judgeWords(dimensions: Record<string, number>): string {
  return Object.entries(dimensions)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}
