/** A program as far as its output may be known. */
interface Printing {
  argv: readonly string[];
  inputText?: string;
}

/** What programs print, where their words tell it: `echo` and `printf` of known words, `cat` of what it reads. */
export function printedText(programs: readonly Printing[]): string | undefined {
  const last = programs.at(-1);
  if (!last) return undefined;
  const [name = '', ...words] = last.argv;
  if (name === 'cat' && words.length === 0) return last.inputText;
  if (name !== 'echo' && name !== 'printf') return undefined;
  const given = words.filter((word, index) => index > 0 || !/^-[neE]+$/.test(word));
  const [format = '', ...rest] = given;
  const isFormat = name === 'printf' && /%s/.test(format) && !/%[^s%]/.test(format);
  const text = isFormat ? formatted(format, rest) : given.join(' ');
  return text
    .replace(/\\n/g, '\n')
    .replace(/\\0(?![0-7])/g, '\0')
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

// printf goes through its format again until all words are used.
function formatted(format: string, words: readonly string[]): string {
  const left = [...words];
  let text = '';
  do text += format.replace(/%(.)/g, (_, kind: string) => (kind === '%' ? '%' : (left.shift() ?? '')));
  while (left.length > 0);
  return text;
}
