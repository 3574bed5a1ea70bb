import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { asRecord } from '../../programs/jsonRecord.ts';
import type { BenchProblem } from './benchRow.ts';
import { countRows } from './benchRow.ts';
import { variantIdentity } from './infer.ts';
import { judgeFiles, writeJudged } from './judge.ts';
import { judgeStyles } from './judgePrompt.ts';
import { appendLines, readLines } from './lines.ts';
import { writePredictions } from './predictionsFile.ts';
import { lockRun, type RunRecord, readRun, updateRun } from './runFolder.ts';

/** What a merged run holds of one variant. */
export interface MergedVariant {
  variant: string;
  /** Rows of the files; of these, how many have a result, and how many of those cannot be used. */
  rows: number;
  done: number;
  failed: number;
}

/**
 * Makes one run of runs that were made with `--shard`: what each has kept of its rows is put together, and the files of the
 * evaluation script are written from it as if one run had asked for all. Nothing is asked. The servers may differ from shard
 * to shard; models, parameters, templates and files may not. `folder`: of the new run, absolute.
 */
export async function mergeRuns(folder: string, shards: readonly string[]): Promise<MergedVariant[] | BenchProblem> {
  const records: RunRecord[] = [];
  for (const shard of shards) {
    const record = await readRun(shard);
    if (!record) return { problem: `${shard} holds no run; give the folders that were written with --shard.` };
    if ('problem' in record) return record as BenchProblem;
    records.push(record);
  }
  const [first, ...others] = records;
  if (!first) return { problem: 'There is nothing to merge; give the folders that were written with --shard.' };
  const different = others.findIndex((record) => !isDeepStrictEqual(asked(record), asked(first)));
  if (different >= 0)
    return {
      problem: `${shards[different + 1]} was asked in another way than ${shards[0]}: other files, models or parameters.`,
    };
  if (existsSync(path.join(folder, 'run.json')))
    return { problem: `${folder} holds a run already; choose another --out.` };
  const lock = lockRun(folder);
  if ('problem' in lock) return lock;
  try {
    const merged: MergedVariant[] = [];
    for (const { name } of first.variants) {
      const one = await mergeVariant(folder, name, { shards, records, files: first.files });
      if ('problem' in one) return one;
      merged.push(one);
    }
    const record = await updateRun(folder, first);
    return 'problem' in record ? (record as BenchProblem) : merged;
  } finally {
    lock.release();
  }
}

/** What has to be the same in every shard. */
function asked({ files, variants, judge }: RunRecord): unknown {
  const of = ({ name, model, template, parameters }: RunRecord['variants'][number]) => [
    name,
    model,
    template,
    parameters,
  ];
  return [files, variants.map(of), judge?.model];
}

async function mergeVariant(
  folder: string,
  name: string,
  { shards, records, files }: { shards: readonly string[]; records: readonly RunRecord[]; files: readonly string[] },
): Promise<MergedVariant | BenchProblem> {
  const place = path.join(folder, name);
  await mkdir(place, { recursive: true });
  const identities: string[] = [];
  for (const record of records) {
    const variant = record.variants.find((one) => one.name === name);
    const identity = variant && (await variantIdentity(variant));
    if (typeof identity !== 'string') return identity ?? { problem: `There is no variant ${name} in every shard.` };
    identities.push(identity);
  }
  const sources = shards.map((shard) => path.join(shard, name));
  const inferFile = path.join(place, 'infer.jsonl');
  const identity = identities[0] ?? '';
  await mergeLines(
    inferFile,
    sources.map((source, index) => ({ file: path.join(source, 'infer.jsonl'), from: identities[index] ?? '' })),
    identity,
  );
  const target = path.join(place, 'predictions.jsonl');
  const written = await writePredictions({ files, target, inferFile, identity });
  for (const style of judgeStyles) {
    const { store } = judgeFiles(style);
    const parts: { file: string; from: string }[] = [];
    for (const source of sources) {
      const file = path.join(source, store);
      // The last judge that was asked there is the one that counts.
      const from = existsSync(file) ? await lastIdentity(file) : undefined;
      if (from !== undefined) parts.push({ file, from });
    }
    const judge = parts[0]?.from;
    if (judge === undefined) continue;
    const file = path.join(place, store);
    await mergeLines(file, parts, judge);
    await writeJudged({ predictions: target, folder: place, style, file, identity: judge });
  }
  return { variant: name, rows: await countRows(files), done: written.rows, failed: written.failed };
}

/** Adds the lines of one identity of each file to another one, under one identity. */
async function mergeLines(target: string, parts: readonly { file: string; from: string }[], to: string): Promise<void> {
  const writer = appendLines(target);
  try {
    for (const { file, from } of parts) {
      if (!existsSync(file)) continue;
      for await (const { text, isWhole } of readLines(file)) {
        const line = isWhole ? recordIn(text) : {};
        if (line['identity'] === from) writer.append(from === to ? text : JSON.stringify({ ...line, identity: to }));
      }
    }
  } finally {
    await writer.close();
  }
}

async function lastIdentity(file: string): Promise<string | undefined> {
  let last: unknown;
  for await (const { text, isWhole } of readLines(file)) if (isWhole) last = recordIn(text)['identity'] ?? last;
  return typeof last === 'string' ? last : undefined;
}

function recordIn(text: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(text));
  } catch {
    return {};
  }
}
