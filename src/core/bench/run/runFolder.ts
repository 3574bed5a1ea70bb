import fs from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { BenchProblem } from './benchRow.ts';

const PriceList = z.object({ input: z.number(), cachedInput: z.optional(z.number()), output: z.number() });

/** What `run.json` says of a run, version 1. */
export const RunRecord = z.looseObject({
  version: z.literal(1),
  /** Benchmark files, absolute. */
  files: z.array(z.string()),
  variants: z.array(
    z.looseObject({
      name: z.string(),
      model: z.string(),
      url: z.string(),
      /** Folder of templates in the place of the rows' system prompts. */
      template: z.optional(z.string()),
      parameters: z.optional(z.record(z.string(), z.unknown())),
    }),
  ),
  judge: z.optional(z.looseObject({ model: z.string(), url: z.string() })),
  prices: z.optional(PriceList),
  judgePrices: z.optional(PriceList),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** Reads what a run is. `undefined`: the folder holds no run. */
export async function readRun(folder: string): Promise<RunRecord | BenchProblem | undefined> {
  const file = path.join(folder, 'run.json');
  try {
    const read = RunRecord.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return read.success ? read.data : { problem: `${file} is not the record of a run; choose another folder.` };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: `${file} is not JSON; delete it to start the run again.` };
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    return { problem: `${file} cannot be read (${code}); choose another folder.` };
  }
}

/** Adds to what a run is: variants of the same name are replaced, others stay. */
export async function updateRun(folder: string, change: Partial<RunRecord>): Promise<RunRecord | BenchProblem> {
  const before = await readRun(folder);
  if (before && 'problem' in before) return before as BenchProblem;
  const old = before as RunRecord | undefined;
  const kept = (old?.variants ?? []).filter(({ name }) => !change.variants?.some((one) => one.name === name));
  const record: RunRecord = {
    ...(old ?? { version: 1, files: [] }),
    ...change,
    version: 1,
    files: change.files ?? old?.files ?? [],
    variants: [...kept, ...(change.variants ?? [])],
  };
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'run.json');
  await writeFile(`${file}.part`, `${JSON.stringify(record, null, 2)}\n`);
  await rename(`${file}.part`, file);
  return record;
}

/**
 * Keeps others from writing to the folder of a run until `release()`. What a process that is gone has left does not
 * count.
 */
export function lockRun(folder: string): { release(): void } | BenchProblem {
  fs.mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'run.lock');
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      return { release: () => fs.rmSync(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const pid = Number(fs.readFileSync(file, 'utf8'));
      if (isAlive(pid))
        return { problem: `Process ${pid} is writing to ${folder}; wait for it or choose another --out.` };
      fs.rmSync(file, { force: true });
    }
  }
  return { problem: `${folder} is in use; choose another folder.` };
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** A name as a folder can be called: letters, digits, `.`, `_`, `-`; never empty and never hidden. */
export function folderName(name: string): string {
  return name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+|[.-]+$/g, '') || 'model';
}
