import type { Prediction } from '../../prediction/prediction.ts';

/** Why a prediction is no true observation. `kind` is counted, `why` is for people. */
export interface Inexact {
  kind:
    | 'abstained'
    | 'failed'
    | 'cancelled'
    | 'imagined'
    | 'volatile'
    | 'not-text'
    | 'too-long'
    | 'secret'
    | 'not-plain'
    | 'not-typed'
    | 'after-another'
    | 'waits';
  why: string;
}

const exactBases = new Set(['rehearsed', 'computed']);

/**
 * Why the observation of a prediction cannot be called true; undefined where it can. Exact is what was rehearsed to its
 * end, with nothing assumed or imagined, nothing that varies from run to run, and text as its output.
 */
export function whyInexact(prediction: Prediction): Inexact | undefined {
  const { ending, endingReason = '', output, files, effects } = prediction;
  if (ending === 'abstained') return { kind: 'abstained', why: endingReason };
  if (ending === 'failed') return { kind: 'failed', why: endingReason };
  if (ending !== 'done') return { kind: 'cancelled', why: 'It was cancelled.' };
  const bases = [...output, ...files, ...effects, ...prediction.programs].map(({ basis }) => basis);
  const [unsure] = [...bases, prediction.exitBasis ?? 'assumed'].filter((basis) => !exactBases.has(basis));
  if (unsure || prediction.assumptions.length > 0 || prediction.questions.length > 0)
    return { kind: 'imagined', why: `A part of it is ${unsure ?? 'assumed'}.` };
  if (effects.some(({ effect }) => effect === 'waits')) return { kind: 'waits', why: 'It waits for somebody.' };
  const varying = files.find((file) => file.volatile);
  if (varying) return { kind: 'volatile', why: `${varying.path} varies from run to run.` };
  if (output.some((piece) => piece.volatile)) return { kind: 'volatile', why: 'Its output varies from run to run.' };
  if (output.some((piece) => piece.text === undefined)) return { kind: 'not-text', why: 'Its output is not text.' };
  return undefined;
}
