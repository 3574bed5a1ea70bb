/** A program as far as its output may be known. */
interface Printing {
  argv: readonly string[];
  inputText?: string;
}

/** What programs print, where their words tell it: `echo` and `printf` of known words, `cat` of a here-document. */
export function textOf(programs: readonly Printing[]): string | undefined {
  const last = programs.at(-1);
  if (!last) return undefined;
  const [name = '', ...words] = last.argv;
  if (name === 'cat' && words.length === 0) return last.inputText;
  if (name !== 'echo' && name !== 'printf') return undefined;
  const text = words.filter((word, index) => index > 0 || !/^-[neE]+$/.test(word)).join(' ');
  return text
    .replace(/\\n/g, '\n')
    .replace(/\\x([0-9a-fA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\u([0-9a-fA-F]{4})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** The commands that a program of awk hands to a shell. */
export function awkCommands(argv: readonly string[]): string[] {
  const text = argv.slice(1).join(' ');
  return [
    ...text.matchAll(
      /system\s*\(\s*"((?:\\.|[^"\\])*)"|\|&?\s*"((?:\\.|[^"\\])*)"|"((?:\\.|[^"\\])*)"\s*\|\s*&?\s*getline/g,
    ),
  ].map((match) => (match[1] ?? match[2] ?? match[3] ?? '').replace(/\\(.)/g, '$1'));
}
