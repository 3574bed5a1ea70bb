import type { Action } from '../action/action.ts';
import { isNewError } from '../consequences/isNewError.ts';
import type { Level } from '../facts/level.ts';
import type { EventOf, PredictionEvent } from './event.ts';
import type { Ending } from './parts.ts';
import type { PredictedProgram, Prediction } from './prediction.ts';
import type { AskedQuestion } from './question.ts';

/** A prediction of which nothing is known yet. */
export function emptyPrediction(action: Action): Prediction {
  return {
    action,
    engine: '',
    output: [],
    files: [],
    effects: [],
    loss: [],
    verdict: { reasons: [] },
    programs: [],
    assumptions: [],
    otherwise: [],
    notices: [],
    questions: [],
  };
}

const rank: Record<Level, number> = { safe: 0, caution: 1, danger: 2 };

/** The worse of two levels; `undefined` is better than any. */
export function worseLevel(a: Level | undefined, b: Level): Level {
  return a === undefined || rank[b] > rank[a] ? b : a;
}

/**
 * Takes one event into the prediction. The one reducer: panel, command line, bench and tests all use it.
 *
 * It changes `prediction` in place and returns it (a prediction can have 50,000 files, so copying each time is no option).
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table: one case a kind of event.
export function fold(prediction: Prediction, event: PredictionEvent): Prediction {
  switch (event.type) {
    case 'started':
      prediction.engine = event.by;
      break;
    case 'program': {
      const { type: _, ...program } = event;
      prediction.programs.push(program);
      break;
    }
    case 'programEnded': {
      const program = findProgram(prediction, event.id);
      if (program) program.exitCode = event.exitCode;
      break;
    }
    case 'gated': {
      const program = findProgram(prediction, event.id);
      if (program)
        Object.assign(program, { gatedBecause: event.reason, ...(event.because && { gate: event.because }) });
      break;
    }
    case 'assumption': {
      const { type: _, id: _id, ...assumption } = event;
      prediction.assumptions.push(assumption);
      break;
    }
    case 'otherwise': {
      const { type: _, ...otherwise } = event;
      prediction.otherwise.push(otherwise);
      break;
    }
    case 'futures':
      prediction.futures = event.futures;
      break;
    case 'asks':
      prediction.asks = event.prompt;
      break;
    case 'output':
      foldOutput(prediction, event);
      break;
    case 'file':
      // In this order the engine copies them in a third of the time.
      prediction.files.push({ basis: event.basis, ...event.change });
      break;
    case 'effect': {
      const { type: _, ...effect } = event;
      prediction.effects.push(effect);
      break;
    }
    case 'loss': {
      const { type: _, ...loss } = event;
      prediction.loss.push(loss);
      break;
    }
    case 'risk':
      foldRisk(prediction, event);
      break;
    case 'diagnostic': {
      const { type: _, ...diagnostic } = event;
      prediction.diagnostics = [...(prediction.diagnostics ?? []), diagnostic];
      // What a language service finds comes after the verdict; an edit that breaks a file is not safe.
      if (prediction.verdict.level !== undefined && isNewError(diagnostic)) {
        prediction.verdict.level = worseLevel(prediction.verdict.level, 'caution');
      }
      break;
    }
    case 'mention': {
      const { type: _, ...mention } = event;
      prediction.mentions = [...(prediction.mentions ?? []), mention];
      break;
    }
    case 'notice':
      prediction.notices.push(event.text);
      if (event.fact) prediction.noticed = [...(prediction.noticed ?? []), event.fact];
      break;
    case 'progress': {
      const { type: _, ...progress } = event;
      prediction.progress = progress;
      break;
    }
    case 'question': {
      const { type: _, ...question } = event;
      prediction.questions.push({ ...question, thoughts: '', said: '' });
      break;
    }
    case 'counted': {
      const question = findQuestion(prediction, event.question);
      if (question) foldCounted(question, event);
      break;
    }
    case 'thought': {
      const question = findQuestion(prediction, event.question);
      if (question) question.thoughts += event.text;
      break;
    }
    case 'said': {
      const question = findQuestion(prediction, event.question);
      if (question) question.said = event.restart ? event.text : question.said + event.text;
      break;
    }
    case 'reply': {
      const { type: _, ...reply } = event;
      const question = findQuestion(prediction, event.question);
      if (!question) break;
      question.reply = reply;
      if (reply.usage?.exact) question.tokens = { count: reply.usage.promptTokens, exact: true };
      break;
    }
    case 'exit':
      if (event.code !== undefined) prediction.exitCode = event.code;
      prediction.exitBasis = event.basis;
      if (event.cwd !== undefined) prediction.cwd = event.cwd;
      break;
    case 'done':
    case 'abstained':
    case 'failed':
    case 'cancelled':
      foldEnding(prediction, event);
      break;
  }
  return prediction;
}

function findProgram(prediction: Prediction, id: number): PredictedProgram | undefined {
  // Ends come soon after starts, so look from the back.
  return prediction.programs.findLast((program) => program.id === id);
}

function findQuestion(prediction: Prediction, id: number): AskedQuestion | undefined {
  return prediction.questions.findLast((question) => question.id === id);
}

function foldCounted(question: AskedQuestion, { blocks }: EventOf<'counted'>): void {
  question.blocks = question.blocks.map((block, index) => {
    const tokens = blocks[index];
    return typeof tokens === 'number' ? { ...block, tokens, exact: true } : block;
  });
  // What the server says it read holds more than the blocks: also what its chat template puts around them.
  if (question.tokens.exact) return;
  question.tokens = { count: question.blocks.reduce((sum, { tokens }) => sum + tokens, 0), exact: false };
}

function foldRisk({ verdict }: Prediction, { type: _, reason: text, ...grounds }: EventOf<'risk'>): void {
  verdict.level = worseLevel(verdict.level, grounds.level);
  if (text !== '') verdict.reasons.push({ ...grounds, text });
}

function foldOutput(prediction: Prediction, event: EventOf<'output'>): void {
  delete prediction.asks;
  const { type: _, ...piece } = event;
  const last = prediction.output.at(-1);
  const joins =
    last !== undefined &&
    last.text !== undefined &&
    piece.text !== undefined &&
    last.stream === piece.stream &&
    last.basis === piece.basis &&
    Boolean(last.volatile) === Boolean(piece.volatile) &&
    last.offline === piece.offline;
  if (joins) last.text = `${last.text}${piece.text}`;
  else prediction.output.push(piece);
}

function foldEnding(prediction: Prediction, event: EventOf<Ending>): void {
  prediction.ending = event.type;
  prediction.durationMs = event.durationMs;
  // Of what was cancelled, what was seen of it is kept.
  if (event.type !== 'cancelled' || prediction.progress?.printed === undefined) delete prediction.progress;
  delete prediction.asks;
  if (event.type === 'abstained') {
    prediction.endingReason = event.reason;
    if (event.doubt) prediction.doubt = event.doubt;
  }
  if (event.type === 'failed') {
    prediction.endingReason = event.message;
    prediction.failureCode = event.code;
    if (event.failure) prediction.failed = event.failure;
  }
}
