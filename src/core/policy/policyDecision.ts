import type { PolicyDecision, UnknownPart } from '../facts/policyFact.ts';
import type { PredictedInputs } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { decide, type Policies } from './decide.ts';
import { policyEffects } from './policyEffects.ts';

/** What a decision is made of, besides the prediction. */
export interface DecisionGrounds {
  policies: Policies;
  /** Where relative patterns begin, and the home folder; see `policyRoot`. */
  root: string | undefined;
  home: string;
  /** Everything that would be lost for good was written by the agent itself. Default false. */
  isOwnWork?: boolean;
}

/** What policies say of a prediction. Only facts play a part: no words of the command, and no name of a program. */
export function policyDecision(
  prediction: Prediction,
  { policies, root, home, isOwnWork = false }: DecisionGrounds,
): PolicyDecision {
  const effects = policyEffects(prediction, { root, isOwnWork });
  return decide(policies, { effects, level: prediction.verdict.level, root, home });
}

/** Whether some rule could allow a call, so that it pays to know what the call reads. */
export function mayAllow({ layers, problems }: Policies): boolean {
  const allows = layers.some((layer) => layer.mayAllow && layer.rules.some(({ answer }) => answer === 'allow'));
  return allows && problems.length === 0;
}

/**
 * The same decision just before it counts: what is allowed is only allowed while everything that the prediction was made of
 * is as it was. `inputs` is absent where nobody knows them.
 */
export function confirmed(decision: PolicyDecision, inputs: PredictedInputs | undefined): PolicyDecision {
  if (decision.kind !== 'allow') return decision;
  const { rule } = decision;
  const broken = (part: UnknownPart): PolicyDecision => ({
    kind: 'none',
    nearest: { rule, broken: [{ kind: 'unknown', part }] },
  });
  if (inputs && 'missing' in inputs) return broken({ of: 'missing', name: inputs.missing });
  if (!inputs || 'because' in inputs) return broken({ of: 'inputs' });
  const [path] = inputs.changed();
  return path === undefined ? decision : broken({ of: 'changed', path });
}
