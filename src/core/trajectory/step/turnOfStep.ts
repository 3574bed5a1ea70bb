import type { Action } from '../../action/action.ts';
import type { TurnAction } from '../../action/turnAction.ts';
import type { Basis } from '../../view/basis.ts';
import { factsOfObservation } from '../../worlds/language/imagine/imagineTurn.ts';
import { type Domain, domains } from '../../worlds/language/prompt/turns/turn.ts';
import { commandOf } from '../../worlds/language/prompt/turns/turnText.ts';
import { parseScreen } from '../../worlds/language/prompt/turns/turnTextScreen.ts';
import type { StepAttempt, StepFacts, TrajectoryStep } from './step.ts';
import { turnOfAction } from './turnOfAction.ts';

/** The action of a step in the words that a model is shown. A command is typed in the terminal's domain, else it is a tool's. */
export function turnActionOf(action: Action, domain: string): TurnAction {
  const turn = turnOfAction(action, domain);
  if (turn) return turn;
  // Only an edit can have no form of its own.
  const { kind: _, ...rest } = action;
  if (action.kind === 'edit' && action.patch) {
    return { kind: 'tool', name: 'apply_patch', arguments: { input: action.patch.text } };
  }
  return { kind: 'tool', name: 'edit_files', arguments: rest };
}

/** What can be run of a step: its script and folder (absolute). Undefined: it is no command, or its folder is not known. */
export function commandOfStep({ action }: Pick<TrajectoryStep, 'action'>): { script: string; cwd: string } | undefined {
  if (action.kind === 'command') return { script: action.script, cwd: action.cwd };
  if (action.kind !== 'turn' || action.cwd === undefined) return undefined;
  const script = commandOf(action.turn);
  return script === undefined ? undefined : { script, cwd: action.cwd };
}

/** The step is asked as the call of a shell tool, whose reply says output, errors and exit code apart. */
function isShellStep({ action, domain }: Pick<TrajectoryStep, 'action' | 'domain'>): boolean {
  const turn = turnActionOf(action, domain);
  return domain === 'swe' && turn.kind === 'tool' && commandOf(turn) !== undefined;
}

/** The facts that an observation tells in its text. */
export function factsOfText({ action, domain }: Pick<TrajectoryStep, 'action' | 'domain'>, text: string, basis: Basis) {
  const facts: StepFacts = { output: [], files: [], effects: [] };
  const known: Domain | undefined = domains.find((name) => name === domain);
  const turn = { kind: 'turn' as const, domain, turn: turnActionOf(action, domain) };
  for (const event of factsOfObservation(turn, known ?? 'terminal', text, 'qwen')) {
    if (event.type === 'exit') facts.exitCode = event.code;
    else facts.output.push({ stream: event.stream, text: event.text ?? '', basis });
  }
  return facts;
}

/** A prediction and what is true, so that they can be compared part by part. */
export interface StepComparison {
  predicted: StepFacts;
  truth: StepFacts;
}

/**
 * The two sides of a step. Where a model was asked for an observation, only what an observation can say is compared: its
 * output and, of a shell tool, the exit code. Undefined: one side is missing.
 */
export function comparisonOf(
  step: Pick<TrajectoryStep, 'action' | 'domain' | 'observation'>,
  { prediction }: Pick<StepAttempt, 'prediction'>,
): StepComparison | undefined {
  const { observation } = step;
  if (!prediction || !observation || prediction.ending === 'failed' || prediction.ending === 'cancelled')
    return undefined;
  if (prediction.text === undefined) {
    const truth = observation.facts ?? factsOfText(step, observation.text, observation.basis);
    return { predicted: knownOf(prediction, observation), truth: knownOf(truth, observation) };
  }
  const turn = turnActionOf(step.action, step.domain);
  if (turn.kind === 'keystrokes' && observation.facts) {
    // A predicted screen has the prompt and the typed command on it; what is known in parts has not.
    const { output, exitCode } = parseScreen(prediction.text, turn.keystrokes);
    const text = { stream: 'stdout' as const, text: output, basis: 'imagined' as const };
    const truth = knownOf(observation.facts, observation);
    const said = { output: [text], files: [], effects: [], ...(exitCode === undefined ? {} : { exitCode }) };
    return bare(said, truth, exitCode !== undefined);
  }
  const shown = isShellStep(step) ? observation.facts : undefined;
  const truth = shown ?? factsOfText(step, observation.text, observation.basis);
  return bare(factsOfText(step, prediction.text, 'imagined'), truth, true);
}

/** What an observation does not say, such as which files changed, was not asked for. */
function bare(predicted: StepFacts, truth: StepFacts, asksExit: boolean): StepComparison {
  const { exitCode, ...rest } = truth;
  const exit = asksExit && exitCode !== undefined ? { exitCode } : {};
  return { predicted, truth: { ...rest, ...exit, files: [], effects: [] } };
}

/** The facts without parts that nobody looked at. */
function knownOf(facts: StepFacts, { facts: kept, known }: NonNullable<TrajectoryStep['observation']>): StepFacts {
  const parts = known ?? (kept ? ['output', 'exitCode', 'files', 'effects'] : ['output', 'exitCode']);
  const { exitCode: _, ...rest } = facts;
  return {
    ...rest,
    ...(parts.includes('exitCode') && facts.exitCode !== undefined ? { exitCode: facts.exitCode } : {}),
    output: parts.includes('output') ? facts.output : [],
    files: parts.includes('files') ? facts.files : [],
    effects: parts.includes('effects') ? facts.effects : [],
  };
}
