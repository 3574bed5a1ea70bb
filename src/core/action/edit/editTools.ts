import type { AgentName, ToolCall } from '../action.ts';
import { agentLabels, agentTools, type KnownTool } from './agentTools.ts';
import { checkedRelease, type NamedAgent, recorded } from './agentVersions.ts';
import { readArguments } from './callArguments.ts';
import { plainEdit, plainWrite, unknownStyle } from './plainTools.ts';
import { refusalText, type ToolOutcome, type ToolPlace } from './toolOutcome.ts';

/** A name that an editing tool of an unknown agent may have. */
const editing = /edit|write|replace|create|update|patch|modify|overwrite|save/i;

/** The name of a tool without that of the server or the namespace that offers it (`mcp__fs__write_file`, `functions.edit`). */
function plainName(name: string): string {
  return name.replace(/^.*__/, '').replace(/^(?:functions|default_api|tools)[.:]/, '');
}

function candidates(call: ToolCall, agent?: AgentName): KnownTool[] {
  const name = plainName(call.name);
  const isServer = /^mcp__/.test(call.name);
  const fitting = agentTools.filter((tool) => tool.names.test(name) && tool.fits(call.arguments));
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

/** Whose tool it is in recorded sessions, for whoever knows that a call stands in one. */
export function agentOfTool(name: string): NamedAgent | undefined {
  const agent = new Map<string, AgentName>([
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
  return agent && { agent, agentVersion: recorded };
}

/** What a call may be: one version of one tool where that is told, else all that it may be. */
interface Meant {
  tools: KnownTool[];
  /** The checked release whose words are claimed. */
  release?: string;
}

function meantBy(call: ToolCall, agent?: AgentName, version?: string): Meant {
  const all = candidates(call, agent);
  if (version === undefined || !all.every((tool) => tool.agent === agent)) return { tools: all };
  const releases = all.flatMap((tool) => tool.releases ?? []);
  const release = checkedRelease(version, releases);
  if (release === undefined) return { tools: all };
  return { tools: all.filter((tool) => tool.releases?.includes(release)), release };
}

/** Where a call is made and, as far as that is known, by whom. */
export interface CallMaker {
  agent?: AgentName | undefined;
  agentVersion?: string | undefined;
}

/**
 * Makes a call, before it writes. Where it may be of several agents, or of several versions of one, each of their tools is
 * asked: what they agree in is certain. The words are only given for a version whose words are known.
 */
export async function makeCall(
  call: ToolCall,
  place: ToolPlace,
  { agent, agentVersion }: CallMaker = {},
): Promise<ToolOutcome | undefined> {
  const { tools, release } = meantBy(call, agent, agentVersion);
  const outcomes = await Promise.all(tools.map(async (tool) => ({ tool, outcome: await tool.run(call, place) })));
  // What would write is shown, so that what could be lost is seen.
  const shown = outcomes.find(({ outcome }) => outcome.writes.length > 0) ?? outcomes[0];
  if (!shown) return undefined;
  const doubts = new Set(outcomes.flatMap(({ outcome }) => outcome.doubts));
  const other = outcomes.find(({ outcome }) => !doTheSame(outcome, shown.outcome));
  if (other) doubts.add(differing(shown, other));
  if (release !== undefined)
    return { ...shown.outcome, doubts: [...doubts], ...noticed(shown.outcome, agentVersion, release) };
  const exitCode = shown.outcome.refusal ? 1 : 0;
  return { ...shown.outcome, observation: undefined, refused: () => undefined, exitCode, doubts: [...doubts] };
}

/** Which release a version was taken for, where it names several. */
function noticed(outcome: ToolOutcome, version: string | undefined, release: string): Pick<ToolOutcome, 'notices'> {
  if (version === undefined || version === release || version.startsWith(`${release}.`)) return {};
  const sentence = `${version} was taken for ${release}, the newest of its versions whose words were checked.`;
  return { notices: [...(outcome.notices ?? []), sentence] };
}

interface Made {
  tool: KnownTool;
  outcome: ToolOutcome;
}

function differing(shown: Made, other: Made): string {
  if (shown.tool.agent !== other.tool.agent)
    return `${told(shown)}, ${told(other)}; which agent makes the call is not known.`;
  const label = agentLabels[shown.tool.agent];
  return `What the call does differs between versions of ${label}, and which of them makes it is not known.`;
}

function told({ tool, outcome }: Made): string {
  const label = agentLabels[tool.agent];
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
