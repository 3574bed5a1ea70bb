import type { ApplyRefusal } from '../facts/applyFact.ts';
import type { Effect } from '../facts/effect.ts';
import type { Prediction } from '../prediction/prediction.ts';
import type { Basis } from '../view/basis.ts';

const exact: ReadonlySet<Basis | undefined> = new Set(['rehearsed', 'computed'] as const);

/**
 * Why the result of a prediction cannot stand for a run of the command: where anything of it is not certain, or where it does
 * anything besides changing files. `undefined`: it can.
 */
export function whyNotApplied(prediction: Prediction): ApplyRefusal | undefined {
  const { ending, files, effects, programs, output, assumptions, questions, exitBasis } = prediction;
  if (ending === 'abstained') return { kind: 'notExact' };
  if (ending !== 'done') return { kind: 'unfinished' };
  const bases = [...files, ...programs, ...effects, ...output].map(({ basis }) => basis);
  if (prediction.action.kind === 'command') bases.push(exitBasis ?? 'unknown');
  const isCertain = assumptions.length === 0 && questions.length === 0 && bases.every((basis) => exact.has(basis));
  if (!isCertain || files.some(({ content }) => content !== undefined)) return { kind: 'notExact' };
  const besides = effects.find((effect) => !isOfFiles(effect));
  if (besides) return { kind: 'effect', effect: besides.effect };
  if (files.length === 0) return { kind: 'nothing' };
  const special = files.find(({ type, change }) => type === 'other' && change !== 'deleted');
  if (special) return { kind: 'special', path: special.path };
  return undefined;
}

/** What git does is done in its files; a wait that was skipped changes nothing. */
function isOfFiles({ git, fact, effect }: Effect): boolean {
  return (git !== undefined && effect === 'git') || fact?.kind === 'waits';
}
