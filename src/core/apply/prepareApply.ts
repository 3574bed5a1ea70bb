import type fs from 'node:fs';
import type { ApplyRefusal } from '../facts/applyFact.ts';
import { folderOf, nameOf } from '../loss/bytePath.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { codeOf, holdFolder, statusIn } from '../safetyNet/heldFolder.ts';
import type { View, ViewStatus } from '../view/view.ts';
import { whyNotApplied } from './whyNotApplied.ts';

/** One file, and all files, that are read back from the copy. In bytes. */
const mostOfFile = 256 * 1024 ** 2;
const mostOfAll = 1024 ** 3;
/** Texts up to this size are merged where somebody edits them meanwhile, and so many of them are kept for that. In bytes. */
const mostOfText = 1024 ** 2;
const mostOfTexts = 32 * 1024 ** 2;
/** File systems know no earlier time (1901); what is said to be earlier is a time after 2262 that went round. */
const earliestNs = -2_147_483_648n * 1_000_000_000n;
const mostItems = 20_000;

/** A path as it is to be, and as it was when that was predicted. */
export interface ApplyItem {
  change: Prediction['files'][number];
  /** After it; absent where nothing stands there then. */
  after?: ViewStatus;
  /** When it was predicted; absent where nothing stood there. */
  was?: fs.BigIntStats;
  /** Of a renamed node: what stood under its old name. */
  wasFrom?: fs.BigIntStats;
  /** Of a small text: what was in it. */
  text?: Uint8Array;
}

/** What a prediction is made of, held so that it can be put in place. */
export interface Preparation {
  prediction: Prediction;
  view: View;
  items: ApplyItem[];
  /** When it was begun to be predicted: times of files before that are the files' own. Nanoseconds since 1970. */
  beganNs: bigint;
}

/**
 * Notes what the paths of a prediction are like, right after it was made. `beganAt`: when that was begun, in milliseconds since
 * 1970. The view has to stay open.
 */
export async function prepareApply(
  prediction: Prediction,
  view: View,
  beganAt: number,
): Promise<Preparation | { refused: ApplyRefusal }> {
  const refused = whyNotApplied(prediction);
  if (refused) return { refused };
  if (prediction.files.length > mostItems) return { refused: { kind: 'tooMany', count: prediction.files.length } };
  const total = prediction.files.reduce((sum, { type, sizeBytes }) => sum + (type === 'file' ? sizeBytes : 0), 0);
  const items: ApplyItem[] = [];
  let texts = 0;
  for (const change of prediction.files) {
    const item: ApplyItem = { change };
    if (change.change !== 'deleted') {
      const after = await view.status?.(change.path, 'after');
      if (!after || after.type !== change.type) return { refused: { kind: 'gone' } };
      const isLarge = after.type === 'file' && (after.sizeBytes > mostOfFile || total > mostOfAll);
      if (isLarge) return { refused: { kind: 'tooLarge', path: change.path } };
      if (after.type === 'file' && after.links > 1) return { refused: { kind: 'severalNames', path: change.path } };
      if (after.mtimeNs < earliestNs) return { refused: { kind: 'time', path: change.path } };
      if (!canOwn(after)) return { refused: { kind: 'owner', path: change.path } };
      item.after = after;
    }
    const was = realStatus(change.path);
    const wasFrom = change.from === undefined ? undefined : realStatus(change.from);
    if (was?.isFile() && was.nlink > 1n && change.change !== 'deleted')
      return { refused: { kind: 'severalNames', path: change.path } };
    const isSmall = was?.isFile() && Number(was.size) <= mostOfText && texts + Number(was.size) <= mostOfTexts;
    if (was) item.was = was;
    if (wasFrom) item.wasFrom = wasFrom;
    if (was && isSmall && change.change === 'modified' && change.type === 'file') {
      const text = await view.read(change.path, 'before', mostOfText);
      if (text) item.text = text;
      texts += Number(was.size);
    }
    items.push(item);
  }
  return { prediction, view, items, beganNs: BigInt(Math.floor(beganAt)) * 1_000_000n };
}

/** Whether what we make can have this owner and this group. */
function canOwn({ uid, gid }: ViewStatus): boolean {
  const [user, group] = [process.geteuid?.(), process.getegid?.()];
  return user === 0 || (uid === user && (gid === group || process.getgroups?.().includes(gid) === true));
}

/** What really stands at a path, reached without a symbolic link on the way; `undefined`: nothing. */
export function realStatus(path: string): fs.BigIntStats | undefined {
  try {
    const folder = holdFolder(folderOf(path));
    try {
      return statusIn(folder, nameOf(path));
    } finally {
      folder.close();
    }
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP') return undefined;
    throw error;
  }
}
