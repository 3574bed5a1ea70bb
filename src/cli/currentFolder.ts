import path from 'node:path';

/** The working directory of this process; `undefined` where it was deleted or cannot be reached any more. */
export function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

/** What to do where there is no working directory. `named`: a relative path that was given, and is relative to nothing. */
export function lostFolder(named?: string): string {
  const lost = 'The current folder does not exist any more';
  return named === undefined
    ? `${lost}; change to another one, or name one with --cwd /absolute/path.`
    : `${lost}, so ${named} leads nowhere; give an absolute path.`;
}

/** A path among these that only a working directory gives a meaning to. */
export function relativeOf(paths: readonly (string | undefined)[]): string | undefined {
  return paths.find((one) => one !== undefined && one !== '-' && !path.isAbsolute(one));
}
