import type { Run } from '../predict/run.ts';
import { bytesOf } from './textOf.ts';

/** Beyond this the lines are not counted. */
const mostFiles = 200;
const longestBytes = 1024 ** 2;

/** How many lines the edit adds and removes; `undefined` where some of it is too large to be counted, or is not text. */
export async function countLines(run: Run): Promise<{ added: number; removed: number } | undefined> {
  const { prediction, view } = run;
  const texts = prediction.files.filter((file) => file.type === 'file' && file.change !== 'mode');
  if (!view || texts.length === 0 || texts.length > mostFiles) return undefined;
  const { diffRows } = await import('../../core/view/lineDiff.ts');
  const total = { added: 0, removed: 0 };
  for (const file of texts) {
    const before = file.change === 'created' ? '' : asText(await bytesOf(run, file, 'before', longestBytes));
    const after = file.change === 'deleted' ? '' : asText(await bytesOf(run, file, 'after', longestBytes));
    if (before === undefined || after === undefined) return undefined;
    for (const { kind } of diffRows(linesOf(before), linesOf(after), 0)) {
      if (kind === 'predicted') total.removed += 1;
      else if (kind === 'truth') total.added += 1;
    }
  }
  return total;
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function asText(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes || bytes.length > longestBytes || bytes.includes(0)) return undefined;
  return Buffer.from(bytes).toString('utf8');
}
