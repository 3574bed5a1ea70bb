/** `1 file`, `2 files`; from `limit` on `1,000 or more files`. */
export function countOf(count: number, thing: string, limit = Number.POSITIVE_INFINITY): string {
  const number = count.toLocaleString('en-US');
  if (count >= limit) return `${number} or more ${thing}s`;
  return `${number} ${thing}${count === 1 ? '' : 's'}`;
}

/** The first three subjects of some commits, quoted. */
export function subjects(commits: readonly { subject: string }[]): string {
  const shown = commits.slice(0, 3).map((commit) => `“${shorten(commit.subject)}”`);
  return commits.length > shown.length ? `${shown.join(', ')} …` : shown.join(', ');
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
