import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type { AskedQuestion, Reply } from '../../src/core/prediction/question.ts';
import { showCall } from '../../src/core/shell/quoteWord.ts';
import { errandButton } from '../later/errandButton.ts';
import type { Panel } from '../predict/panel.ts';
import { section } from '../predict/section.ts';
import { basisBadge } from '../shared/basis.ts';
import { counted, grouped } from '../shared/format.ts';
import { icon } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import {
  failureErrand,
  type QuestionState,
  questionEffort,
  ruleWords,
  stateIcons,
  stateOf,
  stateWords,
  tokenWords,
} from '../shared/modelWords.ts';
import { visibleText } from '../shared/visibleText.ts';
import { effortOf } from '../shared/watch.ts';
import { foldButton, isOpen } from './foldButton.ts';
import { agreedLine, futuresSection } from './futuresView.ts';

/** Lines beside which it is said how many samples agree; more would make the page slow. */
const hintedLines = 1000;

/** What the language model was asked in this prediction, how it thinks, and what it says. */
export function modelSection(panel: Panel, prediction: Prediction): TemplateResult {
  return html`${futuresSection(panel, prediction)}${askedSection(panel, prediction)}`;
}

function askedSection(panel: Panel, prediction: Prediction): TemplateResult {
  const { questions } = prediction;
  const running = prediction.ending === undefined;
  const isAnswering = running && questions.some(({ reply }) => !reply);
  if (isAnswering) panel.redraw(500);
  const models = [...new Set(questions.flatMap(({ reply }) => (reply?.model ? [reply.model] : [])))];
  const by = models.length > 0 ? models.join(', ') : (panel.state.settings.model ?? 'a language model');
  const isImagined = questions.some((question) => ['answered', 'answering'].includes(stateOf(question, running)));
  return section(panel, {
    name: 'model',
    title: 'Model',
    icon: icon('model'),
    beside: html`<span class="count">${counted(questions.length, 'question')}</span>${basisBadge('imagined')}`,
    content:
      () => html`${isImagined ? html`<p class="note">One possible outcome, imagined by ${visibleText(by)}.</p>` : nothing}
      <div class="asked-list">
        ${questions.map((question, index) => askedView(panel, question, running, index === questions.length - 1))}
      </div>`,
  });
}

function askedView(panel: Panel, question: AskedQuestion, running: boolean, isLast: boolean): TemplateResult {
  const state = stateOf(question, running);
  const open = isOpen(panel, `question ${question.id}`, isLast || state === 'failed' || state === 'unknown');
  const words = stateWords[state];
  return html`<div class="asked ${state}">
    <h3 class="asked-title">
      ${foldButton(
        panel,
        `question ${question.id}`,
        open,
        html`<span class="asked-state">${icon(stateIcons[state])}</span
          ><span class="asked-name">${titleView(panel, question)}</span>`,
      )}
      ${words ? html`<span class="asked-word">${words}</span>` : nothing}
      <span class="dim effort">${questionEffort(question, running)}</span>
    </h3>
    ${open ? html`<div class="asked-body">${answerView(panel, question, state)}</div>` : nothing}
  </div>`;
}

/** The title of a question, its program as code. `short`: first what tells it from the others of this program. */
export function titleView(
  panel: Panel,
  { title, what, program, sample }: AskedQuestion,
  short = false,
): TemplateResult {
  const argv = panel.state.prediction?.programs.findLast(({ id }) => id === program)?.argv;
  const line = argv && showCall(argv);
  const rest = line && what !== undefined ? visibleText(what) : undefined;
  const code = html`<code>${visibleText(line ?? '')}</code>`;
  const words = short ? html`${rest} <span class="dim">${code}</span>` : html`${code}: ${rest}`;
  return html`${rest === undefined ? visibleText(title) : words}${
    sample === undefined ? nothing : html` <span class="dim">sample ${sample}</span>`
  }`;
}

function answerView(panel: Panel, question: AskedQuestion, state: QuestionState): TemplateResult {
  const { reply } = question;
  return html`${reply ? outcomeView(panel, reply) : nothing}${reasoningView(panel, question, state)}
    ${observationView(question, state)}
    <p class="asked-foot">
      ${reply?.rule && reply.observation !== undefined ? html`<span class="dim">${ruleWords(reply.rule)}</span>` : nothing}
      <button class="link" @click=${() => showPrompt(panel, question.id)}>Show Prompt</button>
    </p>`;
}

function showPrompt(panel: Panel, question: number): void {
  panel.dispatch({ type: 'active', tree: 'questions', key: String(question) });
  panel.dispatch({ type: 'model', shown: { view: 'prompt' } });
  document.getElementById('tab-prompt')?.focus();
}

function outcomeView(panel: Panel, reply: Reply): TemplateResult | typeof nothing {
  const { unknown, warnings } = reply;
  // What stands at the top already is not said again.
  const isSaid = panel.state.prediction?.assumptions.some(
    ({ because }) => because?.kind === 'failed' && because.message === reply.failure?.message,
  );
  const failure = isSaid ? undefined : reply.failure;
  const cut = reply.finish === 'length' ? cutWords(reply) : undefined;
  if (!failure && unknown === undefined && warnings.length === 0 && !cut) return nothing;
  const errand = failure && failureErrand(failure.code);
  return html`<ul class="list outcomes">
    ${
      failure
        ? html`<li class="reason danger">
            ${icon('error')}<span>${visibleText(failure.message)}</span>${errand ? errandButton(panel, errand) : nothing}
          </li>`
        : nothing
    }
    ${
      unknown === undefined
        ? nothing
        : html`<li>${icon('question')}<span>The model says that it cannot know: ${visibleText(unknown)}</span></li>`
    }
    ${cut ? html`<li class="reason caution">${icon('warning')}<span>${cut}</span></li>` : nothing}
    ${warnings.map((text) => html`<li class="reason caution">${icon('warning')}<span>${visibleText(text)}</span></li>`)}
  </ul>`;
}

/** That the answer was cut at the limit of tokens, and what they were spent on. */
function cutWords({ usage, body, observation }: Reply): string {
  const limit = [body['max_completion_tokens'], body['max_tokens']].find((value) => typeof value === 'number');
  const at = limit === undefined ? 'the limit of tokens' : `the limit of ${grouped(Number(limit))} tokens`;
  const thinking = usage?.reasoningTokens;
  if (thinking === undefined) return `Cut at ${at}.`;
  const spent = `${grouped(thinking)} of ${grouped(usage?.completionTokens ?? thinking)} tokens`;
  return observation ? `Cut at ${at}; ${spent} were reasoning.` : `Cut at ${at}: ${spent} were spent thinking.`;
}

function reasoningView(panel: Panel, question: AskedQuestion, state: QuestionState): TemplateResult | typeof nothing {
  const text = question.reply?.reasoning || question.thoughts;
  if (text === '') return nothing;
  const open = panel.state.kept.sections['reasoning'] ?? false;
  const { reasoningTokens, exact } = effortOf(question, performance.now());
  const toggle = () => panel.dispatch({ type: 'section', name: 'reasoning', open: !open });
  return html`<div class="reasoning">
    <p class="reasoning-title">
      <button class="fold" aria-expanded=${open} @click=${toggle}>
        ${icon(open ? 'chevronDown' : 'chevronRight')}Reasoning
      </button>
      <span class="dim effort">${tokenWords(reasoningTokens, exact)}</span>
      ${open || state !== 'thinking' ? nothing : html`<span class="dim last-thought">${lastThought(text)}</span>`}
    </p>
    ${
      open
        ? html`<div
            class="model-text thoughts ${state === 'thinking' ? 'streaming' : ''}"
            role="region"
            aria-label="Reasoning of the model"
            tabindex="0"
          >
            ${longText(question, 'reasoning', text)}
          </div>`
        : nothing
    }
  </div>`;
}

function lastThought(text: string): string {
  const end = text.slice(-400).trimEnd();
  return visibleText(end.slice(end.lastIndexOf('\n') + 1));
}

function observationView(question: AskedQuestion, state: QuestionState): TemplateResult | typeof nothing {
  const { reply, said } = question;
  const text = reply?.observation ?? said;
  if (text === '') {
    if (state !== 'answered') return nothing;
    return html`<p class="note">The observation is empty.</p>`;
  }
  const isCut = state === 'failed' || state === 'cancelled';
  const { agreement } = reply ?? {};
  return html`<p class="observation-title">
      ${isCut ? 'What came of the observation' : 'Observation'}
      ${
        agreement && agreement.samples > 1
          ? html`<span class="dim">beside each line: how many of ${agreement.samples} samples say it, a hint</span>`
          : nothing
      }
    </p>
    <div
      class="model-text observation ${state === 'answering' ? 'streaming' : ''}"
      role="region"
      aria-label="Imagined observation"
      tabindex="0"
    >
      ${agreement && agreement.samples > 1 ? agreedText(question, text, agreement) : longText(question, 'said', text)}
    </div>`;
}

function agreedText(owner: object, text: string, { samples, lines }: NonNullable<Reply['agreement']>): TemplateResult {
  const all = text.split('\n');
  const rest = all.slice(hintedLines).join('\n');
  return html`${all.slice(0, hintedLines).map((line, at) => agreedLine(line, lines[at] ?? 0, samples))}${rest === '' ? nothing : longText(owner, 'unhinted', rest)}`;
}
