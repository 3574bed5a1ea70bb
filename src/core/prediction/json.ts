import { headlineOf } from '../verdict/headlineOf.ts';
import type { Prediction } from './prediction.ts';
import type { AskedQuestion } from './question.ts';

/**
 * The JSON of a prediction, version 1. Additions are allowed, nothing is renamed.
 * `id` is whatever the caller uses to tell predictions apart.
 */
export function toJson(prediction: Prediction, id: string): Record<string, unknown> {
  const { verdict } = prediction;
  return {
    version: 1,
    id,
    action: prediction.action,
    engine: prediction.engine,
    ending: prediction.ending ?? 'failed',
    ...(prediction.endingReason === undefined ? {} : { reason: prediction.endingReason }),
    ...(prediction.failureCode === undefined ? {} : { failure: prediction.failureCode }),
    assumptions: prediction.assumptions,
    cwd: prediction.cwd,
    exitCode: prediction.exitCode,
    exitBasis: prediction.exitBasis,
    output: prediction.output.map((piece) => ({ ...piece, volatile: piece.volatile ?? false })),
    files: prediction.files,
    effects: prediction.effects,
    loss: prediction.loss,
    verdict: {
      level: verdict.level,
      headline: headlineOf(verdict, prediction.diagnostics),
      reasons: verdict.reasons,
    },
    programs: prediction.programs,
    otherwise: prediction.otherwise,
    notices: prediction.notices,
    ...(prediction.diagnostics ? { diagnostics: prediction.diagnostics } : {}),
    ...(prediction.mentions ? { mentions: prediction.mentions } : {}),
    ...(prediction.questions.length === 0 ? {} : { questions: prediction.questions.map(questionJson) }),
    ...(prediction.asks === undefined ? {} : { asks: prediction.asks }),
    durationMs: prediction.durationMs,
  };
}

/** A question without its messages, which repeat each other; `observation` is what was read out of the reply. */
function questionJson({ id, program, purpose, title, sample, repairs, tokens, perturbations, reply }: AskedQuestion) {
  return {
    id,
    ...(program === undefined ? {} : { program }),
    purpose,
    title,
    ...(sample === undefined ? {} : { sample }),
    ...(repairs === undefined ? {} : { repairs }),
    promptTokens: reply?.usage?.promptTokens ?? tokens.count,
    ...(perturbations.length === 0 ? {} : { perturbations }),
    ...(reply === undefined
      ? {}
      : {
          model: reply.model,
          finish: reply.finish,
          ...(reply.observation === undefined ? {} : { observation: reply.observation, rule: reply.rule }),
          ...(reply.unknown === undefined ? {} : { unknown: reply.unknown }),
          ...(reply.failure === undefined ? {} : { failure: reply.failure }),
          ...(reply.fault === undefined ? {} : { fault: reply.fault }),
          ...(reply.usage === undefined ? {} : { usage: reply.usage }),
          ...(reply.agreement === undefined ? {} : { agreement: reply.agreement }),
          warnings: reply.warnings,
          durationMs: reply.durationMs,
        }),
  };
}
