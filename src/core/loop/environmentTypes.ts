import * as z from 'zod/mini';
import type { TokenUsage } from '../prediction/question.ts';
import { domains } from '../worlds/language/prompt/turns/turn.ts';

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
  /** Ids of conditions such as `disk-full`. */
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
        }),
      )
      .check(z.maxLength(500)),
  ),
  /** A folder that the world is grounded in, absolute; for terminal and swe. */
  cwd: z.optional(z.string()),
  /** Names of the tools of a swe session. */
  dialect: z.optional(z.enum(['qwen', 'claude'])),
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
  domain: string;
  /** What the agent sees before its first action. */
  observation: string;
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
  /** Turns that the model was not shown any more, because they did not fit its context. */
  leftOutTurns: number;
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
  promptTokens: number;
  completionTokens: number;
  /** ISO 8601. */
  startedAt: string;
}

/** What did not work, as a value. */
export function failure(code: EnvironmentFailure['code'], message: string): EnvironmentFailure {
  return { ok: false, code, message };
}
