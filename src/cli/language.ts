import { createOpenAiProvider } from '../core/worlds/language/client/client.ts';
import { conditionPresets, readConditions } from '../core/worlds/language/conditions/conditionPresets.ts';
import type { LanguageRequest } from '../core/worlds/language/imagine/languageRequest.ts';
import type { CliProcess } from './cliProcess.ts';
import { promptSettings, samplingOf } from './modelOptions.ts';
import type { CliOptions } from './options.ts';

/** What the options say of a language model; undefined where none takes part. A problem is one sentence. */
export function languageFor(
  options: CliOptions,
  { extensionFolder, cwd, env }: { extensionFolder: string } & Pick<CliProcess, 'env'> & { cwd: string },
): LanguageRequest | { problem: string } | undefined {
  if (options.modelUrl === undefined) return undefined;
  const conditions = readConditions(options.conditions, ['terminal', 'swe']);
  if ('problem' in conditions) return conditions;
  const prompts = promptSettings(options.prompting, { cwd, extensionFolder });
  if ('problem' in prompts) return prompts;
  const parameters = samplingOf(options.prompting);
  if ('problem' in parameters) return parameters;
  const key = env['FORETELL_API_KEY'];
  const provider = createOpenAiProvider({
    baseUrl: options.modelUrl,
    ...(options.modelName === undefined ? {} : { model: options.modelName }),
    ...(key ? { apiKey: async () => key } : {}),
  });
  return {
    ...prompts,
    provider,
    whole: options.imagine,
    samples: options.samples,
    conditions: conditions.ids,
    conditionText: options.conditionText,
    parameters,
  };
}

/** The conditions that `--under` takes, a line each, with where they can hold. */
export function conditionsText(): string {
  const width = Math.max(...conditionPresets.map(({ id }) => id.length));
  const titleWidth = Math.max(...conditionPresets.map(({ title }) => title.length));
  const lines = conditionPresets.map(
    ({ id, title, domains }) => `${id.padEnd(width)}  ${title.padEnd(titleWidth)}  ${domains.join(', ')}\n`,
  );
  return `${lines.join('')}${'random:SEED'.padEnd(width)}  one of them by chance; random:SEED:N draws N of different kinds\n`;
}
