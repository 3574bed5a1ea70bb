import { estimateTokens } from '../../../context/estimateTokens.ts';
import type { AskedBlock, Question } from '../../../prediction/question.ts';
import type { ChatMessage } from '../client/provider.ts';
import { conditionsOf } from '../prompt/conditions.ts';
import { blocksOfMessages } from '../prompt/messageBlocks.ts';
import { renderPrompt } from '../prompt/prompt.ts';
import type { PromptBlock } from '../prompt/turns/turn.ts';
import { loadTemplate } from '../template/templates.ts';
import type { Asking } from './asking.ts';
import type { LanguageRequest } from './languageRequest.ts';

/** What is sent, and what each stretch of it is. */
export interface Prompt {
  messages: readonly ChatMessage[];
  blocks: readonly PromptBlock[];
}

/** A prompt that was sent. */
export interface Sent {
  id: number;
  messages: readonly ChatMessage[];
}

/** Which of several a question is: of samples, or of one that is asked once more. */
export type Attempt = Pick<Question, 'sample' | 'repairs'>;

type Conditions = ReturnType<typeof conditionsOf>;

/** The prompt of a question; of one that was given verbatim just that. */
export async function promptOf(
  asking: Asking<unknown>,
  language: LanguageRequest,
): Promise<Prompt | { ok: false; code: string; message: string }> {
  const { messages, values } = asking;
  if (messages) return { messages, blocks: blocksOfMessages(messages) };
  const style = language.style ?? 'benchmark';
  const given = asking.template ?? language.templates?.[asking.domain];
  const own = given === undefined ? undefined : { ok: true as const, text: given };
  // The quickstart style has a system prompt of its own.
  const template =
    own ?? (style === 'quickstart' ? undefined : await loadTemplate(asking.domain, 'system', language.templateFolders));
  if (template && !template.ok) return template;
  const { told, words } = asking.form;
  // A template of others may leave out the tools, whose definitions have the rest of the form.
  const hasTools = template?.text.includes('{tool_definitions}') === true;
  return renderPrompt({
    domain: asking.domain,
    style,
    dialect: language.dialect ?? 'qwen',
    turns: asking.turns,
    ...(told === undefined ? {} : { formWords: hasTools ? told : words }),
    conditions: {
      ...conditionsOf(language),
      ...(asking.fictionalWorld === undefined ? {} : { fictionalWorld: asking.fictionalWorld }),
    },
    ...(language.suffixes?.[asking.domain] === undefined ? {} : { suffix: language.suffixes[asking.domain] }),
    ...(values ? { values } : {}),
    ...(template ? { template: template.text } : {}),
    ...(asking.currentState === undefined ? {} : { currentState: asking.currentState }),
  });
}

/** What is told of a question before it is sent. `before`: the question before it, with which its prompt may begin alike. */
export function questionOf(
  asking: Asking<unknown>,
  prompt: Prompt,
  {
    id,
    attempt,
    conditions,
    before,
  }: { id: number; attempt: Attempt; conditions: Conditions; before: Sent | undefined },
): Question {
  const begins = before && { question: before.id, count: sharedStart(before.messages, prompt.messages) };
  const own = conditions.freeText.trim();
  const blocks = prompt.blocks.map((block): AskedBlock => {
    const text = prompt.messages[block.message]?.content.slice(block.start, block.end) ?? '';
    return { ...block, tokens: estimateTokens(text) };
  });
  const again = attempt.repairs === undefined ? '' : ', once more';
  return {
    id,
    purpose: asking.purpose,
    title: `${asking.title}${again}`,
    ...(asking.what === undefined ? {} : { what: `${asking.what}${again}` }),
    domain: asking.domain,
    messages: prompt.messages.slice(begins?.count ?? 0).map((message) => ({ ...message })),
    blocks,
    tokens: { count: blocks.reduce((sum, block) => sum + block.tokens, 0), exact: false },
    leftOut: [...asking.leftOut],
    redacted: [...asking.redacted],
    conditions: [...conditions.presets.map((one) => one.title), ...(own ? [own] : [])],
    ...(asking.program === undefined ? {} : { program: asking.program }),
    ...attempt,
    ...(begins && begins.count > 0 ? { begins } : {}),
  };
}

function sharedStart(a: readonly ChatMessage[], b: readonly ChatMessage[]): number {
  let count = 0;
  while (count < a.length && count < b.length) {
    if (a[count]?.role !== b[count]?.role || a[count]?.content !== b[count]?.content) break;
    count += 1;
  }
  return count;
}
