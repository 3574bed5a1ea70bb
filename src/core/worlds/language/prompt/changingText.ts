import { templateSections } from '../template/templateSections.ts';

/** A stretch of a template that looks as if it were another one every time. */
export interface ChangingText {
  /** One or two sentences. */
  message: string;
  /** In UTF-16 code units. */
  start: number;
  end: number;
}

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';
const date = `(?:\\d{4}-\\d{2}-\\d{2}|\\d{1,2}[./]\\d{1,2}[./]\\d{2,4}|${month} \\d{1,2},? \\d{4}|\\d{1,2} ${month} \\d{4})`;
const clock = '\\d{1,2}:\\d{2}(?::\\d{2})?';

const kinds: readonly { what: string; pattern: RegExp }[] = [
  { what: 'a time', pattern: /\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?/g },
  {
    what: 'the date of today',
    pattern: new RegExp(
      `\\b(?:today|now|current (?:date|time)|date|time|generated)\\b[^\\n]{0,24}?(?:${date}|${clock})`,
      'gi',
    ),
  },
  { what: 'a random id', pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi },
  { what: 'a random id', pattern: /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{32,64}\b/gi },
  { what: 'a random id', pattern: /\b(?:session|request|run|trace|nonce|seed)[ _-]?id\b\s*[:=]\s*[\w-]{4,}/gi },
];

/**
 * Times and random ids in a template. A server keeps the beginning of a prompt only as long as it stays the same to the
 * last character, so everything behind such a stretch would be read anew each time. What stands in a fence or between
 * backticks or quotes is an example.
 */
export function findChangingText(text: string): ChangingText[] {
  const fences = templateSections(text).filter(({ kind }) => kind === 'fence');
  const quoted = [...text.matchAll(/`[^`\n]*`|"[^"\n]*"|“[^”\n]*”/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
  const examples = [...fences, ...quoted];
  const found: ChangingText[] = [];
  for (const { what, pattern } of kinds) {
    for (const { index: start, 0: words } of text.matchAll(pattern)) {
      const end = start + words.length;
      if (examples.some((one) => start >= one.start && end <= one.end)) continue;
      if (found.some((one) => start < one.end && end > one.start)) continue;
      const message = `This looks like ${what}. If it differs every time, a server has to read everything after it again; put what changes into the last turn.`;
      found.push({ message, start, end });
    }
  }
  return found.sort((a, b) => a.start - b.start);
}
