import type fs from 'node:fs';
import { getSystemErrorName } from 'node:util';
import { toBytePath } from '../loss/bytePath.ts';
import { askLauncher } from './askLauncher.ts';
import type { HeldFolder } from './heldFolder.ts';

/** A name that is to lead to what stands at `aside`, or to nothing; `aside`: then a free name. */
export interface Settling {
  what: 'exchange' | 'remove';
  name: string;
  aside: string;
  /** What stands at the name now; no folder. */
  expected: fs.BigIntStats;
}

/**
 * `done`: what was expected is gone. `changed`: something else stands there, and stays. `beside`: so does a still newer one, and
 * the other is at `aside`. `cannot`: nothing was done, since there is no launcher here or the file system cannot exchange names.
 * A code of the file system: it failed.
 */
export type SettleEnd = 'done' | 'changed' | 'beside' | 'cannot' | { code: string };

const ends = new Map<string | undefined, SettleEnd>([
  ['p', 'done'],
  ['c', 'changed'],
  ['b', 'beside'],
]);

/**
 * Lets the launcher exchange or remove names in a held folder, so that no name that stays is ever absent and nobody who writes
 * there meanwhile loses anything. The ends are in the order of `items`.
 */
export async function settleNodes(
  launcher: string,
  folder: HeldFolder,
  items: readonly Settling[],
): Promise<SettleEnd[]> {
  const answers =
    items.length === 0 ? [] : (await askLauncher(launcher, 'settle', items.map(wordsOf).join(''), folder)).split('\n');
  return items.map((_, at) => {
    const [end, errno] = answers[at]?.split(' ') ?? [];
    return end === 'f' ? { code: getSystemErrorName(-Number(errno)) } : (ends.get(end) ?? 'cannot');
  });
}

function wordsOf({ what, name, aside, expected: { ino, dev, size, mtimeNs, mode } }: Settling): string {
  const marks = [ino, dev, size, BigInt.asUintN(64, mtimeNs), mode].join(' ');
  return `${toBytePath(name)}\0${aside}\0${what === 'exchange' ? 'x' : 'r'} ${marks}\0`;
}
