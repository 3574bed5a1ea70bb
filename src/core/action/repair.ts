/** A text with what was changed in it, one sentence each. */
export interface Repaired {
  text: string;
  notes: string[];
}

/**
 * Repairs what web pages and word processors do to commands, where it is surely wrong: a shell knows no typographic
 * quotes, no-break spaces or dashes as syntax. Text inside plain quotes is left alone, because there they are content.
 */
export function repairPasted(original: string): Repaired {
  const notes: string[] = [];
  const change = (before: string, after: string, note: string) => {
    if (before !== after) notes.push(note);
    return after;
  };
  let text = original.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n');
  text = change(text, text.replace(/[\u200B\u200C\u2060\uFEFF\u00AD]/g, ''), 'Invisible characters were removed.');
  text = change(
    text,
    outsideQuotes(text, (part) => part.replace(/[\u00A0\u202F\u2007]/g, ' ')),
    'No-break spaces were replaced by spaces.',
  );
  text = change(text, outsideQuotes(text, straightenQuotes), 'Typographic quotes were replaced by plain ones.');
  text = change(
    text,
    outsideQuotes(text, (part) =>
      part
        .replace(/(^|\s)–(?=[A-Za-z])/g, (_, blank) => `${blank}${'-'}`)
        .replace(/(^|\s)(?:—|––)(?=[A-Za-z])/g, '$1--'),
    ),
    'Typographic dashes before options were replaced by plain ones.',
  );
  // Blanks behind a backslash end the command there; nobody means this when an option or a pipe follows.
  text = change(
    text,
    text.replace(/\\[ \t]+\n(?=[ \t]*(?:-|\||&&|[ \t]\S))/g, '\\\n'),
    'Blanks behind a line continuation were removed.',
  );
  return { text, notes };
}

function straightenQuotes(part: string): string {
  // Only whole quotations: an opening quote where a word or its value begins, and its closing partner.
  return part
    .replace(/(^|[\s=(,:[{])[“”„]([^“”„"\n]*)[“”](?=$|[\s;|&),:\]}/.])/g, '$1"$2"')
    .replace(/(^|[\s=(,:[{])[‘’‚]([^‘’‚'\n]*)[‘’](?=$|[\s;|&),:\]}/.])/g, "$1'$2'");
}

// Quotes and here-documents of the shell, roughly: a text in plain quotes is never touched.
const quotation = /'[^']*'|"(?:\\[\s\S]|[^"\\])*"/g;

function outsideQuotes(text: string, change: (part: string) => string): string {
  // A here-document is content from its first line on.
  const heredoc = /<<-?\s*['"\\]?\w/.exec(text);
  const end = heredoc ? text.indexOf('\n', heredoc.index) : -1;
  const script = end < 0 ? text : text.slice(0, end);
  let result = '';
  let from = 0;
  for (const match of script.matchAll(quotation)) {
    result += change(script.slice(from, match.index)) + match[0];
    from = match.index + match[0].length;
  }
  return result + change(script.slice(from)) + (end < 0 ? '' : text.slice(end));
}
