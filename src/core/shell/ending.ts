import { commandsIn } from './assign.ts';
import type { Scope, StaticProgram } from './evaluated.ts';
import { mergeScopes } from './scope.ts';
import type { ScriptNode } from './scriptReading.ts';

/** How a part of a script ends: what holds where it succeeds and where it fails. Absent: it does not. */
export interface Ending {
  ok?: Scope | undefined;
  failed?: Scope | undefined;
  programs: StaticProgram[];
  /** A way that is to be expected leaves the script. */
  leaves?: true;
}

/** Whether a round of a loop may end it. */
export function mayStop(body: ScriptNode): boolean {
  return commandsIn(body).some(({ words: [first] }) => /^(break|continue|return|exit)$/.test(first?.text ?? ''));
}

/** The ending of what goes one of several ways after a test. */
export function joined(ways: readonly Ending[], test: Ending, scope: Scope): Ending {
  const programs = [...test.programs, ...ways.flatMap((way) => way.programs)];
  const ends = ways.flatMap(({ ok, failed }) => [ok, failed]);
  const after = ends.reduce<Scope | undefined>((before, one) => mergeScopes(before, one), undefined);
  if (after) after.isUncertain = scope.isUncertain;
  const leaves = test.leaves || ways.some((way) => way.leaves);
  return { ok: after, programs, ...(leaves ? { leaves: true } : {}) };
}
