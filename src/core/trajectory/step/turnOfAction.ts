import type { Action, CommandAction } from '../../action/action.ts';
import type { TurnAction } from '../../action/turnAction.ts';
import type { Dialect } from '../../worlds/language/prompt/turns/turn.ts';
import { typeCommand } from '../../worlds/language/prompt/turns/turnTextScreen.ts';
import { shellAction } from '../../worlds/language/prompt/turns/turnTextTools.ts';
import type { TrajectoryStep } from './step.ts';

/**
 * What an action is as a turn of a trajectory: a command is typed in the domain `terminal`, and a call of the shell tool
 * elsewhere; an edit is the tool call it came from, where it came from one. `undefined`: it has no such form.
 */
export function turnOfAction(action: Action, domain: string, dialect: Dialect = 'qwen'): TurnAction | undefined {
  if (action.kind === 'turn') return action.turn;
  if (action.kind === 'command') return turnOfCommand(action, domain, dialect);
  const [call, ...more] = action.calls ?? [];
  return call && more.length === 0 ? { kind: 'tool', name: call.name, arguments: call.arguments } : undefined;
}

function turnOfCommand({ script, cwd }: CommandAction, domain: string, dialect: Dialect): TurnAction {
  return domain === 'terminal' ? typeCommand(script) : shellAction(dialect, script, cwd === '' ? undefined : cwd);
}

/** The steps from the first one to `step`, by `after`. A step that is missing begins the chain; a circle is cut. */
export function chainTo(steps: ReadonlyMap<string, TrajectoryStep>, step: TrajectoryStep): TrajectoryStep[] {
  const chain: TrajectoryStep[] = [];
  const seen = new Set<string>();
  for (let at: TrajectoryStep | undefined = step; at && !seen.has(at.id); ) {
    seen.add(at.id);
    chain.push(at);
    at = at.after === undefined ? undefined : steps.get(at.after);
  }
  return chain.reverse();
}

/** The steps that no other one comes after: the ends of every trajectory and of every fork, in the order of the file. */
export function lastSteps(steps: readonly TrajectoryStep[]): TrajectoryStep[] {
  const followed = new Set(steps.map(({ after }) => after));
  return steps.filter(({ id }) => !followed.has(id));
}
