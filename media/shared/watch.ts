import { estimateTokens } from '../../src/core/context/estimateTokens.ts';
import type { AskedQuestion } from '../../src/core/prediction/question.ts';

/** What is known of the effort of an answer. */
export interface Effort {
  tokens: number;
  /** Of `tokens`, those of the reasoning. */
  reasoningTokens: number;
  /** Counted by the server; else estimated. */
  exact: boolean;
  /** Tokens a second; absent as long as it would be a guess. */
  rate?: number;
  /** Absent: the panel did not see when it began. */
  durationMs?: number;
}

/** Settled stretches of a text, because an estimate of many short pieces would be too large. */
interface Estimate {
  length: number;
  tokens: number;
}

const settledLength = 2000;

interface Watched {
  /** When the panel saw the question, on the clock of `performance.now()`. */
  askedAtMs: number;
  /** When it saw the first piece of the answer, and how many tokens had come by then. */
  firstAtMs?: number;
  firstTokens: number;
  thoughts: Estimate;
  said: Estimate;
}

const watched = new WeakMap<AskedQuestion, Watched>();

/** Counts what came of an answer until now: only what is new is looked at. `nowMs` on the clock of `performance.now()`. */
export function effortOf(question: AskedQuestion, nowMs: number): Effort {
  const { reply } = question;
  const watch = watched.get(question) ?? {
    ...{ askedAtMs: nowMs, firstTokens: 0 },
    ...{ thoughts: { length: 0, tokens: 0 }, said: { length: 0, tokens: 0 } },
  };
  watched.set(question, watch);
  const thoughts = grow(watch.thoughts, question.thoughts || (reply?.reasoning ?? ''));
  const estimated = {
    tokens: thoughts + grow(watch.said, question.said || (reply?.observation ?? '')),
    reasoningTokens: thoughts,
  };
  if (estimated.tokens > 0 && watch.firstAtMs === undefined) {
    Object.assign(watch, { firstAtMs: nowMs, firstTokens: estimated.tokens });
  }
  if (reply) {
    const { usage, durationMs, firstTokenMs } = reply;
    const tokens = usage?.completionTokens ?? estimated.tokens;
    const streamedMs = durationMs - (firstTokenMs ?? durationMs);
    return {
      tokens,
      reasoningTokens: usage?.reasoningTokens ?? Math.min(tokens, estimated.reasoningTokens),
      exact: usage?.exact ?? false,
      durationMs,
      ...(streamedMs >= 50 && tokens > 0 ? { rate: (tokens * 1000) / streamedMs } : {}),
    };
  }
  const streamedMs = watch.firstAtMs === undefined ? 0 : nowMs - watch.firstAtMs;
  return {
    ...estimated,
    exact: false,
    durationMs: nowMs - watch.askedAtMs,
    ...(streamedMs >= 300 ? { rate: ((estimated.tokens - watch.firstTokens) * 1000) / streamedMs } : {}),
  };
}

/** Tokens of the whole text. Only what is not settled is looked at. */
function grow(estimate: Estimate, text: string): number {
  if (text.length < estimate.length) Object.assign(estimate, { length: 0, tokens: 0 });
  const open = text.slice(estimate.length);
  const tokens = estimate.tokens + estimateTokens(open);
  if (open.length > settledLength) Object.assign(estimate, { length: text.length, tokens });
  return tokens;
}
