import { appendFile, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { CalibrationEntry } from './calibration.ts';

/** Older runs than this many are forgotten. */
const mostEntries = 5_000;
/** The file is cut when it has this many more. */
const slack = 500;

/** Compared real runs on this machine, in a file of their own: one a line, oldest first. */
export interface CalibrationStore {
  add(entry: CalibrationEntry): Promise<void>;
  /** Lines as they stand in the file; empty where nothing was kept yet. */
  read(): Promise<string>;
  deleteAll(): Promise<void>;
}

/** `folder`: absolute; made when something is kept for the first time. */
export function createCalibrationStore(folder: string): CalibrationStore {
  const file = path.join(folder, 'calibration.jsonl');
  // One after the other, so that cutting loses nothing of this window. Other windows only append whole lines.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(what: () => Promise<T>): Promise<T> => {
    const next = last.then(what, what);
    last = next.catch(() => undefined);
    return next;
  };
  const read = () => readFile(file, 'utf8').catch(() => '');
  return {
    add: (entry) =>
      inTurn(async () => {
        await mkdir(folder, { recursive: true });
        await appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600 });
        const lines = (await read()).split('\n').filter((line) => line !== '');
        if (lines.length <= mostEntries + slack) return;
        const shorter = `${file}.${process.pid}`;
        await writeFile(shorter, `${lines.slice(-mostEntries).join('\n')}\n`, { mode: 0o600 });
        await rename(shorter, file);
      }),
    read: () => inTurn(read),
    deleteAll: () => inTurn(() => rm(file, { force: true })),
  };
}
