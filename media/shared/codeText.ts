import { html, type TemplateResult } from 'lit/html.js';

/** A sentence of ours, in which code stands between backticks. Where one is alone, it is part of what somebody wrote. */
export function codeText(sentence = ''): string | (string | TemplateResult)[] {
  const parts = sentence.split('`');
  return parts.length % 2 ? parts.map((part, at) => (at % 2 ? html`<code>${part}</code>` : part)) : sentence;
}
