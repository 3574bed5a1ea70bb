import { parentPort, workerData } from 'node:worker_threads';
import { type ExportedText, exportText, type ImportedText, importText } from '../../core/trajectory/convertText.ts';
import type { ImportFailure } from '../../core/trajectory/importTrajectory.ts';
import type { TrajectoryFormat } from '../../core/trajectory/trajectoryFormats.ts';

/** What the thread is asked. */
export type ConvertTask =
  | { word: 'import'; text: string; options: Parameters<typeof importText>[1] }
  | { word: 'export'; text: string; format: TrajectoryFormat; options: Parameters<typeof exportText>[2] };

/** What it answers; `error` where it failed unexpectedly. */
export type ConvertAnswer = { imported: ImportedText | ImportFailure } | { exported: ExportedText } | { error: string };

async function convert(task: ConvertTask): Promise<ConvertAnswer> {
  if (task.word === 'export') return { exported: exportText(task.text, task.format, task.options) };
  return { imported: await importText(task.text, task.options) };
}

convert(workerData as ConvertTask).then(
  (answer) => parentPort?.postMessage(answer),
  (error: unknown) => parentPort?.postMessage({ error: error instanceof Error ? error.message : String(error) }),
);
