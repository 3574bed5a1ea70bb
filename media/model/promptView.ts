import { drawing as lock } from 'codicon:lock';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type { AskedQuestion } from '../../src/core/prediction/question.ts';
import type { PanelMessage } from '../../src/protocol/panelProtocol.ts';
import type { Panel } from '../predict/panel.ts';
import { section } from '../predict/section.ts';
import { basisBadge } from '../shared/basis.ts';
import { cssom } from '../shared/cssom.ts';
import { duration, grouped } from '../shared/format.ts';
import { drawn, icon } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import { questionEffort, stateIcons, stateOf, stateWords, tokenWords } from '../shared/modelWords.ts';
import { partRuns, partShares, partWords, sentMessages } from '../shared/promptParts.ts';
import type { TreeNode } from '../shared/tree.ts';
import { visibleText } from '../shared/visibleText.ts';
import { messagesView } from './messagesView.ts';
import { titleView } from './modelView.ts';

interface QuestionNode extends TreeNode {
  question: AskedQuestion;
}

/** What exactly was sent to the model, question by question. */
export function promptView(panel: Panel, prediction: Prediction): TemplateResult {
  const { questions } = prediction;
  const chosen = questions.find(({ id }) => String(id) === panel.state.active.questions) ?? questions[0];
  return html`<div class="facts prompt-view" id="view-prompt" role="tabpanel" aria-labelledby="tab-prompt">
    ${questions.length > 1 ? html`<div class="question-list">${listView(panel, prediction)}</div>` : nothing}
    ${chosen ? html`<div class="question-parts">${questionView(panel, prediction, chosen)}</div>` : nothing}
  </div>`;
}

function listView(panel: Panel, { questions, ending }: Prediction): TemplateResult {
  const nodes = panel.remember('questions', [questions, questions.length], () =>
    questions.map((question): QuestionNode => ({ key: String(question.id), label: question.title, question })),
  );
  const running = ending === undefined;
  return panel.tree<QuestionNode>('questions', 'Questions to the model', nodes, {
    content: ({ question }) => {
      const { tokens, reply } = question;
      const time = reply ? ` · ${duration(reply.durationMs)}` : '';
      const title = [question.title, tokenWords(tokens.count, tokens.exact), cachedWords(question)].filter(Boolean);
      return html`<span class="asked-state">${icon(stateIcons[stateOf(question, running)])}</span>
        <span class="name" title=${title.join('\n')}>${titleView(panel, question, true)}</span><span class="detail"></span>
        <span class="size">${tokens.exact ? '' : '≈\u00a0'}${grouped(tokens.count)}${time}</span>`;
    },
    spoken: (node) => ['tokens', cachedWords(node.question), stateWords[stateOf(node.question, running)]].join(' '),
    rowClass: ({ question }) => stateOf(question, running),
    onOpen: () => {},
  });
}

function cachedWords({ reply }: AskedQuestion): string {
  const { cachedTokens, promptTokens = 0 } = reply?.usage ?? {};
  if (!cachedTokens || promptTokens === 0) return '';
  return `${grouped(cachedTokens)} cached (${percent(cachedTokens / promptTokens)})`;
}

function firstTokenWords({ reply }: AskedQuestion): string {
  return reply?.firstTokenMs === undefined ? '' : ` · first token after ${duration(reply.firstTokenMs)}`;
}

function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? '<\u00a01\u00a0%' : `${Math.round(value)}\u00a0%`;
}

function questionView(panel: Panel, prediction: Prediction, question: AskedQuestion): TemplateResult {
  const messages = sentMessages(prediction.questions, question);
  const { reply, leftOut, redacted } = question;
  const secrets = redacted.reduce((sum, { count }) => sum + count, 0);
  return html`${headView(panel, question, prediction.ending === undefined, prediction.questions.length > 1)}
  ${section(panel, {
    name: 'promptMessages',
    title: 'Messages',
    beside: html`<span class="count">${grouped(messages.length)}</span>`,
    content: () => messagesView(panel, question, messages),
  })}
  ${
    leftOut.length > 0
      ? section(panel, {
          name: 'promptLeftOut',
          title: 'Left out',
          beside: html`<span class="count">${grouped(leftOut.length)}</span>`,
          content: () =>
            pairsView(
              leftOut.map(({ what, why, tokens }) => [what, tokens ? `${why} · ${tokenWords(tokens, false)}` : why]),
            ),
        })
      : nothing
  }
  ${section(panel, {
    name: 'promptSecrets',
    title: 'Secrets taken out',
    icon: drawn(lock),
    beside: html`<span class="count">${secrets > 0 ? grouped(secrets) : 'none found'}</span>`,
    startsFolded: secrets === 0,
    content: () =>
      secrets > 0
        ? pairsView(redacted.map(({ where, kind, count }) => [where, count > 1 ? `${kind} × ${grouped(count)}` : kind]))
        : html`<p class="note">No secret was found in what was sent.</p>`,
  })}
  ${
    reply
      ? html`${section(panel, {
          name: 'promptParameters',
          title: 'Parameters',
          beside: html`<span class="count"
            >${grouped(Object.keys(reply.body).length)} sent${reply.dropped.length > 0 ? `, ${reply.dropped.length} dropped` : ''}</span
          >`,
          startsFolded: true,
          content: () =>
            html`${pairsView(
              [
                ['url', reply.url],
                ...Object.entries(reply.body).map(([name, value]) => [name, JSON.stringify(value) ?? ''] as const),
              ],
              true,
            )}${pairsView(reply.dropped.map(({ name, why }) => [name, `not sent: ${why}`]))}`,
        })}
        ${section(panel, {
          name: 'promptReply',
          title: 'Raw reply',
          beside: html`<span class="count">${questionEffort(question, false)}${firstTokenWords(question)}</span>${basisBadge('imagined')}`,
          startsFolded: true,
          content: () =>
            reply.raw
              ? html`<div class="model-text" role="region" aria-label="Raw reply" tabindex="0">
                  ${longText(question, 'raw', reply.raw)}
                </div>`
              : html`<p class="note">The server sent no text.</p>`,
        })}`
      : nothing
  }`;
}

/** `isListed`: the list beside it says which question it is. */
function headView(panel: Panel, question: AskedQuestion, running: boolean, isListed: boolean): TemplateResult {
  const { reply, tokens } = question;
  const state = stateOf(question, running);
  return html`<div class="question-head">
    <h2 class="question-title ${isListed ? 'spoken' : ''}">${titleView(panel, question)}</h2>
    <p class="dim question-facts">
      <span>${tokenWords(tokens.count, tokens.exact)} of prompt</span>
      ${cachedWords(question) ? html`<span>${cachedWords(question)}</span>` : nothing}
      <span>${visibleText(question.domain)} template</span>
      ${reply ? html`<span>${visibleText(reply.model)}</span>` : nothing}
      ${stateWords[state] ? html`<span>${stateWords[state]}</span>` : nothing}
    </p>
    ${sharesView(question)} ${countedView(question)} ${actionsView(panel, question)}
  </div>`;
}

function sharesView(question: AskedQuestion): TemplateResult {
  const { cachedTokens = 0, promptTokens = 0 } = question.reply?.usage ?? {};
  const cached = promptTokens > 0 ? Math.min(1, cachedTokens / promptTokens) : 0;
  return html`<div class="token-bar" aria-hidden="true">
      ${partRuns(question).map(
        ({ part, tokens }) =>
          html`<span class="swatch ${part}" style=${cssom({ 'flex-grow': String(tokens) })}></span>`,
      )}
    </div>
    ${
      cached > 0
        ? html`<div class="cache-bar" aria-hidden="true"><span style=${cssom({ width: `${cached * 100}%` })}></span></div>`
        : nothing
    }
    <ul class="token-legend" aria-label="Tokens by part">
      ${partShares(question).map(
        ({ part, tokens, exact, share }) =>
          html`<li><span class="swatch ${part}"></span>${partWords[part]} <span class="dim">${exact ? '' : '≈\u00a0'}${grouped(tokens)} (${percent(share)})</span></li>`,
      )}
    </ul>`;
}

/** Who counted, in a sentence: a number without the sign ≈ is exact. */
function countedView({ blocks, tokens }: AskedQuestion): TemplateResult | typeof nothing {
  if (blocks.length === 0) return nothing;
  const counted = blocks.filter(({ exact }) => exact).length;
  const sum = blocks.reduce((all, block) => all + block.tokens, 0);
  const around = tokens.exact && counted === blocks.length ? tokens.count - sum : 0;
  const frame = around > 0 ? ` ${grouped(around)} more are the chat template’s, around the messages.` : '';
  const words =
    counted === blocks.length
      ? `Counted block by block with the model’s own tokenizer.${frame}`
      : counted > 0
        ? `${grouped(counted)} of ${grouped(blocks.length)} blocks are counted with the model’s own tokenizer, the others (≈) estimated.`
        : 'Blocks are estimated (≈): the server has not counted them.';
  return html`<p class="dim question-counted">${words}</p>`;
}

type Opened = Extract<PanelMessage, { type: 'openQuestion' }>['what'];
type Copied = Extract<PanelMessage, { type: 'copyQuestion' }>['as'];

function actionsView(panel: Panel, { id, reply }: AskedQuestion): TemplateResult {
  const { run } = panel.state;
  const opens: [Opened, string][] = [
    ['template', 'Template'],
    ['prompt', 'Prompt'],
    ...(reply
      ? (
          [
            ['request', 'Raw Request'],
            ['reply', 'Raw Reply'],
          ] as const
        ).map(([what, words]): [Opened, string] => [what, words])
      : []),
  ];
  const copies: [Copied, string][] = [
    ['prompt', 'Text'],
    ...(reply
      ? (
          [
            ['curl', 'curl'],
            ['row', 'AgentWorldBench Row'],
            ['reply', 'Reply'],
          ] as const
        ).map(([as, words]): [Copied, string] => [as, words])
      : []),
  ];
  return html`<p class="question-actions">
    <span class="dim">Open</span>
    ${opens.map(
      ([what, words]) =>
        html`<button
          class="link"
          aria-label="Open ${words}"
          @click=${() => panel.send({ type: 'openQuestion', run, question: id, what })}
        >
          ${words}
        </button>`,
    )}
    <span class="dim">Copy as</span>
    ${copies.map(
      ([as, words]) =>
        html`<button
          class="link"
          aria-label="Copy as ${words}"
          @click=${() => panel.send({ type: 'copyQuestion', run, question: id, as })}
        >
          ${words}
        </button>`,
    )}
  </p>`;
}

function pairsView(pairs: readonly (readonly [string, string])[], asCode = false): TemplateResult | typeof nothing {
  if (pairs.length === 0) return nothing;
  return html`<dl class="pairs">
    ${pairs.map(
      ([name, value]) =>
        html`<div><dt><code>${visibleText(name)}</code></dt><dd>${asCode ? html`<code>${visibleText(value)}</code>` : visibleText(value)}</dd></div>`,
    )}
  </dl>`;
}
