import fs from 'node:fs';
import path from 'node:path';
import { createOpenAiProvider } from '../../core/worlds/language/client/client.ts';
import type { LanguageProvider } from '../../core/worlds/language/client/provider.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import { conditionPresets } from '../../core/worlds/language/prompt/conditions.ts';
import type { BenchProcess } from '../bench/benchProcess.ts';
import { promptSettings } from '../bench/benchRows.ts';
import type { Flags } from '../helpText.ts';

/** Options of everything that asks a model of the world. */
export const worldFlags = {
  'model-url': {
    type: 'string',
    value: 'URL',
    help: "server of the world's model; it speaks the OpenAI API (its key in FORETELL_API_KEY)",
  },
  model: { type: 'string', value: 'NAME', help: 'which of its models (default: the first)' },
  prompts: { type: 'string', value: 'DIR', help: 'templates: DIR/<domain>/system_prompt.txt' },
  style: { type: 'string', value: 'NAME', help: 'of the prompt: benchmark (default) or quickstart' },
  dialect: { type: 'string', value: 'NAME', help: 'of shell tools: qwen (default) or claude' },
  budget: { type: 'string', value: 'TOKENS', help: 'most tokens of workspace in a prompt (default: 16000)' },
  under: { type: 'string', value: 'ID[,ID…]', help: 'conditions such as disk-full' },
  'under-text': { type: 'string', value: 'TEXT', help: 'conditions in your own words' },
  world: { type: 'string', value: 'FILE', help: 'a fictional world, in words' },
  temperature: { type: 'string', value: 'N', help: 'how replies are sampled' },
  'max-tokens': { type: 'string', value: 'N', help: 'budget of a reply with its reasoning' },
} as const satisfies Flags;

/** Their values, as they were given. */
export type WorldValues = { [Name in keyof typeof worldFlags]?: string | undefined };

/** What they say; a problem is one sentence. */
export function readWorld(
  values: WorldValues,
  around: BenchProcess,
): { language: Omit<LanguageRequest, 'turn' | 'whole'>; fictionalWorld: string | undefined } | { problem: string } {
  const url = values['model-url'];
  if (url === undefined)
    return { problem: 'A simulated environment needs a model; give its server with --model-url URL.' };
  const settings = promptSettings(values, around);
  if ('problem' in settings) return settings;
  const conditions = (values.under ?? '').split(',').filter((id) => id !== '');
  const unknown = conditions.find((id) => !conditionPresets.some((preset) => preset.id === id));
  if (unknown !== undefined) return { problem: `There is no condition ${unknown}; foretell --under list shows all.` };
  const temperature = values.temperature === undefined ? undefined : Number(values.temperature);
  if (temperature !== undefined && !(temperature >= 0))
    return { problem: `--temperature takes a number from 0, not ${values.temperature}.` };
  const maxOutputTokens = values['max-tokens'] === undefined ? undefined : Number(values['max-tokens']);
  if (maxOutputTokens !== undefined && !(maxOutputTokens >= 1))
    return { problem: `--max-tokens takes a whole number from 1, not ${values['max-tokens']}.` };
  let fictionalWorld: string | undefined;
  if (values.world !== undefined) {
    const file = path.resolve(around.cwd, values.world);
    try {
      fictionalWorld = fs.readFileSync(file, 'utf8');
    } catch (error) {
      return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
    }
  }
  const parameters = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
  };
  return {
    language: {
      ...settings,
      provider: providerAt(url, values.model),
      conditions,
      conditionText: values['under-text'] ?? '',
      parameters,
    },
    fictionalWorld,
  };
}

/** A model server; its key, if it wants one, is in FORETELL_API_KEY, or in the variable that is named. */
export function providerAt(url: string, model: string | undefined, variable = 'FORETELL_API_KEY'): LanguageProvider {
  const key = process.env[variable];
  return createOpenAiProvider({
    baseUrl: url,
    ...(model === undefined ? {} : { model }),
    ...(key ? { apiKey: async () => key } : {}),
  });
}
