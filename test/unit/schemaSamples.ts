import type { $ZodType, $ZodTypes } from 'zod/v4/core';

/**
 * Values that a schema allows, made so that nothing in them can get lost unseen: every optional field is there, and every
 * string and number occurs once. One value for each alternative of an alternative at the top.
 */
export function samplesOf(schema: $ZodType, fixed: Readonly<Record<string, unknown>> = {}): unknown[] {
  let count = 1000;
  const sample = (type: $ZodType, name: string): unknown => {
    if (name in fixed) return fixed[name];
    const { def } = (type as $ZodTypes)._zod;
    count += 1;
    switch (def.type) {
      case 'object':
        return Object.fromEntries(Object.entries(def.shape).map(([key, part]) => [key, sample(part, key)]));
      case 'array':
        return [sample(def.element, name)];
      case 'record':
        return { [`key ${count}`]: `value ${count}` };
      case 'optional':
      case 'nullable':
      case 'readonly':
        return sample(def.innerType, name);
      case 'union':
        return sample(required(def.options[0]), name);
      case 'string':
        return `${name} ${count}`;
      case 'number':
        return count;
      case 'boolean':
        return true;
      case 'literal':
        return def.values[0];
      case 'enum':
        return Object.values(def.entries)[0];
      case 'custom':
        // Facts that only their kind is checked of.
        return { kind: `${name} ${count}`, more: `more ${count}` };
      case 'unknown':
        return `unknown ${count}`;
      default:
        throw new Error(`There is no sample of ${def.type} (${name}).`);
    }
  };
  const { def } = (schema as $ZodTypes)._zod;
  return (def.type === 'union' ? def.options : [schema]).map((option) => sample(option, ''));
}

/** Every string and number in a value, but those that stand under the names in `but`. */
export function leavesOf(value: unknown, but: readonly string[] = []): (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  if (Array.isArray(value)) return value.flatMap((one) => leavesOf(one, but));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => (but.includes(key) ? [] : leavesOf(one, but)));
}

/**
 * The fields of a schema, one line each: `files[].before.mode: string`, with `?` behind the name of one that may be absent.
 * Of alternatives the fields of all.
 */
export function fieldsOf(schema: $ZodType): string[] {
  const lines: string[] = [];
  const visit = (type: $ZodType, place: string, mark: string): void => {
    const { def } = (type as $ZodTypes)._zod;
    const say = (what: string) => lines.push(`${place}${mark}: ${what}`);
    switch (def.type) {
      case 'object':
        if (place !== '') say('object');
        for (const [key, part] of Object.entries(def.shape)) visit(part, place === '' ? key : `${place}.${key}`, '');
        break;
      case 'array':
        say('array');
        visit(def.element, `${place}[]`, '');
        break;
      case 'optional':
        visit(def.innerType, place, '?');
        break;
      case 'nullable':
        visit(def.innerType, place, mark);
        say('null');
        break;
      case 'readonly':
        visit(def.innerType, place, mark);
        break;
      case 'union':
        for (const option of def.options) visit(option, place, mark);
        break;
      case 'literal':
        for (const value of def.values) say(JSON.stringify(value));
        break;
      case 'enum':
        for (const value of Object.values(def.entries)) say(JSON.stringify(value));
        break;
      default:
        say(def.type);
    }
  };
  visit(schema, '', '');
  return [...new Set(lines)].sort();
}

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('A union without alternatives.');
  return value;
}
