import type { ToolCall } from '../action.ts';

// Agents whose models write calls as tags: Cline and Roo with the names of tools as tags, others with `invoke` and `parameter`.

const ofTools =
  /<(write_to_file|replace_in_file|apply_diff|search_and_replace|search_replace|edit_file|write_file|new_file|delete_file)>([\s\S]*?)<\/\1>/g;
const ofInvokes = /<(?:\w+:)?invoke name="([^"]+)">([\s\S]*?)<\/(?:\w+:)?invoke>/g;

/** Reads calls that are written as tags; empty where there are none. */
export function readTaggedCalls(text: string): ToolCall[] {
  const found: [at: number, call: ToolCall][] = [];
  for (const match of text.matchAll(ofTools)) {
    const [, name = '', inner = ''] = match;
    found.push([match.index, { name, arguments: valuesIn(inner, /<(\w+)>([\s\S]*?)<\/\1>/g) }]);
  }
  for (const match of text.matchAll(ofInvokes)) {
    const [, name = '', inner = ''] = match;
    const values = valuesIn(inner, /<(?:\w+:)?parameter name="([^"]+)">([\s\S]*?)<\/(?:\w+:)?parameter>/g);
    found.push([match.index, { name, arguments: values }]);
  }
  return found.sort(([a], [b]) => a - b).map(([, call]) => call);
}

/** Values by their names, without the line breaks next to the tags. */
function valuesIn(text: string, parts: RegExp): Record<string, string> {
  const values = [...text.matchAll(parts)].map(([, name = '', value = '']) => [
    name,
    value.replace(/^\r?\n/, '').replace(/\r?\n[ \t]*$/, ''),
  ]);
  return Object.fromEntries(values);
}
