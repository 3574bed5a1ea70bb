import fs from 'node:fs';
import path from 'node:path';
import type { StartRequest } from '../../core/loop/environmentTypes.ts';
import { createOpenAiProvider } from '../../core/worlds/language/client/client.ts';
import type { LanguageProvider } from '../../core/worlds/language/client/provider.ts';
import { readConditions } from '../../core/worlds/language/conditions/conditionPresets.ts';
import type { LanguageRequest } from '../../core/worlds/language/imagine/languageRequest.ts';
import { readWorldText } from '../../core/worlds/language/world/world.ts';
import type { BenchProcess } from '../bench/benchProcess.ts';
import type { Flags } from '../helpText.ts';
import { promptFlags, promptSettings, samplingFlags, samplingOf, serverFlags } from '../modelOptions.ts';

/** Options of everything that asks a model of the world. */
export const worldFlags = {
  ...serverFlags("server of the world's model; it speaks the OpenAI API (its key in FORETELL_API_KEY)"),
  ...promptFlags,
  under: { type: 'string', value: 'ID[,ID…]', help: 'conditions such as disk-full (foretell --under list shows all)' },
  'under-text': { type: 'string', value: 'TEXT', help: 'conditions in your own words' },
  world: { type: 'string', value: 'FILE', help: 'a fictional world: in words, or as foretell world writes it' },
  ...samplingFlags,
} as const satisfies Flags;

/** Their values, as they were given. */
export type WorldValues = { [Name in keyof typeof worldFlags]?: string | undefined };

/** What they say; a problem is one sentence. `isHybrid`: without a model what would be imagined is unknown. */
export function readWorld(
  values: WorldValues,
  around: BenchProcess,
  isHybrid: boolean,
): { language?: Omit<LanguageRequest, 'turn' | 'whole'>; world: GivenWorld } | { problem: string } {
  const url = values['model-url'];
  if (url === undefined && !isHybrid)
    return {
      problem:
        'A simulated environment needs a model; give its server with --model-url URL, or act for real on a copy with --hybrid.',
    };
  const settings = promptSettings(values, around);
  if ('problem' in settings) return settings;
  const asked = (values.under ?? '').split(',').filter((id) => id !== '');
  const conditions = readConditions(asked, []);
  if ('problem' in conditions) return conditions;
  const parameters = samplingOf(values);
  if ('problem' in parameters) return parameters;
  const world = values.world === undefined ? {} : worldOf(path.resolve(around.cwd, values.world));
  if ('problem' in world) return world;
  if (url === undefined) return { world };
  return {
    language: {
      ...settings,
      provider: providerAt(url, values.model),
      conditions: conditions.ids,
      conditionText: values['under-text'] ?? '',
      parameters,
    },
    world,
  };
}

/** A fictional world, in one form or the other; none: the real one. */
type GivenWorld = Pick<StartRequest, 'fictionalWorld' | 'world'>;

function worldOf(file: string): GivenWorld | { problem: string } {
  let text: string;
  try {
    text = fs.readFileSync(file, 'utf8');
  } catch (error) {
    return { problem: `${file} cannot be read (${(error as NodeJS.ErrnoException).code}).` };
  }
  const world = readWorldText(text);
  if (world === undefined) return { fictionalWorld: text };
  return 'problem' in world ? { problem: `${file}: ${world.problem}` } : { world };
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
