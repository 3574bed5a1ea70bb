import * as z from 'zod/mini';
import { Basis } from '../../view/basis.ts';
import type { ToolDefinition } from '../../worlds/language/prompt/toolDefinitions.ts';
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
  /**
   * After a reset: what the agent can call, in the form of the OpenAI API; after `list_tools` in that of MCP. Absent
   * otherwise, because OpenEnv's clients take any observation that has it for a list of tools.
   */
  tools: z.optional(z.array(z.record(z.string(), z.unknown()))),
  /** Whether each rule of the reward holds so far. */
  rules: z.array(z.union([z.boolean(), z.literal('unknown')])),
  /** After `call_tool`: which one, and what it returned, which is the `text`. */
  tool_name: z.optional(z.string()),
  result: z.optional(z.string()),
  error: z.optional(z.null()),
});
export type OpenEnvObservation = z.infer<typeof OpenEnvObservation>;

/** A tool as OpenEnv's clients of tools call it. */
const ToolCall = z.object({
  type: z.literal('call_tool'),
  tool_name: z.string(),
  arguments: z.optional(z.record(z.string(), z.unknown())),
});
const ListTools = z.object({ type: z.literal('list_tools') });

/** An action; see `readAction` for all forms. */
const OpenEnvAction = z.union([
  z.object({ name: z.string(), arguments: z.optional(z.unknown()) }),
  z.object({ type: z.literal('function'), function: z.object({ name: z.string(), arguments: z.string() }) }),
  z.object({ keystrokes: z.array(z.object({ keystrokes: z.string(), duration: z.optional(z.number()) })) }),
  z.object({ text: z.string() }),
  ToolCall,
  ListTools,
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
  /** What the agent can call. Where nothing was reset yet, in a new episode. */
  tools(): Promise<{ ok: true; tools: readonly ToolDefinition[] } | EnvironmentFailure>;
  state(): OpenEnvState;
  close(): void;
}

/** `usual`: what a start has that says nothing. */
export function createEpisodes(environment: Environment, usual: Partial<StartRequest>): Episodes {
  let session: { id: string; episode: string; tools: readonly ToolDefinition[] } | undefined;
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
    const { domain, isReal } = started;
    const { dialect = 'qwen', tools: own } = request;
    session = { id: started.id, episode: named ?? started.id, tools: agentTools(domain, dialect, own, isReal) };
    const observation: OpenEnvObservation = {
      text: started.observation,
      turn: 0,
      exit_code: null,
      basis: started.basis,
      why: null,
      episode_id: session.episode,
      tools: session.tools.map((tool) => ({ type: 'function', function: tool })),
      rules: [],
    };
    return { ok: true, observation, reward: null, done: false };
  }

  async function begun(): Promise<NonNullable<typeof session> | EnvironmentFailure> {
    const reply = session ? undefined : await reset({});
    if (reply && !reply.ok) return reply;
    return session ?? failure('closed', 'The environment is closed; start it again.');
  }

  async function step(action: unknown, signal: AbortSignal): Promise<OpenEnvResult | EnvironmentFailure> {
    const at = await begun();
    if ('ok' in at) return at;
    const { id, episode } = at;
    const stepped = await environment.step(id, action, signal);
    if (!stepped.ok) return stepped.code === 'unknown' ? unknown(stepped.message, episode, turnOf(id)) : stepped;
    const { observation: text, turn, exitCode, basis, why, done, reward } = stepped;
    const told = { text, turn, exit_code: exitCode ?? null, basis, why: why ?? null, episode_id: episode };
    return { ok: true, observation: { ...told, rules: [...(reward?.rules ?? [])] }, ...worth(reward), done };
  }

  return {
    reset,
    async step(action, signal) {
      if (ListTools.safeParse(action).success) {
        const at = await begun();
        return 'ok' in at ? at : toolsListed(at, turnOf(at.id));
      }
      const { data: call } = ToolCall.safeParse(action);
      if (!call) return step(action, signal);
      const { tool_name: name, arguments: given = {} } = call;
      const result = await step({ name, arguments: given }, signal);
      if (!result.ok) return result;
      const { observation } = result;
      return { ...result, observation: { ...observation, tool_name: name, result: observation.text, error: null } };
    },
    async tools() {
      const at = await begun();
      return 'ok' in at ? at : { ok: true, tools: at.tools };
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
  const observation = { text, turn, exit_code: null, why, episode_id: episode, rules: [] };
  return { ok: true, observation: { ...observation, basis: 'unknown' }, reward: null, done: false };
}

function toolsListed(
  { episode, tools }: { episode: string; tools: readonly ToolDefinition[] },
  turn: number,
): OpenEnvResult {
  const listed = tools.map(({ name, description, parameters }) => ({ name, description, input_schema: parameters }));
  const known = { text: '', turn, exit_code: null, basis: 'computed', why: null, episode_id: episode } as const;
  return { ok: true, observation: { ...known, rules: [], tools: listed }, reward: null, done: false };
}

/** JSON Schemas of what goes to and fro, as OpenEnv's `/schema` has them. */
export function openEnvSchemas(): Readonly<Record<'action' | 'observation' | 'state', unknown>> {
  return {
    action: z.toJSONSchema(OpenEnvAction, { io: 'input' }),
    observation: z.toJSONSchema(OpenEnvObservation, { io: 'input' }),
    state: z.toJSONSchema(OpenEnvState, { io: 'input' }),
  };
}
