import type { AskedQuestion } from '../../src/core/prediction/question.ts';
import type { Errand } from '../../src/protocol/panelProtocol.ts';
import { duration, grouped } from './format.ts';
import type { IconName } from './icons.ts';
import { visibleText } from './visibleText.ts';
import { type Effort, effortOf } from './watch.ts';

/** How far a question is. */
export type QuestionState = 'waiting' | 'thinking' | 'answering' | 'answered' | 'unknown' | 'failed' | 'cancelled';

/** How far a question is. `running`: the prediction has not ended. */
export function stateOf({ reply, said, thoughts }: AskedQuestion, running: boolean): QuestionState {
  if (reply?.failure || reply?.finish === 'failed') return 'failed';
  if (reply?.finish === 'cancelled' || (!reply && !running)) return 'cancelled';
  if (reply?.unknown !== undefined) return 'unknown';
  if (reply) return reply.observation === undefined ? 'failed' : 'answered';
  if (said !== '') return 'answering';
  return thoughts === '' ? 'waiting' : 'thinking';
}

/** Icons of the states. */
export const stateIcons: Readonly<Record<QuestionState, IconName>> = {
  waiting: 'loading',
  thinking: 'loading',
  answering: 'loading',
  answered: 'check',
  unknown: 'question',
  failed: 'error',
  cancelled: 'circleSlash',
};

/** Words for the states; an answer needs none. */
export const stateWords: Readonly<Record<QuestionState, string>> = {
  waiting: 'waiting for the first token',
  thinking: 'thinking',
  answering: 'answering',
  answered: '',
  unknown: 'cannot know',
  failed: 'failed',
  cancelled: 'cancelled',
};

const rules: Readonly<Record<string, string>> = {
  tagged: 'between the observation tags',
  unclosed: 'from the opening tag to the end; the closing tag is missing',
  untagged: 'as a whole: it has no observation tags',
  reasoned: 'between the observation tags, in the reasoning',
  empty: 'although there was no text',
  nothing: 'although there was nothing but reasoning',
};

/** How the observation was found in the reply: `Read between the observation tags (rule “tagged”).` */
export function ruleWords(rule: string): string {
  return `Read ${rules[rule] ?? 'by a rule of its own'} (rule “${visibleText(rule)}”).`;
}

/** `≈ 1,204 tokens`, without the sign where the server counted. */
export function tokenWords(tokens: number, exact: boolean): string {
  return Object.values(tokenCount(tokens, exact)).join('\u00a0');
}

/** The same in two pieces: `≈ 1,204` and `tokens`. */
export function tokenCount(tokens: number, exact: boolean): { count: string; unit: string } {
  const count = Math.round(tokens);
  return { count: `${exact ? '' : '≈\u00a0'}${grouped(count)}`, unit: count === 1 ? 'token' : 'tokens' };
}

/** `≈ 412 tokens · 38/s · 3.1 s`, as far as it is known. */
function effortWords(effort: Effort): string {
  const parts: string[] = [];
  if (effort.tokens > 0) parts.push(tokenWords(effort.tokens, effort.exact));
  if (effort.rate !== undefined) parts.push(`${grouped(Math.round(effort.rate))}/s`);
  if (effort.durationMs !== undefined) parts.push(duration(effort.durationMs));
  return parts.join(' · ');
}

/** The effort of an answer in words; nothing where it was given up without a reply. */
export function questionEffort(question: AskedQuestion, running: boolean): string {
  const effort = effortOf(question, performance.now());
  if (question.reply || running) return effortWords(effort);
  return effort.tokens > 0 ? tokenWords(effort.tokens, false) : '';
}

/** What helps against a failure, besides predicting again. */
export function failureErrand(code: string): Errand | undefined {
  const connection =
    /^(unreachable|unknown-host|tls|not-a-model-server|redirected|key-refused|no-quota|model-unknown|path-unknown)$/;
  return connection.test(code) ? 'connectModel' : undefined;
}
