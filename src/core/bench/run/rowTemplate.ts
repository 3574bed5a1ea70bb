import { valuesIn } from '../../worlds/language/prompt/placeholderValues.ts';
import type { LoadedTemplate } from '../../worlds/language/template/templates.ts';
import { fillTemplate } from '../../worlds/language/template/templates.ts';

/**
 * Puts a template in the place of a row's system prompt. What the template has placeholders for is read out of the row's
 * prompt, with the help of `known`: templates that it could have been made from. A failure is a sentence.
 */
export function replaceSystemPrompt(
  systemPrompt: string,
  template: Pick<LoadedTemplate, 'text' | 'path'>,
  known: readonly string[],
): { text: string } | { problem: string } {
  const without = fillTemplate(template.text, {});
  if (without.ok) return { text: without.text };
  for (const one of known) {
    const values = valuesIn(systemPrompt, one);
    const filled = values && fillTemplate(template.text, values);
    if (filled?.ok) return { text: filled.text };
  }
  return {
    problem: `What ${template.path} has placeholders for cannot be found in the row's own system prompt; add the folder with the templates that the rows were made from with --row-prompts.`,
  };
}
