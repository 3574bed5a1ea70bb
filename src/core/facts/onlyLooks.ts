import type { AssumptionCause } from './assumption.ts';

/** Whether all that is assumed is that who was really asked still says what he said. */
export function onlyLooks(assumptions: readonly { cause?: AssumptionCause | undefined }[]): boolean {
  return assumptions.length > 0 && assumptions.every(({ cause }) => cause === 'looked-at');
}

/** Whether this program was really asked, as a look. */
export function wasAsked(
  { argv }: { argv: readonly string[] },
  assumptions: readonly { argv: readonly string[]; cause?: AssumptionCause | undefined }[],
): boolean {
  const call = argv.join('\0');
  return assumptions.some((one) => one.cause === 'looked-at' && one.argv.join('\0') === call);
}

/** Whether the gate stopped this program and nobody asked in its stead: a full rehearsal would tell more of it. */
export function isToRehearse(
  program: { argv: readonly string[]; gatedBecause?: string | undefined },
  assumptions: Parameters<typeof wasAsked>[1],
): boolean {
  return program.gatedBecause !== undefined && !wasAsked(program, assumptions);
}
