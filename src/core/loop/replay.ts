import path from 'node:path';
import type { CommandAction, EditAction, RecordedTurn } from '../action/action.ts';
import { agentOfTool, isEditCall } from '../action/edit/editTools.ts';
import type { TurnAction } from '../action/turnAction.ts';
import type { Inexact } from '../bench/collect/exactness.ts';
import { whyInexact } from '../bench/collect/exactness.ts';
import { type StepForm, stepParts, trueObservation } from '../bench/collect/trueStep.ts';
import { folderAfter, terminalEnvironment } from '../bench/collect/typedCommand.ts';
import type { FactualScore } from '../bench/score/factualScore.ts';
import { scoreAttempt } from '../bench/score/scoreStep.ts';
import { redactForPrompt } from '../context/secrets/redactForPrompt.ts';
import { ownEnvironment, userOf } from '../context/user.ts';
import { type Foretell, foldAll, type Session } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import type { StepFacts, TrajectoryStep } from '../trajectory/step/step.ts';
import { comparisonOf } from '../trajectory/step/turnOfStep.ts';
import { placeOf } from '../worlds/language/prompt/turns/trajectory.ts';
import type { Dialect } from '../worlds/language/prompt/turns/turn.ts';
import { commandOf, withoutLastBreaks } from '../worlds/language/prompt/turns/turnText.ts';
import { parseListing, renderListReply, renderReadReply } from '../worlds/language/prompt/turns/turnTextTools.ts';

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
  const dialect = options.dialect ?? 'qwen';
  const cannot = (why: string) => ({ step: { ...step, note: joined(step.note, `Not compared: ${why}`) }, why });
  if (options.signal.aborted) return cannot('It was cancelled.');
  if (action.kind !== 'turn') return cannot('It is no turn of an agent.');
  const truth = await truthOf(action, options, dialect);
  const after = truth.after === undefined ? {} : { after: truth.after };
  if ('why' in truth) return { ...cannot(truth.why), ...after };
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

type Truth = ({ text: string; printed?: string; prediction: Prediction } | { why: string }) & { after?: string };

async function truthOf(action: RecordedTurn, options: Replaying, dialect: Dialect): Promise<Truth> {
  const { turn } = action;
  if (turn.kind === 'text') return { why: 'An action in words cannot be rehearsed.' };
  if (turn.kind === 'keystrokes') return typed(turn, options);
  const command = commandOf(turn);
  if (command !== undefined) return called(turn, command, options, dialect);
  if (isEditCall(turn)) return edited(turn, options);
  return read(turn, options, dialect);
}

async function typed(turn: TurnAction & { kind: 'keystrokes' }, options: Replaying): Promise<Truth> {
  const waits = turn.keystrokes.filter((one) => one.keystrokes !== '');
  const line = waits.map((one) => one.keystrokes).join('');
  if (waits.length === 0) return { why: 'Nothing is typed.' };
  if (!line.endsWith('\n') || waits.some((one) => /^[CM]-.$/.test(one.keystrokes)))
    return { why: 'Keys that are no command line cannot be rehearsed.' };
  const script = withoutLastBreaks(line);
  const truth = await rehearsed({ domain: 'terminal' }, script, options.at, options);
  return truth;
}

function called(
  turn: TurnAction & { kind: 'tool' },
  command: string,
  options: Replaying,
  dialect: Dialect,
): Promise<Truth> {
  const { directory } = turn.arguments;
  const cwd = typeof directory === 'string' && directory !== '' ? path.resolve(options.cwd, directory) : options.cwd;
  const spoken = turn.name === 'Bash' ? 'claude' : turn.name === 'run_shell_command' ? 'qwen' : dialect;
  return rehearsed({ domain: 'swe', dialect: spoken }, command, cwd, options);
}

async function rehearsed(form: StepForm, script: string, cwd: string, options: Replaying): Promise<Truth> {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd };
  const own = options.env ?? ownEnvironment(script);
  const isTerminal = form.domain === 'terminal';
  const env = isTerminal ? { ...own, ...terminalEnvironment } : own;
  let asks = false;
  const { events } = options.session.predict({
    action,
    env,
    hash: true,
    openGate: options.openGate ?? false,
    signal: options.signal,
    ...(isTerminal ? { terminal: { columns: 120, rows: 40 }, answers: nobodyTypes() } : {}),
  });
  const prediction = await foldAll(action, events, ({ type }) => {
    asks ||= type === 'asks';
  });
  const after = isTerminal ? (folderAfter(script, cwd, prediction.cwd) ?? cwd) : undefined;
  const one = { script, cwd, root: options.cwd, place: placeOf(userOf(env), cwd), prediction, asks };
  const parts = await stepParts(form, one, 1_000_000);
  const moved = after === undefined ? {} : { after };
  return parts.inexact ? { why: parts.inexact.why, ...moved } : { ...parts, prediction, ...moved };
}

async function* nobodyTypes(): AsyncGenerator<string> {}

async function edited(turn: TurnAction & { kind: 'tool' }, options: Replaying): Promise<Truth> {
  const { cwd, session, signal } = options;
  const calls = [{ name: turn.name, arguments: { ...turn.arguments } }];
  // The agent speaks the dialect, so its words are those of the tool.
  const agent = agentOfTool(turn.name);
  const action: EditAction = { kind: 'edit', changes: [], cwd, calls, ...(agent ? { agent } : {}) };
  const { events } = session.predict({ action, hash: true, signal });
  const prediction = await foldAll(action, events);
  return certain(prediction, withoutLastBreaks(said(prediction)));
}

/** Reading and listing, worded as the tool words it. */
async function read(turn: TurnAction & { kind: 'tool' }, options: Replaying, dialect: Dialect): Promise<Truth> {
  const { name } = turn;
  const given = turn.arguments;
  const named = given['absolute_path'] ?? given['file_path'] ?? given['path'];
  const place = typeof named === 'string' ? path.resolve(options.cwd, named) : options.cwd;
  const isRead = name === 'read_file' || name === 'Read';
  if (!isRead && name !== 'list_directory' && name !== 'LS') return { why: `What ${name} shows is not rehearsed.` };
  const spoken: Dialect =
    name === 'Read' || name === 'LS' ? 'claude' : name === 'read_file' || name === 'list_directory' ? 'qwen' : dialect;
  const script = isRead ? `cat -- ${quoteWord(place)}` : `ls -1Ap -- ${quoteWord(place)}`;
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: options.cwd };
  const env = options.env ?? ownEnvironment(script);
  const { events } = options.session.predict({ action, env, signal: options.signal });
  const prediction = await foldAll(action, events);
  if (prediction.ending === 'done' && prediction.exitCode !== 0)
    return { why: `How ${name} says that it cannot be read is not rehearsed.` };
  const shown = said(prediction);
  if (!isRead) return certain(prediction, renderListReply(spoken, place, parseListing(shown)));
  return certain(prediction, readReply(spoken, shown, given));
}

function readReply(dialect: Dialect, whole: string, given: Readonly<Record<string, unknown>>): string {
  const { offset, limit } = given;
  const lines = whole.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = typeof offset === 'number' ? (dialect === 'claude' ? Math.max(1, offset) : offset + 1) : 1;
  const last = typeof limit === 'number' ? Math.min(lines.length, first + limit - 1) : lines.length;
  if (first === 1 && last === lines.length) return renderReadReply(dialect, whole);
  const text = lines.slice(first - 1, last).join('\n');
  return renderReadReply(dialect, text, { firstLine: first, lastLine: last, totalLines: lines.length });
}

/** The text, where it is certain and holds no secret. */
async function certain(prediction: Prediction, text: string): Promise<Truth> {
  const inexact: Inexact | undefined = whyInexact(prediction);
  if (inexact) return { why: inexact.why };
  const { found } = await redactForPrompt(text);
  return found.length > 0 ? { why: 'It holds a secret.' } : { text, prediction };
}

function said({ output }: Prediction): string {
  return output.map(({ text = '' }) => text).join('');
}

function joined(note: string | undefined, more: string): string {
  return note === undefined ? more : `${note}\n${more}`;
}
