import type { LanguageProvider, ProviderStatus } from '../../core/worlds/language/client/provider.ts';

/**
 * A provider that is loaded when it is first asked something. A load that fails becomes a failure of what was asked; the
 * next question tries again. `told` sees each status.
 */
export function createLazyProvider(
  load: () => Promise<LanguageProvider>,
  told: (status: ProviderStatus) => void,
): LanguageProvider {
  let loading: Promise<LanguageProvider> | undefined;
  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    async status(signal) {
      const provider = await loaded().catch(asFailure);
      const status = 'complete' in provider ? await provider.status(signal) : { ok: false as const, ...provider };
      told(status);
      return status;
    },
    async *complete(request) {
      const provider = await loaded().catch(asFailure);
      if ('complete' in provider) yield* provider.complete(request);
      else yield { type: 'failed', ...provider };
    },
    async countTexts(texts, signal) {
      const provider = await loaded().catch(asFailure);
      const counted = 'complete' in provider ? await provider.countTexts?.(texts, signal) : undefined;
      return counted ?? texts.map(() => undefined);
    },
    async countTokens(messages, signal) {
      const provider = await loaded().catch(asFailure);
      if ('complete' in provider) return provider.countTokens(messages, signal);
      const { estimateTokens } = await import('../../core/context/estimateTokens.ts');
      return { tokens: messages.reduce((sum, { content }) => sum + estimateTokens(content), 0), exact: false };
    },
  };
}

function asFailure(error: unknown): { code: string; message: string } {
  const reason = error instanceof Error ? error.message : String(error);
  return { code: 'internal', message: `The model client could not be loaded (${reason}); reload the window.` };
}
