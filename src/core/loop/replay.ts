import { trueObservation, withoutSecretsOf } from '../bench/collect/trueStep.ts';
import type { FactualScore } from '../bench/score/factualScore.ts';
import { scoreAttempt } from '../bench/score/scoreStep.ts';
import type { Foretell, Session } from '../foretell.ts';
import type { StepFacts, TrajectoryStep } from '../trajectory/step/step.ts';
import { comparisonOf } from '../trajectory/step/turnOfStep.ts';
import type { Dialect } from '../worlds/language/prompt/turns/turn.ts';
import { rehearseTurn } from './rehearseTurn.ts';

const mostCharacters = 1_000_000;

/** The first line in which two outputs differ, counted from 1 (0: the exit code); an absent side has no such line. */
export interface LineDifference {
  line: number;
  imagined?: string;
  real?: string;
}

/** What imagination said of a step, and what the confined rehearsal of the same action says. */
export interface ReplayedStep {
  /** With the true observation and the score, where there is one; else as it was, with the reason as a note. */
  step: TrajectoryStep;
  /** Absent: it could not be compared. */
  score?: FactualScore;
  difference?: LineDifference;
  /** Why it could not be compared, as a sentence. */
  why?: string;
}

/** The whole comparison. */
export interface Replay {
  steps: ReplayedStep[];
  /** Index of the first step in which they part; absent: in none that could be compared. */
  partsAt?: number;
  compared: number;
  same: number;
}

/** Where the actions are rehearsed. */
export interface ReplayOptions {
  foretell: Pick<Foretell, 'openSession'>;
  /** The workspace, absolute. */
  cwd: string;
  dialect?: Dialect;
  /** Programs that the gate would stop really run, still confined; by the user's explicit choice. */
  openGate?: boolean;
  env?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

/**
 * Rehearses the actions of an imagined trajectory, one after the other, in a confined session on a workspace, and compares
 * what each shows. Shell commands run in the session, editing tools are computed in it, reading tools read from it; what
 * else there is cannot be compared. Nothing in the workspace changes. Never rejects.
 */
export async function replay(steps: readonly TrajectoryStep[], options: ReplayOptions): Promise<Replay> {
  const [first] = steps;
  const isTerminal = first?.domain === 'terminal';
  const session = options.foretell.openSession({ newShells: !isTerminal });
  const result: Replay = { steps: [], compared: 0, same: 0 };
  let cwd = options.cwd;
  try {
    for (const step of steps) {
      const one = await replayOne(step, { ...options, session, at: cwd });
      result.steps.push(one);
      cwd = one.after ?? cwd;
      if (!one.score) continue;
      result.compared += 1;
      if (one.difference) result.partsAt ??= result.steps.length - 1;
      else result.same += 1;
    }
  } finally {
    await session.close();
  }
  return result;
}

interface Replaying extends ReplayOptions {
  session: Session;
  /** Where the shell of the terminal stands. */
  at: string;
}

async function replayOne(step: TrajectoryStep, options: Replaying): Promise<ReplayedStep & { after?: string }> {
  const { action } = step;
  const { session, cwd: root, at, dialect = 'qwen', env, openGate = false, signal } = options;
  const cannot = (why: string) => ({ step: { ...step, note: joined(step.note, `Not compared: ${why}`) }, why });
  if (options.signal.aborted) return cannot('It was cancelled.');
  if (action.kind !== 'turn') return cannot('It is no turn of an agent.');
  const asks = { openGate, hash: true };
  const told = await rehearseTurn(action.turn, { session, root, at, dialect, asks, signal, ...(env ? { env } : {}) });
  const after = told.after === undefined ? {} : { after: told.after };
  if ('why' in told) return { ...cannot(told.why), ...after };
  const truth = await withoutSecretsOf(told, told.script ?? '', mostCharacters);
  if (truth.inexact) return { ...cannot(truth.inexact.why), ...after };
  // What was no imagination is run again all the same: what comes after it starts from there.
  if (step.observation && !step.prediction) return { ...cannot('It was rehearsed, not imagined.'), ...after };
  const observed = { ...step, observation: trueObservation(truth.prediction, truth) };
  const score = scoreAttempt(observed, step);
  const sides = comparisonOf(observed, step);
  if (!score || !sides) return { ...cannot('Nothing was imagined.'), ...after };
  const difference = partingOf(sides.predicted, sides.truth);
  const scores = { ...step.scores, factual: { ...score } };
  return { step: { ...observed, scores }, score, ...(difference ? { difference } : {}), ...after };
}

/** Where what is shown differs first; undefined where it is the same but for blanks at the ends of lines. */
function partingOf(imagined: StepFacts, real: StepFacts): LineDifference | undefined {
  const linesOf = ({ output }: StepFacts) => {
    const said = (stream: string) =>
      output.map((piece) => (piece.stream === stream ? (piece.text ?? '') : '')).join('');
    const text = `${said('stdout')}${said('stderr')}`.trimEnd();
    return text.split('\n').map((line) => line.trimEnd());
  };
  const [mine, theirs] = [linesOf(imagined), linesOf(real)];
  for (let index = 0; index < Math.max(mine.length, theirs.length); index += 1) {
    const [one, other] = [mine[index], theirs[index]];
    if (one === other) continue;
    return {
      line: index + 1,
      ...(one === undefined ? {} : { imagined: one }),
      ...(other === undefined ? {} : { real: other }),
    };
  }
  if (real.exitCode === undefined || imagined.exitCode === real.exitCode) return undefined;
  return { line: 0, imagined: `exit code ${imagined.exitCode ?? 'unknown'}`, real: `exit code ${real.exitCode}` };
}

function joined(note: string | undefined, more: string): string {
  return note === undefined ? more : `${note}\n${more}`;
}
