import * as z from 'zod/mini';
import type { Environment } from '../environment.ts';
import { type EnvironmentFailure, failure, type StartRequest } from '../environmentTypes.ts';
import { createEpisodes, type Episodes, type OpenEnvResult, type OpenEnvState } from './episode.ts';

const Named = z.looseObject({ episode_id: z.nullish(z.string().check(z.maxLength(255))) });
const Step = z.looseObject({
  ...Named.shape,
  action: z.record(z.string(), z.unknown()),
  timeout_s: z.nullish(z.number().check(z.positive())),
  request_id: z.nullish(z.string().check(z.maxLength(255))),
});

const mostTimeoutMs = 2 ** 31 - 1;

/**
 * OpenEnv without a socket: an episode is named by its `episode_id`. A step that names none is taken in a new episode that
 * ends with it, as OpenEnv's own server does.
 */
export interface HttpEpisodes {
  reset(body: unknown): Promise<OpenEnvResult | EnvironmentFailure>;
  step(body: unknown, signal: AbortSignal): Promise<OpenEnvResult | EnvironmentFailure>;
  state(episode: string | undefined): OpenEnvState;
  /** The episode that is called so, while it lasts. */
  named(episode: string): Episodes | undefined;
  /** One that is called nothing; whoever takes it closes it. */
  nameless(): Episodes;
}

/** `usual`: what a start has that says nothing. */
export function createHttpEpisodes(environment: Environment, usual: Partial<StartRequest>): HttpEpisodes {
  const open = new Map<string, Episodes>();
  /** Those whose session was idle too long are forgotten. */
  const find = (episode: string | undefined) => {
    const found = episode === undefined ? undefined : open.get(episode);
    if (found && found.state().episode_id === null && episode !== undefined) open.delete(episode);
    return found;
  };
  return {
    async reset(body) {
      const read = Named.safeParse(body ?? {});
      if (!read.success) return failure('bad-request', 'An episode_id is a text of at most 255 characters.');
      const named = read.data.episode_id ?? undefined;
      const episodes = find(named) ?? createEpisodes(environment, usual);
      const result = await episodes.reset(read.data);
      if (result.ok) {
        // Sessions are limited, and so are the names of those that ended since.
        if (open.size > environment.counts().mostSessions) for (const name of [...open.keys()]) find(name);
        open.set(result.observation.episode_id, episodes);
      }
      return result;
    },
    async step(body, signal) {
      const read = Step.safeParse(body);
      if (!read.success) return failure('bad-request', 'A step has an action, which is an object: {"action": {…}}.');
      const { episode_id: named, action, timeout_s: seconds } = read.data;
      const known = find(named ?? undefined);
      if (named && !known)
        return failure('no-session', `There is no episode ${named.slice(0, 80)}; reset it, or it was idle too long.`);
      const limit = seconds ? AbortSignal.timeout(Math.min(mostTimeoutMs, Math.ceil(seconds * 1000))) : undefined;
      const episodes = known ?? createEpisodes(environment, usual);
      try {
        return await episodes.step(action, limit ? AbortSignal.any([signal, limit]) : signal);
      } finally {
        if (!known) episodes.close();
      }
    },
    named: find,
    nameless: () => createEpisodes(environment, usual),
    state: (episode) => find(episode)?.state() ?? { episode_id: null, step_count: 0 },
  };
}
