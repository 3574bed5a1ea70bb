import * as z from 'zod/mini';
import type { ChatMessage } from '../client/provider.ts';
import type { Domain } from './turns/turn.ts';
import { renderObservation } from './turns/turnText.ts';

const Texts = z.pipe(
  z.union([z.string(), z.array(z.string())]),
  z.transform((texts) => (typeof texts === 'string' ? [texts] : texts)),
);

/** A text that may be missing, as `null` or not at all. */
const TextOrNone = z.pipe(
  z._default(z.nullable(z.string()), null),
  z.transform((text) => text ?? ''),
);

/** A row of AgentWorldBench. `turn_idx` counts from 1; a single text in `prompt` or `response` counts as a list of one. */
export const AgentWorldRow = z.looseObject({
  /** Domain; some rows have a path in front of it (`lwm/terminal`). */
  task: z.string(),
  id: z.union([z.string(), z.number()]),
  prompt: Texts,
  response: Texts,
  current_prompt: TextOrNone,
  system_str: TextOrNone,
  turn_idx: z._default(z.number(), 1),
  total_turns: z.optional(z.number()),
});
/** A row of AgentWorldBench, after reading. */
export type AgentWorldRow = z.infer<typeof AgentWorldRow>;

/**
 * A prompt as a row, so that `fromAgentWorldRow` gives the same messages back. `observation` is what really happened
 * after the last turn; without it the row can be inferred, not judged.
 */
export function toAgentWorldRow(of: {
  domain: Domain;
  id: string | number;
  messages: readonly ChatMessage[];
  observation?: string;
}): AgentWorldRow {
  const texts = (role: ChatMessage['role']) => of.messages.filter((one) => one.role === role).map((one) => one.content);
  const prompt = texts('user');
  const response = texts('assistant');
  if (of.observation !== undefined) response.push(renderObservation(of.observation));
  return {
    task: of.domain,
    id: of.id,
    prompt,
    response,
    current_prompt: prompt.at(-1) ?? '',
    system_str: texts('system')[0] ?? '',
    turn_idx: prompt.length,
    total_turns: prompt.length,
  };
}

/**
 * The messages that a row stands for, by the rule of the benchmark: the system prompt, the turns before `turn_idx` with
 * their observations, and `current_prompt` (where there is none, the prompt of that turn). A failure is a value:
 * `message` is one sentence with what is wrong in the row.
 */
export function fromAgentWorldRow(
  row: unknown,
): { ok: true; row: AgentWorldRow; messages: ChatMessage[] } | { ok: false; code: 'bad-row'; message: string } {
  const read = AgentWorldRow.safeParse(row);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join('.') || 'the row';
    return bad(`This is no AgentWorldBench row: ${where} is ${issue?.message ?? 'wrong'}.`);
  }
  const { system_str, prompt, response, current_prompt, turn_idx } = read.data;
  const before = Math.max(Math.trunc(turn_idx) - 1, 0);
  const last = current_prompt === '' ? prompt[before] : current_prompt;
  if (last === undefined) return bad(`The row has ${prompt.length} prompts and asks for turn ${turn_idx}.`);
  const messages: ChatMessage[] = system_str === '' ? [] : [{ role: 'system', content: system_str }];
  for (let index = 0; index < Math.min(before, prompt.length, response.length); index++) {
    messages.push({ role: 'user', content: prompt[index] ?? '' });
    messages.push({ role: 'assistant', content: response[index] ?? '' });
  }
  messages.push({ role: 'user', content: last });
  return { ok: true, row: read.data, messages };
}

function bad(message: string): { ok: false; code: 'bad-row'; message: string } {
  return { ok: false, code: 'bad-row', message };
}
