import { countOf, formatBytes } from '../../src/core/view/quantity.ts';
import { visibleText } from './visibleText.ts';

/** `3 files`, `1 file`, `12,480 files`. The space does not break, so that the number stays with its noun. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return countOf(count, singular, plural).replace(' ', '\u00a0');
}

/** `1 file`, `both files`, `all 3 files`: that it is so of each. */
export function allOf(count: number, singular: string): string {
  return count === 2 ? `both ${singular}s` : `${count === 1 ? '' : 'all '}${counted(count, singular)}`;
}

/** `12,480`: thousands grouped, independent of the locale so that it can be compared and searched. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** `0 B`, `999 B`, `1.2 kB`, `48 MB`: a size as it is told everywhere. The space does not break. */
export function bytes(sizeBytes: number): string {
  return formatBytes(sizeBytes).replace(' ', '\u00a0');
}

/** `5 ms`, `1.2 s`, `2 min 5 s`. */
export function duration(durationMs: number): string {
  if (durationMs < 1) return '< 1 ms';
  if (durationMs < 999.5) return `${Math.round(durationMs)} ms`;
  if (durationMs < 59_950) return `${(durationMs / 1000).toFixed(1)} s`;
  const seconds = Math.round(durationMs / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** A name of which nothing hides: no line breaks in a row, and no marks that turn it round. */
export function visibleName(name: string): string {
  return visibleText(name).replace(/[\n\t]/g, (character) => (character === '\n' ? '␊' : '␉'));
}

/** A path as people say it: relative to the root folder it is in, or with `~` for the home directory. */
export function shownPath(path: string, folders: readonly string[], home?: string): string {
  return visibleName(plainPath(path, folders, home));
}

function plainPath(path: string, folders: readonly string[], home?: string): string {
  for (const folder of folders) {
    const name = baseName(folder);
    // Names of several folders say which is meant, unless two have the same.
    if (folders.some((other) => other !== folder && baseName(other) === name)) continue;
    if (path === folder) return name;
    if (path.startsWith(`${folder}/`)) return path.slice(folder.length + (folders.length > 1 ? -name.length : 1));
  }
  if (home !== undefined && (path === home || path.startsWith(`${home}/`))) return `~${path.slice(home.length)}`;
  return path;
}

/** The part behind the last slash. */
function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}
