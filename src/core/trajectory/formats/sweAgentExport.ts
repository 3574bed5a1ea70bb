import { commandOf } from '../../worlds/language/prompt/turns/turnText.ts';
import { stepsById, type TrajectoryStep } from '../step/step.ts';
import { chainTo, lastSteps, turnOfAction } from '../step/turnOfAction.ts';
import type { ExportedTrajectory } from './exported.ts';
import { textOf } from './imported.ts';
import { chatOf } from './openAi.ts';

/**
 * A log of SWE-agent: one JSON object with `trajectory` and `history`. It holds one trajectory: of several, or of forks,
 * the last one is written and the others are problems.
 */
export function logOfSteps(steps: readonly TrajectoryStep[]): ExportedTrajectory {
  const byId = stepsById(steps);
  const ends = lastSteps(steps);
  const last = ends.at(-1);
  const problems = ends
    .slice(0, -1)
    .map(({ id }) => `A log of SWE-agent holds one trajectory; the one that ends with the step ${id} was left out.`);
  if (!last) return { text: '', count: 0, problems: ['There is no step to write.'] };
  const chain = chainTo(byId, last);
  const entries = chain.flatMap((step) => {
    const action = actionText(step);
    if (action === undefined) {
      problems.push(`The action of the step ${step.id} is no command; it was left out.`);
      return [];
    }
    const { thought = '', response, state } = step.agent ?? {};
    return [
      {
        action,
        observation: step.observation?.text ?? '',
        response: textOf(response) ?? thought,
        ...(state === undefined ? {} : { state }),
        thought,
      },
    ];
  });
  const log = {
    ...chain[0]?.agent?.chat,
    environment: textOf(chain[0]?.agent?.chat?.['environment']) ?? last.trajectory,
    trajectory: entries,
    history: chatOf(chain, []),
  };
  return { text: `${JSON.stringify(log, null, 2)}\n`, count: entries.length, problems };
}

function actionText(step: TrajectoryStep): string | undefined {
  const recorded = textOf(step.agent?.['action']);
  if (recorded !== undefined) return recorded;
  const turn = turnOfAction(step.action, step.domain);
  const command = turn && commandOf(turn);
  if (command !== undefined) return command;
  return turn?.kind === 'tool' ? `${turn.name} ${JSON.stringify(turn.arguments)}` : undefined;
}
