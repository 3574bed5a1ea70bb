/**
 * The grammar of a reply, as data: what is asked for in words, read strictly and, where a server can, enforced while the model
 * writes is all made of it.
 */
export type GrammarPart =
  | { kind: 'words'; text: string }
  /** Any text of one line, possibly empty. */
  | { kind: 'line' }
  /** Any text. */
  | { kind: 'text' }
  /** A whole number, without zeros in front. */
  | { kind: 'number'; least: number; most: number }
  | { kind: 'oneOf'; of: readonly Grammar[] }
  /** As often as it fits, possibly never. */
  | { kind: 'any'; of: Grammar };

/** Parts, one after the other. */
export type Grammar = readonly GrammarPart[];

/** These very characters. */
export const words = (text: string): GrammarPart => ({ kind: 'words', text });
/** One of these texts. */
export const oneWord = (...texts: readonly string[]): GrammarPart => ({
  kind: 'oneOf',
  of: texts.map((text) => [words(text)]),
});

/**
 * The grammar in GBNF, which llama.cpp, SGLang (`ebnf`) and vLLM (`structured_outputs`) take. In front of the answer there may be
 * thinking that is closed, for servers that do not send it apart. `isTagged`: the answer stands in its tags.
 */
export function gbnfOf(grammar: Grammar, { isTagged }: { isTagged: boolean }): string {
  const rules = new Map<string, string>();
  const tags: [string, string] = isTagged
    ? ['"<predicted_observation>\\n" ', ' "\\n</predicted_observation>" blank']
    : ['', ''];
  const body = sequence(grammar, rules);
  const root = `root ::= thought? blank ${tags[0]}${body}${tags[1]}`;
  rules.set('thought', '("<think>" blank)? unclosed "</think>" blank');
  // Anything but the tag that closes it.
  rules.set('unclosed', '([^<] | "<" [^/] | "</" [^t])*');
  rules.set('blank', '[ \\n]*');
  return [root, ...[...rules].map(([name, rule]) => `${name} ::= ${rule}`)].join('\n');
}

function sequence(grammar: Grammar, rules: Map<string, string>): string {
  return grammar.map((part) => partText(part, rules)).join(' ');
}

function partText(part: GrammarPart, rules: Map<string, string>): string {
  switch (part.kind) {
    case 'words':
      return quoted(part.text);
    case 'line':
      rules.set('line', '[^\\n]*');
      return 'line';
    case 'text':
      rules.set('text', '([^\\n] | "\\n")*');
      return 'text';
    case 'number': {
      const name = `number-${part.least}-${Number.isFinite(part.most) ? part.most : 'any'}`;
      rules.set(name, numbersText(part.least, part.most));
      return name;
    }
    case 'oneOf':
      return `(${part.of.map((one) => sequence(one, rules)).join(' | ')})`;
    case 'any':
      return `(${sequence(part.of, rules)})*`;
  }
}

function quoted(text: string): string {
  return `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Numbers of a range by their digits; a range without a limit is any number. */
function numbersText(least: number, most: number): string {
  if (!Number.isFinite(most)) return least === 0 ? '"0" | [1-9] [0-9]*' : '[1-9] [0-9]*';
  const numbers: string[] = [];
  for (let tens = Math.floor(least / 10); tens <= Math.floor(most / 10); tens += 1) {
    const first = Math.max(least - tens * 10, 0);
    const last = Math.min(most - tens * 10, 9);
    numbers.push(`${tens === 0 ? '' : `"${tens}" `}[${first}-${last}]`);
  }
  return numbers.join(' | ');
}
