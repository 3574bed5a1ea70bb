import type { EditAction, PatchEdit } from '../action.ts';
import { isDiff, readDiff } from './readDiff.ts';
import { type EditProblem, readToolCalls } from './readToolCalls.ts';

/** How a text is to be read as an edit. */
export interface ReadEditOptions {
  /** Absolute; where relative names begin. */
  cwd: string;
  /** Which tool applies a patch; default: git for git's patches, else `patch`. */
  tool?: PatchEdit['tool'];
  /** Default: what the names in the patch suggest. */
  strip?: number;
  fuzz?: number;
  reverse?: boolean;
  options?: string[];
  /** The text is a file that the tool reads as it is, not something that was selected or pasted. */
  isExact?: boolean;
}

/** An edit that was read, and what is to be known about the text. */
export interface ReadEdit {
  action: EditAction;
  notices: string[];
}

/**
 * Makes an edit of a text: tool calls as JSON, a patch in the format of `apply_patch`, or a unified diff (also of git, of
 * `git format-patch`, in a Markdown fence). A problem is one sentence with a next step.
 */
export function readEdit(text: string, options: ReadEditOptions): ReadEdit | EditProblem {
  const { cwd } = options;
  if (text.trim() === '') return { problem: 'There is no edit: the text is empty.' };
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('{') || start.startsWith('[')) {
    const read = readToolCalls(start);
    if ('problem' in read) return read;
    if ('action' in read) return { action: { cwd, ...read.action }, notices: [] };
    return { action: { kind: 'edit', changes: [], cwd, calls: read.calls }, notices: [] };
  }
  const own = /^[ \t]*\*\*\* Begin Patch[\s\S]*?(?:^[ \t]*\*\*\* End Patch[ \t]*$|$(?![\s\S]))/m.exec(text)?.[0];
  if (own !== undefined) {
    const call = { name: 'apply_patch', arguments: { input: own } };
    return { action: { kind: 'edit', changes: [], cwd, calls: [call] }, notices: [] };
  }
  if (!isDiff(text) && /^\s*(```|~~~)/.test(text)) {
    const inner = /^\s*(?:`{3,}|~{3,})[^\n]*\n([\s\S]*?)\n\s*(?:`{3,}|~{3,})\s*$/.exec(text)?.[1];
    if (inner !== undefined) return readEdit(inner, options);
  }
  return readPatch(text, options);
}

function readPatch(text: string, options: ReadEditOptions): ReadEdit | EditProblem {
  const read = readDiff(text, options.isExact);
  if ('problem' in read) return read;
  const tool = options.tool ?? read.tool;
  const patch: PatchEdit = {
    text: read.text,
    tool,
    strip: options.strip ?? read.strip,
    ...(options.fuzz === undefined ? {} : { fuzz: options.fuzz }),
    ...(options.reverse ? { reverse: true } : {}),
    ...(options.options ? { options: options.options } : {}),
  };
  const notices = read.damage === undefined ? [] : [read.damage];
  return { action: { kind: 'edit', changes: [], cwd: options.cwd, patch }, notices };
}
