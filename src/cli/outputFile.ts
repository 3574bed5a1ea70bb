import fs from 'node:fs';
import path from 'node:path';

/** A file that is written piece by piece; every piece is in the file when its promise resolves. */
export interface OutputFile {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

/** What stands at a path; `undefined` also where it cannot be reached. */
export function statusOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file);
  } catch {
    return undefined;
  }
}

/** Opens a file for writing. What is there stays, unless `overwrites`; a problem is one sentence with a next step. */
export function openOutput(file: string, overwrites: boolean): OutputFile | { problem: string } {
  let descriptor: number;
  try {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    descriptor = fs.openSync(file, overwrites ? 'w' : 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST')
      return { problem: `${file} is there already; choose another name, or overwrite it with --force.` };
    return { problem: `${file} cannot be written (${code}).` };
  }
  let writing: Promise<void> = Promise.resolve();
  return {
    write(text) {
      const bytes = Buffer.from(text);
      writing = writing.then(
        () =>
          new Promise<void>((resolve, reject) => {
            const writeFrom = (at: number) => {
              if (at >= bytes.length) return resolve();
              fs.write(descriptor, bytes, at, (error, written) => (error ? reject(error) : writeFrom(at + written)));
            };
            writeFrom(0);
          }),
      );
      return writing;
    },
    async close() {
      await writing.catch(() => {});
      fs.closeSync(descriptor);
    },
  };
}
