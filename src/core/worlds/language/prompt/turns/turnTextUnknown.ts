/** How the marker begins with which a model says that it cannot know: `[[unknown: reason]]`. */
export const unknownPrefix = '[[unknown:';

/** The marker for a turn of which nobody knows what it showed. */
export function unknownMarker(reason: string): string {
  return `${unknownPrefix} ${reason.replaceAll(']]', '] ]').replace(/\s+/g, ' ')}]]`;
}

const reasonLimit = 500;
// A marker is short; what stands around it repeats a command at most.
const longestReply = 100_000;

/**
 * Says whether an observation is the model's word that it cannot know, and its reason (possibly empty, at most 500
 * characters). Only an observation that consists of the marker counts, alone, in a code fence, as the whole `Output:` of a
 * shell reply, or as the one line below an echoed command: a file that contains the marker does not make the model
 * ignorant.
 */
export function parseUnknown(observation: string): { reason: string } | undefined {
  if (observation.length > longestReply || !/\[\[\s{0,9}unknown/i.test(observation)) return undefined;
  const text = unwrap(observation.replaceAll('\r\n', '\n').trim());
  if (!text.startsWith('[[') || !text.endsWith(']]')) return undefined;
  const match = /^unknown\s*(?::([\s\S]*))?$/i.exec(text.slice(2, -2).trim());
  // `[[unknown: a]] … [[unknown: b]]` is a text with markers in it.
  if (!match || match[1]?.includes(']]')) return undefined;
  const reason = (match[1] ?? '').trim();
  return { reason: reason === 'reason' ? '' : reason.slice(0, reasonLimit) };
}

function unwrap(whole: string): string {
  const text = /^(`{3,})[a-z]*\n([\s\S]*)\n\1$/.exec(whole)?.[2]?.trim() ?? whole;
  const quoted = /^`([^`]*)`$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted.trim();
  const output =
    /^(?:Command: [\s\S]*?\n)?(?:Directory: [^\n]*\n)?(?:Output|Stdout): (\[\[[^\n]*\]\])(?=\n(?:Error|Stderr|Exit Code):|$)/.exec(
      text,
    );
  if (output?.[1] !== undefined) return output[1];
  const [prompt = '', marked = '', next = '', ...more] = text.split('\n');
  const isScreen = /(?:^\$|\S[$#%❯]) \S/.test(prompt) && more.length === 0 && /^(?:.*[$#%>❯])?\s*$/.test(next);
  return isScreen && marked.startsWith('[[') ? marked.trim() : text;
}
