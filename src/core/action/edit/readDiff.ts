import { unquotePath } from '../../shell/unquotePath.ts';
import type { PatchEdit } from '../action.ts';
import { foreignPatch, preparePatch } from './preparePatch.ts';

/** A file that a patch touches, with the names as they are in the patch; `undefined` is `/dev/null`. */
export interface PatchedFile {
  from: string | undefined;
  to: string | undefined;
  hunks: number;
  isBinary: boolean;
}

/** A patch as it can be given to a tool. */
export interface ReadDiff {
  text: string;
  files: PatchedFile[];
  tool: PatchEdit['tool'];
  strip: number;
  /** There is a place in it with lines to change; else it only moves files, or changes their modes. */
  sawHunk: boolean;
  /** What was left out of the text, and what is damaged (the tool will say its own words): a sentence each. */
  notices: string[];
}

// A parser of our own: git's headers (renames, copies, modes, binary patches, quoted names) are what libraries such as
// jsdiff leave out or reject, and the applying is done by the real tools. This one only says which files and which tool.

const hunkHead = /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

/**
 * Reads a patch; `problem` where there is none in the text. `isExact`: it is a file that the tool reads as it is, where a
 * patch can be found in it; else it was selected or pasted, and what was put around it goes away.
 */
export function readDiff(given: string, isExact = false): ReadDiff | { problem: string } {
  const { text, notices } = preparePatch(isExact ? given : given.replace(/^\uFEFF/, ''));
  const scan = scanLines(text);
  if (scan.files.length === 0) {
    const foreign = foreignPatch(text);
    if (foreign !== undefined) return { problem: foreign };
    if (scan.sawHunk)
      return {
        problem: 'The patch has changes but no file names; copy the lines that begin with --- and +++ as well.',
      };
    return { problem: 'There is no patch in this text; a patch has lines that begin with ---, +++ and @@.' };
  }
  if (scan.damage !== undefined) notices.push(scan.damage);
  const foreign = scan.sawHunk ? undefined : foreignPatch(text);
  if (foreign !== undefined) return { problem: foreign };
  const tool = scan.isGit ? 'git-apply' : 'patch';
  return {
    text: isExact || text.endsWith('\n') ? text : `${text}\n`,
    files: scan.files,
    tool,
    strip: stripOf(scan.files),
    sawHunk: scan.sawHunk,
    notices,
  };
}

interface Scan {
  files: PatchedFile[];
  isGit: boolean;
  sawHunk: boolean;
  damage?: string;
}

function scanLines(text: string): Scan {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const scan: Scan = { files: [], isGit: false, sawHunk: false };
  let at = 0;
  let current: PatchedFile | undefined;
  const begin = (file: PatchedFile) => {
    current = file;
    scan.files.push(file);
  };
  while (at < lines.length) {
    const line = (lines[at] ?? '').replace(/\r$/, '');
    const git = /^diff --git (.*)$/.exec(line);
    if (git) {
      scan.isGit = true;
      const [from, to] = gitNames(git[1] ?? '');
      begin({ from, to, hunks: 0, isBinary: false });
      at += 1;
      continue;
    }
    if (line.startsWith('--- ') && lines[at + 1]?.startsWith('+++ ') && mayBeHead(lines, at, current)) {
      const from = nameOf(line.slice(4));
      const to = nameOf((lines[at + 1] ?? '').slice(4));
      if (current && current.hunks === 0 && scan.isGit && !current.isBinary) Object.assign(current, { from, to });
      else begin({ from, to, hunks: 0, isBinary: false });
      at += 2;
      continue;
    }
    if (isContextHead(lines, at)) {
      begin({ from: nameOf(line.slice(4)), to: nameOf((lines[at + 1] ?? '').slice(4)), hunks: 0, isBinary: false });
      at += 2;
      continue;
    }
    if (current && /^\*{15}/.test(line)) {
      scan.sawHunk = true;
      current.hunks += 1;
    }
    if (current && /^(GIT binary patch|Binary files .* differ)/.test(line)) current.isBinary = true;
    if (current && line.startsWith('Binary files '))
      scan.damage ??= `The patch does not hold the bytes of ${current.to ?? current.from}; make it with git diff --binary.`;
    if (current && scan.isGit) extendedHeader(current, line);
    const head = hunkHead.exec(line);
    if (!head) {
      at += 1;
      continue;
    }
    scan.sawHunk = true;
    if (current) current.hunks += 1;
    const read = readHunk(lines, at, Number(head[1] ?? 1), Number(head[2] ?? 1));
    if (read.damage !== undefined) scan.damage ??= read.damage;
    at = read.next;
  }
  return scan;
}

/** Two such lines in the words of a mail are no patch: its first place follows, or it is one of git's that has none. */
function mayBeHead(lines: readonly string[], at: number, current: PatchedFile | undefined): boolean {
  return lines[at + 2] === undefined || lines[at + 2]?.startsWith('@@ -') === true || current?.hunks === 0;
}

/** `*** old`, `--- new` and a line of stars: a context diff. */
function isContextHead(lines: readonly string[], at: number): boolean {
  const [first = '', second = '', third = ''] = lines.slice(at, at + 3);
  return first.startsWith('*** ') && second.startsWith('--- ') && /^\*{15}/.test(third);
}

function extendedHeader(file: PatchedFile, line: string): void {
  if (line.startsWith('new file mode ')) file.from = undefined;
  if (line.startsWith('deleted file mode ')) file.to = undefined;
}

/** Goes over a hunk by the counts of its head; a hunk that does not have so many lines is damaged. */
function readHunk(
  lines: readonly string[],
  start: number,
  old: number,
  fresh: number,
): { next: number; damage?: string } {
  let [before, after, at] = [old, fresh, start + 1];
  while (before > 0 || after > 0) {
    const line = lines[at];
    const cut = `The patch is cut or damaged in the part that begins in its line ${start + 1}; copy it again as a whole.`;
    if (line === undefined) return { next: at, damage: cut };
    const kind = line.charAt(0);
    if (kind === ' ' || kind === '\t' || line === '' || line === '\r') {
      before -= 1;
      after -= 1;
    } else if (kind === '-') before -= 1;
    else if (kind === '+') after -= 1;
    else if (kind !== '\\') return { next: at, damage: cut };
    if (before < 0 || after < 0) return { next: at, damage: cut };
    at += 1;
  }
  return { next: at };
}

/** The two names of `diff --git a/x b/x`; blanks in them are told apart by their being the same. */
function gitNames(rest: string): [string | undefined, string | undefined] {
  if (rest.startsWith('"')) {
    const first = /^"(?:[^"\\]|\\.)*"/.exec(rest)?.[0] ?? '';
    return [unquotePath(first), unquotePath(rest.slice(first.length + 1))];
  }
  if (rest.endsWith('"')) {
    const at = rest.indexOf(' "');
    return [rest.slice(0, at), unquotePath(rest.slice(at + 1))];
  }
  const half = (rest.length - 1) / 2;
  const [left, right] = [rest.slice(0, half), rest.slice(half + 1)];
  if (
    Number.isInteger(half) &&
    rest.charAt(half) === ' ' &&
    left.replace(/^[^/]*\//, '') === right.replace(/^[^/]*\//, '')
  )
    return [left, right];
  // Moved, and with blanks in the names: the second begins with its prefix.
  const at = /^.* (?=[a-z]\/)/.exec(rest)?.[0].length ?? rest.indexOf(' ') + 1;
  return [rest.slice(0, at - 1), rest.slice(at)];
}

/** The name in a `---` or `+++` line, without the time behind it. */
function nameOf(written: string): string | undefined {
  const plain = written.replace(/\r$/, '');
  const name = plain.startsWith('"')
    ? unquotePath(/^"(?:[^"\\]|\\.)*"/.exec(plain)?.[0] ?? plain)
    : plain.replace(/\t.*$/, '').replace(/\s+\d{4}-\d\d-\d\d \d\d:\d\d.*$/, '');
  return name === '/dev/null' ? undefined : name;
}

/** How many leading parts the names have that are not part of the path: 1 for `a/x b/x` and for `old/x new/x`, else 0. */
function stripOf(files: readonly PatchedFile[]): number {
  const isPrefixed = (name: string | undefined, prefix: RegExp) => name === undefined || prefix.test(name);
  const side = /^[abciow]\//;
  if (files.every(({ from, to }) => isPrefixed(from, side) && isPrefixed(to, side) && hasSides(from, to))) return 1;
  const differ = ({ from, to }: PatchedFile) =>
    from !== undefined &&
    to !== undefined &&
    from.includes('/') &&
    from !== to &&
    !from.startsWith('/') &&
    from.replace(/^[^/]+\//, '') === to.replace(/^[^/]+\//, '');
  return files.every(differ) ? 1 : 0;
}

// A file `a/x` that is patched without prefixes has the same name on both sides.
function hasSides(from: string | undefined, to: string | undefined): boolean {
  return from === undefined || to === undefined || from.charAt(0) !== to.charAt(0);
}
