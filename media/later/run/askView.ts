import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Panel } from '../../predict/panel.ts';
import { icon } from '../../shared/icons.ts';

/** A program asks at the terminal: what it asks, and a place for the answer. */
export function askView(panel: Panel): TemplateResult | typeof nothing {
  const { prediction, answer, answered, run } = panel.state;
  if (prediction?.asks === undefined || answered) return nothing;
  const secret = /passw|passphrase|\bpin\b|token/i.test(prediction.asks);
  const send = (event: Event) => {
    event.preventDefault();
    panel.send({ type: 'answer', run, text: answer });
    panel.dispatch({ type: 'answered' });
    // The keyboard stays in the panel, so that the next question gets it.
    document.getElementById('verdict')?.focus();
  };
  return html`<form class="ask" role="group" aria-label="A program asks" @submit=${send}>
    <label for="answer"
      >${icon('question')} <span class="ask-who">It asks</span>
      <code>${prediction.asks.trim() || '(no text)'}</code></label
    >
    <input
      id="answer"
      class="text-field"
      type=${secret ? 'password' : 'text'}
      autocomplete="off"
      spellcheck="false"
      placeholder="Answer, then Enter"
      .value=${live(answer)}
      @input=${(event: Event) => panel.dispatch({ type: 'answering', text: (event.target as HTMLInputElement).value })}
    />
    <button class="primary" type="submit">Answer</button>
  </form>`;
}
