import type { ChatMessage, SamplingParameters } from '../../core/worlds/language/client/provider.ts';

/** A message as the editor's chat models take it. */
export interface EditorMessage {
  role: 'user' | 'assistant';
  content: string;
}

/** There is no system role: its text goes in front of the first user message. */
export function toEditorMessages(messages: readonly ChatMessage[]): EditorMessage[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content);
  const rest: EditorMessage[] = [];
  for (const { role, content } of messages) if (role !== 'system') rest.push({ role, content });
  if (system.length === 0) return rest;
  const text = system.join('\n\n');
  const [first, ...later] = rest;
  if (first?.role !== 'user') return [{ role: 'user', content: text }, ...rest];
  return [{ role: 'user', content: `${text}\n\n${first.content}` }, ...later];
}

/** What the editor's models are told about sampling, and what is dropped, with names as on the wire. */
export function toEditorOptions(parameters: SamplingParameters): {
  options: Record<string, number>;
  dropped: { name: string; why: string }[];
} {
  const dropped: { name: string; why: string }[] = [];
  const drop = (name: string, value: unknown, why: string) => {
    if (value !== undefined) dropped.push({ name, why });
  };
  const notTaken = 'chat models of the editor do not take it';
  drop('top_p', parameters.topP, notTaken);
  drop('top_k', parameters.topK, notTaken);
  drop('seed', parameters.seed, notTaken);
  drop('max_tokens', parameters.maxOutputTokens, 'the model’s own limit holds, which the editor does not tell');
  const picker = 'how much it reasons is chosen in the editor’s model picker';
  drop('thinking', parameters.thinking, picker);
  drop('thinking_token_budget', parameters.thinkingBudgetTokens, picker);
  return { options: parameters.temperature === undefined ? {} : { temperature: parameters.temperature }, dropped };
}

/** An error of the editor's chat models as one sentence with a next step. */
export function editorComplaint(error: unknown, model: string): { code: string; message: string } {
  const { code, text } = partsOf(error);
  const said = text === '' ? '' : ` (“${text}”)`;
  if (code === 'NoPermissions') {
    return {
      code: 'no-permission',
      message: `You have not allowed Foretell to use ${model}; predict again and choose Allow, or connect another model.`,
    };
  }
  if (code === 'Blocked' || /quota|rate.?limit|too many requests/i.test(text)) {
    return {
      code: 'no-quota',
      message: `${model} takes no more requests now${said}; wait, or connect another model.`,
    };
  }
  if (code === 'NotFound') {
    return {
      code: 'model-unknown',
      message: `${model} is not there any more; run “Connect a Model…” and choose another.`,
    };
  }
  if (/token|context|too long|length/i.test(text) && /exceed|limit|large|long|max/i.test(text)) {
    return {
      code: 'prompt-too-long',
      message: `The prompt is too long for ${model}${said}; lower the setting foretell.model.contextTokens.`,
    };
  }
  return { code: 'editor-model', message: `${model} gave no answer${said}; predict again, or connect another model.` };
}

/** The innermost cause says what happened. */
function partsOf(error: unknown): { code: string; text: string } {
  let code = '';
  let text = '';
  let at: unknown = error;
  for (let depth = 0; depth < 5 && at instanceof Error; depth++) {
    const own: unknown = (at as { code?: unknown }).code;
    if (code === '' && typeof own === 'string') code = own;
    text = at.message;
    at = at.cause;
  }
  return { code, text: oneLine(text) };
}

function oneLine(text: string): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!?]+$/, '');
  return line.length <= 160 ? line : `${line.slice(0, 159)}…`;
}
