import type { Placeholder } from '../template/templates.ts';
import { toolDefinitions } from './toolDefinitions.ts';
import { demonstrations } from './turns/demonstrations.ts';
import type { Dialect, Domain } from './turns/turn.ts';

/** Values of placeholders that are known without being given: those of the `swe` domain. */
export function knownValues(domain: Domain, dialect: Dialect): Readonly<Partial<Record<Placeholder, string>>> {
  return domain === 'swe'
    ? { tool_definitions: toolDefinitions(dialect), demonstrations: demonstrations(dialect) }
    : {};
}

const environments: Readonly<Record<Domain, string>> = {
  swe: 'the coding agent',
  mcp: 'the agent, from its MCP servers',
  search: 'the search agent',
  terminal: 'the terminal',
  os: 'the desktop',
  web: 'the browser',
  android: 'the phone',
};

/** What a placeholder stands for in a domain, in one or two sentences of plain text. */
export function describePlaceholder(name: Placeholder, domain: Domain): string {
  const what =
    name === 'tool_definitions'
      ? `The tools of ${environments[domain]}: name, what each does, its parameters, as a list.`
      : 'Calls of the tools with their true replies, so that the model sees the form in which each tool answers.';
  const value =
    domain === 'swe'
      ? name === 'tool_definitions'
        ? 'Foretell fills in those of the dialect that the setting foretell.prompts.dialect names.'
        : 'Foretell fills in its own, made in a small workspace with real tools, in the dialect of the settings.'
      : 'Its value comes with a trajectory or a row of a benchmark; for a command of yours there is none.';
  return `${what} ${value}`;
}

/**
 * The values that a system prompt was filled with, found by the template that it was made of: the text between the pieces
 * of the template. Undefined: the prompt was not made of it.
 */
export function valuesIn(
  systemPrompt: string,
  template: string,
): Readonly<Partial<Record<Placeholder, string>>> | undefined {
  const names: Placeholder[] = [];
  const pieces: string[] = [];
  let from = 0;
  for (const match of template.matchAll(/\{(tool_definitions|demonstrations)\}/g)) {
    pieces.push(template.slice(from, match.index));
    names.push(match[1] as Placeholder);
    from = match.index + match[0].length;
  }
  const end = template.slice(from).trimEnd();
  const prompt = systemPrompt.trimEnd();
  const [begin = end] = pieces;
  if (!prompt.startsWith(begin) || !prompt.endsWith(end)) return undefined;
  const values: Partial<Record<Placeholder, string>> = {};
  let at = begin.length;
  for (const [index, name] of names.entries()) {
    const isLast = index === names.length - 1;
    const next = isLast ? prompt.length - end.length : prompt.indexOf(pieces[index + 1] ?? '', at);
    if (next < at) return undefined;
    const value = prompt.slice(at, next);
    if (values[name] !== undefined && values[name] !== value) return undefined;
    values[name] = value;
    at = next + (pieces[index + 1]?.length ?? 0);
  }
  return names.length === 0 && prompt !== end ? undefined : values;
}
