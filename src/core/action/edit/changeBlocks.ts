/** One place that is to change: what is looked for and what comes in its place, each with the line breaks it has. */
export interface ChangeBlock {
  /** Absent where the call names the file. */
  path?: string;
  search: string;
  replace: string;
  /** Counted from 1; 0 where it is not said. */
  startLine: number;
}

const opens = /^(?:-{3,}|<{3,}) ?SEARCH>? *$/;
const divides = /^={3,} *$/;
const closes = /^(?:\+{3,}|>{3,}) ?REPLACE *$/;

/** True where a text has blocks of SEARCH and REPLACE (aider, Cline, Roo). */
export function hasBlocks(text: string): boolean {
  const lines = text.split(/\r?\n/);
  return lines.some((line) => opens.test(line)) && lines.some((line) => closes.test(line));
}

/** Reads blocks of SEARCH and REPLACE; undefined where one of them is not whole. The file's name may stand before a block. */
export function readBlocks(text: string): ChangeBlock[] | undefined {
  const lines = text.split(/\r?\n/);
  const blocks: ChangeBlock[] = [];
  let path: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    if (!opens.test(lines[at] ?? '')) continue;
    path = nameBefore(lines, at) ?? path;
    const middle = lines.findIndex((line, index) => index > at && divides.test(line));
    const end = lines.findIndex((line, index) => index > middle && closes.test(line));
    if (middle < 0 || end < 0) return undefined;
    const head = lines.slice(at + 1, middle);
    const marks = head.findIndex((line) => !/^:(?:start|end)_line: *\d+ *$/.test(line));
    const count = marks < 0 ? head.length : marks;
    const startLine = Number(/^:start_line: *(\d+)/.exec(head[0] ?? '')?.[1] ?? 0);
    const skipped = count > 0 && /^-{7} *$/.test(head[count] ?? '') ? count + 1 : count;
    blocks.push({
      ...(path === undefined ? {} : { path }),
      search: joined(head.slice(skipped)),
      replace: joined(lines.slice(middle + 1, end)),
      startLine,
    });
    at = end;
  }
  return blocks.length === 0 ? undefined : blocks;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}

/** The name that stands in one of the three lines before a block; a fence may be between. */
function nameBefore(lines: readonly string[], at: number): string | undefined {
  for (const line of lines.slice(Math.max(0, at - 3), at).reverse()) {
    const plain = line.trim();
    if (plain === '' || closes.test(plain)) return undefined;
    if (/^(?:```|~~~)/.test(plain)) continue;
    return plain
      .replace(/:$/, '')
      .replace(/^#+/, '')
      .trim()
      .replace(/^[`*]+|[`*]+$/g, '');
  }
  return undefined;
}

/** True where a text has a unified diff whose places are not numbered (`@@ ... @@`), as aider's models write it. */
export function hasUnnumberedDiff(text: string): boolean {
  return /^--- \S.*\n\+\+\+ \S.*\n@@(?!@| -\d+(?:,\d+)? \+\d)/m.test(text.replaceAll('\r\n', '\n'));
}

/** Reads diffs whose places are not numbered. */
export function readUnnumberedDiff(text: string): ChangeBlock[] {
  const blocks: ChangeBlock[] = [];
  let path: string | undefined;
  let hunk: { search: string; replace: string; isChange: boolean } | undefined;
  const end = () => {
    if (hunk?.isChange && path !== undefined)
      blocks.push({ path, search: hunk.search, replace: hunk.replace, startLine: 0 });
    hunk = undefined;
  };
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const next = lines[at + 1] ?? '';
    if (line.startsWith('--- ') && next.startsWith('+++ ')) {
      end();
      const [from, to] = [nameOf(line), nameOf(next)];
      path = from.startsWith('a/') && to === `b/${from.slice(2)}` ? to.slice(2) : to;
      at += 1;
    } else if (line.startsWith('@@')) {
      end();
      hunk = { search: '', replace: '', isChange: false };
    } else if (/^(?:```|~~~)/.test(line)) end();
    else if (hunk) {
      const kind = line.charAt(0);
      const rest = `${kind === ' ' || kind === '+' || kind === '-' ? line.slice(1) : line}\n`;
      if (at === lines.length - 1 && line === '') break;
      if (kind !== '+') hunk.search += rest;
      if (kind !== '-') hunk.replace += rest;
      hunk.isChange ||= kind === '+' || kind === '-';
    }
  }
  end();
  return blocks;
}

function nameOf(line: string): string {
  return line.slice(4).split(/\s/)[0] ?? '';
}
