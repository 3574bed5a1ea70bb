import { posix } from 'node:path';
import { knownField, type Started, type StaticField, type StaticProgram } from './evaluated.ts';

/** What holds for a starter holds for what it starts: `ssh host sudo rm x` removes nothing here. */
export function inherited(started: Started, { inside }: StaticProgram): Started {
  const elsewhere = started.elsewhere ?? inside?.elsewhere;
  const asUser = started.asUser ?? inside?.asUser;
  const moreArguments = started.moreArguments ?? inside?.moreArguments;
  return {
    ...started,
    ...(elsewhere ? { elsewhere } : {}),
    ...(asUser === undefined ? {} : { asUser }),
    ...(moreArguments ? { moreArguments } : {}),
  };
}

/** Where what is started runs, as the options of its starter tell. */
export function move(
  at: Pick<StaticProgram, 'cwd'> & { isLost?: boolean },
  { folder, isAway, elsewhere }: Started,
): void {
  if (folder !== undefined && /[$`*?]/.test(folder)) at.isLost = true;
  else if (folder !== undefined) at.cwd = posix.resolve(at.cwd, folder);
  if (isAway || elsewhere) at.isLost = true;
}

/** The call that a starter starts, with what is known of its words. */
export function innerProgram(program: StaticProgram, started: Started): StaticProgram {
  const words = started.argv ?? [];
  const argv = withRead(started, program, words);
  const { at } = started;
  const own = at === undefined ? undefined : program.fields.slice(at, at + words.length);
  const fields = argv.map((text, index): StaticField => {
    const known = own?.[index];
    if (known && known.text === text && !isPlace(started, text)) return known;
    const isOpen = /[$`*?[]/.test(text) || isPlace(started, text);
    return isOpen ? { text, pattern: '*', isOpen, why: 'output' } : knownField(text);
  });
  const env = { ...program.env, ...started.env };
  const { inputText, ...rest } = program;
  const inner: StaticProgram = { ...rest, argv, fields, inside: started, redirects: [], env };
  if (inputText !== undefined) inner.inputText = inputText;
  const moved: { cwd: string; isLost?: boolean } = { cwd: inner.cwd };
  move(moved, started);
  inner.cwd = moved.cwd;
  if (moved.isLost) inner.isLost = true;
  return inner;
}

/** The word stands for what is found or read. */
function isPlace({ placeholder }: Started, text: string): boolean {
  return placeholder !== undefined && text.includes(placeholder);
}

/** The words with what is read: xargs and parallel append it; where an `echo` before them tells it, it is known. */
export function withRead(started: Started, { inputText }: StaticProgram, argv: readonly string[]): string[] {
  if (started.moreArguments !== 'read' || inputText === undefined) return [...argv];
  const words = inputText.split(inputText.includes('\0') ? '\0' : /\s+/).filter((word) => word !== '');
  const placeholder = started.placeholder ?? (started.by === 'parallel' ? '{}' : undefined);
  if (placeholder === undefined || !argv.some((word) => word.includes(placeholder))) return [...argv, ...words];
  return argv.map((word) => word.replaceAll(placeholder, words.join(' ')));
}
