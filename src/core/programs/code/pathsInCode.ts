const quotedPath = /(['"`])((?:\/|~(?=\/|\1))[^'"`\n]*)\1/g;

/** Absolute paths, and those that begin at `~`, which stand in a text of code as words in quotes. */
export function pathsInCode(code: string): string[] {
  return [...code.matchAll(quotedPath)].flatMap(([, , path]) => path ?? []);
}
