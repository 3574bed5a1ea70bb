/** Whether a value is an object whose kind is told: all that is asked of facts that we make ourselves. */
export function hasKind(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';
}
