/** How the marker begins with which a model says that it cannot know: `[[unknown: reason]]`. */
export const unknownPrefix = '[[unknown:';

const marker = /^\[\[\s*unknown\s*(?::\s*([\s\S]*?))?\s*\]\]$/i;
const reasonLimit = 500;

/**
 * Says whether an observation is the model's word that it cannot know, and its reason (possibly empty, at most 500
 * characters). Only an observation that consists of the marker counts, alone, in a code fence, as the whole `Output:` of a
 * shell reply, or as the one line below an echoed command: a file that contains the marker does not make the model
 * ignorant.
 */
export function parseUnknown(observation: string): { reason: string } | undefined {
  const text = unwrap(observation.replaceAll('\r\n', '\n').trim());
  const match = marker.exec(text);
  if (!match) return undefined;
  const reason = (match[1] ?? '').trim();
  // `[[unknown: a]] … [[unknown: b]]` is a text with markers in it.
  if (reason.includes(']]')) return undefined;
  return { reason: reason === 'reason' ? '' : reason.slice(0, reasonLimit) };
}

function unwrap(text: string): string {
  const fenced = /^(`{3,})[a-z]*\n([\s\S]*?)\n\1$/.exec(text)?.[2]?.trim();
  if (fenced !== undefined) return unwrap(fenced);
  const quoted = /^`([^`]*)`$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted.trim();
  const output =
    /^(?:Command: [\s\S]*?\n)?(?:Directory: [^\n]*\n)?(?:Output|Stdout): (\[\[[^\n]*\]\])(?=\n[A-Z]|$)/.exec(text);
  if (output?.[1] !== undefined) return output[1];
  // prompt with the echoed command, marker, perhaps the next prompt
  const screen = /^(?:[^\n]*\S[$#%❯]|\$) \S[^\n]*\n(\[\[[^\n]*\]\])(?:\n[^\n]*[$#%>❯]\s*)?$/.exec(text);
  return screen?.[1] ?? text;
}
