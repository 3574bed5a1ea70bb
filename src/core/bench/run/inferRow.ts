import * as z from 'zod/mini';
import { type Foretell, foldAll } from '../../foretell.ts';
import { TokenUsage } from '../../prediction/question.ts';
import type { ChatMessage } from '../../worlds/language/client/provider.ts';
import type { LanguageRequest } from '../../worlds/language/imagine/languageRequest.ts';
import type { BenchRow } from './benchRow.ts';

/** Why there is no prediction, or only a part of one: a code, and a sentence with a next step. */
export const LineFailure = z.object({ code: z.string(), message: z.string() });
export type LineFailure = z.infer<typeof LineFailure>;

/** A line of `infer.jsonl`, version 1: what came of one row. The last line of a key counts. */
export const InferLine = z.looseObject({
  version: z.literal(1),
  key: z.string(),
  /** Digest of the model, its server, the parameters and the template: lines of another identity do not count. */
  identity: z.string(),
  domain: z.string(),
  trajectory: z.string(),
  turn: z.number(),
  /** The reply's content verbatim; empty where the request failed. */
  gen: z.string(),
  reasoning: z.string(),
  /** Which rule of the reply format found the observation. */
  rule: z.optional(z.string()),
  /** `length`: the budget ended the reply. */
  finish: z.string(),
  failure: z.optional(LineFailure),
  warnings: z.array(z.string()),
  model: z.string(),
  usage: z.optional(TokenUsage),
  durationMs: z.number(),
  firstTokenMs: z.optional(z.number()),
  /** The reply came from the cache. */
  cached: z.optional(z.boolean()),
});
export type InferLine = z.infer<typeof InferLine>;

/**
 * Failures of a moment: such a row is asked again, at the end of a run and when a run is taken up. All others are results:
 * the model's reply is bad, or the row is too long for it.
 */
const passing = new Set([
  ...['unreachable', 'busy', 'no-answer', 'stalled', 'cut-off', 'garbled', 'loading', 'server-error', 'internal'],
]);

/** Whether the row has its result. */
export function isSettled(line: Pick<InferLine, 'failure'>): boolean {
  return line.failure === undefined || !passing.has(line.failure.code);
}

/** Failures that every other row would have too. */
const general = new Set([
  ...['no-url', 'bad-url', 'key-unavailable', 'key-refused', 'no-quota', 'unknown-host', 'tls', 'redirected'],
  ...['not-a-model-server', 'path-unknown', 'no-models', 'model-unknown', 'no-model'],
]);

/** Whether a run should stop because of it. */
export const isGeneral = (failure: LineFailure): boolean => general.has(failure.code);

/**
 * Predicts one row through the one way to predict. `messages`: what is sent instead of the row's own. `undefined` when it
 * was cancelled. Never rejects because of a model.
 */
export async function inferRow(
  foretell: Pick<Foretell, 'predict'>,
  row: BenchRow,
  options: {
    language: Omit<LanguageRequest, 'turn'>;
    messages: readonly ChatMessage[];
    identity: string;
    signal: AbortSignal;
  },
): Promise<InferLine | undefined> {
  const { signal, identity, messages } = options;
  const startedAt = performance.now();
  const language = { ...options.language, samples: 1, turn: { messages } };
  const { events, view } = foretell.predict({ action: row.action, language, signal });
  const prediction = await foldAll(row.action, events);
  await view.close();
  const reply = prediction.questions.at(-1)?.reply;
  if (prediction.ending === 'cancelled' || reply?.finish === 'cancelled' || (signal.aborted && !reply))
    return undefined;
  const head = { version: 1 as const, key: row.key, identity, domain: row.domain, trajectory: row.trajectory };
  if (!reply) {
    const failure = {
      code: prediction.failureCode ?? 'internal',
      message: prediction.endingReason ?? 'The row could not be asked.',
    };
    return failedLine({ ...head, turn: row.turn }, failure, Math.round(performance.now() - startedAt));
  }
  return {
    ...head,
    turn: row.turn,
    gen: reply.finish === 'failed' ? '' : reply.raw,
    reasoning: reply.reasoning,
    ...(reply.rule === undefined ? {} : { rule: reply.rule }),
    finish: reply.finish,
    ...(reply.failure ? { failure: reply.failure } : {}),
    warnings: reply.warnings,
    model: reply.model,
    ...(reply.usage ? { usage: reply.usage } : {}),
    durationMs: reply.durationMs,
    ...(reply.firstTokenMs === undefined ? {} : { firstTokenMs: reply.firstTokenMs }),
  };
}

/** The line of a row that could not be asked. */
export function failedLine(
  head: Pick<InferLine, 'version' | 'key' | 'identity' | 'domain' | 'trajectory' | 'turn'>,
  failure: LineFailure,
  durationMs: number,
): InferLine {
  return { ...head, gen: '', reasoning: '', finish: 'failed', failure, warnings: [], model: '', durationMs };
}
