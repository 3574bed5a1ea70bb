import { faultCode, type ReplyFault } from '../../../facts/replyFault.ts';
import type { Reply } from '../../../prediction/question.ts';
import { faultSentence } from '../../../words/faultText.ts';
import { parseUnknown } from '../prompt/turns/turnTextUnknown.ts';
import type { AnswerForm } from './answerForms.ts';
import { type AnswerText, answerIn, lastAnswer, withoutThoughts } from './answerText.ts';
import { strip } from './officialText.ts';

/** What a reply says in the form that was asked for. */
export type ReadReply<T> =
  | { ok: true; kind: 'answer'; value: T; observation: string; rule: 'tagged' | 'untagged' | 'reasoned' }
  /** The model says that it cannot know, and why. */
  | { ok: true; kind: 'unknown'; reason: string; rule: 'tagged' | 'untagged' | 'reasoned' }
  | { ok: false; fault: ReplyFault };

/**
 * The one reader of what models reply: of programs, of whole commands and of turns. There is an answer only where the reply
 * is complete, has exactly one, and has it in its form; everything else is a fault, and nothing of it is kept.
 * `isTagged`: the answer was asked for between tags; `isToolCall`: a tool was called that nobody offered. Never throws.
 */
export function readReply<T>(
  reply: Pick<Reply, 'raw' | 'reasoning' | 'finish' | 'body'>,
  form: AnswerForm<T>,
  { isTagged, isToolCall = false }: { isTagged: boolean; isToolCall?: boolean },
): ReadReply<T> {
  const { raw, reasoning, finish, body } = reply;
  if (isToolCall) return faulty({ kind: 'tool-call' });
  const isCut = finish === 'length';
  const isWhole = form.isBounded ? (text: string) => form.reads(text).ok : undefined;
  const find = (text: string): AnswerText =>
    isTagged ? answerIn(text, { isCut, ...(isWhole ? { isWhole } : {}) }) : bareAnswer(text, { isCut, isWhole });
  // Where a server sends reasoning apart, a model may have given its answer before it closed its thoughts.
  const thought = raw.trim() === '' ? lastAnswer(reasoning) : undefined;
  const found = find(thought ? thought.rest : raw);
  const rule = thought ? 'reasoned' : found.ok && hasTags(raw) ? 'tagged' : 'untagged';
  const budget = body['max_completion_tokens'] ?? body['max_tokens'];
  const tokens = typeof budget === 'number' ? { tokens: budget } : {};
  if (!found.ok) return faulty(isCut ? cutFault(found.fault, raw, tokens) : missing(found.fault, reasoning));
  const unknown = parseUnknown(found.text);
  if (unknown) return { ok: true, kind: 'unknown', reason: unknown.reason, rule };
  const reading = form.reads(found.text);
  if (!reading.ok) return faulty(reading.fault);
  return { ok: true, kind: 'answer', value: reading.value, observation: strip(found.text), rule };
}

function hasTags(text: string): boolean {
  return /<predicted_observation>/i.test(text);
}

/** A reply for which no tags were asked for: all of it but the thinking, or what stands in tags all the same. */
function bareAnswer(
  text: string,
  { isCut, isWhole }: { isCut: boolean; isWhole: ((text: string) => boolean) | undefined },
): AnswerText {
  if (hasTags(text)) return answerIn(text, { isCut, ...(isWhole ? { isWhole } : {}) });
  const { rest, isThinking } = withoutThoughts(text);
  if (rest.trim() === '') return { ok: false, fault: isThinking ? { kind: 'only-reasoning' } : { kind: 'empty' } };
  if (isThinking) return { ok: false, fault: { kind: 'only-reasoning' } };
  return isCut ? { ok: false, fault: { kind: 'unclosed' } } : { ok: true, text: rest };
}

/** Whatever is missing, the budget is why. */
function cutFault(fault: ReplyFault, raw: string, tokens: { tokens?: number }): ReplyFault {
  const isThinking = fault.kind === 'only-reasoning' || fault.kind === 'empty' || !hasTags(raw);
  const where = isThinking && fault.kind !== 'unclosed' ? 'reasoning' : 'answer';
  return { kind: 'cut', where, ...tokens };
}

function missing(fault: ReplyFault, reasoning: string): ReplyFault {
  return fault.kind === 'empty' && reasoning.trim() !== '' ? { kind: 'only-reasoning' } : fault;
}

const faulty = (fault: ReplyFault): ReadReply<never> => ({ ok: false, fault });

/** A fault as a failure: a code, and one sentence with a next step. */
export function failureOfFault(fault: ReplyFault): { code: string; message: string } {
  return { code: faultCode(fault), message: faultSentence(fault) };
}
