import { posix } from 'node:path';
import { knownField, type Mount, type Started, type StaticField, type StaticProgram } from './evaluated.ts';

/** What holds for a starter holds for what it starts: `ssh host sudo rm x` removes nothing here. */
export function inherited(started: Started, program: StaticProgram): Started {
  const { inside } = program;
  const elsewhere = started.elsewhere ?? inside?.elsewhere;
  const mounts = started.elsewhere ? absolute(started.mounts, program) : inside?.mounts;
  const isFresh = started.elsewhere ? started.isFresh : inside?.isFresh;
  const asUser = started.asUser ?? inside?.asUser;
  const isLater = started.isLater ?? inside?.isLater;
  const moreArguments = started.moreArguments ?? inside?.moreArguments;
  const placeholder = started.placeholder ?? (started.moreArguments ? undefined : inside?.placeholder);
  return {
    ...started,
    ...(elsewhere ? { elsewhere } : {}),
    // Of a container's own folders only that is known which it is told to begin in.
    ...(started.elsewhere && !started.folder?.startsWith('/') ? { isAway: true as const } : {}),
    ...(mounts ? { mounts } : {}),
    ...(isFresh ? { isFresh } : {}),
    ...(asUser === undefined ? {} : { asUser }),
    ...(isLater ? { isLater } : {}),
    ...(moreArguments ? { moreArguments } : {}),
    ...(placeholder === undefined ? {} : { placeholder }),
  };
}

/** With the folders of this machine as they are named where the starter is; relative ones are not known where nobody knows that. */
function absolute(mounts: readonly Mount[] | undefined, { cwd, isLost }: StaticProgram): Mount[] | undefined {
  return mounts
    ?.filter(({ from }) => from === undefined || posix.isAbsolute(from) || !isLost)
    .map((mount) => (mount.from === undefined ? mount : { ...mount, from: posix.resolve(cwd, mount.from) }));
}

/** Words of a script in which something stands for what is found or read: `xargs -I{} sh -c 'rm {}'`. */
export function withPlaces(fields: StaticField[], inside: Started | undefined): StaticField[] {
  if (inside?.placeholder === undefined) return fields;
  return fields.map((field) =>
    field.isOpen || !isPlace(inside, field.text) ? field : { ...field, pattern: '*', isOpen: true, why: 'output' },
  );
}

/** Where what is started runs, as the options of its starter tell. */
export function move(at: Pick<StaticProgram, 'cwd'> & { isLost?: boolean }, { folder, isAway }: Started): void {
  if (folder !== undefined && /[$`*?]/.test(folder)) at.isLost = true;
  else if (folder !== undefined) at.cwd = posix.resolve(at.cwd, folder);
  if (isAway) at.isLost = true;
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
  const words = readWords(inputText, started.by);
  const placeholder = started.placeholder ?? (started.by === 'parallel' ? '{}' : undefined);
  if (placeholder === undefined || !argv.some((word) => word.includes(placeholder))) return [...argv, ...words];
  // A call for each line: which of them stands in this one is open.
  if (started.placeholder !== undefined && inputText.trim().includes('\n')) return [...argv];
  return argv.map((word) => word.replaceAll(placeholder, words.join(' ')));
}

/**
 * Words that end in NUL where there is one; xargs(1) takes quotes and backslashes away, others know only blanks. What a
 * substitution prints is not known: it stays one word.
 */
function readWords(text: string, by: string): string[] {
  if (text.includes('\0')) return text.split('\0').filter((word) => word !== '');
  if (by !== 'xargs') return text.match(/(?:\$\((?:[^()]|\([^()]*\))*\)|\S)+/g) ?? [];
  const words = text.match(/(?:\$\((?:[^()]|\([^()]*\))*\)|"[^"\n]*"|'[^'\n]*'|\\[\s\S]|[^\s"'\\])+/g) ?? [];
  return words.map((word) =>
    word.includes('$(')
      ? word
      : word.replace(/"([^"\n]*)"|'([^'\n]*)'|\\([\s\S])/g, (_, ...inner) => inner.slice(0, 3).join('')),
  );
}
