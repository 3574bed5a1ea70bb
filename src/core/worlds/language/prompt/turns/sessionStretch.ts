/** The one stretch of a text in which all its changes lie, with enough around it to be found once. Whole lines. */
export interface ChangedStretch {
  /** How it stood there: occurs once in the text before. */
  before: string;
  after: string;
  /** Line of the text after in which it begins, counted from 1. */
  firstLine: number;
  /** First line that differs. */
  firstChangedLine: number;
}

const contextLines = 2;

/** `undefined` where the texts are the same, or where no stretch but the whole text could be found again. */
export function changedStretch(before: string, after: string): ChangedStretch | undefined {
  if (before === after) return undefined;
  const old = before.split(/(?<=\n)/);
  const fresh = after.split(/(?<=\n)/);
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  while (
    end < Math.min(old.length, fresh.length) - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  )
    end += 1;
  for (let around = contextLines; around < 2 * (old.length + contextLines); around *= 2) {
    const from = Math.max(0, start - around);
    const tail = Math.max(0, end - around);
    const stretch = old.slice(from, old.length - tail).join('');
    const isOnce = stretch !== '' && before.indexOf(stretch, before.indexOf(stretch) + 1) < 0;
    if (!isOnce) continue;
    const changed = fresh.slice(from, fresh.length - tail).join('');
    return { before: stretch, after: changed, firstLine: from + 1, firstChangedLine: start + 1 };
  }
  return undefined;
}

/** The stretch as a patch of one hunk. */
export function unifiedDiff(name: string, { before, after, firstLine }: ChangedStretch): string {
  const old = linesOf(before);
  const fresh = linesOf(after);
  let head = 0;
  while (head < old.length && head < fresh.length && old[head] === fresh[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, fresh.length) - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail += 1;
  const marked = [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...fresh.slice(head, fresh.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ];
  const body = marked.map((line) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)).join('');
  return `--- ${name}\n+++ ${name}\n@@ -${firstLine},${old.length} +${firstLine},${fresh.length} @@\n${body}`;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/);
}
