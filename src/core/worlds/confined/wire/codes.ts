import os from 'node:os';
import type { DoorCall } from '../../../facts/doubt.ts';

/**
 * The numbers of the launcher's protocol and their names, as `src/native/protocol.md` has them. Frames are made and read
 * with these tables; behind the frames nobody knows a number.
 */

/** Streams that output comes from. */
export const streams = { 1: 'stdout', 2: 'stderr' } as const;
/** Where a piece of output was written to. */
export type StreamName = Named<typeof streams>;

/** How a view was set up. */
export const viewKinds = { 1: 'userNamespace', 2: 'root', 3: 'look', 4: 'supervised' } as const;

/** How a part of the machine stands in a view. */
export const viewParts = { 1: 'copyOnWrite', 2: 'readOnly', 3: 'hidden' } as const;

/** Why the gate stopped a program. */
export const gateReasons = {
  1: 'notInert',
  2: 'foreignLibrary',
  3: 'raisesRights',
  4: 'readsTables',
  5: 'changed',
  6: 'notJudged',
  7: 'mayBeLetIn',
} as const;

/** What a descriptor of a stopped program is. */
export const descriptors = {
  0: 'closed',
  1: 'null',
  2: 'pipe',
  3: 'file',
  4: 'terminal',
  5: 'socket',
  6: 'other',
} as const;

/** What a run did besides files and output. */
export const effectKinds = {
  1: 'connects',
  2: 'signals',
  3: 'waitSkipped',
  4: 'folderMoved',
  5: 'moveUnfinished',
  6: 'callRefused',
  7: 'listens',
  8: 'hardLinked',
  9: 'otherOwner',
  10: 'diskQuota',
  11: 'processLimit',
  12: 'memoryLimit',
  13: 'waitsForNobody',
  14: 'timeOnly',
  15: 'changesSystem',
  16: 'readsTables',
  17: 'statusDiffers',
  18: 'changedMeanwhile',
  19: 'door',
  20: 'leftOut',
  21: 'attributes',
  22: 'readBefore',
  23: 'crossesParts',
  24: 'sizeGuessed',
  25: 'leftUnwritten',
} as const;

/** What is done to something that is the machine's own even in the view. */
export const doors = {
  1: 'writesDevice',
  2: 'changesNode',
  3: 'writesKernel',
  4: 'writesProcess',
  5: 'readsUnknown',
  6: 'opensPipe',
  7: 'breaksLease',
  8: 'locks',
  9: 'waitsForLock',
} as const satisfies Readonly<Record<number, DoorCall>>;

/** How a run ended. `stopped`: before something that only the real machine can answer. */
export const endings = {
  1: 'exited',
  2: 'signalled',
  3: 'stopped',
  4: 'timeLimit',
  5: 'cancelled',
  6: 'notStarted',
  7: 'diskQuota',
  8: 'memoryLimit',
  9: 'processLimit',
  10: 'gateSlipped',
} as const;

/** What became of a path. */
export const changeKinds = { 1: 'created', 2: 'modified', 3: 'deleted', 4: 'renamed', 5: 'mode' } as const;

/** What stands at a path. */
export const nodeTypes = {
  0: 'none',
  1: 'file',
  2: 'directory',
  3: 'symlink',
  4: 'fifo',
  5: 'socket',
  6: 'device',
} as const;

type Table = Readonly<Record<number, string>>;

/** One of the names of a table. */
export type Named<T extends Table> = Extract<T[keyof T], string>;

/** The name of a number. Throws on one that is not of this version: the launcher and this code are one release. */
export function nameOf<const T extends Table>(table: T, code: number): Named<T> {
  const name = table[code];
  if (name === undefined) throw new RangeError(`unknown number ${code} from the launcher`);
  return name as Named<T>;
}

/** The number of a name. */
export function codeOf<const T extends Table>(table: T, name: Named<T>): number {
  return Number(Object.keys(table).find((code) => table[Number(code)] === name));
}

/** Name of an error of the system: `ENOENT`; `E71` where it has none here. */
export type ErrorName = `E${string}`;

// Of two names for one number the first: EAGAIN, not EWOULDBLOCK.
const errorNames = new Map(
  Object.entries(os.constants.errno)
    .reverse()
    .map(([name, code]) => [code, name]),
);

/** The name of an errno; `undefined` for 0, which is no error. */
export function errorName(errno: number): ErrorName | undefined {
  return errno === 0 ? undefined : ((errorNames.get(errno) as ErrorName | undefined) ?? `E${errno}`);
}

/** The errno of a name. */
export function errorCode(name: ErrorName): number {
  return os.constants.errno[name as keyof typeof os.constants.errno] ?? Number(name.slice(1));
}

/** Name of a signal: `SIGKILL`; `signal 71` where it has none. */
export function signalName(signal: number): string {
  const entry = Object.entries(os.constants.signals).find(([, value]) => value === signal);
  return entry ? entry[0] : `signal ${signal}`;
}

/** Exit status as a shell reports it: 128 + n for signal n, where the launcher says 256 + n. */
export function shellStatus(code: number): number {
  return code >= 256 ? code - 128 : code;
}
