import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { StepDetail } from '../../src/protocol/labProtocol.ts';
import { cssom } from '../shared/cssom.ts';
import { counted, duration } from '../shared/format.ts';
import { icon } from '../shared/icons.ts';
import { longText } from '../shared/longText.ts';
import { visibleText } from '../shared/visibleText.ts';
import { isOpen, type Lab } from './lab.ts';
import { labSection } from './labSection.ts';
import { underWords } from './words.ts';

/** All tries at a turn, grouped by what they say. */
export function answersView(lab: Lab, detail: StepDetail): TemplateResult | typeof nothing {
  const { answers, attempts } = detail;
  const tries = answers.reduce((sum, { attempts: of }) => sum + of.length, 0);
  if (tries < 2) return nothing;
  return labSection(lab, {
    name: 'answers',
    title: 'Answers',
    startsOpen: true,
    beside: html`<span>${counted(answers.length, 'distinct answer')} of ${counted(tries, 'try', 'tries')}</span>`,
    content: () =>
      html`<ol class="answers">
        ${answers.map((answer, index) => answerView(lab, detail, answer, index, tries, attempts))}
      </ol>`,
  });
}

function answerView(
  lab: Lab,
  detail: StepDetail,
  answer: StepDetail['answers'][number],
  index: number,
  tries: number,
  attempts: StepDetail['attempts'],
): TemplateResult {
  const { attempts: of, text, line, exitCode, failed, factual } = answer;
  const name = `answer ${index}`;
  const open = isOpen(lab, name, false);
  const isShown = of.includes(0);
  const ways = [...new Set(of.map((one) => wayWords(attempts[one])))].filter(Boolean).slice(0, 4);
  const toggle = () => lab.dispatch({ type: 'fold', what: 'sections', key: name, open: !open });
  return html`<li class="answer ${isShown ? 'shown' : ''} ${failed ? 'failed' : ''}">
    <div class="answer-head">
      <button class="fold answer-fold" aria-expanded=${open} @click=${toggle}>
        ${icon(open ? 'chevronDown' : 'chevronRight')}<span class="answer-count">${of.length}×</span
        ><span class="bar" aria-hidden="true"
          ><span class="bar-part" style=${cssom({ width: `${(100 * of.length) / tries}%` })}></span></span
        ><span class="answer-line ${failed ? '' : 'code'}">${visibleText(line) || 'nothing shown'}</span>
      </button>
      ${exitCode === undefined ? nothing : html`<span class="dim">exit ${exitCode}</span>`}
      ${factual === undefined ? nothing : html`<span class="score">${factual.toFixed(2)}</span>`}
      ${
        isShown
          ? html`<span class="tag">shown</span>`
          : html`<button
              class="link"
              @click=${() => lab.send({ type: 'showAttempt', id: detail.id, attempt: of[0] ?? 0 })}
            >
              Show This One
            </button>`
      }
    </div>
    ${
      open
        ? html`<div class="answer-body">
            ${failed ? html`<p>${visibleText(text)}</p>` : html`<div class="code boxed" tabindex="0">${longText(answer, name, text)}</div>`}
            ${ways.length > 0 ? html`<p class="dim">${ways.join(' · ')}</p>` : nothing}
          </div>`
        : nothing
    }
  </li>`;
}

function wayWords(way: StepDetail['attempts'][number] | undefined): string {
  if (!way) return '';
  const parts = [
    way.model ?? '',
    way.template ?? '',
    way.conditions.length > 0 ? `under ${underWords(way)}` : '',
    way.durationMs === undefined ? '' : duration(way.durationMs),
  ];
  return visibleText(parts.filter(Boolean).join(', '));
}
