/** Words that call, list or read functions by other means than their names. */
const reaching =
  /(?:^|[\s;&|({`'"])(?:eval|source|declare|typeset|set|compgen|trap)(?=[\s;&|)}`'"]|$)|(?:^|[\n;&|({`]|\b(?:then|do|else)\s)\s*\.\s/m;

/** A command, or a part of a name, that is known when it is run. */
const computed =
  /(?:^|[\n;&|({`!]|\b(?:then|do|else|elif|if|while|until|time)\s)\s*(?:\w+=\S*\s+)*["']?[$`\\]|[\w"']["'\\]\w/;

/** All words of a text, and parts of words, that could be names. */
export const wordsIn = (text: string): string[] => text.split(/[\s;&|()<>`$"'{}=!]+/);

/** Whether a script could call a function: a word of it, or of an alias that it uses, is the name of one, or may become one. */
export function mayCallFunction(
  script: string,
  { aliases, functions }: { aliases: ReadonlyMap<string, string>; functions: ReadonlySet<string> },
): boolean {
  if (functions.size === 0) return false;
  const texts = [script];
  const used = new Set<string>();
  for (const text of texts) {
    if (reaching.test(text) || computed.test(text)) return true;
    for (const word of wordsIn(text)) {
      if (functions.has(word)) return true;
      const meaning = used.has(word) ? undefined : aliases.get(word);
      if (meaning !== undefined) texts.push(meaning);
      used.add(word);
    }
  }
  return false;
}
