import type { AssumptionCause } from './assumption.ts';

/** Whether all that is assumed is that who was really asked still says what he said. */
export function onlyLooks(assumptions: readonly { cause?: AssumptionCause | undefined }[]): boolean {
  return assumptions.length > 0 && assumptions.every(({ cause }) => cause === 'looked-at');
}
