import type { Commits } from '../facts/gitFact.ts';
import { shortName } from '../facts/gitNames.ts';
import { countOf } from '../view/quantity.ts';

/** The first subjects of some commits, quoted. */
export function quotedSubjects(commits: Commits): string {
  const shown = commits.subjects.map((subject) => `“${shorten(subject)}”`);
  return commits.count > shown.length ? `${shown.join(', ')} …` : shown.join(', ');
}

/** At most 60 characters. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** `branch main`, `tag v1`, `remote branch origin/main`. */
export function nameWithKind(name: string): string {
  if (name.startsWith('refs/heads/')) return `branch ${shortName(name)}`;
  if (name.startsWith('refs/tags/')) return `tag ${shortName(name)}`;
  if (name.startsWith('refs/remotes/')) return `remote branch ${shortName(name)}`;
  return shortName(name);
}

/** `1 commit`, `3 commits`; where not all were counted `1,000 or more commits`. */
export function commitCount({ count, isCut }: Commits): string {
  return countOf(count, 'commit', 'commits', isCut ? count : undefined);
}
