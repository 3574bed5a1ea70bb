import type { LoadedTemplate } from '../worlds/language/templates.ts';
import { fillTemplate, type Placeholder } from '../worlds/language/templates.ts';

/**
 * What stands in the place of the placeholders of `template` in a system prompt that was made from it. `undefined`: the
 * prompt was not made from this template.
 */
export function valuesInPrompt(template: string, prompt: string): Partial<Record<Placeholder, string>> | undefined {
  const names: Placeholder[] = [];
  const texts: string[] = [];
  let from = 0;
  for (const match of template.matchAll(/\{(tool_definitions|demonstrations)\}/g)) {
    texts.push(template.slice(from, match.index));
    names.push(match[1] as Placeholder);
    from = match.index + match[0].length;
  }
  texts.push(template.slice(from));
  const values: Partial<Record<Placeholder, string>> = {};
  const trimmed = prompt.trimEnd();
  const [first = '', ...others] = texts;
  const last = (others.pop() ?? '').trimEnd();
  if (!trimmed.startsWith(first) || !trimmed.endsWith(last)) return undefined;
  let at = first.length;
  for (const [index, name] of names.entries()) {
    const text = others[index];
    const end = text === undefined ? trimmed.length - last.length : trimmed.indexOf(text, at);
    if (end < at) return undefined;
    values[name] ??= trimmed.slice(at, end);
    at = end + (text?.length ?? 0);
  }
  return values;
}

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
    const values = valuesInPrompt(one, systemPrompt);
    const filled = values && fillTemplate(template.text, values);
    if (filled?.ok) return { text: filled.text };
  }
  return {
    problem: `What ${template.path} has placeholders for cannot be found in the row's own system prompt; add the folder with the templates that the rows were made from with --row-prompts.`,
  };
}
