import { type FoundSecret, findSecrets } from './findSecrets.ts';
import { findFileSecrets } from './secretFiles.ts';

/** A text without its secrets, and how many of each kind were in it. */
export interface PromptRedaction {
  text: string;
  found: { kind: string; count: number }[];
}

// The library is loaded when something is to be sent for the first time, never when the extension starts.
let library: Promise<(text: string) => Promise<FoundSecret[]>> | undefined;

/** Loads the scanner, so that the first prompt does not wait for it (about 40 ms). Never rejects. */
export async function warmRedaction(): Promise<void> {
  library ??= loadLibrary();
  await library.catch(() => undefined);
}

/**
 * Takes out every secret before a text is sent to a model: what secretlint's recommended rules find, what our own table
 * finds (`findSecrets`: named assignments, further issuers), and every value of a file that is known to hold secrets
 * (`path`, or a diff or listing that names one). Each becomes `[redacted: <kind>]`; names and everything around stay.
 *
 * Give it whole lines, or what is cut may not be recognised. Rejects when the scanner cannot be loaded: then nothing may
 * be sent.
 */
export async function redactForPrompt(text: string, options: { path?: string } = {}): Promise<PromptRedaction> {
  if (text === '') return { text, found: [] };
  library ??= loadLibrary();
  const scan = await library;
  const own = [...findFileSecrets(text, options.path), ...findSecrets(text)];
  const theirs = (await scan(text)).filter((one) => !isCovered(one, own));
  return replaceSecrets(text, [...own, ...theirs]);
}

/** The same without the library, at once: the quick layer, and what whole files go through before they are cut. */
export function redactAtOnce(text: string, path?: string): PromptRedaction {
  return replaceSecrets(text, [...findFileSecrets(text, path), ...findSecrets(text)]);
}

// These report a whole address; where our own rule took the password out of it, the rest may stay.
const wholeAddress = /^(?:basicauth|database-connection-string)$/;

function isCovered(one: FoundSecret, own: readonly FoundSecret[]): boolean {
  return wholeAddress.test(one.name) && own.some(({ start, end }) => start >= one.start && end <= one.end);
}

function replaceSecrets(text: string, found: readonly FoundSecret[]): PromptRedaction {
  if (found.length === 0) return { text, found: [] };
  const marks = [...text.matchAll(mark)].map((match) => ({ start: match.index, end: match.index + match[0].length }));
  const merged: FoundSecret[] = [];
  let nextMark = 0;
  for (const one of [...found].sort((a, b) => a.start - b.start || b.end - a.end)) {
    while ((marks[nextMark]?.end ?? Number.POSITIVE_INFINITY) <= one.start) nextMark++;
    const last = merged.at(-1);
    if (last && one.start < last.end) last.end = Math.max(last.end, one.end);
    else if (one.end > one.start && !isTakenOut(text, one, marks[nextMark])) merged.push({ ...one });
  }
  const counts = new Map<string, number>();
  let result = '';
  let at = 0;
  for (const { name, start, end } of merged) {
    result += `${text.slice(at, start)}[redacted: ${name}]`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    at = end;
  }
  return {
    text: result + text.slice(at),
    found: [...counts].map(([kind, count]) => ({ kind, count })),
  };
}

const mark = /\[redacted: [\w-]+\]/g;

/** It was taken out before: it begins in a mark, or nothing but a mark is in it. */
function isTakenOut(text: string, one: FoundSecret, next: { start: number; end: number } | undefined): boolean {
  if (!next || next.start >= one.end) return false;
  return one.start >= next.start || !/\w/.test(text.slice(one.start, one.end).replace(mark, ''));
}

/** What a rule of secretlint 12 gets and is, as far as we use it (its `SecretLintRuleContext` and `SecretLintRuleCreator`). */
interface ScannerContext {
  sharedOptions: Record<string, never>;
  createTranslator(): (messageId: string, properties: unknown) => unknown;
  report(found: { range: readonly [start: number, end: number] }): void;
  ignore(): void;
}

interface ScannerRule {
  meta: { id: string };
  create(context: ScannerContext, options: object): { file?(source: object): void | Promise<void> };
}

/**
 * The rules of secretlint (MIT, the most used scanner on npm; VS Code's own packager uses it): 24 packages in 65 kB that
 * touch no file and no process, about 10 ms a megabyte. We call them ourselves, because `@secretlint/core` marks every
 * call for a profiler that never forgets one: after some hundred texts it takes seconds. Left out is the rule that lets
 * comments in the text switch rules off.
 */
async function loadLibrary(): Promise<(text: string) => Promise<FoundSecret[]>> {
  const { rules } = await import('@secretlint/secretlint-rule-preset-recommend');
  const used = (rules as unknown as readonly ScannerRule[]).filter(({ meta }) => !meta.id.includes('filter-comments'));
  return async (content) => {
    const found: FoundSecret[] = [];
    const nowhere = { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } };
    // Of a source the rules read its content and name, and positions only for messages that nobody sees.
    const source = {
      content,
      filePath: 'prompt.txt',
      ext: '.txt',
      contentType: 'text',
      indexToPosition: () => nowhere.start,
      rangeToLocation: () => nowhere,
      locationToRange: () => [0, 0],
    };
    const running = used.map((rule) => {
      const name = rule.meta.id.replace(/^.*secretlint-rule-/, '');
      const context: ScannerContext = {
        sharedOptions: {},
        createTranslator: () => (messageId, properties) => ({ message: '', messageId, data: properties }),
        report: ({ range: [start, end] }) => found.push({ name, start, end }),
        ignore: () => {},
      };
      return rule.create(context, {}).file?.(source);
    });
    await Promise.all(running);
    return found;
  };
}
