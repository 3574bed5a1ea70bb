import type { Compliance } from '../../../facts/compliance.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { Reply } from '../../../prediction/question.ts';
import type { CompletionEvent } from '../client/provider.ts';
import { createReplyStream } from '../client/replyStream.ts';
import { complianceOf } from '../conditions/complianceOf.ts';
import { conditionPresets } from '../conditions/conditionPresets.ts';
import { parseUnknown } from '../prompt/turns/turnTextUnknown.ts';
import { checkReply } from '../reply/checkReply.ts';
import { failureOfFault, type ReadReply, readReply } from '../reply/readReply.ts';
import { gbnfOf } from '../reply/replyGrammar.ts';
import type { Sent } from './askedPrompt.ts';
import type { Asking } from './asking.ts';
import type { LanguageRequest } from './languageRequest.ts';

/** A reply, and what it says in the form that was asked for; absent where nothing complete came, or the form does not count. */
export interface Answer<T> {
  reply: Reply;
  read: ReadReply<T> | undefined;
}

/** Whether answers are asked for in tags; the quickstart style asks for bare text. */
export function isTagged({ style = 'benchmark' }: LanguageRequest): boolean {
  return style !== 'quickstart';
}

/** Follows one reply to its end; shows the reasoning and the observation as they come. */
export async function followReply<T>(
  { id, messages }: Sent,
  asking: Asking<T>,
  { language, tell }: { language: LanguageRequest; tell: (event: FactEvent) => void },
): Promise<Answer<T>> {
  const { signal } = asking;
  const { grammar } = asking.form;
  const startedAt = performance.now();
  const reply = emptyReply(id);
  let isToolCall = false;
  let stream = createReplyStream();
  const shown = createShownReply(id, tell);
  const show = (progress: Shown) => {
    reply.firstTokenMs ??= Math.round(performance.now() - startedAt);
    shown.goOn(progress);
  };
  for await (const event of language.provider.complete({
    messages,
    signal,
    ...(language.parameters ? { parameters: language.parameters } : {}),
    ...(grammar && !asking.messages ? { grammar: gbnfOf(grammar, { isTagged: isTagged(language) }) } : {}),
  })) {
    if (event.type === 'retry') {
      stream = createReplyStream();
      shown.takeBack();
      reply.warnings.push(event.why);
    } else if (event.type === 'content') show(stream.content(event.text));
    else if (event.type === 'reasoning') show(stream.reasoning(event.text));
    else if (event.type !== 'call') note(reply, event);
    if (event.type === 'failed') isToolCall = event.isToolCall === true;
  }
  const { content, reasoning, observation, rule } = stream.finish();
  reply.raw = content;
  reply.reasoning = reasoning;
  reply.durationMs = Math.round(performance.now() - startedAt);
  const isComplete = !signal.aborted && reply.finish !== 'cancelled' && reply.finish !== 'failed';
  let read: ReadReply<T> | undefined;
  if (isComplete && asking.messages) readVerbatim(reply, observation, rule);
  else if (isComplete || (isEmpty(reply) && !asking.messages)) {
    read = readReply(reply, asking.form, { isTagged: isTagged(language), isToolCall });
    Object.assign(reply, factsOfReading(read));
    // What was shown while it came is no answer.
    if (!read.ok) shown.takeBack();
  }
  const compliance = complianceOfReply(reply, asking, language);
  if (compliance.length > 0) reply.compliance = compliance;
  for (const { condition, how } of compliance) {
    const title = conditionPresets.find(({ id }) => id === condition)?.title ?? condition;
    if (how === 'departs') tell({ type: 'notice', fact: { kind: 'conditionMissing', condition, title } });
  }
  tell({ type: 'reply', ...reply });
  return { reply, read };
}

/** Whether what it says of an action complies with the conditions that it was asked under. */
function complianceOfReply(
  { observation }: Reply,
  { purpose, domain, turns, acted }: Asking<unknown>,
  { conditions = [], dialect = 'qwen' }: LanguageRequest,
): Compliance[] {
  const action = turns.at(-1)?.action ?? acted;
  const isOfAction = purpose === 'output' || purpose === 'command';
  if (observation === undefined || !isOfAction || !action || conditions.length === 0) return [];
  const earlier = turns.slice(0, -1).filter(({ part }) => part === 'history');
  return complianceOf(conditions, { domain, dialect, action, earlier, observation });
}

interface Shown {
  thought: string;
  observation: string;
}

/** What is shown of a reply while it comes: only what is new is told. */
function createShownReply(id: number, tell: (event: FactEvent) => void) {
  let shown: Shown = { thought: '', observation: '' };
  return {
    goOn({ thought, observation }: Shown) {
      if (thought.length > shown.thought.length) {
        tell({ type: 'thought', question: id, text: thought.slice(shown.thought.length) });
      }
      if (observation !== shown.observation) {
        const goesOn = observation.startsWith(shown.observation);
        const text = goesOn ? observation.slice(shown.observation.length) : observation;
        tell({ type: 'said', question: id, text, ...(goesOn ? {} : { restart: true }) });
      }
      shown = { thought, observation };
    },
    /** The reply begins anew, or was no answer. */
    takeBack() {
      if (shown.observation !== '') tell({ type: 'said', question: id, text: '', restart: true });
      shown = { thought: '', observation: '' };
    },
  };
}

function emptyReply(id: number): Reply {
  return {
    question: id,
    raw: '',
    reasoning: '',
    finish: 'other',
    model: '',
    url: '',
    body: {},
    dropped: [],
    warnings: [],
    durationMs: 0,
  };
}

/** A server that ends a reply without any text has answered with nothing. */
function isEmpty({ failure }: Reply): boolean {
  return failure?.code === 'empty-reply';
}

function factsOfReading(read: ReadReply<unknown>): Partial<Reply> {
  if (!read.ok) return { fault: read.fault, failure: failureOfFault(read.fault) };
  const { rule } = read;
  return read.kind === 'unknown' ? { unknown: read.reason, rule } : { observation: read.observation, rule };
}

function note(
  reply: Reply,
  event: Exclude<CompletionEvent, { type: 'retry' | 'content' | 'reasoning' | 'call' }>,
): void {
  switch (event.type) {
    case 'sent': {
      const { messages: _, ...body } = event.body;
      reply.url = event.url;
      reply.body = body;
      reply.dropped = [...event.dropped];
      reply.warnings.push(...event.warnings);
      break;
    }
    case 'usage':
      reply.usage = { ...event.usage };
      break;
    case 'finished':
      reply.finish = event.reason;
      reply.model = event.model;
      break;
    case 'failed':
      reply.finish = 'failed';
      reply.failure = { code: event.code, message: event.message };
      break;
    case 'cancelled':
      reply.finish = 'cancelled';
      break;
  }
}

/** What the rules of the benchmark find in a reply that is complete; a reply without anything but thinking is no observation. */
function readVerbatim(reply: Reply, observation: string, rule: NonNullable<Reply['rule']>): void {
  reply.rule = rule;
  const { raw, reasoning, body } = reply;
  const budget = body['max_completion_tokens'] ?? body['max_tokens'];
  const complaint = checkReply({
    content: raw,
    reasoning,
    reason: reply.finish === 'length' ? 'length' : reply.finish === 'stop' ? 'stop' : 'other',
    ...(typeof budget === 'number' ? { maxOutputTokens: budget } : {}),
  });
  if (complaint && !complaint.isUsable) {
    reply.failure = { code: complaint.code, message: complaint.message };
    return;
  }
  if (complaint) reply.warnings.push(complaint.message);
  const unknown = parseUnknown(observation);
  if (unknown) reply.unknown = unknown.reason;
  else reply.observation = observation;
}
