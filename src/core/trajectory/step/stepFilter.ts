import { answerText } from '../attempts/answerGroups.ts';
import { actionText } from './actionText.ts';
import type { TrajectoryStep } from './step.ts';
import type { LineSummary } from './stepSummary.ts';

/** What steps can be filtered by. */
export const stepFilters = [
  ...(['failed', 'cut', 'wrongExit', 'differs', 'noObservation', 'noPrediction', 'edited', 'bad'] as const),
] as const;
/** Name of a filter. */
export type StepFilter = (typeof stepFilters)[number];

/** Whether a line is what the filter asks for. `restsOnEdited`: from the tree, which sees all steps. */
export function passes(line: LineSummary, filter: StepFilter, restsOnEdited: boolean): boolean {
  if (line.kind === 'blank') return false;
  if (line.kind === 'bad') return filter === 'bad';
  switch (filter) {
    case 'failed':
      return line.status === 'failed' || line.status === 'cancelled' || line.status === 'unknown';
    case 'cut':
      return line.status === 'cut';
    case 'differs':
      return line.status === 'differs';
    case 'wrongExit':
      return line.trueExit !== undefined && line.predictedExit !== undefined && line.trueExit !== line.predictedExit;
    case 'noObservation':
      return !line.hasObservation;
    case 'noPrediction':
      return !line.hasPrediction;
    case 'edited':
      return restsOnEdited || line.editedAction !== undefined || line.editedObservation !== undefined;
    case 'bad':
      return false;
  }
}

/** Looks for a text in steps, whatever its case. */
export interface StepSearch {
  /** `text`: the line as it stands in the file. `read` gives the step, and is called only where it may be in it. */
  finds(text: string, read: () => TrajectoryStep | undefined): boolean;
}

/** A search for a text in what people read of a step: action, observation, prediction, reasoning, model, note. */
export function createStepSearch(query: string): StepSearch {
  const wanted = query.toLowerCase();
  // As it would stand in the line of JSON. Where a line writes characters as numbers, only reading it tells.
  const written = JSON.stringify(query)
    .slice(1, -1)
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const pattern = new RegExp(written, 'i');
  const isWrittenOneWay = /^[\u0020-\u002e\u0030-\u007e]*$/.test(query);
  return {
    finds(text, read) {
      if (wanted === '') return true;
      if (!pattern.test(text) && (isWrittenOneWay || !/\\[u/]/.test(text))) return false;
      const step = read();
      if (!step) return text.toLowerCase().includes(wanted);
      return textsOf(step).some((one) => one.toLowerCase().includes(wanted));
    },
  };
}

function* attemptsOf(step: TrajectoryStep) {
  yield step;
  yield* step.others ?? [];
}

function textsOf(step: TrajectoryStep): string[] {
  const texts = [step.id, step.trajectory, step.domain, actionText(step.action).text];
  texts.push(step.observation?.text ?? '', step.note ?? '', step.state ?? '');
  for (const { prediction, reply, model, template } of attemptsOf(step)) {
    texts.push(model ?? '', template?.name ?? '', reply?.reasoning ?? '', reply?.raw ?? '', prediction?.reason ?? '');
    if (prediction) texts.push(answerText(prediction), ...prediction.files.map(({ path }) => path));
  }
  return texts;
}
