import type { Commits } from '../../facts/gitFact.ts';

/** So many subjects of a list of commits are kept. */
const shownSubjects = 3;

/** A list of commits as data; a list of `limit` commits may have been cut there. */
export function commitsOf(list: readonly { subject: string }[], limit: number): Commits {
  const subjects = list.slice(0, shownSubjects).map((commit) => commit.subject);
  return { count: list.length, isCut: list.length >= limit, subjects };
}
