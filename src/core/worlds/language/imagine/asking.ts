import type { TurnAction } from '../../../action/turnAction.ts';
import type { LeftOut, Redacted } from '../../../context/workspaceContext.ts';
import type { AssumptionReason } from '../../../facts/assumption.ts';
import type { Question } from '../../../prediction/question.ts';
import type { ChatMessage } from '../client/provider.ts';
import type { PromptRequest } from '../prompt/prompt.ts';
import type { Domain, Turn } from '../prompt/turns/turn.ts';
import type { AnswerForm } from '../reply/answerForms.ts';

/** One question: the turns of a trajectory, the last without its observation, and the form of the answer. */
export interface Asking<T> {
  program?: number;
  purpose: Question['purpose'];
  title: string;
  /** What of the program, where the title begins with it. */
  what?: string;
  domain: Domain;
  turns: readonly Turn[];
  /** In what form the answer is asked for. What is not in it is no answer: it is asked for once more, and then given up. */
  form: AnswerForm<T>;
  /**
   * The prompt verbatim, as a row of a benchmark has it; the turns and the form do not count then. The observation is
   * found by the rules of the benchmark, in whatever came back, and nothing is asked twice.
   */
  messages?: readonly ChatMessage[];
  /** What is asked about, where the turns do not count. */
  acted?: TurnAction;
  /** What the screen shows before the first turn. */
  currentState?: string;
  /** A system prompt in the place of the domain's. */
  template?: string;
  values?: PromptRequest['values'];
  fictionalWorld?: string;
  leftOut: readonly LeftOut[];
  redacted: readonly Redacted[];
  /** Ask it as often as the request wants samples; default false. */
  sampled?: boolean;
  signal: AbortSignal;
}

/** What came of a question. `value`: the answer in its form; absent where the prompt was given verbatim. */
export type Asked<T> =
  | {
      ok: true;
      observation: string;
      value: T | undefined;
      samples?: Samples<T>;
      /** Only a part of the observation came; one sentence. Only of a prompt that was given verbatim. */
      incomplete?: string;
    }
  /** The model cannot know, or its reply was no answer, also when it was asked once more, or none came. */
  | { ok: false; because: Unanswered; samples?: Samples<T> };

/** What several samples came to: `count` of `of` say what counts (0: none does), the others say something else. */
export interface Samples<T> {
  count: number;
  of: number;
  others: readonly { value: T; observation: string; count: number }[];
}

/** Why a question has no answer. */
export type Unanswered = Extract<AssumptionReason, { kind: 'unknown' | 'unusable' | 'failed' }>;
