import { estimateTokens } from '../../src/core/context/estimateTokens.ts';
import { type AskedBlock, type AskedQuestion, messagesOf } from '../../src/core/prediction/question.ts';

/** What a stretch of a prompt is. */
export type PromptPart = AskedBlock['part'];

/** Names of the parts, for people. */
export const partWords: Readonly<Record<PromptPart, string>> = {
  template: 'Template',
  tools: 'Tools',
  demonstrations: 'Demonstrations',
  condition: 'Condition',
  grounding: 'Workspace context',
  history: 'Earlier turns',
  action: 'Action',
  suffix: 'Suffix',
};

/** A stretch of a message as it is shown. */
export interface SentBlock {
  part: PromptPart;
  title: string;
  start: number;
  end: number;
  tokens: number;
  /** The model's own tokenizer counted them. */
  exact: boolean;
  /** How much of it the server had in its cache, as far as its count says. */
  cached: 'whole' | 'part' | 'none';
}

/** A message as it was sent. */
export interface SentMessage {
  index: number;
  role: 'system' | 'user' | 'assistant';
  content: string;
  tokens: number;
  exact: boolean;
  cached: SentBlock['cached'];
  blocks: SentBlock[];
}

/** The messages of a question with their blocks. A message of which no block is known is one block. */
export function sentMessages(questions: readonly AskedQuestion[], question: AskedQuestion): SentMessage[] {
  const all = question.blocks.reduce((sum, { tokens }) => sum + tokens, 0);
  const { usage } = question.reply ?? {};
  const share = usage?.cachedTokens && usage.promptTokens > 0 ? usage.cachedTokens / usage.promptTokens : 0;
  const cachedUntil = share * all;
  let before = 0;
  const blocksOf = new Map<number, SentBlock[]>();
  for (const { part, title, message, start, end, tokens, exact = false } of question.blocks) {
    const after = before + tokens;
    // Servers cache whole blocks of tokens, so the end of a stretch may be missing although nothing in it changed.
    const cached = share > 0 && after <= cachedUntil + 16 ? 'whole' : before < cachedUntil ? 'part' : 'none';
    before = after;
    const list = blocksOf.get(message) ?? [];
    list.push({ part, title, start, end, tokens, exact, cached });
    blocksOf.set(message, list);
  }
  return messagesOf(questions, question).map(({ role, content }, index) => {
    const blocks = blocksOf.get(index) ?? [wholeOf(content)];
    const tokens = blocks.reduce((sum, block) => sum + block.tokens, 0);
    const isWhole = blocks.every((block) => block.cached === 'whole');
    const cached = isWhole ? 'whole' : blocks.some((block) => block.cached !== 'none') ? 'part' : 'none';
    return { index, role, content, blocks, tokens, exact: blocks.every((block) => block.exact), cached };
  });
}

function wholeOf(content: string): SentBlock {
  const tokens = estimateTokens(content);
  return { part: 'history', title: '', start: 0, end: content.length, tokens, exact: false, cached: 'none' };
}

/** How many tokens a part has in all. */
export interface PartShare {
  part: PromptPart;
  tokens: number;
  /** All of them were counted by the model's own tokenizer. */
  exact: boolean;
  /** 0–1. */
  share: number;
}

/** How the tokens are spread over the parts, in the order in which the parts come first. */
export function partShares(question: AskedQuestion): PartShare[] {
  const counts = new Map<PromptPart, { tokens: number; exact: boolean }>();
  for (const { part, tokens, exact = false } of question.blocks) {
    const before = counts.get(part) ?? { tokens: 0, exact: true };
    counts.set(part, { tokens: before.tokens + tokens, exact: before.exact && exact });
  }
  const all = Math.max(
    1,
    [...counts.values()].reduce((sum, { tokens }) => sum + tokens, 0),
  );
  return [...counts].map(([part, count]) => ({ part, ...count, share: count.tokens / all }));
}

/** The same in the order of the prompt: stretches of one part that follow each other are one. */
export function partRuns(question: AskedQuestion): { part: PromptPart; tokens: number }[] {
  const runs: { part: PromptPart; tokens: number }[] = [];
  for (const { part, tokens } of question.blocks) {
    const last = runs.at(-1);
    if (last?.part === part) last.tokens += tokens;
    else runs.push({ part, tokens });
  }
  return runs;
}
