import { estimatePrompt } from '../client/clientCount.ts';
import type { LanguageProvider } from '../client/provider.ts';

/** Code of the failure that every question to it ends with. */
const previewCode = 'preview';

/**
 * A provider that sends nothing: each question fails at once. What a prediction would ask stands in its `question` events
 * all the same, so a prompt can be looked at that is made in the one way in which prompts are made.
 */
export function createPreviewProvider(): LanguageProvider {
  const message = 'Nothing was sent, because this is a preview; run the prompt to ask the model.';
  return {
    status: async () => ({ ok: false, code: previewCode, message }),
    async *complete() {
      yield { type: 'failed', code: previewCode, message };
    },
    countTokens: async (messages) => ({ tokens: estimatePrompt(messages), exact: false }),
  };
}
