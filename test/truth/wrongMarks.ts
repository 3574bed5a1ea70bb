import { type RealRun, textDifference } from './compare.ts';
import type { PredictionJson } from './prediction.ts';
import { pathFromText } from './tree.ts';

/**
 * What a prediction marks as volatile although every one of the real runs came out as predicted there, and what it does not
 * mark although they differ: one line each.
 */
export function wrongMarks(prediction: PredictionJson, root: string, runs: readonly RealRun[]): string[] {
  if (prediction.ending !== 'done') return [];
  const found: string[] = [];
  for (const stream of ['stdout', 'stderr'] as const) {
    const pieces = prediction.output.filter((piece) => piece.stream === stream);
    const form = new RegExp(`^${pieces.map(formOf).join('')}$`, 's');
    const matches = runs.map((run) => form.exec(run[stream].toString()));
    for (const [index, { text = '' }] of pieces.filter(({ volatile }) => volatile).entries()) {
      if (matches.every((match) => match?.[index + 1] === text))
        found.push(`${stream} never varied: ${JSON.stringify(text.slice(0, 200))}`);
    }
    const [first] = runs;
    const other = runs.find((run) => first && !run[stream].equals(first[stream]));
    if (first && other && !pieces.some(({ volatile }) => volatile))
      found.push(`${stream} varies: ${textDifference(first[stream], other[stream])}`);
  }
  for (const { path, volatile, sha256, sizeBytes } of prediction.files) {
    if (!path.startsWith(`${root}/`)) continue;
    const name = pathFromText(path.slice(root.length + 1));
    const isSame = ({ changes }: RealRun) => {
      const state = changes.get(name);
      return state?.sha256 === sha256 && state?.sizeBytes === sizeBytes;
    };
    if (volatile && runs.every(isSame)) found.push(`file never varied: ${name}`);
    const contents = new Set(runs.map(({ changes }) => changes.get(name)?.sha256));
    if (!volatile && contents.size > 1 && !/(^|\/)index$/.test(name)) found.push(`file varies: ${name}`);
  }
  if (new Set(runs.map(({ exitCode }) => exitCode)).size > 1) found.push('exit code varies');
  return found;
}

function formOf({ text = '', volatile }: PredictionJson['output'][number]): string {
  return volatile ? '(.*?)' : text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
