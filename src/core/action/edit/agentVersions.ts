import { AgentName } from '../action.ts';

/** An agent, and its version where that is known, such as `2.1.330`, or `2.1` for any of these. */
export interface NamedAgent {
  agent: AgentName;
  agentVersion?: string;
}

/** What a version is called whose replies stand in published recordings of sessions, and whose number these do not give. */
export const recorded = 'recorded';

/** Reads `claude` or `claude@2.1.330`; a problem is one sentence. */
export function readNamedAgent(text: string): NamedAgent | { problem: string } {
  const [name = '', version, ...rest] = text.split('@');
  const agent = AgentName.safeParse(name);
  if (!agent.success)
    return { problem: `There is no agent called ${name} here; choose ${AgentName.options.join(', ')}.` };
  if (version === undefined) return { agent: agent.data };
  if (rest.length > 0 || !isVersion(version))
    return { problem: `${text} names no version; write it like ${name}@2.1.` };
  return { agent: agent.data, agentVersion: version.replace(/^v/, '') };
}

function isVersion(text: string): boolean {
  return text === recorded || /^v?\d{1,6}(?:\.\d{1,6}){0,3}(?:-[\w.]{1,40})?$/.test(text);
}

/**
 * The release that a version means among those that were checked; undefined where it means none of them. `2.1` means the newest
 * of its releases (they stand newest first), and a release such as `0.46` stands for all that begin so.
 */
export function checkedRelease(version: string, releases: readonly string[]): string | undefined {
  const isPart = (whole: string, part: string) => whole === part || whole.startsWith(`${part}.`);
  return releases.find((release) => isPart(version, release)) ?? releases.find((release) => isPart(release, version));
}
