import type { RiskFactOf } from '../facts/risk.ts';
import { filesText } from './filesText.ts';
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

function changesText(fact: RiskFactOf<'onlyChanges'>): string {
  const verbs = { created: 'creates', changed: 'changes', moved: 'moves', deleted: 'deletes' } as const;
  const changes = ['created', 'changed', 'moved', 'deleted'] as const;
  return changes
    .filter((change) => fact[change] > 0)
    .map((change) => `${verbs[change]} ${filesText(fact[change], fact.folders?.[change])}`)
    .join(', ');
}
