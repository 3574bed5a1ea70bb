import { openEnvSchemas } from './episode.ts';

const json = (schema: unknown) => ({ content: { 'application/json': { schema } } });
const object = { type: 'object' };

function post(summary: string, body: unknown, reply: unknown) {
  return { post: { summary, requestBody: json(body), responses: { 200: { description: 'Done', ...json(reply) } } } };
}

function get(summary: string, reply: unknown) {
  return { get: { summary, responses: { 200: { description: 'Told', ...json(reply) } } } };
}

/** OpenAPI's description of what speaks OpenEnv, for its validator and for generators of clients. */
export function openApi(): Readonly<Record<string, unknown>> {
  const { action, observation, state } = openEnvSchemas();
  const result = {
    type: 'object',
    properties: { observation, reward: { type: ['number', 'null'] }, done: { type: 'boolean' } },
    required: ['observation', 'reward', 'done'],
  };
  const named = { episode_id: { type: ['string', 'null'], maxLength: 255 } };
  const start = { type: 'object', properties: { ...named, seed: { type: ['integer', 'null'], minimum: 0 } } };
  const timed = { timeout_s: { type: ['number', 'null'], exclusiveMinimum: 0 } };
  const step = { type: 'object', properties: { ...named, ...timed, action }, required: ['action'] };
  return {
    openapi: '3.1.0',
    info: { title: 'Foretell, a computer environment', version: '1' },
    paths: {
      '/reset': post('Begins an episode', start, result),
      '/step': post('Takes an action', step, result),
      '/state': get('What is known of an episode, by ?episode_id=', state),
      '/schema': get('Schemas of actions, observations and states', object),
      '/metadata': get('What this environment is', object),
      '/health': get('Whether it lives', object),
      '/mcp': post('Tools, as JSON-RPC', object, object),
    },
  };
}
