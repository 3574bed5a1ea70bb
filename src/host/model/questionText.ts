import type { Prediction } from '../../core/prediction/prediction.ts';
import { type AskedQuestion, messagesOf } from '../../core/prediction/question.ts';
import { asCurl } from '../../core/worlds/language/prompt/promptCurl.ts';
import { toAgentWorldRow } from '../../core/worlds/language/prompt/promptRow.ts';
import { type Domain, domains } from '../../core/worlds/language/prompt/turns/turn.ts';

/** What can be made of a question: for an editor, or for the clipboard. */
export type QuestionForm = 'prompt' | 'request' | 'reply' | 'rawReply' | 'curl' | 'row';

/** A question of a prediction, as text. The API key is in none of them: it is not in the events. */
export function questionText(
  prediction: Pick<Prediction, 'questions'>,
  question: AskedQuestion,
  form: QuestionForm,
): string {
  const messages = messagesOf(prediction.questions, question);
  const { reply } = question;
  const body = { ...reply?.body, messages };
  switch (form) {
    case 'prompt':
      return messages.map(({ role, content }) => `## ${role}\n\n${ended(content)}`).join('\n');
    case 'request':
      return `${JSON.stringify(body, null, 2)}\n`;
    case 'rawReply':
      return reply?.raw ?? question.said;
    case 'reply':
      return replyText(question);
    case 'curl':
      return asCurl(reply?.url || 'http://127.0.0.1:8000/v1/chat/completions', body);
    case 'row': {
      const id = `foretell-${question.id}`;
      return `${JSON.stringify(toAgentWorldRow({ domain: domainOf(question), id, messages: [...messages] }))}\n`;
    }
  }
}

/** Its domain; one of a newer version counts as a terminal. */
export function domainOf(question: Pick<AskedQuestion, 'domain'>): Domain {
  return domains.find((domain) => domain === question.domain) ?? 'terminal';
}

function replyText({ reply, thoughts, said }: AskedQuestion): string {
  const reasoning = reply?.reasoning ?? thoughts;
  const raw = reply?.raw ?? said;
  const parts = [`## reply\n\n${ended(raw === '' ? '(nothing)' : raw)}`];
  if (reasoning !== '') parts.unshift(`## reasoning\n\n${ended(reasoning)}`);
  if (reply?.failure) parts.push(`## failure\n\n${reply.failure.message}\n`);
  if (!reply) parts.push('It is not complete yet.\n');
  return parts.join('\n');
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
