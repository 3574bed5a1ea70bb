import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { CompareMessage, CompareRequest, ShownAlternative } from '../../src/protocol/compareProtocol.ts';
import { counted } from '../shared/format.ts';
import { type IconName, icon } from '../shared/icons.ts';
import { visibleText } from '../shared/visibleText.ts';

type Send = (message: CompareRequest) => void;

/** The whole page; nothing is known until the host has answered. */
export function compareView(shown: CompareMessage | undefined, send: Send): TemplateResult {
  const running = shown === undefined || shown.running;
  return html`<main class="compare" aria-busy=${running}>
    <h1>Alternatives</h1>
    <p class="headline" role="status">${shown?.headline ?? 'Predicting …'}</p>
    ${running ? html`<div class="progress" role="progressbar" aria-label="Predicting"></div>` : nothing}
    <ol class="alternatives">
      ${(shown?.alternatives ?? []).map((one) => alternative(one, one.index === shown?.best, send))}
    </ol>
  </main>`;
}

const levelIcons: Record<string, IconName> = { safe: 'pass', caution: 'warning', danger: 'error' };
const stateIcons: Record<ShownAlternative['state'], IconName> = { same: 'pass', other: 'warning', unknown: 'question' };
const letters: Record<string, string> = { created: 'A', modified: 'M', deleted: 'D', renamed: 'R', mode: 'M' };

function alternative(one: ShownAlternative, isBest: boolean, send: Send): TemplateResult {
  const { index, script, level, word, sentence, state, stateText, losses, exitCode, output, cost } = one;
  const lost = losses.forGood > 0;
  return html`<li class="alternative ${isBest ? 'best' : ''}" aria-labelledby="alternative-${index}">
    <h2 id="alternative-${index}"><span class="number">${index + 1}</span><code>${visibleText(script)}</code></h2>
    ${isBest ? html`<p class="chosen">${icon('pass')}Reaches the same and loses nothing</p>` : nothing}
    ${
      level === undefined
        ? html`<p>${sentence}</p>`
        : html`<p class="verdict ${level}"><span class="level">${icon(levelIcons[level] ?? 'info')}${word}</span> ${visibleText(sentence)}</p>`
    }
    <dl>
      <dt>End state</dt>
      <dd>${icon(stateIcons[state])}${visibleText(stateText)}</dd>
      <dt>Losses</dt>
      <dd class=${lost ? 'lost' : ''}>
        ${lost ? html`${counted(losses.forGood, 'thing')} for good` : 'none for good'}${
          losses.back > 0 ? html`, ${losses.back} can be brought back` : nothing
        }
      </dd>
      <dt>Exit code</dt>
      <dd>${exitCode ?? 'not known'}</dd>
      <dt>Cost</dt>
      <dd>${cost}</dd>
    </dl>
    ${files(one)}
    ${output === '' ? nothing : html`<pre class="said" tabindex="0" aria-label="Output">${visibleText(output)}</pre>`}
    <div class="actions">
      <button class=${isBest ? 'primary' : 'secondary'} @click=${() => send({ type: 'predict', index })}>Show Prediction</button>
      <button class="secondary" @click=${() => send({ type: 'copy', index })}>Copy</button>
    </div>
  </li>`;
}

function files({ files: some, more }: ShownAlternative): TemplateResult {
  if (some.length === 0) return html`<p class="dim">No file changes.</p>`;
  return html`<ul class="files">
    ${some.map(
      ({ change, path }) =>
        html`<li><span class="change ${change}" title=${change}>${letters[change] ?? '·'}</span> ${visibleText(path)}</li>`,
    )}
    ${more > 0 ? html`<li class="dim">and ${counted(more, 'more path')}</li>` : nothing}
  </ul>`;
}
