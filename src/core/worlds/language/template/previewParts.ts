import { estimateTokens } from '../../../context/estimateTokens.ts';
import type { ChatMessage } from '../client/provider.ts';
import type { PromptBlock } from '../prompt/turns/turn.ts';
import { templateSections } from './templateSections.ts';

/** A stretch of a prompt as it is shown before it is sent. */
export interface PreviewPart {
  part: PromptBlock['part'];
  title: string;
  text: string;
  /** Estimated. */
  tokens: number;
  /** Where it stands in the template, in UTF-16 code units; absent: it comes from elsewhere. */
  source?: { start: number; end: number };
}

/** A message of a prompt, in parts that follow each other without gaps. */
export interface PreviewMessage {
  role: ChatMessage['role'];
  parts: PreviewPart[];
}

/**
 * A prompt in parts for a reader: its blocks, of which those of the template are cut at their top headings and say where
 * in the template they stand.
 */
export function previewParts(
  messages: readonly ChatMessage[],
  blocks: readonly PromptBlock[],
  template: string,
): PreviewMessage[] {
  let from = 0;
  return messages.map(({ role, content }, index) => ({
    role,
    parts: blocks
      .filter(({ message }) => message === index)
      .flatMap(({ part, title, start, end }): PreviewPart[] => {
        const text = content.slice(start, end);
        if (part !== 'template') return [{ part, title, text, tokens: estimateTokens(text) }];
        const at = template.indexOf(text, from);
        if (at >= 0) from = at + text.length;
        return sectionsOf(text, title).map((section) => ({
          ...{ part, title: section.title, text: section.text, tokens: estimateTokens(section.text) },
          ...(at < 0 ? {} : { source: { start: at + section.start, end: at + section.start + section.text.length } }),
        }));
      }),
  }));
}

/** A text cut at its top headings; what stands before the first one has the given title. */
function sectionsOf(text: string, title: string): { title: string; text: string; start: number }[] {
  const headings = templateSections(text).filter(({ kind }) => kind === 'heading');
  const top = Math.min(...headings.map(({ level }) => level));
  const cuts = headings.filter(({ level }) => level === top);
  const first = cuts[0]?.start ?? text.length;
  const parts = text.slice(0, first) === '' ? [] : [{ title, text: text.slice(0, first), start: 0 }];
  for (const [index, cut] of cuts.entries()) {
    const end = cuts[index + 1]?.start ?? text.length;
    parts.push({ title: cut.title, text: text.slice(cut.start, end), start: cut.start });
  }
  return parts;
}
