import * as z from 'zod/mini';
import { Keystrokes, type TurnAction } from '../action/turnAction.ts';
import { redactForPrompt } from '../context/secrets/redactForPrompt.ts';
import type { Domain } from '../worlds/language/prompt/turns/turn.ts';

const Call = z.object({ name: z.string(), arguments: z.optional(z.unknown()) });
const Typed = z.object({ keystrokes: z.string(), duration: z._default(z.number(), 1) });

/**
 * Reads what an agent does: keystrokes (`[{"keystrokes": "ls\n", "duration": 1}]`), a tool call (`{"name", "arguments"}`,
 * the arguments as an object or as JSON; also as `function` of a call of the OpenAI API), or a text. A text that is JSON of one of these counts as such. With `kind` it is
 * a turn's action as it stands in a trajectory. A problem is one sentence.
 */
export function readAction(domain: Domain, value: unknown): TurnAction | { problem: string } {
  if (typeof value === 'string') {
    const inner = parsed(value);
    const read = inner === undefined ? undefined : readAction(domain, inner);
    if (read && !('problem' in read)) return read;
    if (domain === 'swe' || domain === 'mcp')
      return { problem: 'An action is a tool call: {"name": …, "arguments": {…}}.' };
    if (domain === 'terminal')
      return { problem: 'An action is a list of keystrokes: [{"keystrokes": "ls\\n", "duration": 1}].' };
    return value.trim() === '' ? { problem: 'The action is empty.' } : { kind: 'text', text: value };
  }
  if (Array.isArray(value)) {
    const typed = z.array(Typed).safeParse(value);
    if (typed.success) return { kind: 'keystrokes', keystrokes: typed.data.map((one) => Keystrokes.parse(one)) };
    return { problem: 'Keystrokes are a list of {"keystrokes": "ls\\n", "duration": 1}.' };
  }
  if (typeof value !== 'object' || value === null)
    return { problem: 'An action is a text, a list of keystrokes or a tool call.' };
  if ('keystrokes' in value && Array.isArray(value.keystrokes)) return readAction(domain, value.keystrokes);
  if ('keystrokes' in value) return readAction(domain, [value]);
  if ('text' in value && typeof value.text === 'string' && !('name' in value)) return readAction(domain, value.text);
  // A call as the OpenAI API has it.
  if ('function' in value && !('name' in value)) return readAction(domain, value.function);
  const call = Call.safeParse(value);
  if (!call.success) return { problem: 'An action is a text, a list of keystrokes or a tool call with a name.' };
  const given = typeof call.data.arguments === 'string' ? parsed(call.data.arguments) : (call.data.arguments ?? {});
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { problem: `The arguments of ${call.data.name} are no JSON object.` };
  return { kind: 'tool', name: call.data.name, arguments: { ...given } };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The action without its secrets; nothing else is changed. Rejects where the scanner cannot be loaded. */
export async function withoutSecretsInAction(action: TurnAction): Promise<TurnAction> {
  switch (action.kind) {
    case 'text':
      return { ...action, text: (await redactForPrompt(action.text)).text };
    case 'keystrokes': {
      const clean = async (one: Keystrokes) => ({ ...one, keystrokes: (await redactForPrompt(one.keystrokes)).text });
      return { ...action, keystrokes: await Promise.all(action.keystrokes.map(clean)) };
    }
    case 'tool': {
      const entries = await Promise.all(
        Object.entries(action.arguments).map(async ([name, value]) => [name, await cleanValue(value)] as const),
      );
      return { ...action, arguments: Object.fromEntries(entries) };
    }
  }
}

async function cleanValue(value: unknown): Promise<unknown> {
  if (typeof value === 'string') return (await redactForPrompt(value)).text;
  if (Array.isArray(value)) return Promise.all(value.map(cleanValue));
  if (typeof value !== 'object' || value === null) return value;
  const entries = await Promise.all(
    Object.entries(value).map(async ([name, one]) => [name, await cleanValue(one)] as const),
  );
  return Object.fromEntries(entries);
}
