import type { Loss, LossClass } from '../../src/core/facts/loss.ts';
import { holdsSomething, isLostForGood, isWayBack } from '../../src/core/facts/recovery.ts';
import { bytes, counted, shownPath } from '../shared/format.ts';
import type { TreeNode } from '../shared/tree.ts';

/** What losses amount to. */
export interface LossTotals {
  paths: number;
  sizeBytes: number;
  lines: number;
}

/** A reason with the paths that share it, or one path. */
export interface LossNode extends TreeNode {
  children: LossNode[];
  totals: LossTotals;
  /** What is lost: a clause that is the same for all paths of a group. */
  why: string;
  /** From where it comes back, in words; absent where it is lost for good. */
  wayBack?: string;
  /** Absent in a group. */
  loss?: Loss;
}

/** All losses in two halves: gone for good, and recoverable. */
export interface LossHalves {
  gone: { nodes: LossNode[]; totals: LossTotals };
  recoverable: { nodes: LossNode[]; totals: LossTotals };
}

const nouns: Partial<Record<LossClass, readonly [string, string]>> = {
  commits: ['set of commits', 'sets of commits'],
  stash: ['stash', 'stashes'],
};

/** `3 files`, or `1 set of commits` where commits are lost; `3 items` where the kinds differ. */
export function lossCount(all: readonly Loss[]): string {
  const own = all.filter(isOwnContent);
  const held = own.filter(holdsSomething);
  // Beside others an empty file is no loss, as the verdict says.
  const losses = held.length > 0 ? held : own;
  const nounOf = (loss: Loss | undefined) => loss && nouns[loss.class];
  const first = nounOf(losses[0]);
  const [noun, plural] = losses.every((loss) => nounOf(loss) === first) ? (first ?? ['file']) : ['item'];
  return counted(losses.length, noun, plural);
}

/** `['214 lines', '9.1 kB']`, as far as they are known. */
export function lossWeight(totals: LossTotals): string[] {
  const parts: string[] = [];
  if (totals.lines > 0) parts.push(counted(totals.lines, 'line'));
  if (totals.sizeBytes > 0 || totals.lines === 0) parts.push(bytes(totals.sizeBytes));
  return parts;
}

/** Splits and groups losses by reason. Groups of few paths start unfolded; the heaviest reason comes first. */
export function lossHalves(losses: readonly Loss[], folders: readonly string[], home?: string): LossHalves {
  const gone = losses.filter(isLostForGood);
  const recoverable = losses.filter((loss) => !isLostForGood(loss));
  return { gone: half('gone', gone, folders, home), recoverable: half('back', recoverable, folders, home) };
}

function half(prefix: string, losses: readonly Loss[], folders: readonly string[], home?: string) {
  const groups = new Map<string, Loss[]>();
  for (const loss of losses) {
    const key = `${loss.why}\n${loss.recoverable}`;
    const group = groups.get(key);
    if (group) group.push(loss);
    else groups.set(key, [loss]);
  }
  const nodes = [...groups].map(([key, group]): LossNode => {
    const first = group[0];
    return {
      key: `${prefix}:${key}`,
      label: first?.why ?? '',
      why: first?.why ?? '',
      ...backOf(first),
      totals: totalsOf(group),
      children: group.map((loss) => ({
        key: `${prefix}:${loss.path}\n${loss.class}`,
        label: shownPath(loss.path, folders, home),
        why: loss.why,
        ...backOf(loss),
        totals: totalsOf([loss]),
        loss,
        children: [],
      })),
      startsOpen: group.length <= 12,
    };
  });
  nodes.sort((a, b) => b.totals.lines - a.totals.lines || b.totals.sizeBytes - a.totals.sizeBytes);
  const totals = totalsOf(losses);
  // With few losses the paths themselves are the list, each with its reason.
  return { nodes: losses.length <= 6 ? nodes.flatMap((node) => node.children) : nodes, totals };
}

function backOf(loss: Loss | undefined): { wayBack?: string } {
  return loss !== undefined && isWayBack(loss.recovery) ? { wayBack: loss.recoverable } : {};
}

/** Another name of a file that is told has nothing of its own. */
const isOwnContent = ({ because }: Loss) => because.kind !== 'otherName';

function totalsOf(losses: readonly Loss[]): LossTotals {
  let sizeBytes = 0;
  let lines = 0;
  for (const loss of losses.filter(isOwnContent)) {
    sizeBytes += loss.sizeBytes;
    lines += loss.lines ?? 0;
  }
  return { paths: losses.length, sizeBytes, lines };
}
