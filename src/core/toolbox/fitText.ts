import { redactForPrompt } from '../context/secrets/redactForPrompt.ts';

/** A part of a text: its lines, and the most characters that it may have. */
export interface TextPart {
  lines: readonly string[];
  mostCharacters: number;
  /** The end of it is what counts. Default: its beginning. */
  keepsEnd?: boolean;
}

const longestLine = 400;

/**
 * The parts below each other, without secrets, in at most so many characters: each in its own limit, and what the others leave
 * is for `rest`, which stands behind them. What is left out is counted.
 */
export async function fitText(parts: readonly TextPart[], mostCharacters: number, rest = ''): Promise<string> {
  const shown: string[] = [];
  let left = mostCharacters;
  for (const part of parts) {
    if (part.lines.length === 0) continue;
    const lines = (await withoutSecrets(part.lines.join('\n'))).split('\n');
    const text = fitLines(lines, Math.min(part.mostCharacters, left - 2), part.keepsEnd);
    if (text === '') continue;
    shown.push(text);
    left -= text.length + 2;
  }
  if (rest !== '' && left > 200) shown.push(fitLines(rest.replace(/\n$/, '').split('\n'), left));
  return shown.join('\n\n');
}

/** What is read for secrets at once, in characters; of a longer text the end is kept. */
const mostRead = 1_000_000;

async function withoutSecrets(text: string): Promise<string> {
  return (await redactForPrompt(text.slice(-mostRead))).text;
}

/** Whole lines as long as there is room, and how many are left out; a very long line is cut. */
function fitLines(lines: readonly string[], mostCharacters: number, keepsEnd = false): string {
  const cut = lines.map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line));
  const whole = cut.join('\n');
  if (whole.length <= mostCharacters) return whole;
  const [title = '', ...others] = cut;
  const ordered = keepsEnd ? others.reverse() : others;
  const kept: string[] = [];
  // Room for the title and for the line that counts.
  let left = mostCharacters - title.length - 40;
  for (const line of ordered) {
    if (line.length + 1 > left) break;
    kept.push(line);
    left -= line.length + 1;
  }
  if (left < 0) return '';
  const omitted = `  (${others.length - kept.length} more lines ${keepsEnd ? 'before' : 'left out'})`;
  return keepsEnd ? [title, omitted, ...kept.reverse()].join('\n') : [title, ...kept, omitted].join('\n');
}
