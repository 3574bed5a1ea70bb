import { readScript } from '../shell/script.ts';
import type { ScriptCommand, WordPiece } from '../shell/scriptReading.ts';

/** Stands in a text for what a shell puts there. No word of a shell has this byte. */
const filled = '\0';
/** What a shell may put into the words of code and is no code by itself: a number, a name, a path. */
const plainWord = /[\w./:@%+,=-]*/y;

/** Longer code is not looked for in a script but letter for letter. */
const longestCode = 20_000;
/** So many words of a script at most are looked at, and so many places in one that a shell fills. */
const mostWords = 2000;
const mostFilled = 8;
/** Scripts in words of scripts. */
const deepest = 2;

/**
 * Whether a code stands in the words of a script itself: as a word, a here-document, or what `echo` and `printf` are told to print.
 * Where the script has a variable or a substitution, the code may have a plain word. What came from a file or another program is not
 * its own. `isRead`: it was read from a pipe, into which several commands may have written lines.
 */
export function isOwnCode(code: string, script: string, { isRead }: { isRead: boolean }): boolean {
  const sought = code.trim();
  if (sought === '' || script.includes(sought)) return true;
  if (sought.length > longestCode) return false;
  const wholes = textsOf(script);
  if (wholes.some((text) => isFilledAs(text, sought))) return true;
  if (!isRead) return false;
  const lines = [...new Set(wholes.flatMap((text) => text.split('\n')).map((line) => line.trim()))];
  return sought
    .split('\n')
    .map((line) => line.trim())
    .every((line) => line === '' || lines.some((one) => one !== '' && isFilledAs(one, line)));
}

/** Whether a text is what a shell may make of another one, in time that grows with the lengths of both, whatever they are. */
function isFilledAs(text: string, made: string): boolean {
  const [first = '', ...pieces] = text.split(filled);
  if (!made.startsWith(first)) return false;
  /** Where the next piece may begin. */
  let starts = new Set([first.length]);
  for (const piece of pieces) {
    const next = new Set<number>();
    let end = -1;
    for (const start of [...starts].sort((one, other) => one - other)) {
      // What begins in a run of plain letters that was looked through ends where that ends.
      if (start <= end) continue;
      plainWord.lastIndex = start;
      end = start + (plainWord.exec(made)?.[0].length ?? 0);
      for (let at = start; at <= end; at += 1) if (made.startsWith(piece, at)) next.add(at + piece.length);
    }
    starts = next;
  }
  return starts.has(made.length);
}

/** All texts that stand in a script, and in scripts among its words: `bash -c '…'`. */
function textsOf(script: string, depth = 0): string[] {
  return readScript(script)
    .commands.flatMap((command) => [
      ...textsOfCommand(command),
      ...(depth < deepest ? scriptsIn(command).flatMap((inner) => textsOf(inner, depth + 1)) : []),
    ])
    .slice(0, mostWords);
}

function scriptsIn({ words }: ScriptCommand): string[] {
  const texts = words.map(({ pieces }) =>
    pieces.map((piece) => (piece.kind === 'literal' ? piece.text : '$_')).join(''),
  );
  return texts.filter((text) => /\s/.test(text) && /["'\\]/.test(text));
}

function textsOfCommand({ words, assignments, redirects }: ScriptCommand): string[] {
  const given = words.map(({ pieces }) => textOf(pieces));
  // `echo` prints its words with spaces between them, and `printf` the first one with the others in it.
  const printed = [given.slice(1).join(' '), given.slice(2).join(' ')];
  const values = assignments.flatMap(({ value, elements = [] }) => [...(value ? [value] : []), ...elements]);
  const read = redirects.flatMap(({ target, body, expands, bodyPieces }) => {
    if (body === undefined) return target ? [textOf(target.pieces)] : [];
    return [expands && bodyPieces ? textOf(bodyPieces) : body];
  });
  const plain = [...given, ...printed, ...values.map(({ pieces }) => textOf(pieces)), ...read];
  return plain
    .flatMap((text) => [text, withEscapes(text)])
    .map((text) => text.trim())
    .filter((text) => text !== '' && text.split(filled).length <= mostFilled);
}

function textOf(pieces: readonly WordPiece[]): string {
  return pieces.map((piece) => (piece.kind === 'literal' ? piece.text : filled)).join('');
}

/** What `printf` and `echo -e` make of a text. */
function withEscapes(text: string): string {
  return text.replace(/\\([nt])/g, (_, letter: string) => (letter === 'n' ? '\n' : '\t')).replace(/%[sd]/g, filled);
}
