import fs from 'node:fs';
import { open } from 'node:fs/promises';

/** One line of a file, without its line break. `offset` and `sizeBytes` say where it stands. */
export interface FileLine {
  /** Counts from 1. */
  number: number;
  text: string;
  offset: number;
  sizeBytes: number;
  /** It ends with a line break; the last line of a file that was being written may not. */
  isWhole: boolean;
}

/** Lines are read in pieces of this size, in bytes. */
const pieceBytes = 256 * 1024;

/** Reads a file line by line, never more of it than a piece and a line. Only `\n` ends a line. Rejects as `open` does. */
export async function* readLines(file: string): AsyncGenerator<FileLine> {
  const handle = await open(file, 'r');
  try {
    const piece = Buffer.alloc(pieceBytes);
    let begun: Buffer[] = [];
    let number = 0;
    let offset = 0;
    const take = (last: Buffer, isWhole: boolean): FileLine => {
      const bytes = begun.length === 0 ? last : Buffer.concat([...begun, last]);
      begun = [];
      number += 1;
      const text = bytes.toString('utf8').replace(/\r$/, '');
      const line = { number, text, offset, sizeBytes: bytes.length, isWhole };
      offset += bytes.length + 1;
      return line;
    };
    for (;;) {
      const { bytesRead } = await handle.read(piece, 0, pieceBytes);
      if (bytesRead === 0) break;
      const read = piece.subarray(0, bytesRead);
      let from = 0;
      for (let at = read.indexOf(10); at >= 0; at = read.indexOf(10, from)) {
        yield take(read.subarray(from, at), true);
        from = at + 1;
      }
      if (from < bytesRead) begun.push(Buffer.from(read.subarray(from)));
    }
    if (begun.length > 0) yield take(Buffer.alloc(0), false);
  } finally {
    await handle.close();
  }
}

/** A file to which whole lines are added. */
export interface LineWriter {
  /** The line is in the file when this returns; on the disk within a second. Throws as `fs.writeSync` does. */
  append(line: string): void;
  /** Waits until everything is on the disk. */
  close(): Promise<void>;
}

/** How long a line may wait before it is on the disk. */
const syncPauseMs = 1000;

/** Opens a file to add lines. What stands after its last line break was torn by a crash and is cut off. */
export function appendLines(file: string): LineWriter {
  const fd = fs.openSync(file, 'a+', 0o600);
  cutTornLine(fd);
  let isDirty = false;
  const sync = () => {
    if (!isDirty) return;
    isDirty = false;
    fs.fdatasync(fd, () => {});
  };
  const timer = setInterval(sync, syncPauseMs);
  timer.unref();
  return {
    append(line) {
      const bytes = Buffer.from(`${line}\n`);
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(fd, bytes, at);
      isDirty = true;
    },
    close() {
      clearInterval(timer);
      return new Promise((resolve) => {
        fs.fdatasync(fd, () => fs.close(fd, () => resolve()));
      });
    },
  };
}

function cutTornLine(fd: number): void {
  let end = fs.fstatSync(fd).size;
  const piece = Buffer.alloc(64 * 1024);
  const size = end;
  while (end > 0) {
    const start = Math.max(0, end - piece.length);
    const read = fs.readSync(fd, piece, 0, end - start, start);
    const at = piece.subarray(0, read).lastIndexOf(10);
    if (at >= 0) {
      end = start + at + 1;
      break;
    }
    end = start;
  }
  if (end < size) fs.ftruncateSync(fd, end);
}

/** Reads a stretch of a file as text. */
export async function readStretch(file: string, stretches: readonly { offset: number; sizeBytes: number }[]) {
  const handle = await open(file, 'r');
  try {
    const texts: string[] = [];
    for (const { offset, sizeBytes } of stretches) {
      const bytes = Buffer.alloc(sizeBytes);
      await handle.read(bytes, 0, sizeBytes, offset);
      texts.push(bytes.toString('utf8'));
    }
    return texts;
  } finally {
    await handle.close();
  }
}
