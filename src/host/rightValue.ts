/** What a setting may be, as package.json says it. */
export interface SettingSchema {
  type?: string | readonly string[];
  enum?: readonly unknown[];
  minimum?: number;
  maximum?: number;
  items?: SettingSchema;
}

/**
 * The value of a setting where it is one that package.json allows, otherwise its default; a number that is too small or too
 * large is the nearest that is allowed. VS Code only underlines such a value, and hands it on as it is.
 */
export function rightValue<T>(schema: SettingSchema | undefined, value: T, otherwise: T): T {
  if (!schema || !isRight(schema, value)) return schema ? otherwise : value;
  if (typeof value !== 'number') return value;
  const { minimum = -Infinity, maximum = Infinity } = schema;
  return Math.min(maximum, Math.max(minimum, value)) as T;
}

function isRight({ type = [], enum: allowed, items }: SettingSchema, value: unknown): boolean {
  if (allowed && !allowed.includes(value)) return false;
  const types = typeof type === 'string' ? [type] : type;
  if (types.length > 0 && !types.some((one) => isOf(one, value))) return false;
  return !(items && Array.isArray(value)) || value.every((one) => isRight(items, one));
}

function isOf(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return typeof value === 'object' && value !== null;
    default:
      return typeof value === type;
  }
}
