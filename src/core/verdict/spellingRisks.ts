import type { OtherSpelling } from '../facts/otherSpelling.ts';
import type { Risk } from '../facts/risk.ts';
import { pathsAsEvidence } from './evidence.ts';
import type { Facts } from './facts.ts';
import { fileRisks } from './fileRisks.ts';

/**
 * Something is destroyed that the user has called by another name: they may not know what it is. As bad as what is lost
 * there, and never less than a caution, whatever the names are.
 */
export function spellingRisks(facts: Facts): Risk[] {
  return (facts.otherSpellings ?? []).map((spelling) => {
    const isDanger = fileRisks(onlyAt(spelling, facts)).some(({ level }) => level === 'danger');
    return {
      level: isDanger ? 'danger' : 'caution',
      fact: { kind: 'otherSpelling', ...spelling },
      ...pathsAsEvidence([spelling.real]),
    };
  });
}

/** The facts without what is lost elsewhere. */
function onlyAt({ listedAt }: OtherSpelling, facts: Facts): Facts {
  const isThere = ({ path }: { path: string }) => listedAt.some((at) => path === at || path.startsWith(`${at}/`));
  return { ...facts, files: facts.files.filter(isThere), loss: facts.loss.filter(isThere) };
}
