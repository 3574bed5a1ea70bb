import { messagesOf } from '../../core/prediction/question.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import { conditionsOf } from '../../core/worlds/language/prompt/conditions.ts';
import { type PrefixChange, prefixChange } from '../../core/worlds/language/prompt/prefixChange.ts';
import { renderPrompt } from '../../core/worlds/language/prompt/prompt.ts';
import type { Domain } from '../../core/worlds/language/prompt/turns/turn.ts';
import { previewParts } from '../../core/worlds/language/template/previewParts.ts';
import type { Placeholder } from '../../core/worlds/language/template/templates.ts';
import { grouped } from './countWords.ts';
import type { LastAsked } from './templatesOptions.ts';

/** What the edits of a template cost of the server's prefix cache. */
export interface PrefixNote extends PrefixChange {
  /** Without a full stop, for a lens. */
  sentence: string;
  /** Where the first change is in the template, in UTF-16 code units. */
  place: number;
}

/** Compares a template with the last prompt of its domain. Undefined: there is none, or it begins in the same way. */
export function prefixNote(of: {
  text: string;
  domain: Domain;
  last: LastAsked | undefined;
  request: Pick<LanguageRequest, 'style' | 'dialect' | 'conditions' | 'conditionText'>;
  values: Readonly<Partial<Record<Placeholder, string>>>;
}): PrefixNote | undefined {
  const { last, request, domain, text } = of;
  if (!last) return undefined;
  const rendered = renderPrompt({
    ...{ domain, template: text, values: of.values, conditions: conditionsOf(request) },
    ...{ style: request.style ?? 'benchmark', dialect: request.dialect ?? 'qwen' },
    turns: [{ action: { kind: 'text', text: '' }, part: 'action' }],
  });
  const [system] = rendered.ok ? rendered.messages : [];
  if (!rendered.ok || !system) return undefined;
  const usage = last.question.reply?.usage;
  const change = prefixChange(messagesOf(last.questions, last.question), system.content, usage?.promptTokens);
  if (!change) return undefined;
  const sentence = `The prompt changes at token ${grouped(change.at)} of ${grouped(change.sent)}: ${grouped(change.lost)} are read again`;
  let place = 0;
  let at = 0;
  for (const part of previewParts([system], rendered.blocks, text)[0]?.parts ?? []) {
    if (part.source) place = part.source.start + Math.min(Math.max(0, change.offset - at), part.text.length);
    at += part.text.length;
    if (at > change.offset) break;
  }
  return { ...change, sentence, place };
}

/** What a placeholder was filled with in a prompt that was sent. */
export function valueInPrompt(last: LastAsked | undefined, name: Placeholder): string | undefined {
  const part = name === 'tool_definitions' ? 'tools' : 'demonstrations';
  const block = last?.question.blocks.find((one) => one.part === part);
  if (!last || !block) return undefined;
  return messagesOf(last.questions, last.question)[block.message]?.content.slice(block.start, block.end);
}
