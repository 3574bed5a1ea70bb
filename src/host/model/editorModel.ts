import type * as vscode from 'vscode';
import { estimateTokens } from '../../core/context/estimateTokens.ts';
import type {
  CompletionEvent,
  CompletionRequest,
  LanguageProvider,
  ProviderStatus,
} from '../../core/worlds/language/client/provider.ts';
import { createTextCounts, type TextCounts } from '../../core/worlds/language/prompt/textCounts.ts';
import { editorComplaint, toEditorMessages, toEditorOptions } from './editorPrompt.ts';

/** Shown by the editor when it asks the user whether this extension may use a model. */
const justification =
  'Foretell asks the model what a program would print and change, and sends it the command with parts of the workspace.';

const none = {
  code: 'no-editor-model',
  message:
    'This editor has no chat model; install an extension that brings one (such as GitHub Copilot) and sign in, or connect a server.',
};

/** What is used of the editor; `editorAccess` is the real one. */
export interface EditorAccess {
  /** The chat models of the user's editor; empty where there are none. */
  models(): Promise<vscode.LanguageModelChat[]>;
  userMessage(text: string): vscode.LanguageModelChatMessage;
  assistantMessage(text: string): vscode.LanguageModelChatMessage;
  cancellation(): vscode.CancellationTokenSource;
}

/** How a model of the editor is written in the setting: `copilot/gpt-4.1`. */
export const editorModelName = (model: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>) =>
  `${model.vendor}/${model.id}`;

/** `wanted`: as in the setting, or a family or title that a person would write; absent: the first one. */
export function createEditorProvider(wanted: string | undefined, editor: EditorAccess): LanguageProvider {
  let counts: { model: string; texts: TextCounts } | undefined;
  async function choose(): Promise<vscode.LanguageModelChat | { code: string; message: string }> {
    const models = await editor.models();
    if (models.length === 0) return none;
    const found = models.find((model) => wanted === undefined || namesOf(model).includes(wanted));
    return (
      found ?? { code: 'model-unknown', message: `This editor has no model ${wanted}; run “Connect a Model…” again.` }
    );
  }

  return {
    async status(): Promise<ProviderStatus> {
      const model = await choose();
      if (!('sendRequest' in model)) return { ok: false, ...model };
      return {
        ok: true,
        name: `${model.name} in the editor`,
        model: editorModelName(model),
        models: (await editor.models()).map(editorModelName),
        contextTokens: model.maxInputTokens,
        countsExactly: false,
        warnings: warningsAbout(model),
      };
    },
    async *complete(request) {
      if (request.tools) {
        const message = 'Tools are not passed on to models of the editor; connect a server that speaks the OpenAI API.';
        return yield { type: 'failed', code: 'no-tools', message };
      }
      const model = await choose();
      if ('sendRequest' in model) yield* ask(editor, model, request);
      else yield { type: 'failed', ...model };
    },
    async countTexts(texts, signal) {
      const model = await choose();
      if (!('sendRequest' in model)) return texts.map(() => undefined);
      const { token, dispose } = tokenOf(editor, signal);
      if (counts?.model !== model.id) counts = { model: model.id, texts: createTextCounts() };
      try {
        return await counts.texts.count(texts, async (text) => model.countTokens(text, token), signal);
      } finally {
        dispose();
      }
    },
    async countTokens(messages, signal) {
      const model = await choose();
      const text = messages.map(({ content }) => content).join('\n');
      const estimate = () => ({ tokens: estimateTokens(text), exact: false });
      if (!('sendRequest' in model)) return estimate();
      const { token, dispose } = tokenOf(editor, signal);
      try {
        // Not exact: the editor adds text of its own.
        return { tokens: await model.countTokens(text, token), exact: false };
      } catch {
        return estimate();
      } finally {
        dispose();
      }
    },
  };
}

async function* ask(
  editor: EditorAccess,
  model: vscode.LanguageModelChat,
  request: CompletionRequest,
): AsyncIterable<CompletionEvent> {
  const { signal } = request;
  const messages = toEditorMessages(request.messages);
  const { options, dropped } = toEditorOptions(request.parameters ?? {});
  yield {
    type: 'sent',
    url: `vscode.lm:${editorModelName(model)}`,
    body: { model: editorModelName(model), messages, ...options },
    dropped,
    warnings: warningsAbout(model),
  };
  const { token, aborted, dispose } = tokenOf(editor, signal);
  let text = '';
  try {
    const asked = messages.map(({ role, content }) =>
      role === 'user' ? editor.userMessage(content) : editor.assistantMessage(content),
    );
    const sent = model.sendRequest(asked, { justification, modelOptions: options }, token);
    // An extension that brings a model may take its time to notice the token; the user does not wait for it.
    const response = await Promise.race([sent, aborted]);
    if (response === undefined) return yield { type: 'cancelled' };
    const pieces = response.text[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([pieces.next(), aborted]);
      if (next === undefined) return yield { type: 'cancelled' };
      if (next.done) break;
      text += next.value;
      yield { type: 'content', text: next.value };
    }
    const counted = await countBoth(model, messages.map(({ content }) => content).join('\n'), text);
    if (counted) yield { type: 'usage', usage: counted };
    yield { type: 'finished', reason: 'stop', model: model.name };
  } catch (error) {
    yield signal.aborted ? { type: 'cancelled' } : { type: 'failed', ...editorComplaint(error, model.name) };
  } finally {
    dispose();
  }
}

async function countBoth(model: vscode.LanguageModelChat, prompt: string, reply: string) {
  try {
    const [promptTokens, completionTokens] = await Promise.all([model.countTokens(prompt), model.countTokens(reply)]);
    return { promptTokens, completionTokens, exact: false };
  } catch {
    return undefined;
  }
}

function namesOf(model: vscode.LanguageModelChat): string[] {
  return [editorModelName(model), model.id, model.family, model.name, `${model.vendor}/${model.family}`];
}

function warningsAbout(model: vscode.LanguageModelChat): string[] {
  return model.vendor === 'copilot' ? ['The editor puts instructions of its own in front of the prompt.'] : [];
}

/** A token that follows a signal, and a promise that resolves (with nothing) when it is aborted. */
function tokenOf(editor: EditorAccess, signal: AbortSignal) {
  const source = editor.cancellation();
  let stop = () => {};
  const aborted = new Promise<undefined>((resolve) => {
    stop = () => {
      source.cancel();
      resolve(undefined);
    };
  });
  if (signal.aborted) stop();
  else signal.addEventListener('abort', stop, { once: true });
  return {
    token: source.token,
    aborted,
    dispose() {
      signal.removeEventListener('abort', stop);
      source.dispose();
    },
  };
}
