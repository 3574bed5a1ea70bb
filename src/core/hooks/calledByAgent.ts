import fs from 'node:fs';

/** Variables that agents set for the commands that they run, and for nobody else. */
const variables = [
  'CLAUDECODE',
  'CLAUDE_CODE_ENTRYPOINT',
  'CODEX_SANDBOX',
  'CODEX_SANDBOX_NETWORK_DISABLED',
  'CODEX_THREAD_ID',
  'GEMINI_CLI',
  'CURSOR_AGENT',
  'COPILOT_CLI',
  'COPILOT_AGENT',
  'OPENCODE',
  'AI_AGENT',
] as const;

/** What agents are called as processes. */
const programs = /^(?:claude|codex|gemini|cursor-agent|copilot|opencode)$/;
/** The script of one that Node runs, by the package in its path. */
const packages = /(?:@anthropic-ai\/claude-code|@openai\/codex|@google\/gemini-cli|@github\/copilot|opencode-ai)\//;

const mostParents = 64;

/**
 * Who of the processes above, or which variable, says that an agent runs this process; `undefined`: nothing does. An agent that
 * means to hide can; that is why its calls are predicted too.
 */
export function calledByAgent(
  env: Readonly<Record<string, string | undefined>>,
  parent = process.ppid,
): string | undefined {
  const set = variables.find((name) => (env[name] ?? '') !== '');
  if (set !== undefined) return `the variable ${set} is set`;
  let id = parent;
  for (let hops = 0; id > 1 && hops < mostParents; hops++) {
    const process = processOf(id);
    if (process === undefined) return undefined;
    if (process.agent !== undefined) return `it was started below ${process.agent}`;
    id = process.parent;
  }
  return undefined;
}

function processOf(id: number): { parent: number; agent: string | undefined } | undefined {
  try {
    const status = fs.readFileSync(`/proc/${id}/stat`, 'utf8');
    const nameEnd = status.lastIndexOf(')');
    const name = status.slice(status.indexOf('(') + 1, nameEnd);
    const parent = Number(status.slice(nameEnd + 2).split(' ')[1]);
    const words = fs.readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0').slice(0, 3);
    const isAgent = programs.test(name) || words.some((word) => packages.test(word));
    return { parent, agent: isAgent ? name : agentVariable(id) };
  } catch {
    return undefined;
  }
}

/** A shell whose variables were taken away again is below one that has them. */
function agentVariable(id: number): string | undefined {
  try {
    const set = fs.readFileSync(`/proc/${id}/environ`, 'utf8').split('\0');
    const name = variables.find((one) =>
      set.some((line) => line.startsWith(`${one}=`) && line.length > one.length + 1),
    );
    return name === undefined ? undefined : `a process with the variable ${name}`;
  } catch {
    return undefined;
  }
}
