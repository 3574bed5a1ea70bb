/** One line of a difference. `gap`: lines that are the same and are not shown; `text` is then how many. */
export interface DiffRow {
  kind: 'same' | 'predicted' | 'truth' | 'gap';
  text: string;
}

/** Beyond so many changed lines the middle is shown as one replacement: finding a better one would take too long. */
const mostEdits = 400;

/** The lines of which two texts differ, in order, with `around` equal lines before and behind; `Infinity`: all lines. */
export function diffRows(predicted: readonly string[], truth: readonly string[], around = 2): DiffRow[] {
  let start = 0;
  while (start < predicted.length && start < truth.length && predicted[start] === truth[start]) start += 1;
  let end = 0;
  const most = Math.min(predicted.length, truth.length) - start;
  while (end < most && predicted[predicted.length - 1 - end] === truth[truth.length - 1 - end]) end += 1;
  const same = (text: string): DiffRow => ({ kind: 'same', text });
  const middle = editsOf(predicted.slice(start, predicted.length - end), truth.slice(start, truth.length - end));
  const rows = [...predicted.slice(0, start).map(same), ...middle, ...truth.slice(truth.length - end).map(same)];
  return around === Number.POSITIVE_INFINITY ? rows : withoutFar(rows, around);
}

/** The shortest edit script, E. W. Myers, An O(ND) Difference Algorithm and Its Variations, 1986. */
function editsOf(a: readonly string[], b: readonly string[]): DiffRow[] {
  const replaced = (): DiffRow[] => [
    ...a.map((text): DiffRow => ({ kind: 'predicted', text })),
    ...b.map((text): DiffRow => ({ kind: 'truth', text })),
  ];
  if (a.length === 0 || b.length === 0) return replaced();
  const reached = new Map<number, number>([[1, 0]]);
  const steps: Map<number, number>[] = [];
  for (let edits = 0; edits <= Math.min(mostEdits, a.length + b.length); edits++) {
    steps.push(new Map(reached));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = takesDown(reached, diagonal, edits) ? at(reached, diagonal + 1) : at(reached, diagonal - 1) + 1;
      let y = x - diagonal;
      while (x < a.length && y < b.length && a[x] === b[y]) {
        x += 1;
        y += 1;
      }
      reached.set(diagonal, x);
      if (x >= a.length && y >= b.length) return walkBack(steps, a, b);
    }
  }
  return replaced();
}

function at(reached: ReadonlyMap<number, number>, diagonal: number): number {
  return reached.get(diagonal) ?? -1;
}

function takesDown(reached: ReadonlyMap<number, number>, diagonal: number, edits: number): boolean {
  return diagonal === -edits || (diagonal !== edits && at(reached, diagonal - 1) < at(reached, diagonal + 1));
}

function walkBack(steps: readonly Map<number, number>[], a: readonly string[], b: readonly string[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let x = a.length;
  let y = b.length;
  for (let edits = steps.length - 1; edits >= 0; edits--) {
    const reached = steps[edits] ?? new Map();
    const diagonal = x - y;
    const before = takesDown(reached, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const fromX = at(reached, before);
    const fromY = fromX - before;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x -= 1;
      y -= 1;
      rows.push({ kind: 'same', text: a[x] ?? '' });
    }
    if (edits === 0) break;
    if (x === fromX) {
      y -= 1;
      rows.push({ kind: 'truth', text: b[y] ?? '' });
    } else {
      x -= 1;
      rows.push({ kind: 'predicted', text: a[x] ?? '' });
    }
  }
  return rows.reverse();
}

function withoutFar(rows: readonly DiffRow[], around: number): DiffRow[] {
  const near = rows.map(() => false);
  for (const [index, { kind }] of rows.entries()) {
    if (kind === 'same') continue;
    for (let step = Math.max(0, index - around); step <= index + around && step < rows.length; step++)
      near[step] = true;
  }
  const shown: DiffRow[] = [];
  let hidden = 0;
  const close = () => {
    if (hidden > 0) shown.push({ kind: 'gap', text: String(hidden) });
    hidden = 0;
  };
  for (const [index, row] of rows.entries()) {
    if (!near[index]) hidden += 1;
    else {
      close();
      shown.push(row);
    }
  }
  close();
  return shown;
}
