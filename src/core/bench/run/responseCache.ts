import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { TokenUsage } from '../../prediction/question.ts';
import type { CompletionEvent, CompletionRequest, LanguageProvider } from '../../worlds/language/client/provider.ts';

/** A reply that was complete, as it is kept. */
const KeptReply = z.object({
  version: z.literal(1),
  content: z.string(),
  reasoning: z.string(),
  reason: z.enum(['stop', 'length', 'other']),
  model: z.string(),
  url: z.string(),
  body: z.record(z.string(), z.unknown()),
  usage: z.optional(TokenUsage),
});
type KeptReply = z.infer<typeof KeptReply>;

/** What besides the messages decides a reply: the server, the model, the sampling. Anything that JSON can hold. */
export type ReplyIdentity = Readonly<Record<string, unknown>>;

/**
 * A provider that keeps complete replies in a folder (absolute) and gives them again for the same messages, parameters and
 * `identity`, without asking the server. A file of the cache that cannot be read counts as absent; one that cannot be
 * written is no failure of the reply. `onHit` is called for a reply that comes from the cache.
 */
export function cachingProvider(
  provider: LanguageProvider,
  options: { folder: string; identity: ReplyIdentity; onHit?: () => void },
): LanguageProvider {
  return {
    status: (signal) => provider.status(signal),
    countTokens: (messages, signal) => provider.countTokens(messages, signal),
    async *complete(request): AsyncGenerator<CompletionEvent> {
      const file = fileFor(options.folder, options.identity, request);
      const kept = await readKept(file);
      if (kept) {
        options.onHit?.();
        yield* eventsOf(kept);
        return;
      }
      yield* recorded(provider.complete(request), file);
    },
  };
}

function fileFor(folder: string, identity: ReplyIdentity, { messages, parameters }: CompletionRequest): string {
  const sorted = Object.entries({ ...parameters, ...identity }).sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = createHash('sha256')
    .update(JSON.stringify([sorted, messages]))
    .digest('hex');
  return path.join(folder, hash.slice(0, 2), `${hash.slice(2)}.json`);
}

async function readKept(file: string): Promise<KeptReply | undefined> {
  try {
    const read = KeptReply.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}

function* eventsOf(kept: KeptReply): Generator<CompletionEvent> {
  yield { type: 'sent', url: kept.url, body: kept.body, dropped: [], warnings: [] };
  if (kept.reasoning !== '') yield { type: 'reasoning', text: kept.reasoning };
  if (kept.content !== '') yield { type: 'content', text: kept.content };
  if (kept.usage) {
    const { cachedTokens, reasoningTokens, ...usage } = kept.usage;
    const known = {
      ...usage,
      ...(cachedTokens === undefined ? {} : { cachedTokens }),
      ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
    };
    yield { type: 'usage', usage: known };
  }
  yield { type: 'finished', reason: kept.reason, model: kept.model };
}

/** The same events; the reply is kept when it is complete. */
async function* recorded(events: AsyncIterable<CompletionEvent>, file: string): AsyncGenerator<CompletionEvent> {
  let kept: KeptReply | undefined;
  for await (const event of events) {
    if (event.type === 'sent') {
      const { messages: _, ...body } = event.body;
      kept = { version: 1, content: '', reasoning: '', reason: 'other', model: '', url: event.url, body };
    } else if (kept && event.type === 'content') kept.content += event.text;
    else if (kept && event.type === 'reasoning') kept.reasoning += event.text;
    else if (kept && event.type === 'usage') kept.usage = { ...event.usage };
    else if (kept && event.type === 'finished') {
      await keep(file, { ...kept, reason: event.reason, model: event.model });
    }
    yield event;
  }
}

async function keep(file: string, reply: KeptReply): Promise<void> {
  // Whoever reads while it is written must not find half of it.
  const part = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`;
  try {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(part, JSON.stringify(reply), { mode: 0o600 });
    await rename(part, file);
  } catch {
    // The reply is there all the same.
  }
}
