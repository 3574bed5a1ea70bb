import { posix } from 'node:path';

/** What a shell asks of the disk to expand a pattern. Paths are absolute. */
export interface Folders {
  /** Names in a folder, in any order; none where it cannot be read. */
  names(folder: string): Promise<readonly string[]>;
  /** Whether something stands there. */
  exists(path: string): Promise<boolean>;
  /** Whether it is a folder, through symbolic links as well. */
  isFolder(path: string): Promise<boolean>;
}

/** A text as a pattern that matches it and nothing else. */
export function escapePattern(text: string): string {
  return text.replace(/[\\*?[\]]/g, '\\$&');
}

/** Whether something in it is not escaped and matches more than itself. */
export function isPattern(pattern: string): boolean {
  return /[*?[]/.test(pattern.replace(/\\./gs, ''));
}

/** Extended patterns, and `**`, whose meaning depends on options of the shell. */
const unreadable = /[@!?+*]\(|\*\*/;

/**
 * A pattern of a shell as an expression over a whole text: `*`, `?`, `[a-z]`, `[!a]`, `\x`. `undefined`: what it means
 * depends on options of the shell.
 */
export function patternExpression(pattern: string): RegExp | undefined {
  if (unreadable.test(pattern.replace(/\\./gs, ''))) return undefined;
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at] ?? '';
    const end = character === '[' ? endOfSet(pattern, at) : -1;
    if (character === '\\' && at + 1 < pattern.length) source += escaped(pattern[++at] ?? '');
    else if (character === '*') source += '.*';
    else if (character === '?') source += '.';
    else if (end > 0) {
      source += setOf(pattern.slice(at + 1, end));
      at = end;
    } else source += escaped(character);
  }
  try {
    return new RegExp(`^${source}$`, 'su');
  } catch {
    return undefined;
  }
}

// `]` as the first of a set is one of its characters.
function endOfSet(pattern: string, at: number): number {
  const first = /[!^]/.test(pattern[at + 1] ?? '') ? at + 2 : at + 1;
  for (let end = first; end < pattern.length; end++) {
    if (pattern.startsWith('[:', end)) end = pattern.indexOf(':]', end) + 1 || pattern.length;
    else if (end > first && pattern[end] === ']') return end;
  }
  return -1;
}

const classes: Readonly<Record<string, string>> = {
  alnum: '\\p{L}\\p{N}',
  alpha: '\\p{L}',
  digit: '0-9',
  lower: '\\p{Ll}',
  upper: '\\p{Lu}',
  space: '\\s',
  punct: '!-\\/:-@\\[-`\\{-~',
  xdigit: '0-9A-Fa-f',
  word: '\\w',
};

function setOf(inner: string): string {
  const isNegated = /^[!^]/.test(inner);
  const body = (isNegated ? inner.slice(1) : inner)
    .split(/(\[:\w+:\])/)
    .map((part) => classes[/^\[:(\w+):\]$/.exec(part)?.[1] ?? ''] ?? part.replace(/[\\\]^[]/g, '\\$&'))
    .join('');
  return `[${isNegated ? '^' : ''}${body}]`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/**
 * The names that a pattern matches, as the shell writes them: relative where the pattern is, in their order, without
 * hidden ones that it does not ask for. Empty: none. `undefined`: what it means depends on options of the shell.
 */
export async function matchPattern(pattern: string, cwd: string, folders: Folders): Promise<string[] | undefined> {
  if (unreadable.test(pattern.replace(/\\./gs, ''))) return undefined;
  const parts = pattern.split('/');
  let found = [''];
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1;
    const next: string[] = [];
    for (const before of found) {
      const folder = index === 0 ? cwd : posix.resolve(cwd, `${before}/`);
      for (const name of await namesOf(part, folder, folders)) {
        const path = index === 0 ? name : `${before}/${name}`;
        if (isLast || part === '' || (await folders.isFolder(posix.resolve(cwd, path)))) next.push(path);
      }
    }
    found = next;
  }
  return found.sort();
}

async function namesOf(part: string, folder: string, folders: Folders): Promise<readonly string[]> {
  if (part === '') return [''];
  const literal = part.replace(/\\(.)/gs, '$1');
  if (!isPattern(part)) return (await folders.exists(posix.join(folder, literal))) ? [literal] : [];
  const expression = patternExpression(part);
  if (!expression) return [];
  const asksForHidden = literal.startsWith('.');
  return (await folders.names(folder)).filter(
    (name) => (asksForHidden || !name.startsWith('.')) && expression.test(name),
  );
}
