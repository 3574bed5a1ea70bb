import type { RiskFactOf } from '../facts/risk.ts';
import { countOf } from '../view/quantity.ts';
import { capital } from './sentence.ts';

/** That nothing is lost, as a sentence. */
export function harmlessText(
  fact: RiskFactOf<'onlyChanges' | 'onlyGit' | 'onlyGitFiles' | 'onlyTimes' | 'onlyReads'>,
): string {
  switch (fact.kind) {
    case 'onlyChanges':
      return `${capital(changesText(fact))}; nothing is lost.`;
    case 'onlyGit':
      return `${capital(fact.effects.map(({ detail }) => detail).join('; '))}.`;
    case 'onlyGitFiles':
      return 'Changes only files of git; nothing is lost.';
    case 'onlyTimes':
      return 'Changes nothing but times of files.';
    case 'onlyReads':
      return 'Changes no files; only reads or prints.';
  }
}

function changesText({ created, changed, moved, deleted }: RiskFactOf<'onlyChanges'>): string {
  const does = [
    ['creates', created],
    ['changes', changed],
    ['moves', moved],
    ['deletes', deleted],
  ] as const;
  return does
    .filter(([, amount]) => amount > 0)
    .map(([verb, amount]) => `${verb} ${countOf(amount, 'file')}`)
    .join(', ');
}
