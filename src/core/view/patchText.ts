import { type DiffRow, diffRows } from './lineDiff.ts';

/** Two texts of one path as a unified diff, and how many lines come and go. Empty where they are the same. */
export interface PatchText {
  text: string;
  added: number;
  removed: number;
}

/** Lines around a change that stay the same. */
const around = 3;

/** `before` or `after` is `undefined` where there is no file. `name`: what the head calls the file, `from` what it was called. */
export function patchText(
  name: string,
  before: string | undefined,
  after: string | undefined,
  from: string = name,
): PatchText {
  const rows = diffRows(linesOf(before), linesOf(after), around);
  const hunks: string[] = [];
  let [oldLine, newLine] = [1, 1];
  let open: DiffRow[] = [];
  const close = () => {
    if (open.some(({ kind }) => kind !== 'same')) hunks.push(hunkText(open, oldLine, newLine));
    oldLine += open.filter(({ kind }) => kind !== 'truth').length;
    newLine += open.filter(({ kind }) => kind !== 'predicted').length;
    open = [];
  };
  for (const row of rows) {
    if (row.kind !== 'gap') {
      open.push(row);
      continue;
    }
    close();
    oldLine += Number(row.text);
    newLine += Number(row.text);
  }
  close();
  const count = (kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length;
  const head = `--- ${before === undefined ? '/dev/null' : from}\n+++ ${after === undefined ? '/dev/null' : name}\n`;
  return {
    text: hunks.length === 0 ? '' : `${head}${hunks.join('')}`,
    added: count('truth'),
    removed: count('predicted'),
  };
}

const marks: Readonly<Record<DiffRow['kind'], string>> = { same: ' ', predicted: '-', truth: '+', gap: '' };

function hunkText(rows: readonly DiffRow[], oldLine: number, newLine: number): string {
  const old = rows.filter(({ kind }) => kind !== 'truth').length;
  const fresh = rows.filter(({ kind }) => kind !== 'predicted').length;
  // What has no lines begins behind the line before it, as diff(1) says it.
  const start = (line: number, lines: number) => `${lines === 0 ? line - 1 : line}${lines === 1 ? '' : `,${lines}`}`;
  const body = rows.map(({ kind, text }) => {
    const line = `${marks[kind]}${text}`;
    return text.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`;
  });
  return `@@ -${start(oldLine, old)} +${start(newLine, fresh)} @@\n${body.join('')}`;
}

/** Lines with their ends. */
function linesOf(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(/(?<=\n)/);
}
