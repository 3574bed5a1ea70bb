import ignore from 'ignore';

/**
 * A shell or editor glob as a regular expression over a whole relative path: `*` and `?` within one part, `**` over
 * several, `[a-z]`, `[!a]`, `{a,b}`. What cannot be read as a pattern matches itself.
 */
export function compileGlob(glob: string, options: { dotFiles?: boolean } = {}): RegExp {
  const name = options.dotFiles ? '[^/]*' : '(?![.])[^/]*';
  let source = '';
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? '';
    const isPartStart = at === 0 || glob[at - 1] === '/';
    if (character === '\\' && at + 1 < glob.length) source += escaped(glob[++at] ?? '');
    else if (character === '*' && glob[at + 1] === '*') {
      while (glob[at + 1] === '*') at++;
      if (glob[at + 1] === '/') {
        at++;
        source += '(?:[^/]+/)*';
      } else source += '.*';
    } else if (character === '*') source += isPartStart ? name : '[^/]*';
    else if (character === '?') source += '[^/]';
    else if (character === '[') {
      const end = glob.indexOf(']', at + 2);
      if (end < 0) source += '\\[';
      else {
        source += bracket(glob.slice(at + 1, end));
        at = end;
      }
    } else if (character === '{' && glob.indexOf('}', at) > 0) {
      depth++;
      source += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      source += ')';
    } else if (character === ',' && depth > 0) source += '|';
    else source += escaped(character);
  }
  try {
    return new RegExp(`^${source}${')'.repeat(depth)}$`, 'su');
  } catch {
    return new RegExp(`^${escaped(glob)}$`, 's');
  }
}

function bracket(inner: string): string {
  const negated = /^[!^]/.test(inner);
  const set = (negated ? inner.slice(1) : inner)
    .replace(/\[:(\w+):$/, '[:$1:]')
    .replace(/[\\\]^]/g, '\\$&')
    .replace(/\[/g, '\\[');
  return `[${negated ? '^/' : ''}${set}]`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}

/** Says whether a path (relative to the workspace, with `/`) is left out, and by which pattern. */
export type Exclusion = (relativePath: string) => string | undefined;

/** Globs as in the editor's `files.exclude`: one that matches a folder leaves out all below it. */
export function compileExcludes(globs: readonly string[]): Exclusion {
  const patterns = globs.map((glob) => ({ glob, pattern: compileGlob(glob.replace(/\/+$/, ''), { dotFiles: true }) }));
  return (relativePath) => {
    if (patterns.length === 0) return undefined;
    const parts = relativePath.split('/');
    for (let length = 1; length <= parts.length; length++) {
      const head = parts.slice(0, length).join('/');
      const found = patterns.find(({ pattern }) => pattern.test(head));
      if (found) return found.glob;
    }
    return undefined;
  };
}

/**
 * The rules of one `.gitignore`, for paths of files relative to its folder, as git reads them; those of folders below and of
 * `core.excludesFile` are not known.
 */
export function compileIgnore(text: string): Exclusion {
  const rules = ignore({ ignorecase: false, allowRelativePaths: true }).add(
    text
      .replace(/^\ufeff/, '')
      .split(/\r?\n/)
      .slice(0, 500),
  );
  return (relativePath) => {
    const { ignored, rule } = rules.test(relativePath);
    return ignored ? (rule?.pattern ?? '') : undefined;
  };
}
