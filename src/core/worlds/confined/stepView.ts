import { openView, type ViewSettings } from './run.ts';
import { secretsOf } from './stepCommand.ts';
import type { StepContext } from './stepContext.ts';
import { touchFolders } from './touchFolders.ts';
import type { Launcher, Refused } from './wire/launcher.ts';

/** How a view of a session is built, where it is not there yet. */
export interface StepViewOptions {
  /** Its clock is ahead. */
  shifted: boolean;
  births?: ViewSettings['births'];
  leavesEarly?: ViewSettings['leavesEarly'];
  /** Owners, sizes and link counts are shown as they really are. */
  corrects: boolean;
  /** Programs to which the user consented can be let in. */
  letsIn: boolean;
  /** Programs can be let in that are known by the form of their words. */
  letsKnownIn: boolean;
}

/** A view of the session: the one that is there, or a new one; `again`: a new one that nobody keeps. */
export async function openStepView(
  { parts, state, request }: StepContext,
  which: 'checker' | 'shown' | 'again',
  options: StepViewOptions,
): Promise<Launcher | Refused> {
  const known = which === 'again' ? undefined : state[which];
  if (known) {
    await state.carried?.prepare(known, secretsOf(request));
    return known;
  }
  const isOpen = request.openGate || (options.letsIn && request.consent !== undefined);
  const launcher = await openView(state.supervised ? parts.launchSupervised : parts.launch, {
    mode: 'copy',
    shifted: options.shifted,
    // What a later command of the session starts nobody knows yet.
    births: options.births ?? (state.carried && 'childFirst'),
    leavesEarly: options.leavesEarly,
    openGate: request.openGate ?? false,
    consent: options.letsIn ? request.consent : undefined,
    letsKnownIn: options.letsKnownIn,
    // In a session the next command may show what this one wrote, and the view cannot be built anew.
    correct: options.corrects || options.letsKnownIn || state.carried !== undefined,
    copiedAhead: state.copiedAhead,
    inert: parts.inert(),
    // What only reads is shown by look mode, which does not name what it asks about. Where any program may run, what it reads
    // tells also whether it saw what only the view has (`certainty/ownFolders.ts`); nobody waits for the check's first output.
    reads: request.compared || (which === 'checker' && isOpen),
    limits: request.limits,
    faults: request.faults,
  });
  if ('type' in launcher) return launcher;
  if (which !== 'again') state[which] = launcher;
  await state.carried?.prepare(launcher, secretsOf(request));
  if (options.shifted && request.traced && isOpen && !state.supervised) await touchFolders(launcher, request);
  if (request.signal.aborted) await launcher.close();
  return launcher;
}
