import path from 'node:path';
import { redactForPrompt } from '../context/secrets/redactForPrompt.ts';
import { conditionPresets } from '../worlds/language/prompt/conditions.ts';
import type { StartRequest } from './environmentTypes.ts';

/** Nothing is sent that was not searched for secrets. */
export const noScanner =
  'The scanner for secrets could not be loaded, so nothing is sent; install the extension again.';

/** What is wrong with a start, as a sentence; undefined where nothing is. `workspace`: where sessions may be grounded. */
export function startProblem(request: StartRequest, workspace: string | undefined): string | undefined {
  const { domain, cwd, perturbations: conditions = [], tools } = request;
  const unknown = conditions.find((id) => !conditionPresets.some((preset) => preset.id === id));
  if (unknown !== undefined) {
    return `There is no condition ${unknown.slice(0, 80)}; choose from ${conditionPresets.map(({ id }) => id).join(', ')}.`;
  }
  if (!tools && (domain === 'mcp' || domain === 'search')) return `A session of the domain ${domain} needs its tools.`;
  if (cwd === undefined) return undefined;
  if (domain !== 'terminal' && domain !== 'swe')
    return `A session of the domain ${domain} is not grounded in a folder.`;
  const inside = workspace !== undefined && (cwd === workspace || cwd.startsWith(`${workspace}/`));
  if (!inside || path.normalize(cwd) !== cwd) {
    return workspace === undefined
      ? 'This environment is grounded in no folder; start it with one.'
      : `Sessions can be grounded in ${workspace} only.`;
  }
  return undefined;
}

/** The same without secrets in its texts. Rejects where the scanner cannot be loaded. */
export async function withoutSecretsInStart(request: StartRequest): Promise<StartRequest> {
  const clean = { ...request };
  for (const name of ['task', 'fictionalWorld', 'perturbationText', 'initialState'] as const) {
    const text = clean[name];
    if (text !== undefined) clean[name] = (await redactForPrompt(text)).text;
  }
  return clean;
}
