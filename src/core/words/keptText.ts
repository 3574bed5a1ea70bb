import type { KeptFor, KeptState, NotKeptReason } from '../facts/kept.ts';
import { countOf, formatBytes } from '../view/quantity.ts';

/** Why something was not kept, as a clause. */
export function notKeptText(reason: NotKeptReason): string {
  switch (reason.kind) {
    case 'room':
      return 'there is no room for it';
    case 'time':
      return 'there was no time for it';
    case 'unreadable':
      return 'it may not be read';
    case 'special':
      return 'it is a device or a socket';
    case 'elsewhere':
      return 'it is not there';
    case 'changing':
      return 'it was being written to';
    case 'failed':
      return `the file system refused (${reason.code})`;
  }
}

/** What restoring would do to a path, as a clause. */
export function keptStateText(state: KeptState): string {
  switch (state) {
    case 'gone':
      return 'is gone; it would be there again';
    case 'same':
      return 'is as it was';
    case 'asLeft':
      return 'would be as it was';
    case 'newer':
      return 'has changed since';
    case 'blocked':
      return 'something else stands in its place';
  }
}

/** What something was kept for, as a clause. */
export function keptForText(kept: KeptFor): string {
  switch (kept.kind) {
    case 'run':
      return 'before a real run';
    case 'agent':
      return 'before an agent’s call';
    case 'apply':
      return 'before a result was applied';
    case 'restore':
      return 'before something was restored';
  }
}

/** What a safety net holds of what is lost for good, as one sentence; `mostBytes` 0: it is switched off. */
export function netText(
  { lost, lostBytes, fits, others = 0 }: { lost: number; lostBytes: number; fits: boolean; others?: number },
  mostBytes: number,
): string {
  if (mostBytes === 0) return '';
  if (!fits)
    return `Not all of it can be kept: ${formatBytes(lostBytes)} are lost, and there is room for ${formatBytes(mostBytes)}.`;
  if (others > 0) {
    return `Of that ${countOf(lost, 'file')} ${lost === 1 ? 'is' : 'are'} kept for a week: “Restore What Was Lost…” brings ${lost === 1 ? 'it' : 'them'} back.`;
  }
  return `${lost === 1 ? 'It is' : 'They are'} kept for a week: “Restore What Was Lost…” brings ${lost === 1 ? 'it' : 'them'} back.`;
}

/** Why a path could not be restored or applied, as a clause; `code`: of the file system, or one of ours. */
export function notPutText(code: string): string {
  switch (code) {
    case 'blocked':
      return 'something else stands in its place';
    case 'changed':
      return 'it changed in that very moment, and was left';
    case 'room':
      return 'what stands there could not be kept, so it was left';
    case 'ENOENT':
      return 'it is gone';
    case 'EACCES':
    case 'EPERM':
      return 'the user may not write there';
    case 'ENOTDIR':
    case 'ELOOP':
      return 'a file or a link stands where a folder was';
    case 'ENOTEMPTY':
      return 'something is in it by now';
    case 'ENOSPC':
      return 'the disk is full';
    default:
      return `the file system refused (${code})`;
  }
}

/** `12 files (3.4 MB)`. */
export function keptCountText({ nodes, bytes }: { nodes: readonly unknown[]; bytes: number }): string {
  return `${countOf(nodes.length, 'path')} (${formatBytes(bytes)})`;
}
