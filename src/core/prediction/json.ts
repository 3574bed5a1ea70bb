import type { Prediction } from './prediction.ts';

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
    verdict: { level: verdict.level, reasons: verdict.reasons },
    programs: prediction.programs,
    otherwise: prediction.otherwise,
    notices: prediction.notices,
    ...(prediction.asks === undefined ? {} : { asks: prediction.asks }),
    durationMs: prediction.durationMs,
  };
}
