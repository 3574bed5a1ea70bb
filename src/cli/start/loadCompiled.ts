import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import vm from 'node:vm';
import { writeWhole } from '../../core/view/writeWhole.ts';

/** A script of ours that is loaded, and what V8 compiled of it. */
export interface Compiled {
  exports: unknown;
  /** Keeps what was compiled by now for the next process, where nothing is kept yet. Where it cannot be, nothing happens. */
  keep(): void;
}

/** Of older versions, and of other programs that run us, so many are left. */
const mostKept = 4;
const digestBytes = 32;

/**
 * Loads a CommonJS script as `require` would, by what V8 compiled of it in an earlier process: reading and compiling 1.8 MB takes
 * most of a start. `folder`: where that lies; its own, absolute, made when it is needed. What others could have written there is not
 * read: it would be run. Node has the same since 22.1 (`module.enableCompileCache`); this works in 20, too, and keeps what was
 * compiled late.
 */
export function loadCompiled(file: string, folder: string): Compiled {
  const bytes = fs.readFileSync(file);
  const text = bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
  const kept = path.join(folder, nameFor(file));
  const cachedData = readKept(kept);
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${text}\n})`, {
    filename: file,
    ...(cachedData ? { cachedData } : {}),
  });
  const made: { exports: unknown } = { exports: {} };
  const run: (...names: unknown[]) => void = script.runInThisContext();
  run(made.exports, createRequire(file), made, file, path.dirname(file));
  const isFresh = cachedData === undefined || script.cachedDataRejected === true;
  return {
    exports: made.exports,
    keep() {
      if (!isFresh) return;
      try {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isOwn(folder)) return;
        const data = script.createCachedData();
        writeWhole(kept, Buffer.concat([digestOf(data), data]));
        forgetOld(folder);
      } catch {
        // The next start is as slow as this one.
      }
    },
  };
}

/** What is compiled for one script is nothing for another, nor for another Node. */
function nameFor(file: string): string {
  const { dev, ino, size, mtimeNs } = fs.statSync(file, { bigint: true });
  return [process.version, process.arch, ...[dev, ino, size, mtimeNs].map((part) => part.toString(36))].join('-');
}

/** V8 itself finds neither broken bytes nor those of somebody else. */
function readKept(file: string): Buffer | undefined {
  try {
    if (!isOwn(path.dirname(file)) || !isOwn(file)) return undefined;
    const bytes = fs.readFileSync(file);
    const data = bytes.subarray(digestBytes);
    return digestOf(data).equals(bytes.subarray(0, digestBytes)) ? data : undefined;
  } catch {
    return undefined;
  }
}

function digestOf(data: Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** Only this user could have written it. */
function isOwn(file: string): boolean {
  const status = fs.lstatSync(file);
  return (status.isFile() || status.isDirectory()) && status.uid === process.getuid?.() && (status.mode & 0o077) === 0;
}

function forgetOld(folder: string): void {
  const files = fs.readdirSync(folder).map((name) => path.join(folder, name));
  const byAge = files.map((file) => ({ file, at: fs.lstatSync(file).mtimeMs })).sort((a, b) => b.at - a.at);
  for (const { file } of byAge.slice(mostKept)) fs.rmSync(file, { force: true });
}
