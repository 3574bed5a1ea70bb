import type { FactEvent } from '../../../prediction/factEvent.ts';
import { conditionsOf } from '../prompt/conditions.ts';
import { repairMessages } from '../reply/repair.ts';
import { type Attempt, type Prompt, promptOf, questionOf, type Sent } from './askedPrompt.ts';
import type { Asked, Asking } from './asking.ts';
import { changedPrompt } from './changedPrompt.ts';
import { countBlocks } from './countBlocks.ts';
import { type Answer, followReply, isTagged } from './followReply.ts';
import type { LanguageRequest } from './languageRequest.ts';
import { electAnswer, outcomeOf } from './outcome.ts';
import { agreementOf, samplesOf } from './samples.ts';

/** Asks the questions of one prediction. */
export interface Asker {
  /** Never rejects. */
  ask<T>(asking: Asking<T>): Promise<Asked<T>>;
}

const defaultMostQuestions = 40;

/**
 * Asks questions and tells everything about them: what is sent, what comes, what is read out of it. Questions are counted
 * from 1 over the whole prediction.
 */
export function createAsker(language: LanguageRequest, tell: (event: FactEvent) => void): Asker {
  const most = language.mostQuestions ?? defaultMostQuestions;
  const conditions = conditionsOf(language);
  let count = 0;
  let before: Sent | undefined;

  async function askOnce<T>(asking: Asking<T>, prompt: Prompt, attempt: Attempt): Promise<Answer<T>> {
    count += 1;
    const id = count;
    const asked = changedPrompt(
      prompt,
      (language.changedMessages ?? []).filter((one) => one.question === id),
    );
    const question = questionOf(asking, asked, { id, attempt, conditions, before });
    const sent = { id, messages: asked.messages };
    before = sent;
    tell({ type: 'question', ...question });
    const counting = language.countsBlocks
      ? countBlocks(question, asked.messages, { provider: language.provider, tell, signal: asking.signal })
      : undefined;
    const answer = await followReply(sent, asking, { language, tell });
    await counting?.end();
    return answer;
  }

  /** Asks once more where the reply was no answer, and says what was wrong with it. */
  async function repaired<T>(asking: Asking<T>, prompt: Prompt, answer: Answer<T>): Promise<Asked<T>> {
    const { reply, read } = answer;
    const first = outcomeOf(answer);
    // A secret that was not shown cannot be told when it is asked for again.
    const isHopeless = read?.ok === false && read.fault.kind === 'redacted';
    if (!read || read.ok || isHopeless || asking.signal.aborted || count >= most) return first;
    const { words } = asking.form;
    const again = repairMessages(prompt.messages, reply.raw, {
      fault: read.fault,
      words,
      isTagged: isTagged(language),
    });
    const blocks = [...prompt.blocks, ...again.blocks];
    const second = await askOnce(asking, { messages: again.messages, blocks }, { repairs: reply.question });
    return second.read?.ok ? outcomeOf(second) : first;
  }

  return {
    async ask<T>(asking: Asking<T>): Promise<Asked<T>> {
      const prompt = await promptOf(asking, language);
      if (!('messages' in prompt))
        return { ok: false, because: { kind: 'failed', code: prompt.code, message: prompt.message } };
      const wanted = asking.sampled ? Math.max(1, language.samples ?? 1) : 1;
      const possible = Math.min(wanted, Math.max(0, most - count));
      const attempts = Array.from({ length: possible }, (_, index) => (wanted > 1 ? { sample: index + 1 } : {}));
      const answers = await Promise.all(attempts.map((attempt) => askOnce(asking, prompt, attempt)));
      const [first] = answers;
      if (!first) {
        const message = `More than ${most} questions in one prediction were not asked; raise the limit in the settings to ask more.`;
        return { ok: false, because: { kind: 'failed', code: 'too-many-questions', message } };
      }
      const chosen = answers.length > 1 && !asking.messages ? electAnswer(asking, answers, tell) : first;
      const samples = samplesOf(asking, answers, chosen);
      if ('ok' in chosen) return { ...chosen, ...samples };
      if (asking.messages && answers.length > 1) {
        const replies = answers.map(({ reply }) => reply);
        tell({ type: 'reply', ...first.reply, agreement: agreementOf(first.reply, replies) });
      }
      const asked = language.repairs === false ? outcomeOf(chosen) : await repaired(asking, prompt, chosen);
      return { ...asked, ...samples };
    },
  };
}
