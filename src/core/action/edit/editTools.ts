import type { AgentName, ToolCall } from '../action.ts';
import { readApplyPatch } from './applyPatchText.ts';
import { applyPatch } from './applyPatchTool.ts';
import { aiderBlocks, aiderDiff, clineReplace, rooApply } from './blockTools.ts';
import { readArguments } from './callArguments.ts';
import { claudeEdit, claudeMultiEdit, claudeWrite } from './claudeTools.ts';
import { geminiEdit, geminiWrite, qwenEdit, qwenWrite } from './geminiTools.ts';
import { mcpEdit, mcpWrite, pairsOf } from './mcpTools.ts';
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
import { absolute, type EditTool, refusalText, type ToolOutcome, type ToolPlace } from './toolOutcome.ts';

/** What agents are called in sentences. */
const labels: Readonly<Record<AgentName | 'other', string>> = {
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

/** One tool of one agent, and the calls that are its. */
interface KnownTool {
  agent: AgentName | 'other';
  names: RegExp;
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

const tools: readonly KnownTool[] = [
  { agent: 'claude', names: /^Edit$/, fits: lacks(...camelNames, 'old_str', 'path'), run: claudeEdit },
  { agent: 'claude', names: /^MultiEdit$/, fits: lacks(...camelNames), run: claudeMultiEdit },
  { agent: 'claude', names: /^Write$/, fits: lacks('path', 'filePath', 'contents'), run: claudeWrite },
  { agent: 'gemini', names: /^replace$/, fits: has('file_path'), run: geminiEdit },
  { agent: 'gemini', names: /^write_file$/, fits: lacks('path', 'filePath'), run: geminiWrite },
  { agent: 'qwen', names: /^edit$/, fits: has('file_path', 'old_string'), run: qwenEdit },
  { agent: 'qwen', names: /^write_file$/, fits: lacks('path', 'filePath'), run: qwenWrite },
  { agent: 'other', names: /^edit$/, fits: has('file_path', 'old_string'), run: plainEdit(strictStyle) },
  { agent: 'opencode', names: /^edit$/, fits: has('filePath'), run: plainEdit(openCodeStyle) },
  { agent: 'opencode', names: /^multiedit$/, fits: has('filePath', 'edits'), run: plainEdit(openCodeStyle) },
  { agent: 'opencode', names: /^write$/, fits: has('filePath', 'content'), run: plainWrite(openCodeStyle) },
  { agent: 'opencode', names: /^(?:apply_)?patch$/, fits: has('patchText'), run: patchOfOthers },
  { agent: 'codex', names: /^apply_?patch$/, fits: lacks('patchText', 'explanation'), run: applyPatch },
  { agent: 'copilot', names: /^apply_?patch$/, fits: lacks('patchText', 'command'), run: patchOfOthers },
  { agent: 'cline', names: /^apply_?patch$/, fits: lacks('patchText', 'command', 'explanation'), run: patchOfOthers },
  { agent: 'copilot', names: /^replace_string_in_file$/, fits: has('filePath'), run: plainEdit(copilotStyle) },
  { agent: 'copilot', names: /^multi_replace_string_in_file$/, fits: () => true, run: plainEditOfMany(copilotStyle) },
  { agent: 'copilot', names: /^create_file$/, fits: has('filePath'), run: plainWrite(copilotStyle, commented) },
  { agent: 'copilot', names: /^edit$/, fits: has('path', 'old_str'), run: plainEdit(strictStyle) },
  { agent: 'copilot', names: /^create$/, fits: has('path', 'file_text'), run: plainWrite(copilotStyle) },
  {
    agent: 'swe-agent',
    names: /^str_replace_(?:based_edit_tool|editor)$/,
    fits: lacks('security_risk', 'summary'),
    run: strReplaceEditor,
  },
  {
    agent: 'openhands',
    names: /^(?:str_replace_(?:based_edit_tool|editor)|file_editor)$/,
    fits: has('command'),
    run: openHandsEditor,
  },
  { agent: 'mcp', names: /^write_file$/, fits: has('path'), run: mcpWrite },
  { agent: 'other', names: /^write_file$/, fits: has('path'), run: plainWrite(unknownStyle) },
  { agent: 'mcp', names: /^edit_file$/, fits: ({ edits }) => pairsOf(edits) !== undefined, run: mcpEdit },
  { agent: 'cline', names: /^replace_in_file$/, fits: has('path', 'diff'), run: clineReplace },
  { agent: 'cline', names: /^write_to_file$/, fits: has('path'), run: plainWrite(unknownStyle, trimmed) },
  {
    agent: 'cline',
    names: /^editor$/,
    fits: ({ old_text: old }) => typeof old === 'string',
    run: plainEdit(strictStyle),
  },
  { agent: 'roo', names: /^apply_diff$/, fits: has('path', 'diff'), run: rooApply },
  { agent: 'roo', names: /^write_to_file$/, fits: has('path'), run: plainWrite(unknownStyle, trimmed) },
  { agent: 'cursor', names: /^(?:search_replace|StrReplace)$/, fits: lacks('diff'), run: plainEdit(unknownStyle) },
  { agent: 'cursor', names: /^Write$/, fits: has('path'), run: plainWrite(unknownStyle) },
  { agent: 'aider', names: /^search_replace_blocks$/, fits: has('input'), run: aiderBlocks },
  { agent: 'aider', names: /^udiff$/, fits: has('input'), run: aiderDiff },
  { agent: 'other', names: /^(?:delete_file|delete_path|Delete|delete)$/, fits: () => true, run: plainDelete },
];

/** A name that an editing tool of an unknown agent may have. */
const editing = /edit|write|replace|create|update|patch|modify|overwrite|save/i;

/** The name of a tool without that of the server or the namespace that offers it (`mcp__fs__write_file`, `functions.edit`). */
function plainName(name: string): string {
  return name.replace(/^.*__/, '').replace(/^(?:functions|default_api|tools)[.:]/, '');
}

function candidates(call: ToolCall, agent?: AgentName): KnownTool[] {
  const name = plainName(call.name);
  const isServer = /^mcp__/.test(call.name);
  const fitting = tools.filter((tool) => tool.names.test(name) && tool.fits(call.arguments));
  const asked = fitting.filter((tool) => (agent ? tool.agent === agent : !isServer || tool.agent === 'mcp'));
  if (asked.length > 0) return asked;
  if (fitting.length > 0) return fitting;
  if (!editing.test(name)) return [];
  const { path, content, replacements } = readArguments(call);
  if (path === undefined) return [];
  if (replacements.length > 0)
    return [{ agent: 'other', names: editing, fits: () => true, run: plainEdit(unknownStyle) }];
  if (content === undefined || 'command' in call.arguments) return [];
  return [{ agent: 'other', names: editing, fits: () => true, run: plainWrite(unknownStyle) }];
}

/** True for a call of an editing tool whose outcome can be told. */
export function isEditCall(call: ToolCall, agent?: AgentName): boolean {
  return candidates(call, agent).length > 0;
}

/** Tools of the agents whose words are known, for whoever knows that a call is theirs. */
export function agentOfTool(name: string): AgentName | undefined {
  return new Map<string, AgentName>([
    ['Edit', 'claude'],
    ['MultiEdit', 'claude'],
    ['Write', 'claude'],
    ['edit', 'qwen'],
    ['write_file', 'qwen'],
    ['replace', 'gemini'],
    ['apply_patch', 'codex'],
    ['str_replace_editor', 'swe-agent'],
    ['str_replace_based_edit_tool', 'swe-agent'],
  ]).get(name);
}

/**
 * Makes a call, before it writes. Where it may be of several agents, each of their tools is asked: what they agree in is
 * certain. The words are only given where the agent is known, because they differ from version to version.
 */
export async function makeCall(call: ToolCall, place: ToolPlace, agent?: AgentName): Promise<ToolOutcome | undefined> {
  const asked = candidates(call, agent);
  const outcomes = await Promise.all(asked.map(async (tool) => ({ tool, outcome: await tool.run(call, place) })));
  // What would write is shown, so that what could be lost is seen.
  const shown = outcomes.find(({ outcome }) => outcome.writes.length > 0) ?? outcomes[0];
  if (!shown) return undefined;
  const doubts = new Set(outcomes.flatMap(({ outcome }) => outcome.doubts));
  const other = outcomes.find(({ outcome }) => !doTheSame(outcome, shown.outcome));
  if (other) doubts.add(`${told(shown)}, ${told(other)}; which agent makes the call is not known.`);
  const isKnown = agent !== undefined && shown.tool.agent === agent;
  if (isKnown) return { ...shown.outcome, doubts: [...doubts] };
  const exitCode = shown.outcome.refusal ? 1 : 0;
  return { ...shown.outcome, observation: undefined, refused: () => undefined, exitCode, doubts: [...doubts] };
}

function told({ tool, outcome }: { tool: KnownTool; outcome: ToolOutcome }): string {
  const label = labels[tool.agent];
  if (outcome.refusal) return `${label} would refuse the call (${refusalText(outcome.refusal)})`;
  return `${label} would make the edit its way`;
}

function doTheSame(a: ToolOutcome, b: ToolOutcome): boolean {
  if (a === b) return true;
  if ((a.refusal === undefined) !== (b.refusal === undefined) || a.writes.length !== b.writes.length) return false;
  return a.writes.every((write, index) => {
    const other = b.writes[index];
    if (!other || other.path !== write.path || other.mode !== write.mode) return false;
    if (other.takesPlace !== write.takesPlace) return false;
    return write.bytes === null || other.bytes === null
      ? write.bytes === other.bytes
      : Buffer.from(write.bytes).equals(other.bytes);
  });
}

/** `apply_patch` of others than Codex: the same format, but a file that is there is not added again. */
async function patchOfOthers(call: ToolCall, place: ToolPlace): Promise<ToolOutcome> {
  const outcome = await applyPatch(call, place);
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
