import type { Problem } from './readArguments.ts';

/** Values of options, as they were given. */
export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function textsOf(values: Values, name: string): string[] {
  const value = values[name];
  return Array.isArray(value)
    ? value.filter((one) => typeof one === 'string')
    : typeof value === 'string'
      ? [value]
      : [];
}

/** A number; `undefined` where the option is absent. */
export function numberOf(
  values: Values,
  name: string,
  { least = 0, whole = false }: { least?: number; whole?: boolean } = {},
): number | undefined | Problem {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value)))
    return value;
  return { problem: `--${name} takes a ${whole ? 'whole ' : ''}number from ${least}, not ${text}.` };
}
