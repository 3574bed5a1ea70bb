import fs from 'node:fs';
import path from 'node:path';
import { isPrivateFolder } from '../view/statusIfKnown.ts';
import { writeWhole } from '../view/writeWhole.ts';
import { memoryFolder } from '../worlds/remembered/memoryStore.ts';

/** Where everything is kept that predictions and answers rest on: rehearsals, releases, the safety net, the service. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  return path.dirname(memoryFolder(env));
}

/** Where hooks keep what goes from one call to the next: with the state of the user, never in a workspace. */
export function hookFolder(env: Readonly<Record<string, string | undefined>>): string {
  return path.join(stateFolder(env), 'hooks');
}

/** Where the resident service is reached: beside it. */
export function serviceFolder(env: Readonly<Record<string, string | undefined>>): string {
  return path.join(stateFolder(env), 'service');
}

/** What is larger was not written by us. In bytes. */
const mostBytes = 4 * 1024 ** 2;

/** Kept JSON, a file each, in a folder that only its user can read and write. Whatever cannot be read or written is not kept. */
export interface KeptFiles {
  read(name: string): unknown;
  /** True where it is kept now. All of it or nothing is written. */
  write(name: string, value: unknown): boolean;
  /** True where it was there: of several that take it away at once, one gets true. */
  remove(name: string): boolean;
  /** Takes away what is older. In milliseconds. */
  forget(olderMs: number, now: number): void;
}

/** `folder`: absolute, made when something is written. Names are letters, digits and dashes. */
export function keptFiles(folder: string): KeptFiles {
  const fileOf = (name: string) => path.join(folder, `${name}.json`);
  const attempt = <T>(what: () => T, otherwise: T): T => {
    try {
      return what();
    } catch {
      return otherwise;
    }
  };
  return {
    read: (name) =>
      attempt(() => {
        if (!isPrivateFolder(folder)) return undefined;
        const descriptor = fs.openSync(fileOf(name), fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW);
        try {
          const status = fs.fstatSync(descriptor);
          if (!status.isFile() || status.size > mostBytes) return undefined;
          return JSON.parse(fs.readFileSync(descriptor, 'utf8')) as unknown;
        } finally {
          fs.closeSync(descriptor);
        }
      }, undefined),
    write: (name, value) =>
      attempt(() => {
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
        if (!isPrivateFolder(folder)) return false;
        writeWhole(fileOf(name), JSON.stringify(value));
        return true;
      }, false),
    remove: (name) =>
      attempt(() => {
        fs.unlinkSync(fileOf(name));
        return true;
      }, false),
    forget(olderMs, now) {
      for (const name of attempt(() => fs.readdirSync(folder), [])) {
        const file = path.join(folder, name);
        attempt(() => {
          if (fs.lstatSync(file).mtimeMs < now - olderMs) fs.unlinkSync(file);
        }, undefined);
      }
    },
  };
}
