import { isLostForGood } from '../facts/recovery.ts';
import type { Prediction } from '../prediction/prediction.ts';
import type { FileChange } from '../view/fileChange.ts';
import type { KeptNode } from './keptEntry.ts';

/** A path of which something goes by an action. */
export interface AtStake {
  /** Absolute. */
  path: string;
  /** Nothing else has it. */
  isLost: boolean;
  /** Only its mode or its owner changes. */
  isStatusOnly: boolean;
  sizeBytes: number;
  /** What stands there afterwards; absent: nothing. */
  after?: NonNullable<KeptNode['after']>;
}

/** Every path that an action deletes, overwrites or gives another mode, parents first. What only gets another name has none. */
export function atStake({ files, loss }: Pick<Prediction, 'files' | 'loss'>): AtStake[] {
  const lost = new Set(loss.filter((one) => isLostForGood(one) || one.class === 'unknown').map(({ path }) => path));
  const found = files.flatMap((file) => {
    if (file.change === 'renamed' ? !file.before : file.change === 'created' && !file.before) return [];
    const node = file.before ?? file;
    return [
      {
        path: file.path,
        isLost: lost.has(file.path),
        isStatusOnly: file.change === 'mode',
        sizeBytes: node.type === 'file' && file.change !== 'mode' ? node.sizeBytes : 0,
        ...(file.change === 'deleted' ? {} : { after: afterOf(file) }),
      },
    ];
  });
  return found.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
}

function afterOf({ type, sizeBytes, mode, target, sha256, volatile }: FileChange): NonNullable<KeptNode['after']> {
  return {
    ...{ type, sizeBytes, mode: Number.parseInt(mode, 8) || 0 },
    ...(target === undefined ? {} : { target }),
    ...(sha256 === undefined || volatile ? {} : { sha256 }),
  };
}

/** How much of a prediction's losses can be kept. */
export interface NetPlan {
  /** Files and links that nothing else has. */
  lost: number;
  lostBytes: number;
  /** There is room for all of them. */
  fits: boolean;
  /** What is lost for good and is no file: commits, stashes. The net has nothing of it. */
  others: number;
}

/** What `keepLost` would keep of what is lost for good; `mostBytes`: see `NetUse`. */
export function planOfNet(prediction: Prediction, mostBytes: number): NetPlan {
  const lost = atStake(prediction).filter(({ isLost }) => isLost);
  const paths = new Set(lost.map(({ path }) => path));
  const others = prediction.loss.filter((one) => isLostForGood(one) && !paths.has(one.path)).length;
  const lostBytes = lost.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return { lost: lost.length, lostBytes, fits: lostBytes <= mostBytes, others };
}
