import type { Commits } from '../facts/gitFact.ts';

/** `1 file`, `2 files`; from `limit` on `1,000 or more files`. */
export function countOf(count: number, thing: string, limit = Number.POSITIVE_INFINITY): string {
  const number = count.toLocaleString('en-US');
  if (count >= limit) return `${number} or more ${thing}s`;
  return `${number} ${thing}${count === 1 ? '' : 's'}`;
}

/** So many subjects of a list of commits are kept. */
const shownSubjects = 3;

/** A list of commits as data; a list of `limit` commits may have been cut there. */
export function commitsOf(list: readonly { subject: string }[], limit: number): Commits {
  const subjects = list.slice(0, shownSubjects).map((commit) => commit.subject);
  return { count: list.length, isCut: list.length >= limit, subjects };
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

/** `main` of `refs/heads/main`, `origin/main` of `refs/remotes/origin/main`. */
export function shortName(name: string): string {
  return name.replace(/^refs\/(heads|tags|remotes)\//, '');
}

/** `branch main`, `tag v1`, `remote branch origin/main`. */
export function nameWithKind(name: string): string {
  if (name.startsWith('refs/heads/')) return `branch ${shortName(name)}`;
  if (name.startsWith('refs/tags/')) return `tag ${shortName(name)}`;
  if (name.startsWith('refs/remotes/')) return `remote branch ${shortName(name)}`;
  return shortName(name);
}

/** The first 10 digits of an object id. */
export function shortId(id: string | undefined): string {
  return id?.slice(0, 10) ?? 'nothing';
}
