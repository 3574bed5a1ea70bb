/** `main` of `refs/heads/main`, `origin/main` of `refs/remotes/origin/main`. */
export function shortName(name: string): string {
  return name.replace(/^refs\/(heads|tags|remotes)\//, '');
}

/** The first 10 digits of an object id. */
export function shortId(id: string | undefined): string {
  return id?.slice(0, 10) ?? 'nothing';
}
