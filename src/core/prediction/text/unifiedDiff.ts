import { diffRows } from '../../view/lineDiff.ts';

/** Lines of context around a change, as `diff -u` has them. */
const around = 3;

/** Ends a last line without a line feed, so that it is another one than the same with it; texts have no such character. */
const unended = '\0';
const noNewline = '\\ No newline at end of file';

/**
 * The difference of two texts as `diff -u` writes it, without the names of the files; empty where they are equal. `undefined`:
 * there is no file at that moment. `most`: characters; what is longer ends behind a whole line, with one that says so.
 */
export function unifiedDiff(before: string | undefined, after: string | undefined, most: number): string {
  const [old, now] = [linesOf(before), linesOf(after)];
  const hunks: string[] = [];
  let [oldLine, newLine] = [1, 1];
  let hunk: string[] = [];
  let counts = { old: 0, now: 0 };
  const close = () => {
    if (counts.old + counts.now > 0) {
      // A side without lines is named by the line before it, as diff does.
      const range = (next: number, count: number) => `${count === 0 ? next - 1 : next - count},${count}`;
      hunks.push(`@@ -${range(oldLine, counts.old)} +${range(newLine, counts.now)} @@`, ...hunk);
    }
    hunk = [];
    counts = { old: 0, now: 0 };
  };
  for (const { kind, text } of diffRows(old, now, around)) {
    if (kind === 'gap') {
      close();
      oldLine += Number(text);
      newLine += Number(text);
      continue;
    }
    const [line, ending] = text.endsWith(unended) ? [text.slice(0, -1), [noNewline]] : [text, []];
    hunk.push(`${kind === 'same' ? ' ' : kind === 'predicted' ? '-' : '+'}${line}`, ...ending);
    if (kind !== 'truth') {
      oldLine += 1;
      counts.old += 1;
    }
    if (kind !== 'predicted') {
      newLine += 1;
      counts.now += 1;
    }
  }
  close();
  return cutLines(hunks, most);
}

/** Whole lines up to so many characters, and how many are left out. */
export function cutLines(lines: readonly string[], most: number): string {
  const whole = lines.join('\n');
  if (whole.length <= most) return whole;
  const kept: string[] = [];
  // Room for the line that says what is left out.
  let room = most - 40;
  for (const line of lines) {
    room -= line.length + 1;
    if (room < 0) break;
    kept.push(line);
  }
  return [...kept, `… ${(lines.length - kept.length).toLocaleString('en-US')} more lines`].join('\n');
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}${unended}`];
}
