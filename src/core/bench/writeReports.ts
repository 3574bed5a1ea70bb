import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ScoredBench } from './benchRun.ts';

/** Writes the report of a run. Gives the paths. */
export async function writeReports(scored: ScoredBench, folder: string): Promise<{ html: string }> {
  await mkdir(folder, { recursive: true });
  const html = path.join(folder, 'report.html');
  await writeFile(html, JSON.stringify(scored.variants.length));
  return { html };
}
