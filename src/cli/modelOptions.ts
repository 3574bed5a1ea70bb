import path from 'node:path';
import type { PromptSettings } from '../core/bench/collect/rows.ts';
import type { SamplingParameters } from '../core/worlds/language/client/provider.ts';
import type { Flags } from './helpText.ts';
import { numberOf, textOf, type Values } from './optionValues.ts';
import type { Problem } from './readArguments.ts';

/** Which model is asked; `help` says for what the server is. */
export function serverFlags(help: string) {
  return {
    'model-url': { type: 'string', value: 'URL', help },
    model: { type: 'string', value: 'NAME', help: 'which of its models (default: the first)' },
  } as const satisfies Flags;
}

/** Options of everything that makes a prompt. */
export const promptFlags = {
  prompts: { type: 'string', value: 'DIR', help: 'templates: DIR/<domain>/system_prompt.txt' },
  style: { type: 'string', value: 'NAME', help: 'of the prompt: benchmark (default) or quickstart' },
  dialect: { type: 'string', value: 'NAME', help: 'of shell tools: qwen (default) or claude' },
  budget: { type: 'string', value: 'TOKENS', help: 'most tokens of workspace in a prompt (default: 16000)' },
} as const satisfies Flags;

/** How prompts are made; a problem is one sentence. */
export function promptSettings(
  values: { readonly [Name in keyof typeof promptFlags]?: string | undefined },
  { cwd, extensionFolder }: { cwd: string; extensionFolder: string },
): PromptSettings | { problem: string } {
  const { style = 'benchmark', dialect = 'qwen' } = values;
  if (style !== 'benchmark' && style !== 'quickstart')
    return { problem: `--style takes benchmark or quickstart, not ${style}.` };
  if (dialect !== 'qwen' && dialect !== 'claude') return { problem: `--dialect takes qwen or claude, not ${dialect}.` };
  const budgetTokens = Number(values.budget ?? 16_000);
  if (values.budget === '' || !Number.isInteger(budgetTokens) || budgetTokens < 0)
    return { problem: `--budget takes a number of tokens, not ${values.budget || 'an empty text'}.` };
  const own =
    values.prompts === undefined ? [] : [{ source: 'configured' as const, path: path.resolve(cwd, values.prompts) }];
  return {
    templateFolders: [...own, { source: 'shipped', path: path.join(extensionFolder, 'prompts') }],
    style,
    dialect,
    budgetTokens,
  };
}

/** How replies are sampled, from the options `--temperature` and so on. */
export const samplingFlags = {
  temperature: { type: 'string', value: 'X', help: 'how replies are sampled (default: 0.6)' },
  'top-p': {
    type: 'string',
    value: 'X',
    help: 'only of the likeliest tokens whose probabilities add up to X (default: 0.95)',
  },
  'top-k': {
    type: 'string',
    value: 'N',
    help: 'only of the N likeliest tokens (default: 20)',
  },
  seed: { type: 'string', value: 'N', help: 'the same choices again, where the server takes a seed' },
  'max-tokens': { type: 'string', value: 'N', help: 'budget of a reply with its reasoning (default: 32768)' },
  thinking: { type: 'string', value: 'on|off', help: 'where the server can switch it' },
} as const satisfies Flags;

const samplingNames = [
  ['temperature', 'temperature', false],
  ['top-p', 'topP', false],
  ['top-k', 'topK', true],
  ['seed', 'seed', true],
  ['max-tokens', 'maxOutputTokens', true],
] as const;

/** What they say; a problem is one sentence. */
export function samplingOf(values: Values): SamplingParameters | Problem {
  const parameters: SamplingParameters = {};
  for (const [flag, name, whole] of samplingNames) {
    const value = numberOf(values, flag, { whole });
    if (typeof value === 'object') return value;
    if (value !== undefined) parameters[name] = value;
  }
  const thinking = textOf(values, 'thinking');
  if (thinking === undefined) return parameters;
  if (thinking !== 'on' && thinking !== 'off') return { problem: `--thinking takes on or off, not ${thinking}.` };
  return { ...parameters, thinking };
}
