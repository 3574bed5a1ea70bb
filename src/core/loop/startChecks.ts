import path from 'node:path';
import { redactForPrompt } from '../context/secrets/redactForPrompt.ts';
import { readConditions } from '../worlds/language/conditions/conditionPresets.ts';
import { firstTwice, type World } from '../worlds/language/world/world.ts';
import type { EnvironmentOptions } from './environmentOptions.ts';
import type { StartRequest } from './environmentTypes.ts';
import { faultsProblem } from './hybrid/faults.ts';
import { rulesProblem } from './reward/rewardRules.ts';

/** Nothing is sent that was not searched for secrets. */
export const noScanner =
  'The scanner for secrets could not be loaded, so nothing is sent; install the extension again.';

/** What is wrong with a start, as a sentence; undefined where nothing is. */
export function startProblem(
  request: StartRequest,
  { workspace, hybrid, language }: Pick<EnvironmentOptions, 'workspace' | 'hybrid' | 'language'>,
): string | undefined {
  const { domain, cwd, perturbations: conditions = [], tools, world } = request;
  const read = readConditions(conditions, [domain]);
  if ('problem' in read) return read.problem;
  if (!tools && (domain === 'mcp' || domain === 'search')) return `A session of the domain ${domain} needs its tools.`;
  const twice = firstTwice((world?.entities ?? []).map(({ id }) => id));
  if (twice !== undefined) return `Two things of the world are called ${twice.slice(0, 80)}; give each its own id.`;
  const problem = hybridProblem(request, hybrid !== undefined, language !== undefined);
  if (problem !== undefined) return problem;
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

/** Whether a session of an environment is a real shell on a copy. */
export function isReal({ domain, hybrid, cwd }: StartRequest, isHybrid: boolean): boolean {
  return isHybrid && hybrid !== false && cwd !== undefined && (domain === 'terminal' || domain === 'swe');
}

function hybridProblem(request: StartRequest, isHybrid: boolean, hasModel: boolean): string | undefined {
  const { domain, faults, reward, hybrid } = request;
  const real = isReal(request, isHybrid);
  if (hybrid && !isHybrid) return 'This environment is imagined; start the service with --hybrid.';
  if (!real && !hasModel)
    return `Nothing can be imagined here, because no model is configured; start a session of terminal or swe in a folder.`;
  if (faults && !real) return 'Faults are made in the copy of a hybrid session; imagined ones are `perturbations`.';
  const wrong = faults && faultsProblem(faults, domain);
  if (wrong !== undefined) return wrong;
  const { rules = [], rubric } = reward ?? {};
  if (reward && rules.length === 0 && rubric === undefined) return 'A reward has rules, a rubric, or both.';
  if (rubric !== undefined && !hasModel) return 'A rubric is judged by a model; start the service with --model-url.';
  if (!real && rules.some((rule) => 'file' in rule || 'command' in rule))
    return 'Rules about files and commands need a hybrid session, because an imagined one has no files.';
  return rulesProblem(rules);
}

/** The same without secrets in its texts. Rejects where the scanner cannot be loaded. */
export async function withoutSecretsInStart(request: StartRequest): Promise<StartRequest> {
  const clean = { ...request };
  for (const name of ['task', 'fictionalWorld', 'perturbationText', 'initialState'] as const) {
    const text = clean[name];
    if (text !== undefined) clean[name] = (await redactForPrompt(text)).text;
  }
  if (clean.world) clean.world = await withoutSecretsInWorld(clean.world);
  return clean;
}

async function withoutSecretsInWorld(world: World): Promise<World> {
  const text = async (value: string) => (await redactForPrompt(value)).text;
  const entities = await Promise.all(
    world.entities.map(async ({ id, kind, facts }) => {
      const kept = Object.entries(facts).map(
        async ([name, value]) => [name, typeof value === 'string' ? await text(value) : value] as const,
      );
      return { id, kind, facts: Object.fromEntries(await Promise.all(kept)) };
    }),
  );
  return { ...world, description: await text(world.description), entities };
}
