import path from 'node:path';
import type { Prices } from '../../core/bench/score/scoreRun.ts';
import { homeFolder } from '../../core/context/user.ts';
import { createOpenAiProvider } from '../../core/worlds/language/client/client.ts';
import type { LanguageProvider, SamplingParameters } from '../../core/worlds/language/client/provider.ts';
import type { TemplateFolder } from '../../core/worlds/language/template/templates.ts';
import type { Flags } from '../helpText.ts';
import type { Problem } from '../readArguments.ts';

/** Where the models are that a bench asks. */
export const modelUrlFlag = {
  type: 'string',
  value: 'URL',
  help: 'a server that speaks the OpenAI API (its key in FORETELL_API_KEY)',
} as const satisfies Flags[string];

export type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

export function textsOf(values: Values, name: string): string[] {
  const value = values[name];
  return Array.isArray(value)
    ? value.filter((one) => typeof one === 'string')
    : typeof value === 'string'
      ? [value]
      : [];
}

/** A number; `undefined` where the option is absent. */
export function numberOf(
  values: Values,
  name: string,
  { least = 0, whole = false }: { least?: number; whole?: boolean } = {},
): number | undefined | Problem {
  const text = textOf(values, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value) && value >= least && (!whole || Number.isInteger(value)))
    return value;
  return { problem: `--${name} takes a ${whole ? 'whole ' : ''}number from ${least}, not ${text}.` };
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
  return path.join(
    process.env['XDG_CACHE_HOME'] ?? path.join(homeFolder(process.env), '.cache'),
    'foretell',
    'replies',
  );
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
