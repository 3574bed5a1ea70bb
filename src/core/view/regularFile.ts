import fs from 'node:fs';

/**
 * The bytes of a regular file of at most `mostBytes`; `undefined` for anything else: a FIFO, a device, a folder, what is longer,
 * absent or may not be read. Never waits for a writer. For files that a stranger's repository may have put there.
 */
export function readRegularFile(file: fs.PathLike, mostBytes: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK | fs.constants.O_NOCTTY);
    const status = fs.fstatSync(descriptor);
    return status.isFile() && status.size <= mostBytes ? fs.readFileSync(descriptor) : undefined;
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) fs.closeSync(descriptor);
  }
}
