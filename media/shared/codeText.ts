import { html, type TemplateResult } from 'lit/html.js';

/** A sentence of ours, in which code stands between backticks. One that is alone is part of what somebody wrote. */
export function codeText(sentence = ''): (string | TemplateResult)[] {
  return sentence.split(/`([^`]*)`/).map((part, at) => (at % 2 ? html`<code>${part}</code>` : part));
}
