import { estimateTokens } from '../../../context/estimateTokens.ts';
import { findChangingText } from '../prompt/changingText.ts';
import type { Domain } from '../prompt/turns/turn.ts';
import { type Placeholder, placeholders, placeholdersOf, type TemplateKind } from './templates.ts';

/** A doubt about a template. It is sent as it stands anyway. */
export interface TemplateWarning {
  code:
    | 'unknown-placeholder'
    | 'misplaced-placeholder'
    | 'missing-placeholder'
    | 'repeated-placeholder'
    | 'control-character'
    | 'broken-escape'
    | 'carriage-return'
    | 'byte-order-mark'
    | 'changing-text'
    | 'empty'
    | 'too-long';
  /** One or two sentences: what is wrong and what to do. */
  message: string;
  /** Stretch of the text, in UTF-16 code units. `start === end` where something is missing. */
  start: number;
  end: number;
  /** The placeholder that is missing, or that was probably meant. */
  meant?: Placeholder;
}

/** Above this many tokens a template leaves too little for the workspace; the official ones stay far below. */
export const templateWarningTokens = 16_000;

/** Looks a template over; the warnings come in the order of the text. Nothing in it is changed. */
export function lintTemplate(text: string, domain: Domain, kind: TemplateKind = 'system'): TemplateWarning[] {
  if (text.trim() === '') {
    return [
      {
        code: 'empty',
        message: 'The template is empty; the model would not know what it is.',
        start: 0,
        end: text.length,
      },
    ];
  }
  const warnings = [
    ...encodingWarnings(text),
    ...placeholderWarnings(text, kind === 'judge' ? [] : placeholdersOf[domain]),
    ...damageWarnings(text),
    // A judge is asked something else each time anyway.
    ...(kind === 'judge' ? [] : findChangingText(text).map((found) => ({ code: 'changing-text' as const, ...found }))),
  ];
  const tokens = estimateTokens(text);
  if (tokens > templateWarningTokens) {
    const message = `The template is about ${tokens} tokens long; every prediction pays for it, and small contexts have no room for the workspace.`;
    warnings.push({ code: 'too-long', message, start: 0, end: text.length });
  }
  return warnings.sort((a, b) => a.start - b.start || a.end - b.end);
}

function encodingWarnings(text: string): TemplateWarning[] {
  const warnings: TemplateWarning[] = [];
  if (text.startsWith('\uFEFF')) {
    const message = 'The file begins with a byte order mark, and it is sent; save the file as UTF-8 without one.';
    warnings.push({ code: 'byte-order-mark', message, start: 0, end: 1 });
  }
  const returnAt = text.indexOf('\r\n');
  if (returnAt >= 0) {
    const message = 'The lines end in CR LF, and the model sees every CR; save the file with LF.';
    warnings.push({ code: 'carriage-return', message, start: returnAt, end: returnAt + 2 });
  }
  return warnings;
}

function placeholderWarnings(text: string, wanted: readonly Placeholder[]): TemplateWarning[] {
  const warnings: TemplateWarning[] = [];
  const seen = new Set<string>();
  for (const match of text.matchAll(/(?<![{$\\])\{([A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)*)\}(?!\})/g)) {
    const [whole, name = ''] = match;
    const at = { start: match.index, end: match.index + whole.length };
    if (!(placeholders as readonly string[]).includes(name)) {
      // `{name}` is often an example; `{some_name}` hardly ever is.
      const meant = placeholderLike(name, wanted);
      const isChanging = changingName.test(name);
      if (!name.includes('_') && !meant && !isChanging) continue;
      const change = isChanging
        ? ' What is another one every time would also end what a server keeps of the prompt.'
        : '';
      const hint = meant ? ` Perhaps {${meant}} was meant.` : change;
      const message = `${whole} is not known and is sent as it stands.${hint}`;
      warnings.push({ code: 'unknown-placeholder', message, ...at, ...(meant ? { meant } : {}) });
    } else if (!(wanted as readonly string[]).includes(name)) {
      const message = `${whole} has no value in this domain; a prediction with this template fails until one is given.`;
      warnings.push({ code: 'misplaced-placeholder', message, ...at });
    } else if (seen.has(name)) {
      warnings.push({
        code: 'repeated-placeholder',
        message: `${whole} is filled in once more, at the price of its tokens.`,
        ...at,
      });
    }
    seen.add(name);
  }
  for (const name of wanted) {
    if (seen.has(name)) continue;
    const message = `The template lacks {${name}}, so the model is not shown ${name === 'demonstrations' ? 'any demonstration' : 'which tools there are'}.`;
    warnings.push({ code: 'missing-placeholder', message, start: text.length, end: text.length, meant: name });
  }
  return warnings;
}

/** Names of what changes from prompt to prompt. */
const changingName = /^(?:date|time|datetime|now|today|timestamp|uuid|nonce|(?:session|request|run|trace)_?id)$/i;

const otherNames: Readonly<Record<Placeholder, RegExp>> = {
  tool_definitions: /^(?:available)?(?:tools?|functions?)(?:s|list|defs?|definitions?|specs?|schemas?)?$/,
  demonstrations: /^(?:demos?|demonstrations?|examples?|fewshots?|shots)(?:list)?$/,
};

/** The placeholder that was probably meant by a name that is none: of the domain's own, or one that is misspelt. */
function placeholderLike(name: string, wanted: readonly Placeholder[]): Placeholder | undefined {
  const plain = name.toLowerCase().replaceAll('_', '');
  const misspelt = placeholders.find((one) => isNear(one.replaceAll('_', ''), plain));
  return misspelt ?? wanted.find((one) => otherNames[one].test(plain));
}

/** At most two letters are other ones, missing, or too many. */
function isNear(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 2) return false;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const changed = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return (row[b.length] ?? 3) <= 2;
}

function damageWarnings(text: string): TemplateWarning[] {
  const warnings: TemplateWarning[] = [];
  for (const match of text.matchAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]+/g)) {
    const code = match[0].charCodeAt(0).toString(16).padStart(2, '0');
    const message = `Here is a raw control character (\\x${code}); probably an escape sequence was meant that the file was once passed through.`;
    warnings.push({ code: 'control-character', message, start: match.index, end: match.index + match[0].length });
  }
  for (const at of brokenEscapes(text)) {
    const message =
      'A raw line break stands inside quotes; probably `\\n` was meant that the file was once passed through.';
    warnings.push({ code: 'broken-escape', message, start: at, end: at + 1 });
  }
  return warnings;
}

/** Line breaks where `\n` was meant: a value of `"keystrokes"` that does not end on its line, or a quote that a line break parts from its beginning. */
function* brokenEscapes(text: string): Generator<number> {
  let isFence = false;
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    if (newline < 0) return;
    const line = text.slice(start, newline);
    if (/^\s*```/.test(line)) isFence = !isFence;
    else if (/"keystrokes"\s*:\s*"(?:[^"\\]|\\.)*$/.test(line)) yield newline;
    else {
      const next = text.charAt(newline + 1);
      if (next === '"' && isOpen(line, '"')) yield newline;
      else if (next === '`' && !isFence && isOpen(line, '`') && !text.startsWith('```', newline + 1)) yield newline;
    }
    start = newline + 1;
  }
}

function isOpen(line: string, quote: string): boolean {
  const count = line.replace(/\\./g, '').split(quote).length - 1;
  return count % 2 === 1;
}
