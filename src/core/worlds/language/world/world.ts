import * as z from 'zod/mini';
import type { WorldFact } from '../../../facts/contradiction.ts';
import { domains } from '../prompt/turns/turn.ts';

const mostCharacters = 20_000;
const mostEntities = 500;

/** A thing of a fictional world, with what is true of it. */
export const WorldEntity = z.object({
  /** What it is called in results: an identifier, an address, a path. No other thing has the same. */
  id: z.string().check(z.minLength(1), z.maxLength(300)),
  /** What sort of thing it is: `order`, `page`, `contact`. */
  kind: z.string().check(z.maxLength(100)),
  facts: z.record(z.string(), z.union([z.string().check(z.maxLength(mostCharacters)), z.number(), z.boolean()])),
});
export type WorldEntity = z.infer<typeof WorldEntity>;

/** A fictional world, version 1: the content of a `.world.json` file. */
export const World = z.object({
  version: z.literal(1),
  title: z.string().check(z.maxLength(300)),
  /** Absent: any. */
  domain: z.optional(z.enum(domains)),
  /** What it was drawn from. */
  seed: z.optional(z.number()),
  /** Where it is, who is there, what its rules are: whole sentences. */
  description: z.string().check(z.maxLength(mostCharacters)),
  entities: z.array(WorldEntity).check(z.maxLength(mostEntities)),
});
export type World = z.infer<typeof World>;

/** The world as a model is told it: its description, then each thing with its facts. */
export function renderWorld({ description, entities }: Pick<World, 'description' | 'entities'>): string {
  const things = entities.map(({ id, kind, facts }) => {
    const lines = Object.entries(facts).map(([name, value]) => `- ${name}: ${JSON.stringify(value)}`);
    return [`## ${kind} ${id}`, ...lines].join('\n');
  });
  return [description.trim(), ...things].filter((text) => text !== '').join('\n\n');
}

/** What it says of things, as observations would show it. */
export function factsOfWorld({ entities }: Pick<World, 'entities'>): WorldFact[] {
  return entities.flatMap(({ id, facts }) =>
    Object.entries(facts).map(([attribute, value]) => ({ entity: id, attribute, value: `${value}` })),
  );
}

/** What earlier turns have shown and no prompt shows any more, for the model. The newest that fit are told. */
export function renderEstablished(facts: readonly WorldFact[], mostLength = 12_000): string {
  const lines: string[] = [];
  let left = mostLength;
  for (const { entity, attribute, value } of [...facts].reverse()) {
    const line = `- ${entity}: ${attribute} = ${JSON.stringify(value)}`;
    if (line.length > left) continue;
    left -= line.length + 1;
    lines.push(line);
  }
  if (lines.length === 0) return '';
  return `Turns that are not shown any more have established this; it still holds unless a later turn has changed it:\n\n${lines.reverse().join('\n')}`;
}

/** Reads a world from the text of a file; undefined: the text is no JSON, and so a description in words. A problem is one sentence. */
export function readWorldText(text: string): World | { problem: string } | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { problem: 'It begins as JSON and is none; write a world as foretell world does, or in words.' };
  }
  const read = World.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    return { problem: `It is no world: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'wrong'}.` };
  }
  const twice = firstTwice(read.data.entities.map(({ id }) => id));
  return twice === undefined ? read.data : { problem: `It is no world: two things are called ${twice.slice(0, 80)}.` };
}

/** The first of the names that comes again. */
export function firstTwice(names: readonly string[]): string | undefined {
  return names.find((name, at) => names.indexOf(name) < at);
}
