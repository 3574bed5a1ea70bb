import * as z from 'zod/mini';
import type { Compliance } from '../facts/compliance.ts';
import type { Contradiction } from '../facts/contradiction.ts';
import type { TokenUsage } from '../prediction/question.ts';
import type { Basis } from '../view/basis.ts';
import { type Domain, domains } from '../worlds/language/prompt/turns/turn.ts';
import type { KeptFact } from '../worlds/language/world/ledger.ts';
import { World } from '../worlds/language/world/world.ts';
import { StartFaults } from './hybrid/faults.ts';
import { RewardRequest } from './reward/rewardRules.ts';

/** Ends an episode: the agent says that it is done. */
export const finishTool = 'finish';

/** Longest text of a start, in characters. */
const mostStartCharacters = 200_000;

const Text = z.string().check(z.maxLength(mostStartCharacters));

/** What a session of the simulated environment begins with. */
export const StartRequest = z.object({
  domain: z.enum(domains),
  /** What the agent is to do. It is kept and given back, and never shown to the model of the world. */
  task: z.optional(Text),
  /** A world that there is not, in words. */
  fictionalWorld: z.optional(Text),
  /** The same as things and facts, as `foretell world` writes it: what contradicts it is found. */
  world: z.optional(World),
  /** Ids of conditions of the domain such as `disk-full`; `random:SEED` and `random:SEED:COUNT` draw some by strata. */
  perturbations: z.optional(z.array(z.string()).check(z.maxLength(50))),
  /** The same in own words. */
  perturbationText: z.optional(Text),
  /** What the screen shows before the first turn. Default, for a terminal: a prompt. */
  initialState: z.optional(Text),
  /** Definitions of the tools, as the OpenAI API has them (`name`, `description`, `parameters`); needed for mcp and search. */
  tools: z.optional(
    z
      .array(
        z.object({
          name: z.string(),
          description: z._default(z.string(), ''),
          parameters: z._default(z.record(z.string(), z.unknown()), {}),
          /** As MCP has it. `readOnlyHint`: it changes nothing. */
          annotations: z.optional(z.object({ readOnlyHint: z.optional(z.boolean()) })),
        }),
      )
      .check(z.maxLength(500)),
  ),
  /** A folder that the world is grounded in, absolute; for terminal and swe. */
  cwd: z.optional(z.string()),
  /** Of the model, where its server takes one. */
  seed: z.optional(z.int().check(z.gte(0))),
  /** Names of the tools of a swe session. */
  dialect: z.optional(z.enum(['qwen', 'claude'])),
  /** In a hybrid environment, false: everything is imagined all the same. */
  hybrid: z.optional(z.boolean()),
  /** What is really wrong with the machine of a hybrid session. */
  faults: z.optional(StartFaults),
  /** What the episode is worth. */
  reward: z.optional(RewardRequest),
});
export type StartRequest = z.infer<typeof StartRequest>;

/** An expected failure. `message` is one sentence with a next step. */
export interface EnvironmentFailure {
  ok: false;
  code:
    | 'bad-request'
    | 'no-session'
    | 'busy'
    | 'too-many-sessions'
    | 'too-many-waiting'
    | 'too-many-turns'
    | 'over'
    | 'closed'
    | 'cancelled'
    | 'unknown'
    | 'model';
  message: string;
  /** Of `model`: the code of the model's failure. */
  cause?: string;
}

/** A session that began. */
export interface StartedSession {
  ok: true;
  id: string;
  domain: Domain;
  /** What the agent sees before its first action. */
  observation: string;
  /** Ids of the conditions that it is under, also of those that were drawn; absent: those of the environment. */
  perturbations?: string[];
  /** What that rests on. */
  basis: Basis;
  /** It is a real shell on a copy. */
  isReal: boolean;
}

/** What an action led to. */
export interface SteppedSession {
  ok: true;
  /** Counts the session's turns, from 1. */
  turn: number;
  observation: string;
  /** Where the observation tells it. */
  exitCode?: number;
  /** The session takes no more turns. */
  done: boolean;
  tokens: TokenUsage | undefined;
  /** What it says otherwise than the world's description or an earlier turn; absent: nothing. */
  contradictions?: Contradiction[];
  /** Whether the observation complies with each condition; absent: there are none. */
  compliance?: Compliance[];
  /** Turns that the model was not shown any more, because they did not fit its context. */
  leftOutTurns: number;
  /** What the observation rests on, the weakest of everything that it says. */
  basis: Basis;
  /** Why it is not known, or rests on something, as a sentence. */
  why?: string;
  /** Where the session has a reward. */
  reward?: EpisodeReward;
}

/** What an episode is worth so far. */
export interface EpisodeReward {
  /** From 0 to 1. */
  value: number;
  /** In the order of the rules; `unknown` earns nothing. */
  rules: (boolean | 'unknown')[];
  /** What the judge gave, at the end; or why it gave nothing. */
  rubric?: { score: number; why: string } | { problem: string };
}

/** What is known of a session. */
export interface SessionState {
  ok: true;
  id: string;
  domain: string;
  task?: string;
  turn: number;
  /** The last one. */
  observation: string;
  done: boolean;
  /** What is known of the simulated world by now, and what was said of it in two ways. */
  world: { facts: readonly KeptFact[]; contradictions: readonly (Contradiction & { turn: number })[] };
  promptTokens: number;
  completionTokens: number;
  /** ISO 8601. */
  startedAt: string;
}

/** What did not work, as a value. */
export function failure(code: EnvironmentFailure['code'], message: string): EnvironmentFailure {
  return { ok: false, code, message };
}
