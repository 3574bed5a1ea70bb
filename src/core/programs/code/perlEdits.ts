import { contentOf, type EditsOrNeed, followed, type KnownContents, stop } from './codeEdits.ts';
import { matchesEmpty, timedReplace } from './timedReplace.ts';

/** A substitution in the terms of JavaScript. */
interface Substitution {
  pattern: string;
  flags: string;
  /** As `replace` reads it. */
  to: string;
  /** Where it matches little or nothing it might have matched more. */
  hasOtherWays: boolean;
}

/** How the files are gone through. */
interface InPlace {
  codes: string[];
  files: string[];
  /** Ending of the copy that is kept. */
  backup: string;
  records: 'lines' | 'whole' | 'zeros';
}

const mostFiles = 20;
const longest = 4_000;

/**
 * Follows `perl -pi -e 's/old/new/'`: substitutions one behind the other, of patterns that mean the same to Perl and to JavaScript,
 * in each line of the files or in all of each (`-0777`). Contents are bytes, a character each.
 */
export function perlEdits(argv: readonly string[], files: KnownContents): EditsOrNeed {
  const edits = { written: new Map<string, string>(), prints: false };
  return followed(edits, () => {
    const { codes, files: names, backup, records } = wordsOf(argv.slice(1));
    const substitutions = codes.flatMap((code) => substitutionsOf(code));
    if (names.length === 0 || names.length > mostFiles || substitutions.length === 0) stop();
    for (const name of names) {
      const before = contentOf(edits, files, name);
      if (records === 'zeros' && before.includes('\0')) stop();
      // Whether an empty file is read once nobody looks.
      if (before === '' && records !== 'lines') stop();
      const parts = records === 'lines' ? before.split(/(?<=\n)/).filter((line) => line !== '') : [before];
      if (parts.length > 20_000) stop();
      if (backup !== '') edits.written.set(`${name}${backup}`, before);
      edits.written.set(name, substituted(parts, substitutions));
    }
  });
}

function substituted(parts: readonly string[], substitutions: readonly Substitution[]): string {
  let texts = parts;
  for (const { pattern, flags, to, hasOtherWays } of substitutions) {
    // Behind a match of nothing Perl looks for one of something at the same place first, which another way may give.
    if (flags.includes('g') && hasOtherWays && matchesEmpty(texts, pattern, flags)) stop();
    texts = timedReplace({ texts, pattern, flags, to, method: 'replace' });
  }
  return texts.join('');
}

/** `-p`, `-i`, `-0` and `-e` in any order, and files: no other option. */
function wordsOf(words: readonly string[]): InPlace {
  const found: InPlace = { codes: [], files: [], backup: '', records: 'lines' };
  let isInPlace = false;
  let prints = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (found.files.length > 0 || !word.startsWith('-')) {
      // Names that open something else than a file, and files that are gone through twice.
      if (word === '' || /^[<>|\s-]|[|\s]$/.test(word) || found.files.includes(word)) stop();
      found.files.push(word);
      continue;
    }
    const option = /^-(?:(0[0-7]*)?(p)?|(p)(0[0-7]*))(?:(i)([\w.~-]*)|(e))?$/.exec(word) ?? stop();
    const zero = option[1] ?? option[4];
    if (zero !== undefined)
      found.records = /^0+$/.test(zero) && zero.length === 1 ? 'zeros' : /^0777$/.test(zero) ? 'whole' : stop();
    prints ||= (option[2] ?? option[3]) !== undefined;
    if (option[5] !== undefined) {
      isInPlace = true;
      found.backup = option[6] ?? '';
    }
    if (option[7] !== undefined) found.codes.push(words[++at] ?? stop());
  }
  return isInPlace && prints && found.codes.length > 0 ? found : stop();
}

/** Substitutions one behind the other. */
function substitutionsOf(code: string): Substitution[] {
  if (code.length > longest || /[^\n\x20-\x7e]/.test(code)) stop();
  const found: Substitution[] = [];
  let left = code.trim();
  while (left !== '') {
    const begin = /^s([/|#,!{])/.exec(left)?.[1] ?? stop();
    const first = delimited(left.slice(2), begin);
    const second = begin === '{' ? delimited(afterBrace(first.left), '{') : delimited(first.left, begin);
    const ending = /^([gims]*)\s*(?:;\s*|$)/.exec(second.left) ?? stop();
    const letters = ending[1] ?? '';
    left = second.left.slice(ending[0].length);
    const perl = plainDelimiters(first.text, begin);
    const pattern = patternOf(perl, letters);
    const to = replacementOf(plainDelimiters(second.text, begin));
    // A group that there is not is nothing to Perl, and two letters to JavaScript.
    const groups = pattern.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]])*\]/g, '').match(/\((?!\?)/g)?.length ?? 0;
    if ([...to.matchAll(/\$(?:\$|([1-9]))/g)].some(([, group]) => Number(group ?? 0) > groups)) stop();
    const flags = letters.replace(/[^gi]|(.)(?=.*\1)/g, '');
    found.push({ pattern, flags, to, hasOtherWays: /[*+?}]\?|\|/.test(perl) });
  }
  return found;
}

function afterBrace(left: string): string {
  return /^\s*\{/.test(left) ? left.replace(/^\s*\{/, '') : stop();
}

/** What stands before the next delimiter that has no backslash; of braces before the one that closes. */
function delimited(text: string, delimiter: string): { text: string; left: string } {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === '\\') at++;
    else if (delimiter === '{' && character === '{') depth++;
    else if (delimiter === '{' && character === '}' && depth > 0) depth--;
    else if (character === (delimiter === '{' ? '}' : delimiter))
      return { text: text.slice(0, at), left: text.slice(at + 1) };
  }
  return stop();
}

/** A delimiter with a backslash is itself; whether one that has a meaning in patterns keeps it then nobody looks. */
function plainDelimiters(text: string, delimiter: string): string {
  if (/[/#,!]/.test(delimiter))
    return text.replace(/\\[\s\S]/g, (one) => (one === `\\${delimiter}` && delimiter !== '/' ? delimiter : one));
  return text.includes(`\\${delimiter}`) || text.includes('\\}') ? stop() : text;
}

/** A pattern of Perl in the terms of JavaScript, where it says the same there. */
function patternOf(perl: string, letters: string): string {
  if (perl === '') return stop();
  let made = '';
  let at = 0;
  while (at < perl.length) {
    const rest = perl.slice(at);
    const part = partOf(rest, letters, /(?:^|[(|^:=!]|\$\)|\\[bB])$/.test(made));
    made += part.made;
    at += part.length;
  }
  return made;
}

interface Part {
  made: string;
  length: number;
}

const spaces = '[ \\t\\n\\r\\f\\v]';

/** `isFirst`: nothing stands before that could be repeated. */
function partOf(rest: string, letters: string, isFirst: boolean): Part {
  const isOfLines = letters.includes('m');
  const escaped = /^\\(.)/.exec(rest)?.[1];
  if (escaped !== undefined) {
    if (/[dDwWbBntr]/.test(escaped)) return { made: `\\${escaped}`, length: 2 };
    if (escaped === 's') return { made: spaces, length: 2 };
    if (escaped === 'S') return { made: spaces.replace('[', '[^'), length: 2 };
    return /[\w\s]/.test(escaped) ? stop() : { made: `\\${escaped}`, length: 2 };
  }
  const set = /^\[(\^?)((?:[\w .,:;=<>()|/*+?{}'"`~!%&#-]|\\[sdwntr.\-\][()/\\$@^*+?|{}])+)\]/.exec(rest);
  if (rest.startsWith('[')) {
    // A range whose ends are no plain characters, and `[:alpha:]`.
    if (!set || /\\[sdw]-|-\\[sdw]|^\[:|:\]$/.test(set[2] ?? '')) return stop();
    return { made: set[0].replaceAll('\\s', ' \\t\\n\\r\\f\\v'), length: set[0].length };
  }
  if (rest.startsWith('.')) return { made: letters.includes('s') ? '[^]' : '[^\\n]', length: 1 };
  if (rest.startsWith('^')) return { made: isOfLines ? '(?:^|(?<=\\n)(?!$))' : '^', length: 1 };
  if (/^\$(?:$|[)|])/.test(rest)) return { made: isOfLines ? '(?=\\n|$)' : '(?=\\n?$)', length: 1 };
  // A variable, or an array.
  if (/^[$@]/.test(rest)) return /^@(?:$|[\s.,;)|])/.test(rest) ? { made: '@', length: 1 } : stop();
  const group = /^\((?:\?[:=!])?/.exec(rest)?.[0];
  if (group !== undefined)
    return /^\(\?(?![:=!])/.test(rest) || /^\([?*]/.test(group === '(' ? rest : '')
      ? stop()
      : { made: group, length: group.length };
  // What a group that is gone through again has found last differs.
  if (/^\)[*+?{]/.test(rest)) return stop();
  const repeated = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(rest)?.[0];
  if (repeated !== undefined) {
    const lazy = rest.charAt(repeated.length);
    if (isFirst || lazy === '+' || /^[*{]/.test(lazy)) return stop();
    return { made: repeated + (lazy === '?' ? '?' : ''), length: repeated.length + (lazy === '?' ? 1 : 0) };
  }
  // Perl 5.34 takes `{,3}` for a number of times, and refuses some others that stand alone.
  if (rest.startsWith('{') && !(isFirst && /^\{[^\s,\d]/.test(rest))) return stop();
  const [character = ''] = rest;
  return { made: /[{}\]]/.test(character) ? `\\${character}` : character, length: 1 };
}

/** What Perl puts in the place, as `replace` reads it. */
function replacementOf(perl: string): string {
  let made = '';
  let at = 0;
  while (at < perl.length) {
    const rest = perl.slice(at);
    const escaped = /^\\([\s\S])/.exec(rest)?.[1];
    const group = /^\$(?:([1-9&])(?![\d[{(]|->)|\{([1-9])\}(?![[{]|->))/.exec(rest);
    if (escaped !== undefined) {
      const known: Record<string, string> = { n: '\n', t: '\t', r: '\r' };
      if (/[\w\s]/.test(escaped) && known[escaped] === undefined) return stop();
      made += escaped === '$' ? '$$' : (known[escaped] ?? escaped);
      at += 2;
    } else if (group) {
      // Two digits may name another group.
      if (/^\d/.test(perl.slice(at + group[0].length))) return stop();
      made += `$${group[1] ?? group[2]}`;
      at += group[0].length;
    } else if (/^\$/.test(rest) || (/^@/.test(rest) && !/^@(?:$|[\s.,;)|])/.test(rest))) return stop();
    else {
      made += rest.charAt(0);
      at += 1;
    }
  }
  return made;
}
