import type { ScriptReading } from './scriptReading.ts';

// Unicode 16, 23.2 and 23.3. Joiners belong into words of many scripts, and into emoji; between letters of ASCII they do nothing.
const hidden =
  /[\u200b\u2060-\u2064\ufeff]|(?<=[!-~])[\u200c\u200d](?=[!-~])|[\u202a\u202b\u202d\u202e\u2066-\u2069]/gu;

/**
 * Characters in the words of a script that nobody sees, or that turn the order of what is seen: other files and programs are named
 * than it looks like. Each once, as `U+200B`.
 */
export function hiddenCharacters({ commands }: ScriptReading): string[] {
  const texts = commands.flatMap(({ words, redirects }) => [
    ...words.map(({ text }) => text),
    ...redirects.flatMap(({ target }) => target?.text ?? []),
  ]);
  const found = new Set(texts.flatMap((text) => text.match(hidden) ?? []));
  return [...found].map((one) => `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`);
}
