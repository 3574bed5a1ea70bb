import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { rename } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { readBenchRow } from './benchRow.ts';
import { InferLine } from './inferRow.ts';
import { indexLines } from './lineIndex.ts';
import { readLines, readStretch } from './lines.ts';

/** Lines that are read together. */
const batchSize = 64;

/**
 * Writes `predictions.jsonl` as the evaluation script does: each row of the files that has a result, in order, with the
 * reply in `gen`; what else is known of the reply stands in `foretell`. Gives the number of rows, and of those without a usable
 * reply. The file is there whole
 * or not at all.
 */
export async function writePredictions(options: {
  files: readonly string[];
  target: string;
  inferFile: string;
  identity: string;
  /** Keys of lines that were read before, by `lineName`; other lines are read for theirs. */
  keys?: ReadonlyMap<string, string>;
}): Promise<{ rows: number; failed: number }> {
  const index = await indexLines(options.inferFile, (value) => {
    const line = InferLine.safeParse(value);
    return line.success && line.data.identity === options.identity ? { key: line.data.key, what: null } : undefined;
  });
  const writer = createLineFile(options.target);
  let batch: { text: string; place: { offset: number; sizeBytes: number } }[] = [];
  const counts = { rows: 0, failed: 0 };
  const flush = async () => {
    const lines = await readStretch(
      options.inferFile,
      batch.map(({ place }) => place),
    );
    for (const [at, { text }] of batch.entries()) {
      // It was checked when it was indexed.
      const { gen, ...line } = JSON.parse(lines[at] ?? '') as InferLine;
      const { version: _, identity: __, domain: ___, trajectory: ____, turn: _____, reasoning: ______, ...rest } = line;
      await writer.write(withFields(text, { gen, foretell: rest }));
      counts.rows += 1;
      counts.failed += Number(line.failure !== undefined);
    }
    batch = [];
  };
  for (const file of options.files) {
    for await (const { text, number } of readLines(file)) {
      if (text.trim() === '') continue;
      const key = options.keys?.get(lineName(file, number)) ?? keyIn(text);
      const place = key === undefined ? undefined : index.get(key);
      if (place) batch.push({ text, place });
      if (batch.length >= batchSize) await flush();
    }
  }
  if (batch.length > 0) await flush();
  await writer.close();
  return counts;
}

/** A line of a file, for a map. */
export const lineName = (file: string, number: number): string => `${number} ${file}`;

function keyIn(text: string): string | undefined {
  const read = readBenchRow(text);
  return read.ok ? read.row.key : undefined;
}

/** A JSON object as text with more fields at its end. Numbers of the row stay as they are written, however long. */
export function withFields(text: string, fields: Readonly<Record<string, unknown>>): string {
  const row = JSON.parse(text) as Record<string, unknown>;
  const given = Object.keys(row);
  if (given.some((name) => name in fields)) return JSON.stringify({ ...row, ...fields });
  const added = JSON.stringify(fields);
  const body = text.trim();
  return given.length === 0 ? added : `${body.slice(0, -1).trimEnd()}, ${added.slice(1)}`;
}

/** A file that is written line by line under another name, and has its own when it is complete. */
export function createLineFile(target: string): { write(line: string): Promise<void>; close(): Promise<void> } {
  const part = `${target}.part`;
  const stream = createWriteStream(part, { mode: 0o600 });
  let failure: Error | undefined;
  stream.on('error', (error) => {
    failure = error;
  });
  return {
    async write(line) {
      if (failure) throw failure;
      if (!stream.write(`${line}\n`)) await once(stream, 'drain');
    },
    async close() {
      stream.end();
      await finished(stream);
      await rename(part, target);
    },
  };
}
