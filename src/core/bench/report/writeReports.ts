import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ScoredBench } from '../run/benchRun.ts';
import { type Example, worstExamples } from './examples.ts';
import { reportHtml } from './reportHtml.ts';
import { reportMarkdown } from './reportMarkdown.ts';
import { rowsCsv } from './rowsCsv.ts';

/** How many rows of each variant are shown with their texts. */
const mostExamples = 20;

/** Writes `report.html`, `report.md` and `rows.csv` of a run into a folder (absolute). Gives their paths. */
export async function writeReports(
  scored: ScoredBench,
  folder: string,
): Promise<{ html: string; markdown: string; csv: string }> {
  await mkdir(folder, { recursive: true });
  const examples: Record<string, Example[]> = {};
  for (const { name, file, rows } of scored.variants) examples[name] = await worstExamples(file, rows, mostExamples);
  const paths = {
    html: path.join(folder, 'report.html'),
    markdown: path.join(folder, 'report.md'),
    csv: path.join(folder, 'rows.csv'),
  };
  await writeFile(paths.html, reportHtml({ ...scored, examples }));
  await writeFile(paths.markdown, reportMarkdown(scored));
  await writeFile(paths.csv, [...rowsCsv(scored.variants)].join(''));
  return paths;
}
