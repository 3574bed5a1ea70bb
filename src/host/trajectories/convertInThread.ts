import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ConvertAnswer, ConvertTask } from './convertWorker.ts';

/** Converts in a thread of its own: a log can have many megabytes, and the window must not wait for it. Rejects where the thread fails. */
export function convertInThread(distFolder: string, task: ConvertTask): Promise<ConvertAnswer> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(path.join(distFolder, 'convertWorker.js'), { workerData: task });
    worker.once('message', (answer: ConvertAnswer) => {
      resolve(answer);
      void worker.terminate();
    });
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('The conversion ended without a result.')));
  });
}
