import type { AgentName, EditAction, PatchEdit, ToolCall } from '../action.ts';
import { readFences } from '../markdown.ts';
import type { NamedAgent } from './agentVersions.ts';
import { hasBlocks, hasUnnumberedDiff } from './changeBlocks.ts';
import { diffStart } from './preparePatch.ts';
import { readDiff } from './readDiff.ts';
import { type EditProblem, editsAmong, readToolCalls } from './readToolCalls.ts';
import { readTaggedCalls } from './taggedCalls.ts';
import { readWholeFiles } from './wholeFiles.ts';
import { readWindowCommands } from './windowedEditor.ts';

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
  /** Who makes the calls in the text, where that is known. */
  agent?: AgentName;
  /** Their version. */
  agentVersion?: string;
  /** The text is a file that the tool reads as it is, not something that was selected or pasted. */
  isExact?: boolean;
}

/** An edit that was read, and what is to be known about the text. */
export interface ReadEdit {
  action: EditAction;
  notices: string[];
}

/**
 * Makes an edit of a text: tool calls as JSON, a patch in the format of `apply_patch`, blocks of SEARCH and REPLACE, or a
 * diff (also of git, of `git format-patch`, in a mail or a message). A problem is one sentence with a next step.
 */
export function readEdit(text: string, options: ReadEditOptions): ReadEdit | EditProblem {
  if (text.trim() === '') return { problem: 'There is no edit: the text is empty.' };
  if (text.includes('\0')) return { problem: 'This is no text but bytes; give a patch, or a tool call as JSON.' };
  const start = text.replace(/^\uFEFF/, '').trimStart();
  if (start.startsWith('{') || start.startsWith('[')) return readCalls(start, options);
  const tagged = readTaggedCalls(text);
  if (tagged.length > 0 && diffStart(text) !== 0) {
    const read = editsAmong(tagged);
    return 'problem' in read ? read : calling(read.calls, options);
  }
  const commands = diffStart(text) < 0 ? readWindowCommands(text) : [];
  if (commands.length > 0) {
    const read = editsAmong(commands);
    return 'problem' in read ? read : calling(read.calls, options);
  }
  const blocks = readOtherFormat(text) ?? wholeFilesIn(text, options);
  if (blocks) return calling([blocks], options);
  if (diffStart(text) >= 0) return readPatch(text, options);
  // A call, or an edit of another form, in a message.
  for (const { text: inner } of readFences(text.replaceAll('\r\n', '\n')) ?? []) {
    const plain = inner.trimStart();
    if (!plain.startsWith('{') && !plain.startsWith('[')) continue;
    const read = readCalls(plain, options);
    if (!('problem' in read)) return read;
    if (start.startsWith('```') || start.startsWith('~~~')) return read;
  }
  return readPatch(text, options);
}

function makerIn({ agent, agentVersion }: ReadEditOptions): Partial<NamedAgent> {
  if (agent === undefined) return {};
  return agentVersion === undefined ? { agent } : { agent, agentVersion };
}

function readCalls(text: string, options: ReadEditOptions): ReadEdit | EditProblem {
  const { cwd } = options;
  const read = readToolCalls(text);
  if ('problem' in read) return read;
  const known = makerIn(options);
  if ('action' in read) return { action: { cwd, ...known, ...read.action }, notices: [] };
  return { action: { kind: 'edit', changes: [], cwd, calls: read.calls, ...known }, notices: [] };
}

function calling(calls: ToolCall[], options: ReadEditOptions): ReadEdit {
  return { action: { kind: 'edit', changes: [], cwd: options.cwd, calls, ...makerIn(options) }, notices: [] };
}

/** Files between fences are an edit only where aider is named: any message may have code with a name above it. */
function wholeFilesIn(text: string, { agent }: ReadEditOptions): ToolCall | undefined {
  if (agent !== 'aider' || diffStart(text) >= 0) return undefined;
  const files = readWholeFiles(text);
  return files && files.length > 0 ? { name: 'whole_files', arguments: { input: text } } : undefined;
}

/** Formats of agents that no program reads; undefined where a diff stands before them, of which they are then a part. */
function readOtherFormat(text: string): ToolCall | undefined {
  const diffAt = diffStart(text);
  const own = /^[ \t]*\*\*\* Begin Patch[\s\S]*?(?:^[ \t]*\*\*\* End Patch[ \t]*\r?$|$(?![\s\S]))/m.exec(text);
  if (own && (diffAt < 0 || own.index < diffAt)) return { name: 'apply_patch', arguments: { input: own[0] } };
  if (hasUnnumberedDiff(text) && !/^@@ -\d+(?:,\d+)? \+\d/m.test(text))
    return { name: 'udiff', arguments: { input: text } };
  const isOtherDiff = diffAt >= 0 && !/^-{3,} ?SEARCH/m.test(text);
  return hasBlocks(text) && !isOtherDiff ? { name: 'search_replace_blocks', arguments: { input: text } } : undefined;
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
  return { action: { kind: 'edit', changes: [], cwd: options.cwd, patch }, notices: read.notices };
}
