import { createRedactor } from '../context/secrets/redactValue.ts';

/** How much of a value is told. */
export interface ShortJsonLimits {
  mostItems: number;
  /** Longer lists of what a reason is about are for lookups. */
  mostEvidence: number;
  /** Of one text; of printed text the end is kept. */
  mostCharacters: number;
}

/** Limits of what an agent is told as data. */
const usualLimits: ShortJsonLimits = { mostItems: 200, mostEvidence: 20, mostCharacters: 16_000 };

/**
 * Plain data without secrets and with long lists and texts cut: `omitted` says by path how many items or characters are not
 * told. Rejects when the scanner for secrets cannot be loaded: then nothing may be told.
 */
export async function shortJson(
  value: object,
  limits: ShortJsonLimits = usualLimits,
): Promise<{ value: Record<string, unknown>; omitted: Record<string, number> }> {
  const omitted: Record<string, number> = {};
  // Before anything is cut: of a part it may not show that it is a secret. Lists are cut first where they are long.
  const items = cutLists(value, '', limits, omitted);
  const redacted = await createRedactor().redact(items);
  return { value: cutTexts(redacted, '', limits, omitted) as Record<string, unknown>, omitted };
}

function cutLists(value: unknown, path: string, limits: ShortJsonLimits, omitted: Record<string, number>): unknown {
  return walk(value, path, (one, at) => {
    if (!Array.isArray(one)) return one;
    const most = at.endsWith('evidence') ? limits.mostEvidence : limits.mostItems;
    if (one.length <= most) return one;
    omitted[at] = one.length - most;
    return one.slice(0, most);
  });
}

function cutTexts(value: unknown, path: string, limits: ShortJsonLimits, omitted: Record<string, number>): unknown {
  return walk(value, path, (one, at) => {
    if (typeof one !== 'string' || one.length <= limits.mostCharacters) return one;
    omitted[at] = one.length - limits.mostCharacters;
    return at.startsWith('output') ? one.slice(-limits.mostCharacters) : one.slice(0, limits.mostCharacters);
  });
}

/** Plain data, each part of it as `change` gives it back. */
function walk(value: unknown, path: string, change: (value: unknown, path: string) => unknown): unknown {
  const changed = change(value, path);
  if (Array.isArray(changed)) return changed.map((one, index) => walk(one, `${path}.${index}`, change));
  if (typeof changed !== 'object' || changed === null) return changed;
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  return Object.fromEntries(Object.entries(changed).map(([name, one]) => [name, walk(one, below(name), change)]));
}
