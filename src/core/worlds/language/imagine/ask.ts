import { setTimeout as sleep } from 'node:timers/promises';
import { estimateTokens } from '../../../context/estimateTokens.ts';
import type { LeftOut, Redacted } from '../../../context/workspaceContext.ts';
import type { AssumptionReason } from '../../../facts/assumption.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { AskedBlock, Question, Reply } from '../../../prediction/question.ts';
import type { ChatMessage, CompletionEvent } from '../client/provider.ts';
import { createReplyStream } from '../client/replyStream.ts';
import { blocksOfMessages } from '../prompt/messageBlocks.ts';
import { conditionsOf } from '../prompt/perturbations.ts';
import { type PromptRequest, renderPrompt } from '../prompt/prompt.ts';
import type { Domain, PromptBlock, Turn } from '../prompt/turns/turn.ts';
import { parseUnknown } from '../prompt/turns/turnTextUnknown.ts';
import type { AnswerForm } from '../reply/answerForms.ts';
import { checkReply } from '../reply/checkReply.ts';
import { failureOfFault, type ReadReply, readReply } from '../reply/readReply.ts';
import { repairMessages } from '../reply/repair.ts';
import { loadTemplate } from '../template/templates.ts';
import { changedPrompt } from './changedPrompt.ts';
import type { LanguageRequest } from './languageRequest.ts';
import { agreementOf, electSample } from './samples.ts';

/** One question: the turns of a trajectory, the last without its observation, and the form of the answer. */
export interface Asking<T> {
  program?: number;
  purpose: Question['purpose'];
  title: string;
  domain: Domain;
  turns: readonly Turn[];
  /** In what form the answer is asked for. What is not in it is no answer: it is asked for once more, and then given up. */
  form: AnswerForm<T>;
  /**
   * The prompt verbatim, as a row of a benchmark has it; the turns and the form do not count then. The observation is
   * found by the rules of the benchmark, in whatever came back, and nothing is asked twice.
   */
  messages?: readonly ChatMessage[];
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
      /** Only a part of the observation came; one sentence. Only of a prompt that was given verbatim. */
      incomplete?: string;
    }
  /** The model cannot know, or its reply was no answer, also when it was asked once more, or none came. */
  | { ok: false; because: Unanswered };

/** Why a question has no answer. */
export type Unanswered = Extract<AssumptionReason, { kind: 'unknown' | 'unusable' | 'failed' }>;

/** Asks the questions of one prediction. */
export interface Asker {
  /** Never rejects. */
  ask<T>(asking: Asking<T>): Promise<Asked<T>>;
}

interface Prompt {
  messages: readonly ChatMessage[];
  blocks: readonly PromptBlock[];
}

const defaultMostQuestions = 40;

/** How long an answer that has come waits for the counts of its prompt; they are there long before where a model writes. */
const countGraceMs = 50;
/** How long a request has to get on its way before its blocks are counted. */
const countPauseMs = 30;

/**
 * Asks questions and tells everything about them: what is sent, what comes, what is read out of it. Questions are counted
 * from 1 over the whole prediction.
 */
export function createAsker(language: LanguageRequest, tell: (event: FactEvent) => void): Asker {
  const most = language.mostQuestions ?? defaultMostQuestions;
  const conditions = conditionsOf(language);
  /** The quickstart style asks for bare text. */
  const isTagged = (language.style ?? 'benchmark') !== 'quickstart';
  let count = 0;
  let before: { id: number; messages: readonly ChatMessage[] } | undefined;

  async function promptOf(asking: Asking<unknown>): Promise<Prompt | { ok: false; code: string; message: string }> {
    const { messages, values } = asking;
    if (messages) return { messages, blocks: blocksOfMessages(messages) };
    const style = language.style ?? 'benchmark';
    const given = asking.template ?? language.templates?.[asking.domain];
    const own = given === undefined ? undefined : { ok: true as const, text: given };
    // The quickstart style has a system prompt of its own.
    const template =
      own ??
      (style === 'quickstart' ? undefined : await loadTemplate(asking.domain, 'system', language.templateFolders));
    if (template && !template.ok) return template;
    return renderPrompt({
      domain: asking.domain,
      style,
      dialect: language.dialect ?? 'qwen',
      turns: asking.turns,
      conditions: {
        ...conditions,
        ...(asking.fictionalWorld === undefined ? {} : { fictionalWorld: asking.fictionalWorld }),
      },
      ...(values ? { values } : {}),
      ...(template ? { template: template.text } : {}),
      ...(asking.currentState === undefined ? {} : { currentState: asking.currentState }),
    });
  }

  function questionOf(id: number, asking: Asking<unknown>, prompt: Prompt, attempt: Attempt): Question {
    const begins = before && { question: before.id, count: sharedStart(before.messages, prompt.messages) };
    const own = conditions.freeText.trim();
    const blocks = prompt.blocks.map((block): AskedBlock => {
      const text = prompt.messages[block.message]?.content.slice(block.start, block.end) ?? '';
      return { ...block, tokens: estimateTokens(text) };
    });
    return {
      id,
      purpose: asking.purpose,
      title: attempt.repairs === undefined ? asking.title : `${asking.title}, once more`,
      domain: asking.domain,
      messages: prompt.messages.slice(begins?.count ?? 0).map((message) => ({ ...message })),
      blocks,
      tokens: { count: blocks.reduce((sum, block) => sum + block.tokens, 0), exact: false },
      leftOut: [...asking.leftOut],
      redacted: [...asking.redacted],
      perturbations: [...conditions.perturbations.map((one) => one.title), ...(own ? [own] : [])],
      ...(asking.program === undefined ? {} : { program: asking.program }),
      ...attempt,
      ...(begins && begins.count > 0 ? { begins } : {}),
    };
  }

  async function askOnce<T>(asking: Asking<T>, prompt: Prompt, attempt: Attempt): Promise<Answer<T>> {
    count += 1;
    const id = count;
    const asked = changedPrompt(
      prompt,
      (language.changedMessages ?? []).filter((one) => one.question === id),
    );
    const question = questionOf(id, asking, asked, attempt);
    before = { id, messages: asked.messages };
    tell({ type: 'question', ...question });
    const counting = language.countsBlocks ? countBlocks(question, asked.messages, asking.signal) : undefined;
    const answer = await receive(id, asked.messages, asking);
    await counting?.end();
    return answer;
  }

  /**
   * Has the blocks counted beside the answer. The request is on its way before the first count is asked for, and the
   * answer never waits longer than `countGraceMs`.
   */
  function countBlocks({ id, blocks }: Question, messages: readonly ChatMessage[], signal: AbortSignal) {
    const over = new AbortController();
    const { countTexts } = language.provider;
    const count = async () => {
      const texts = blocks.map(({ message, start, end }) => messages[message]?.content.slice(start, end) ?? '');
      const counts = (await countTexts?.(texts, signal)) ?? [];
      if (over.signal.aborted || !counts.some((tokens) => tokens !== undefined)) return;
      tell({ type: 'counted', question: id, blocks: counts.map((tokens) => tokens ?? null) });
    };
    const begin = new AbortController();
    const counting = sleep(countPauseMs, undefined, { signal: begin.signal }).then(count, count);
    return {
      async end() {
        begin.abort();
        if (!signal.aborted) await Promise.race([counting, sleep(countGraceMs)]);
        over.abort();
      },
    };
  }

  /** Follows one reply to its end; shows the reasoning and the observation as they come. */
  async function receive<T>(id: number, messages: readonly ChatMessage[], asking: Asking<T>): Promise<Answer<T>> {
    const { signal } = asking;
    const startedAt = performance.now();
    const reply: Reply = {
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
    let isToolCall = false;
    let stream = createReplyStream();
    let shown = { thought: '', observation: '' };
    const show = (progress: { thought: string; observation: string }) => {
      reply.firstTokenMs ??= Math.round(performance.now() - startedAt);
      if (progress.thought.length > shown.thought.length) {
        tell({ type: 'thought', question: id, text: progress.thought.slice(shown.thought.length) });
      }
      if (progress.observation !== shown.observation) {
        const goesOn = progress.observation.startsWith(shown.observation);
        const text = goesOn ? progress.observation.slice(shown.observation.length) : progress.observation;
        tell({ type: 'said', question: id, text, ...(goesOn ? {} : { restart: true }) });
      }
      shown = { thought: progress.thought, observation: progress.observation };
    };
    for await (const event of language.provider.complete({
      messages,
      signal,
      ...(language.parameters ? { parameters: language.parameters } : {}),
    })) {
      if (event.type === 'retry') {
        stream = createReplyStream();
        if (shown.observation !== '') tell({ type: 'said', question: id, text: '', restart: true });
        shown = { thought: '', observation: '' };
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
      read = readReply(reply, asking.form, { isTagged, isToolCall });
      Object.assign(reply, factsOfReading(read));
      // What was shown while it came is no answer.
      if (!read.ok && shown.observation !== '') tell({ type: 'said', question: id, text: '', restart: true });
    }
    tell({ type: 'reply', ...reply });
    return { reply, read };
  }

  /** The answer that counts of several: one that more than half agree with. */
  function elect<T>(asking: Asking<T>, answers: readonly Answer<T>[]): Answer<T> | Asked<T> {
    const { says } = asking.form;
    const usable = answers.filter(({ read }) => read?.ok);
    const saysOf = ({ read }: Answer<T>) =>
      !read?.ok ? '' : read.kind === 'unknown' ? 'cannot be known' : (says?.(read.value) ?? read.observation);
    // Where answers have nothing to vote about, what most of them write counts.
    const { votes, elected } = electSample(usable, says ? saysOf : () => '', ({ reply }) => reply.observation ?? '');
    const chosen = elected ?? usable[0];
    if (!chosen) return answers[0] ?? cancelled;
    const replies = answers.map(({ reply }) => reply);
    const agreement = { ...agreementOf(chosen.reply, replies), ...(says && votes.length > 0 ? { votes } : {}) };
    tell({ type: 'reply', ...chosen.reply, agreement });
    if (!elected) return { ok: false, because: { kind: 'unusable', fault: { kind: 'disagreement', votes } } };
    if (says && votes.length > 1) {
      const all = votes.map((vote) => `${vote.count} × ${vote.says}`).join(', ');
      tell({
        type: 'notice',
        text: `The samples of “${asking.title}” disagree: ${all}. What most of them say counts.`,
      });
    }
    return elected;
  }

  /** Asks once more where the reply was no answer, and says what was wrong with it. */
  async function repaired<T>(asking: Asking<T>, prompt: Prompt, answer: Answer<T>): Promise<Asked<T>> {
    const { reply, read } = answer;
    const first = outcomeOf(answer);
    // A secret that was not shown cannot be told when it is asked for again.
    const isHopeless = read?.ok === false && read.fault.kind === 'redacted';
    if (!read || read.ok || isHopeless || asking.signal.aborted || count >= most) return first;
    const { words } = asking.form;
    const again = repairMessages(prompt.messages, reply.raw, { fault: read.fault, words, isTagged });
    const blocks = [...prompt.blocks, ...again.blocks];
    const second = await askOnce(asking, { messages: again.messages, blocks }, { repairs: reply.question });
    return second.read?.ok ? outcomeOf(second) : first;
  }

  return {
    async ask<T>(asking: Asking<T>): Promise<Asked<T>> {
      const prompt = await promptOf(asking);
      if (!('messages' in prompt))
        return { ok: false, because: { kind: 'failed', code: prompt.code, message: prompt.message } };
      const samples = asking.sampled ? Math.max(1, language.samples ?? 1) : 1;
      const answers: Answer<T>[] = [];
      for (let sample = 1; sample <= samples && !asking.signal.aborted; sample += 1) {
        if (count >= most) break;
        answers.push(await askOnce(asking, prompt, samples > 1 ? { sample } : {}));
      }
      const [first] = answers;
      if (!first) {
        const message = `More than ${most} questions in one prediction were not asked; raise the limit in the settings to ask more.`;
        return { ok: false, because: { kind: 'failed', code: 'too-many-questions', message } };
      }
      const chosen = answers.length > 1 && !asking.messages ? elect(asking, answers) : first;
      if ('ok' in chosen) return chosen;
      if (asking.messages && answers.length > 1) {
        const replies = answers.map(({ reply }) => reply);
        tell({ type: 'reply', ...first.reply, agreement: agreementOf(first.reply, replies) });
      }
      return language.repairs === false ? outcomeOf(chosen) : repaired(asking, prompt, chosen);
    },
  };
}

/** Which of several a question is: of samples, or of one that is asked once more. */
type Attempt = Pick<Question, 'sample' | 'repairs'>;

/** A reply, and what it says in the form that was asked for; absent where nothing complete came, or the form does not count. */
interface Answer<T> {
  reply: Reply;
  read: ReadReply<T> | undefined;
}

const cancelled: Asked<never> = {
  ok: false,
  because: { kind: 'failed', code: 'cancelled', message: 'it was cancelled' },
};

/** The failure that a missing answer is where there is nothing but the model's word. */
export function failureOfUnanswered(because: Exclude<Unanswered, { kind: 'unknown' }>): {
  code: string;
  message: string;
} {
  if (because.kind === 'unusable') return failureOfFault(because.fault);
  return { code: because.code, message: because.message };
}

function outcomeOf<T>({ reply, read }: Answer<T>): Asked<T> {
  if (read?.ok === false) return { ok: false, because: { kind: 'unusable', fault: read.fault } };
  if (reply.failure) return { ok: false, because: { kind: 'failed', ...reply.failure } };
  if (reply.unknown !== undefined) return { ok: false, because: { kind: 'unknown', says: reply.unknown } };
  const { observation } = reply;
  if (observation === undefined) return cancelled;
  const value = read?.ok && read.kind === 'answer' ? read.value : undefined;
  const isCut = reply.finish === 'length' && value === undefined && reply.rule !== 'tagged';
  const warning = isCut ? reply.warnings.at(-1) : undefined;
  return { ok: true, observation, value, ...(warning === undefined ? {} : { incomplete: warning }) };
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

function sharedStart(a: readonly ChatMessage[], b: readonly ChatMessage[]): number {
  let count = 0;
  while (count < a.length && count < b.length) {
    if (a[count]?.role !== b[count]?.role || a[count]?.content !== b[count]?.content) break;
    count += 1;
  }
  return count;
}
