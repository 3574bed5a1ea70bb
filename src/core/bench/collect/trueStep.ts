import type { TurnAction } from '../../action/turnAction.ts';
import { redactForPrompt } from '../../context/secrets/redactForPrompt.ts';
import type { Output } from '../../prediction/parts.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import { type StepObservation, stepPrediction, type TrajectoryStep } from '../../trajectory/step/step.ts';
import { redactInput } from '../../worlds/language/prompt/redactInput.ts';
import { terminalState } from '../../worlds/language/prompt/turns/groundingTurns.ts';
import type { Dialect } from '../../worlds/language/prompt/turns/turn.ts';
import { renderScreen, type TerminalPlace, typeCommand } from '../../worlds/language/prompt/turns/turnTextScreen.ts';
import { renderShellReply } from '../../worlds/language/prompt/turns/turnTextShell.ts';
import { shellAction } from '../../worlds/language/prompt/turns/turnTextTools.ts';
import { type Inexact, whyInexact } from './exactness.ts';
import { folderAfter, isOrderByChance, shownText, whyNotTyped } from './typedCommand.ts';

/** How steps are worded: typed at a terminal, or as the shell tool of an agent. */
export type StepForm = { domain: 'terminal' } | { domain: 'swe'; dialect: Dialect };

/** A command and what was rehearsed of it. */
export interface Rehearsed {
  script: string;
  /** Where it was rehearsed, absolute. */
  cwd: string;
  /** Where the agent's tools are at home, absolute. */
  root: string;
  /** Who sits at the terminal. */
  place: TerminalPlace;
  prediction: Prediction;
  /** It waited for somebody to type. */
  asks: boolean;
}

/** What a command is in its form; `inexact`: its observation cannot be called true. */
export interface StepParts {
  turn: TurnAction;
  text: string;
  /** What a terminal shows of the output; absent: it is that of the prediction. */
  printed?: string;
  inexact?: Inexact;
}

/** Words a rehearsed command and its observation. `mostCharacters`: longer observations are none that a model is shown. */
export async function stepParts(form: StepForm, one: Rehearsed, mostCharacters: number): Promise<StepParts> {
  return withoutSecretsOf(wordStep(form, one), one.script, mostCharacters);
}

/** The same, where it may be kept: it is exact, not too long, and holds no secret. `script`: what it comes of, if that is known. */
export async function withoutSecretsOf<Worded extends Pick<StepParts, 'text' | 'inexact'>>(
  worded: Worded,
  script: string,
  mostCharacters: number,
): Promise<Worded> {
  const inexact = worded.inexact ?? tooLong(worded.text, mostCharacters);
  if (inexact) return { ...worded, inexact };
  // Nothing is stored before it was searched for secrets; one that is in it would have to be taken out, and what is left
  // would not be what was really shown.
  const secrets = [...(await redactInput(worded.text, script)).found, ...(await redactForPrompt(script)).found];
  const kinds = [...new Set(secrets.map(({ kind }) => kind))];
  if (kinds.length === 0) return worded;
  return { ...worded, text: '', inexact: { kind: 'secret', why: `It holds a secret (${kinds.join(', ')}).` } };
}

/** The same as it was rehearsed, with its secrets and of any length. */
export function wordStep(form: StepForm, one: Rehearsed): StepParts {
  const worded = form.domain === 'terminal' ? screenOf(one) : replyOf(form.dialect, one);
  const waits: Inexact | undefined = one.asks ? { kind: 'waits', why: 'It waits for somebody to type.' } : undefined;
  const inexact = waits ?? whyInexact(one.prediction) ?? worded.inexact;
  return inexact ? { ...worded, inexact } : worded;
}

function tooLong(text: string, most: number): Inexact | undefined {
  if (text.length <= most) return undefined;
  return { kind: 'too-long', why: `Its observation has ${text.length.toLocaleString('en')} characters.` };
}

function screenOf({ script, place, cwd, prediction }: Rehearsed): StepParts {
  const turn = typeCommand(script, { durationSeconds: 1 });
  const reason = whyNotTyped(script);
  const printed = prediction.output.map(shownPiece).join('');
  const shown = shownText(printed, script);
  const afterCwd = folderAfter(script, cwd, prediction.cwd);
  const text = renderScreen({ ...place, cwd }, script, shown ?? printed, { afterCwd: afterCwd ?? cwd });
  if (afterCwd === undefined) {
    const why = 'Where the shell stands afterwards is not certain.';
    return { turn, text, inexact: { kind: 'not-typed', why } };
  }
  if (reason !== undefined) return { turn, text, inexact: { kind: 'not-typed', why: reason } };
  const programs = ['bash', ...prediction.programs.map(({ argv }) => argv[0]?.split('/').at(-1) ?? '')];
  if (isOrderByChance(script, printed, programs)) {
    const why = 'Programs of a pipeline write to the terminal at the same time.';
    return { turn, text, inexact: { kind: 'not-typed', why } };
  }
  if (shown === undefined) return { turn, text, inexact: { kind: 'not-plain', why: 'It steers the screen.' } };
  return { turn, text, printed: shown };
}

/** A tool shows bytes that are no text as signs for that. */
function shownPiece({ text, base64 = '' }: Output): string {
  return text ?? Buffer.from(base64, 'base64').toString('utf8');
}

function replyOf(dialect: Dialect, { script, cwd, root, prediction }: Rehearsed): StepParts {
  const of = (stream: 'stdout' | 'stderr') =>
    prediction.output.map((piece) => (piece.stream === stream ? shownPiece(piece) : '')).join('');
  const elsewhere = cwd === root ? undefined : cwd;
  const stdout = of('stdout');
  const stderr = of('stderr');
  const text = renderShellReply(dialect, {
    command: script,
    ...(elsewhere === undefined ? {} : { cwd: elsewhere }),
    stdout,
    stderr,
    exitCode: prediction.exitCode ?? 0,
  });
  return { turn: shellAction(dialect, script, elsewhere), text };
}

// Git's index remembers inode numbers and times of the very disk: no two runs write the same bytes.
const indexFile = /(?:^|\/)(?:\.git(?:\/(?:worktrees|modules)\/[^/]+)?|[^/]+\.git)\/index$/;

/** What really happens, as a step keeps it. */
export function trueObservation(
  prediction: Prediction,
  { text, printed }: Pick<StepParts, 'text' | 'printed'>,
): StepObservation {
  const { exitCode, files, effects } = prediction;
  const output =
    printed === undefined
      ? prediction.output
      : printed === ''
        ? []
        : [{ stream: 'stdout' as const, text: printed, basis: 'rehearsed' as const }];
  const isComputed = [...output, ...files].some(({ basis }) => basis === 'computed');
  return {
    text,
    basis: isComputed ? 'computed' : 'rehearsed',
    facts: {
      output,
      ...(exitCode === undefined ? {} : { exitCode }),
      files: files.map((file) => {
        if (!indexFile.test(file.path)) return file;
        const { sha256: _, ...rest } = file;
        return rest;
      }),
      effects,
    },
    source: 'foretell',
  };
}

/** Puts a step together. `number` counts the steps of its trajectory from 1. */
export function trueStep(
  form: StepForm,
  one: Rehearsed,
  parts: StepParts,
  of: { trajectory: string; number: number; after?: string; context?: TrajectoryStep['context'] },
): TrajectoryStep {
  const { inexact, turn, text } = parts;
  const isFirst = of.after === undefined;
  return {
    version: 1,
    id: `${of.trajectory}.${of.number}`,
    trajectory: of.trajectory,
    ...(of.after === undefined ? {} : { after: of.after }),
    domain: form.domain,
    action: { kind: 'turn', domain: form.domain, turn, cwd: one.cwd },
    ...(isFirst && form.domain === 'terminal' ? { state: terminalState({ ...one.place, cwd: one.cwd }) } : {}),
    ...(of.context ? { context: of.context } : {}),
    ...(inexact
      ? { note: `No true observation: ${inexact.why}`, prediction: stepPrediction(one.prediction, text) }
      : { observation: trueObservation(one.prediction, parts) }),
  };
}
