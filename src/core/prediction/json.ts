import * as z from 'zod/mini';
import { Action } from '../action/action.ts';
import { HeadlineKind } from '../facts/headline.ts';
import { headlineOf } from '../verdict/headlineOf.ts';
import { wholeProgramText } from '../words/programText.ts';
import { Ending, Output } from './parts.ts';
import { PredictedFacts, PredictedProgram, type Prediction } from './prediction.ts';
import { type AskedQuestion, Question, Reply } from './question.ts';

/** A question without its messages, which repeat each other; `observation` is what was read out of the reply. */
const QuestionJson = z.extend(
  z.pick(Question, { id: true, program: true, purpose: true, title: true, what: true, sample: true, repairs: true }),
  {
    /** As the server counted them, where it did. */
    promptTokens: z.number(),
    /** Titles of the conditions. */
    perturbations: z.optional(z.array(z.string())),
    // What came back; absent as long as nothing did.
    ...z.partial(
      z.omit(Reply, {
        question: true,
        raw: true,
        reasoning: true,
        url: true,
        body: true,
        dropped: true,
        firstTokenMs: true,
      }),
    ).shape,
  },
);

/**
 * The JSON of a prediction, version 1: what a `Prediction` says, and its headline. Additions are allowed, nothing is
 * renamed. `id` is whatever the caller uses to tell predictions apart.
 */
export const PredictionJson = z.extend(
  z.omit(PredictedFacts, { endingReason: true, failureCode: true, progress: true, questions: true }),
  {
    version: z.literal(1),
    id: z.string(),
    action: Action,
    ending: Ending,
    /** Sentence of an ending that is not `done`. */
    reason: z.optional(z.string()),
    /** Code of a failed ending. */
    failure: z.optional(z.string()),
    /** `text`: the program as a person would say it, whole. */
    programs: z.array(z.extend(PredictedProgram, { text: z.string() })),
    output: z.array(z.extend(Output, { volatile: z.boolean() })),
    verdict: z.extend(PredictedFacts.shape.verdict, { headline: HeadlineKind }),
    /** Absent where no model was asked. */
    questions: z.optional(z.array(QuestionJson)),
  },
);
export type PredictionJson = z.infer<typeof PredictionJson>;

/** A prediction as JSON. */
export function toJson(prediction: Prediction, id: string): PredictionJson {
  // Whatever a prediction says that is not named here is said in JSON too, in the same words.
  const { action, engine, ending, endingReason, failureCode, progress: _, questions, ...said } = prediction;
  return {
    version: 1,
    id,
    action,
    engine,
    ending: ending ?? 'failed',
    ...(endingReason === undefined ? {} : { reason: endingReason }),
    ...(failureCode === undefined ? {} : { failure: failureCode }),
    ...said,
    programs: said.programs.map((program) => ({ ...program, text: wholeProgramText(program) })),
    output: said.output.map((piece) => ({ ...piece, volatile: piece.volatile ?? false })),
    verdict: { ...said.verdict, headline: headlineOf(said.verdict, said.diagnostics) },
    ...(questions.length === 0 ? {} : { questions: questions.map(questionJson) }),
  };
}

function questionJson(question: AskedQuestion): z.infer<typeof QuestionJson> {
  const { id, program, purpose, title, what, sample, repairs, tokens, conditions, reply } = question;
  return {
    id,
    ...(program === undefined ? {} : { program }),
    purpose,
    title,
    ...(what === undefined ? {} : { what }),
    ...(sample === undefined ? {} : { sample }),
    ...(repairs === undefined ? {} : { repairs }),
    promptTokens: reply?.usage?.promptTokens ?? tokens.count,
    ...(conditions.length === 0 ? {} : { perturbations: conditions }),
    ...(reply === undefined ? {} : replyJson(reply)),
  };
}

/** A reply without how it came: the server, its words before they were read, the model's reasoning. */
function replyJson({ question: _, raw: _raw, reasoning: _thoughts, url: _url, body: _body, ...reply }: Reply) {
  const { dropped: _dropped, firstTokenMs: _first, rule, ...said } = reply;
  return said.observation === undefined ? said : { ...said, rule };
}
