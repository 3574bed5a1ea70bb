import type { AssumptionCause, WayToKnow } from './assumption.ts';

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

/**
 * Whether the gate stopped this program, nobody asked in its stead, and it may be let in: a full rehearsal would tell more of
 * it.
 */
export function isToRehearse(
  program: { argv: readonly string[]; gatedBecause?: string | undefined },
  assumptions: readonly {
    argv: readonly string[];
    cause?: AssumptionCause | undefined;
    ways?: readonly WayToKnow[] | undefined;
  }[],
): boolean {
  if (program.gatedBecause === undefined || wasAsked(program, assumptions)) return false;
  const call = program.argv.join('\0');
  return !assumptions.some(({ argv, ways }) => ways && !ways.includes('rehearse') && argv.join('\0') === call);
}
