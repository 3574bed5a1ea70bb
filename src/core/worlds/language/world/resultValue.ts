/** A value of JSON. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** The JSON that a result is, also in a code fence; undefined where it is none, or a bare word or number. */
export function resultValue(text: string): Json[] | { [name: string]: Json } | undefined {
  const bare = /^(`{3,})[a-z]*\n([\s\S]*)\n\1$/.exec(text.trim())?.[2] ?? text.trim();
  if (!/^[[{]/.test(bare)) return undefined;
  try {
    return JSON.parse(bare) as Json[] | { [name: string]: Json };
  } catch {
    return undefined;
  }
}

/** A value that holds no other, and the names on the way to it. */
export interface Leaf {
  path: readonly string[];
  value: null | boolean | number | string;
}

/** All such values, in order. */
export function leavesOf(value: Json, path: readonly string[] = []): Leaf[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }];
  return Object.entries(value).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
}

/** All lists in it. */
export function listsOf(value: Json): Json[][] {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.values(value).flatMap(listsOf);
  return Array.isArray(value) ? [value, ...inner] : inner;
}

/** The same text for the same value, whatever the order of its names. */
export function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(',')}}`;
}
