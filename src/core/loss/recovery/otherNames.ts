import { lstatSync } from 'node:fs';
import type { View } from '../../view/view.ts';
import { breathe } from '../breathe.ts';
import { isNotText } from '../bytePath.ts';
import type { Finding } from '../finding.ts';
import { isAsBefore, nodeOf } from './besideIt.ts';

/**
 * Of what is lost, names of one file (hard links) lose one content: each but the first gets the reason `otherName`. Only files of
 * the same size can be one.
 */
export async function tellNamesOnce(lost: readonly Finding[], view: View): Promise<void> {
  const several = view.severalNames?.();
  if (several?.size === 0) return;
  const bySize = new Map<number, Finding[]>();
  for (const finding of lost) {
    const { type, sizeBytes, path } = finding.item;
    if (type !== 'file' || sizeBytes === 0 || isNotText(path)) continue;
    const alike = bySize.get(sizeBytes);
    if (alike) alike.push(finding);
    else bySize.set(sizeBytes, [finding]);
  }
  const named: Finding[] = [];
  let asked = 0;
  for (const alike of bySize.values()) {
    if (alike.length < 2) continue;
    for (const finding of alike) {
      const pause = breathe(asked++);
      if (pause !== undefined) await pause;
      if (several && !several.has(finding.item.path)) continue;
      if ((lstatSync(finding.item.path, { throwIfNoEntry: false })?.nlink ?? 1) > 1) named.push(finding);
    }
  }
  named.sort((a, b) => (a.item.path < b.item.path ? -1 : 1));
  const first = new Map<string, string>();
  for (const finding of named) {
    const { path } = finding.item;
    const node = await nodeOf(path);
    if (!node || !(await isAsBefore(node, view))) continue;
    const of = first.get(node.id);
    if (of === undefined) first.set(node.id, path);
    else finding.because = { kind: 'otherName', of };
  }
}
