import type { Commits } from '../facts/gitFact.ts';
import { shortName } from '../facts/gitNames.ts';

/** `1 file`, `2 files`; from `limit` on `1,000 or more files`. */
export function countOf(count: number, thing: string, limit = Number.POSITIVE_INFINITY): string {
  const number = count.toLocaleString('en-US');
  if (count >= limit) return `${number} or more ${thing}s`;
  return `${number} ${thing}${count === 1 ? '' : 's'}`;
}

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
