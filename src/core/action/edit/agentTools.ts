import type { AgentName, ToolCall } from '../action.ts';
import { recorded } from './agentVersions.ts';
import { readApplyPatch } from './applyPatchText.ts';
import { codexPatchNow, recordedPatch } from './applyPatchTool.ts';
import { aiderBlocks, aiderDiff, clineReplace, rooApply } from './blockTools.ts';
import { claudeEdit, claudeMultiEdit, claudeWrite } from './claudeTools.ts';
import { claudeEditNow, claudeWriteNow } from './claudeToolsNow.ts';
import { clineEditor } from './clineEditor.ts';
import { copilotPatch } from './copilotPatch.ts';
import { copilotCreate, copilotEdit } from './copilotTools.ts';
import { geminiEdit, geminiWrite, qwenEdit, qwenWrite } from './geminiTools.ts';
import { mcpEdit, mcpWrite, pairsOf } from './mcpTools.ts';
import { claudeNotebookEdit, claudeNotebookEditNow } from './notebookEdit.ts';
import { openCodeEdit, openCodeWrite } from './openCodeNow.ts';
import { openHandsEditor } from './openHandsEditor.ts';
import {
  copilotStyle,
  openCodeStyle,
  plainDelete,
  plainEdit,
  plainEditOfMany,
  plainWrite,
  strictStyle,
  unknownStyle,
} from './plainTools.ts';
import { strReplaceEditor } from './strReplaceEditor.ts';
import { absolute, type EditTool, type ToolOutcome, type ToolPlace } from './toolOutcome.ts';
import { aiderWhole } from './wholeFiles.ts';
import { sweCreate, sweEditLines, sweEditText, sweInsert } from './windowedEditor.ts';

/** What agents are called in sentences. */
export const agentLabels: Readonly<Record<AgentName | 'other', string>> = {
  aider: 'aider',
  claude: 'Claude Code',
  cline: 'Cline',
  codex: 'Codex',
  copilot: 'Copilot',
  cursor: 'Cursor',
  gemini: 'Gemini CLI',
  mcp: 'the filesystem server of MCP',
  opencode: 'OpenCode',
  openhands: 'OpenHands',
  other: 'another agent',
  qwen: 'Qwen Code',
  roo: 'Roo Code',
  'swe-agent': 'SWE-agent',
};

/** One tool of one agent in some of its versions, and the calls that are its. */
export interface KnownTool {
  agent: AgentName | 'other';
  names: RegExp;
  /** Versions that have it so, and whose words are known, newest first; absent: its words are not known. */
  releases?: readonly string[];
  /** The arguments that tell it from tools of the same name. */
  fits(given: Readonly<Record<string, unknown>>): boolean;
  run: EditTool;
}

const has =
  (...names: string[]) =>
  (given: Readonly<Record<string, unknown>>) =>
    names.every((name) => name in given);
const lacks =
  (...names: string[]) =>
  (given: Readonly<Record<string, unknown>>) =>
    !names.some((name) => name in given);

const camelNames = ['filePath', 'oldString', 'newString', 'replaceAll'];
const trimmed = (content: string, existed: boolean) =>
  !existed && /\s$/.test(content)
    ? 'Whether blanks at the end of a new file stay depends on the version of the tool.'
    : undefined;
const commented = (content: string) =>
  /^\s*(?:\/\/|#|<!--|--|;|\/\*|%) *(?:filepath:|[\w./-]+\.\w+ *$)/im.test(content.split('\n')[0] ?? '')
    ? 'Copilot leaves out a first line that is only a comment with the name of the file.'
    : undefined;

/** Checked against the package. */
const claudeNow = ['2.1.332', '2.1.330'];
/** The command line, checked against the package. */
const copilotNow = ['1.0'];
const isCopilotEdit = (given: Readonly<Record<string, unknown>>) =>
  'path' in given && ('old_str' in given || 'new_str' in given);
/** As its users' transcripts have it. */
const claudeOld = ['2.0', '1.0', recorded];

/** Every tool that is known; those of one agent stand newest first. */
export const agentTools: readonly KnownTool[] = [
  {
    agent: 'claude',
    names: /^Edit$/,
    releases: claudeNow,
    fits: lacks(...camelNames, 'old_str', 'path'),
    run: claudeEditNow,
  },
  {
    agent: 'claude',
    names: /^Edit$/,
    releases: claudeOld,
    fits: lacks(...camelNames, 'old_str', 'path'),
    run: claudeEdit,
  },
  { agent: 'claude', names: /^MultiEdit$/, releases: claudeOld, fits: lacks(...camelNames), run: claudeMultiEdit },
  {
    agent: 'claude',
    names: /^Write$/,
    releases: claudeNow,
    fits: lacks('path', 'filePath', 'contents'),
    run: claudeWriteNow,
  },
  {
    agent: 'claude',
    names: /^Write$/,
    releases: claudeOld,
    fits: lacks('path', 'filePath', 'contents'),
    run: claudeWrite,
  },
  {
    agent: 'claude',
    names: /^NotebookEdit$/,
    releases: ['2.1.332'],
    fits: has('notebook_path'),
    run: claudeNotebookEditNow,
  },
  {
    agent: 'claude',
    names: /^NotebookEdit$/,
    releases: ['2.1.330'],
    fits: has('notebook_path'),
    run: claudeNotebookEdit,
  },
  { agent: 'gemini', names: /^replace$/, releases: [recorded], fits: has('file_path'), run: geminiEdit },
  { agent: 'gemini', names: /^write_file$/, releases: [recorded], fits: lacks('path', 'filePath'), run: geminiWrite },
  { agent: 'qwen', names: /^edit$/, releases: [recorded], fits: has('file_path', 'old_string'), run: qwenEdit },
  { agent: 'qwen', names: /^write_file$/, releases: [recorded], fits: lacks('path', 'filePath'), run: qwenWrite },
  { agent: 'other', names: /^edit$/, fits: has('file_path', 'old_string'), run: plainEdit(strictStyle) },
  { agent: 'opencode', names: /^edit$/, releases: ['1.18'], fits: has('filePath'), run: openCodeEdit },
  { agent: 'opencode', names: /^edit$/, fits: has('filePath'), run: plainEdit(openCodeStyle) },
  { agent: 'opencode', names: /^multiedit$/, fits: has('filePath', 'edits'), run: plainEdit(openCodeStyle) },
  { agent: 'opencode', names: /^write$/, releases: ['1.18'], fits: has('filePath', 'content'), run: openCodeWrite },
  { agent: 'opencode', names: /^write$/, fits: has('filePath', 'content'), run: plainWrite(openCodeStyle) },
  { agent: 'opencode', names: /^(?:apply_)?patch$/, fits: has('patchText'), run: patchOfOthers },
  {
    agent: 'codex',
    names: /^apply_?patch$/,
    releases: ['0.169'],
    fits: lacks('patchText', 'explanation'),
    run: codexPatchNow,
  },
  {
    agent: 'codex',
    names: /^apply_?patch$/,
    releases: [recorded],
    fits: lacks('patchText', 'explanation'),
    run: recordedPatch,
  },
  {
    agent: 'copilot',
    names: /^apply_?patch$/,
    releases: copilotNow,
    fits: lacks('patchText', 'command', 'explanation'),
    run: copilotPatch,
  },
  { agent: 'copilot', names: /^apply_?patch$/, fits: has('explanation'), run: patchOfOthers },
  { agent: 'cline', names: /^apply_?patch$/, fits: lacks('patchText', 'command', 'explanation'), run: patchOfOthers },
  { agent: 'copilot', names: /^replace_string_in_file$/, fits: has('filePath'), run: plainEdit(copilotStyle) },
  { agent: 'copilot', names: /^multi_replace_string_in_file$/, fits: () => true, run: plainEditOfMany(copilotStyle) },
  { agent: 'copilot', names: /^create_file$/, fits: has('filePath'), run: plainWrite(copilotStyle, commented) },
  { agent: 'copilot', names: /^edit$/, releases: copilotNow, fits: isCopilotEdit, run: copilotEdit },
  { agent: 'copilot', names: /^create$/, releases: copilotNow, fits: has('path'), run: copilotCreate },
  { agent: 'swe-agent', names: /^edit$/, fits: has('path', 'replacement_text'), run: sweEditLines },
  { agent: 'swe-agent', names: /^edit$/, fits: has('path', 'search', 'replace'), run: sweEditText },
  { agent: 'swe-agent', names: /^insert$/, fits: has('path', 'text'), run: sweInsert },
  { agent: 'swe-agent', names: /^create$/, fits: has('filename'), run: sweCreate },
  {
    agent: 'swe-agent',
    names: /^str_replace_(?:based_edit_tool|editor)$/,
    releases: [recorded],
    fits: lacks('security_risk', 'summary'),
    run: strReplaceEditor,
  },
  {
    agent: 'openhands',
    names: /^(?:str_replace_(?:based_edit_tool|editor)|file_editor)$/,
    releases: [recorded],
    fits: has('command'),
    run: openHandsEditor,
  },
  { agent: 'mcp', names: /^write_file$/, releases: [recorded], fits: has('path'), run: mcpWrite },
  { agent: 'other', names: /^write_file$/, fits: has('path'), run: plainWrite(unknownStyle) },
  {
    agent: 'mcp',
    names: /^edit_file$/,
    releases: [recorded],
    fits: ({ edits }) => pairsOf(edits) !== undefined,
    run: mcpEdit,
  },
  { agent: 'cline', names: /^replace_in_file$/, fits: has('path', 'diff'), run: clineReplace },
  { agent: 'cline', names: /^write_to_file$/, fits: has('path'), run: plainWrite(unknownStyle, trimmed) },
  { agent: 'cline', names: /^editor$/, releases: ['3.0'], fits: has('path', 'new_text'), run: clineEditor },
  { agent: 'roo', names: /^apply_diff$/, fits: has('path', 'diff'), run: rooApply },
  { agent: 'roo', names: /^write_to_file$/, fits: has('path'), run: plainWrite(unknownStyle, trimmed) },
  { agent: 'cursor', names: /^(?:search_replace|StrReplace)$/, fits: lacks('diff'), run: plainEdit(unknownStyle) },
  { agent: 'cursor', names: /^Write$/, fits: has('path'), run: plainWrite(unknownStyle) },
  { agent: 'aider', names: /^search_replace_blocks$/, fits: has('input'), run: aiderBlocks },
  { agent: 'aider', names: /^whole_files$/, fits: has('input'), run: aiderWhole },
  { agent: 'aider', names: /^udiff$/, fits: has('input'), run: aiderDiff },
  { agent: 'other', names: /^apply_patch_call$/, fits: has('input'), run: patchOfOthers },
  { agent: 'other', names: /^(?:delete_file|delete_path|Delete|delete)$/, fits: () => true, run: plainDelete },
];

/** `apply_patch` of others than Codex: the same format, but a file that is there is not added again. */
async function patchOfOthers(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const outcome = await recordedPatch(call, place);
  const text = [call.arguments['patchText'], call.arguments['input'], call.arguments['patch']].find(
    (one) => typeof one === 'string',
  );
  const sections = typeof text === 'string' ? readApplyPatch(text) : [];
  if ('problem' in sections) return outcome;
  const added = sections.flatMap((section) => (section.kind === 'add' ? [section.name] : []));
  const doubts = [...outcome.doubts];
  for (const name of added) {
    const state = await place.read(absolute(name, place.cwd));
    if (state.kind === 'file') doubts.push(`${name} is there already; some agents then refuse to add it.`);
  }
  return { ...outcome, doubts };
}
