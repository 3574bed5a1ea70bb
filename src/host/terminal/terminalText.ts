/** Longest output of a real run that is kept, in UTF-16 units; the rest is counted, not kept. */
export const keptOutput = 4_000_000;

/**
 * What a terminal printed between the start and the end of a command, without the marks by which VS Code finds them
 * (OSC 633, and 133 of other shells). Colours stay: the panel shows them.
 */
export function withoutMarks(raw: string): string {
  // biome-ignore lint/complexity/useRegexLiterals: escapes are easier to read than control characters.
  return raw.replace(new RegExp('\\u001b\\](?:633|133|1337);[^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)', 'g'), '');
}

/**
 * Whether what was read of a command begins where its output does. On a busy machine VS Code sometimes tells nothing of a
 * short command, not even the mark: then what it printed is not known, and not empty.
 */
export function isOutputTold(raw: string): boolean {
  return /\u001b\](?:633|133);C/.test(raw);
}
