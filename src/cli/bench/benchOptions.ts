import path from 'node:path';
import { readShard, type Shard } from '../../core/bench/run/shard.ts';
import type { Prices } from '../../core/bench/score/scoreRun.ts';
import { cacheFolder } from '../../core/context/cacheFolder.ts';
import { createOpenAiProvider } from '../../core/worlds/language/client/client.ts';
import type { LanguageProvider, SamplingParameters } from '../../core/worlds/language/client/provider.ts';
import type { TemplateFolder } from '../../core/worlds/language/template/templates.ts';
import type { Flags } from '../helpText.ts';
import { textOf, type Values } from '../optionValues.ts';
import type { Problem } from '../readArguments.ts';

/** Where the models are that a bench asks. */
export const modelUrlFlag = {
  type: 'string',
  value: 'URL',
  help: 'a server that speaks the OpenAI API (its key in FORETELL_API_KEY)',
} as const satisfies Flags[string];

/** A part of a bench, for several processes or machines. */
export const shardFlag = {
  type: 'string',
  value: 'I/N',
  help: 'only the I-th of N parts; foretell bench merge puts the parts together',
} as const satisfies Flags[string];

/** What it says; `undefined` where it is not given. */
export function shardOf(values: Values): Shard | undefined | Problem {
  const text = textOf(values, 'shard');
  if (text === undefined) return undefined;
  const problem = `--shard takes a part such as 2/4, not ${text || 'an empty text'}.`;
  return readShard(text) ?? { problem };
}

/** Prices, from `--price IN,OUT[,CACHED]` per million tokens. */
export function pricesOf(values: Values, name: string): Prices | undefined | Problem {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const [input, output, cachedInput, ...others] = text.split(',').map(Number);
  const all = [input, output, ...(cachedInput === undefined ? [] : [cachedInput])];
  const isRight = others.length === 0 && all.every((one) => one !== undefined && Number.isFinite(one) && one >= 0);
  if (!isRight || input === undefined || output === undefined) {
    return { problem: `--${name} takes prices per million tokens as IN,OUT or IN,OUT,CACHED, not ${text}.` };
  }
  return { input, output, ...(cachedInput === undefined ? {} : { cachedInput }) };
}

/** Where complete replies are kept (XDG Base Directory Specification). */
export function cacheFolderOf(values: Values, cwd: string): string | undefined {
  if (values['no-cache'] === true) return undefined;
  const given = textOf(values, 'cache');
  if (given !== undefined) return path.resolve(cwd, given);
  return path.join(cacheFolder(process.env), 'replies');
}

/** Templates: configured folders first, ours last. */
export function templateFoldersOf(
  configured: readonly string[],
  cwd: string,
  extensionFolder: string,
): TemplateFolder[] {
  return [
    ...configured.map((folder) => ({ source: 'configured' as const, path: path.resolve(cwd, folder) })),
    { source: 'shipped', path: path.join(extensionFolder, 'prompts') },
  ];
}

/** A model on a server, asked once for its name. */
export async function connect(
  options: { url: string; model: string | undefined; keyNames: readonly string[]; parameters: SamplingParameters },
  signal: AbortSignal,
): Promise<{ provider: LanguageProvider; model: string; warnings: readonly string[] } | Problem> {
  const key = options.keyNames.map((name) => process.env[name]).find((value) => value);
  const provider = createOpenAiProvider({
    baseUrl: options.url,
    ...(options.model === undefined ? {} : { model: options.model }),
    ...(key ? { apiKey: async () => key } : {}),
    parameters: options.parameters,
  });
  const status = await provider.status(signal);
  if (!status.ok) return { problem: status.message };
  return { provider, model: options.model ?? status.model, warnings: status.warnings };
}
