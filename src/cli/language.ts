import path from 'node:path';
import { createOpenAiProvider } from '../core/worlds/language/client/client.ts';
import type { LanguageRequest } from '../core/worlds/language/imagine/languageRequest.ts';
import { conditionPresets } from '../core/worlds/language/prompt/conditions.ts';
import type { CliOptions } from './options.ts';

/** What the options say of a language model; undefined where none takes part. A problem is one sentence. */
export function languageFor(
  options: CliOptions,
  extensionFolder: string,
): LanguageRequest | { problem: string } | undefined {
  if (options.modelUrl === undefined) return undefined;
  const unknown = options.conditions.find((id) => !conditionPresets.some((preset) => preset.id === id));
  if (unknown !== undefined) return { problem: `There is no condition ${unknown}; --under list shows all.` };
  const key = process.env['FORETELL_API_KEY'];
  const provider = createOpenAiProvider({
    baseUrl: options.modelUrl,
    ...(options.modelName === undefined ? {} : { model: options.modelName }),
    ...(key ? { apiKey: async () => key } : {}),
  });
  const configured = options.promptFolder;
  return {
    provider,
    whole: options.imagine,
    samples: options.samples,
    conditions: options.conditions,
    templateFolders: [
      ...(configured === undefined ? [] : [{ source: 'configured' as const, path: path.resolve(configured) }]),
      { source: 'shipped', path: path.join(extensionFolder, 'prompts') },
    ],
  };
}

/** The conditions that `--under` takes, a line each. */
export function conditionsText(): string {
  const width = Math.max(...conditionPresets.map(({ id }) => id.length));
  return conditionPresets.map(({ id, title }) => `${id.padEnd(width)}  ${title}\n`).join('');
}
