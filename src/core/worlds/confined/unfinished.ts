import { writtenText } from '../../action/action.ts';
import type { View } from '../../view/view.ts';
import type { ConcludeOptions, Outcome } from './conclude.ts';
import { endedWithout } from './gate/spokenWith.ts';
import { tellUnfinished } from './planned/tellPlan.ts';
import type { StepCommand } from './stepCommand.ts';
import type { StepContext } from './stepContext.ts';
import { isOver } from './wire/events.ts';
import type { RunRecord } from './wire/runRecord.ts';

/** Tells what the processes of an outcome would go on to do; `keep` gets the view in which that is done, and whether the command itself has ended. */
export function unfinishedOf(
  { parts, request, channel }: StepContext,
  command: StepCommand,
  outcome: Outcome,
  keep: (view: View, isAfter: boolean) => void,
): ConcludeOptions['unfinished'] {
  return async (changed, leftRunning) => {
    const { view, next } = await tellUnfinished({
      ...(leftRunning === undefined ? {} : { leftRunning }),
      record: outcome.record,
      goesOn: hasGoneOn(outcome.record),
      changed,
      isUntouched: false,
      view: outcome.held.view,
      looker: parts.looker,
      ...writtenText(request.action),
      ...command,
      signal: request.signal,
      push: (event) => channel.push(event),
    });
    if (leftRunning === undefined || next) keep(view, leftRunning !== undefined);
    return next;
  };
}

/** The script came to its end, and not because a program failed for want of an answer. */
function hasGoneOn(record: RunRecord): boolean {
  const { finished, endedBy } = record;
  return finished !== undefined && isOver(finished) && !endedBy && !endedWithout(record);
}
