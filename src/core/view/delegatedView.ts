import type { View } from './view.ts';

/** A view that asks another one, which may come later or not at all, and is closed in a way of its own. */
export function delegatedView(other: () => View | undefined, close: View['close']): Required<View> {
  return {
    read: async (path, moment, maxBytes) => other()?.read(path, moment, maxBytes),
    readMany: (paths, moment, maxBytes) => other()?.readMany?.(paths, moment, maxBytes),
    countLines: (paths, moment, maxBytes) => other()?.countLines?.(paths, moment, maxBytes),
    compare: (pairs) => other()?.compare?.(pairs),
    status: async (path, moment) => other()?.status?.(path, moment),
    severalNames: () => other()?.severalNames?.(),
    close,
  };
}
