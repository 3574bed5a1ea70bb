import path from 'node:path';

/** A line of `git status --porcelain`: two letters and a path, relative to the root of the repository. */
interface StatusLine {
  code: string;
  path: string;
}

/** The look that is asked for to learn what a program changed. */
export const statusCommand = 'git status --porcelain --untracked-files=all --ignored';

/** What a program is said to have changed. Paths are absolute. */
export interface SaidChanges {
  /** Created or modified files. */
  written: string[];
  deleted: string[];
  /** Folders that are new and of which only the name is said. */
  folders: string[];
}

/**
 * Compares what `git status` says before (really) and after (imagined). A line that was there before says nothing new,
 * also when the file was changed once more.
 */
export function saidChanges(before: string, after: string, root: string): SaidChanges {
  const known = new Set(readStatus(before).map(({ code, path: name }) => `${code} ${name}`));
  const result: SaidChanges = { written: [], deleted: [], folders: [] };
  for (const { code, path: name } of readStatus(after)) {
    if (known.has(`${code} ${name}`)) continue;
    const place = path.resolve(root, name);
    if (name.endsWith('/')) result.folders.push(place);
    else if (code.includes('D')) result.deleted.push(place);
    else result.written.push(place);
  }
  return result;
}

function readStatus(text: string): StatusLine[] {
  return text.split('\n').flatMap((line) => {
    const match = /^([ MTADRCU?!]{2}) (.+?)\r?$/.exec(line);
    if (!match) return [];
    const [, code = '', rest = ''] = match;
    // `R  old -> new`: the new name is what is there.
    const name = rest.includes(' -> ') ? rest.slice(rest.indexOf(' -> ') + 4) : rest;
    return [{ code, path: unquote(name) }];
  });
}

/** git quotes paths with unusual bytes like a C string, with octal escapes. */
function unquote(name: string): string {
  if (!name.startsWith('"') || !name.endsWith('"')) return name;
  const simple: Record<string, string> = { n: '\n', t: '\t', '"': '"', '\\': '\\' };
  const bytes: number[] = [];
  const text = Buffer.from(name.slice(1, -1)).toString('latin1');
  for (let at = 0; at < text.length; at += 1) {
    const octal = /^\\([0-7]{3})/.exec(text.slice(at, at + 4))?.[1];
    const letter = text[at] === '\\' ? simple[text[at + 1] ?? ''] : undefined;
    if (octal) {
      bytes.push(Number.parseInt(octal, 8) & 255);
      at += 3;
    } else if (letter !== undefined) {
      bytes.push(letter.charCodeAt(0));
      at += 1;
    } else bytes.push(text.charCodeAt(at) & 255);
  }
  return Buffer.from(bytes).toString('utf8');
}

/** Paths that `find FOLDER -type f` is said to print, absolute and inside the folder. */
export function saidFiles(text: string, folder: string, cwd: string): string[] {
  const files = text.split('\n').flatMap((line) => {
    const name = line.trim();
    if (name === '' || /[\0*?]/.test(name) || /^(find|ls):/.test(name)) return [];
    const place = path.resolve(cwd, name);
    return place.startsWith(`${folder}/`) ? [place] : [];
  });
  return [...new Set(files)];
}

/** Whether a path stands in one of the folders. */
export function isInside(place: string, folders: readonly string[]): boolean {
  return folders.some((folder) => place === folder || place.startsWith(folder.endsWith('/') ? folder : `${folder}/`));
}
