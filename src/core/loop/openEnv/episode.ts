import * as z from 'zod/mini';
import { Basis } from '../../view/basis.ts';
import { agentTools } from '../agentTools.ts';
import type { Environment } from '../environment.ts';
import { type EnvironmentFailure, type EpisodeReward, failure, type StartRequest } from '../environmentTypes.ts';

/** What an agent sees, in the field names of OpenEnv. */
const OpenEnvObservation = z.object({
  text: z.string(),
  /** Counts the actions of the episode; 0 after a reset. */
  turn: z.number(),
  exit_code: z.nullable(z.number()),
  basis: Basis,
  /** Why it is not known, or rests on something. */
  why: z.nullable(z.string()),
  /** Names the episode where no socket does, for `/step` and `/state`. */
  episode_id: z.string(),
  /** After a reset: what the agent can call, in the form of the OpenAI API. */
  tools: z.array(z.record(z.string(), z.unknown())),
  /** Whether each rule of the reward holds so far. */
  rules: z.array(z.union([z.boolean(), z.literal('unknown')])),
});
export type OpenEnvObservation = z.infer<typeof OpenEnvObservation>;

/** An action; see `readAction` for all forms. */
const OpenEnvAction = z.union([
  z.object({ name: z.string(), arguments: z.optional(z.unknown()) }),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string(), arguments: z.string() }) }),
  z.object({ keystrokes: z.array(z.object({ keystrokes: z.string(), duration: z.optional(z.number()) })) }),
  z.object({ text: z.string() }),
]);

/** What is told of an episode. */
const OpenEnvState = z.looseObject({
  episode_id: z.nullable(z.string()),
  step_count: z.number(),
  domain: z.optional(z.string()),
  task: z.optional(z.string()),
  done: z.optional(z.boolean()),
});
export type OpenEnvState = z.infer<typeof OpenEnvState>;

/** What a reset or a step answers. */
export interface OpenEnvResult {
  ok: true;
  observation: OpenEnvObservation;
  reward: number | null;
  done: boolean;
}

/** One episode after the other, in sessions of an environment. Expected failures are values. */
export interface Episodes {
  /** `given`: `seed`, `episode_id`, and what `/start` takes. */
  reset(given: Readonly<Record<string, unknown>>): Promise<OpenEnvResult | EnvironmentFailure>;
  /** Where nothing was reset yet, in a new episode. */
  step(action: unknown, signal: AbortSignal): Promise<OpenEnvResult | EnvironmentFailure>;
  state(): OpenEnvState;
  close(): void;
}

/** `usual`: what a start has that says nothing. */
export function createEpisodes(environment: Environment, usual: Partial<StartRequest>): Episodes {
  let session: { id: string; episode: string } | undefined;
  const close = () => {
    if (session) environment.close(session.id);
    session = undefined;
  };

  async function reset(given: Readonly<Record<string, unknown>>): Promise<OpenEnvResult | EnvironmentFailure> {
    const { episode_id: named, ...start } = given;
    if (named !== undefined && (typeof named !== 'string' || named.length > 255))
      return failure('bad-request', 'An episode_id is a text of at most 255 characters.');
    // `null` is how Python's clients leave something out.
    const asked = Object.fromEntries(Object.entries(start).filter(([, value]) => value !== null));
    close();
    const request = { ...usual, ...asked };
    const started = await environment.start(request);
    if (!started.ok) return started;
    session = { id: started.id, episode: named ?? started.id };
    const { domain, isReal } = started;
    const { dialect = 'qwen', tools } = request;
    const observation: OpenEnvObservation = {
      text: started.observation,
      turn: 0,
      exit_code: null,
      basis: started.basis,
      why: null,
      episode_id: session.episode,
      tools: agentTools(domain, dialect, tools, isReal).map((tool) => ({ type: 'function', function: tool })),
      rules: [],
    };
    return { ok: true, observation, reward: null, done: false };
  }

  return {
    reset,
    async step(action, signal) {
      if (!session) {
        const begun = await reset({});
        if (!begun.ok) return begun;
      }
      if (!session) return failure('closed', 'The environment is closed; start it again.');
      const { id, episode } = session;
      const stepped = await environment.step(id, action, signal);
      if (!stepped.ok) return stepped.code === 'unknown' ? unknown(stepped.message, episode, turnOf(id)) : stepped;
      const { observation: text, turn, exitCode, basis, why, done, reward } = stepped;
      const told = { text, turn, exit_code: exitCode ?? null, basis, why: why ?? null, episode_id: episode, tools: [] };
      return { ok: true, observation: { ...told, rules: [...(reward?.rules ?? [])] }, ...worth(reward), done };
    },
    state() {
      const state = session && environment.state(session.id);
      if (!session || !state?.ok) return { episode_id: null, step_count: 0 };
      const { domain, task, turn, done, promptTokens, completionTokens } = state;
      return {
        episode_id: session.episode,
        step_count: turn,
        domain,
        ...(task === undefined ? {} : { task }),
        done,
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
      };
    },
    close,
  };

  function turnOf(id: string): number {
    const state = environment.state(id);
    return state.ok ? state.turn : 0;
  }
}

function worth(reward: EpisodeReward | undefined): { reward: number | null } {
  return { reward: reward?.value ?? null };
}

/** What cannot be known is an observation too. The session stays as it was. */
function unknown(why: string, episode: string, turn: number): OpenEnvResult {
  const text = `[unknown: ${why}]`;
  const observation = { text, turn, exit_code: null, why, episode_id: episode, tools: [], rules: [] };
  return { ok: true, observation: { ...observation, basis: 'unknown' }, reward: null, done: false };
}

/** JSON Schemas of what goes to and fro, as OpenEnv's `/schema` has them. */
export function openEnvSchemas(): Readonly<Record<'action' | 'observation' | 'state', unknown>> {
  return {
    action: z.toJSONSchema(OpenEnvAction, { io: 'input' }),
    observation: z.toJSONSchema(OpenEnvObservation, { io: 'input' }),
    state: z.toJSONSchema(OpenEnvState, { io: 'input' }),
  };
}
