import path from 'node:path';
import { inParallel } from '../../core/bench/run/inParallel.ts';
import { countOf } from '../../core/view/quantity.ts';
import { domains } from '../../core/worlds/language/prompt/turns/turn.ts';
import { buildWorld } from '../../core/worlds/language/world/buildWorld.ts';
import type { World } from '../../core/worlds/language/world/world.ts';
import type { BenchProcess } from '../bench/benchProcess.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { samplingFlags, samplingOf, serverFlags } from '../modelOptions.ts';
import { openOutput, statusOf } from '../outputFile.ts';
import { readWord } from '../readArguments.ts';
import { providerAt } from './loopWorld.ts';

const { seed: _, ...sampling } = samplingFlags;

const flags = {
  domain: { type: 'string', value: 'NAME', help: `what sort of world: ${domains.join(', ')} (default: mcp)` },
  about: { type: 'string', value: 'TEXT', help: 'what it is about, in your own words' },
  seed: { type: 'string', value: 'N', help: 'what is drawn for it; the same seed asks the same (default: 1)' },
  count: { type: 'string', value: 'N', help: 'so many worlds, with seeds from --seed on (default: 1)' },
  entities: { type: 'string', value: 'N', help: 'how many things a world has (default: 12)' },
  out: {
    type: 'string',
    short: 'o',
    value: 'FILE',
    help: 'where it goes; of several the seed stands before the ending (needed)',
  },
  jobs: { type: 'string', value: 'N', help: 'worlds that are asked for at once (default: 8)' },
  force: { type: 'boolean', help: 'overwrite FILE' },
  ...serverFlags('server of the model; it speaks the OpenAI API (its key in FORETELL_API_KEY)'),
  ...sampling,
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell world --model-url URL -o FILE.world.json [options]

Lets a model design fictional worlds: a description, and things with facts. A session of the simulated environment that
begins in one (foretell agent --world FILE, or world of /start) is told it, keeps what every turn shows besides, and says
where an observation contradicts it.

${optionsText({ Options: flags })}
Exit status: 0 all were built, 1 some were not, 64 wrong usage.
`;

/** `foretell world`. */
export async function runWorldWord(args: string[], around: BenchProcess): Promise<number> {
  const rules = { word: 'foretell world', usage, takesFiles: false };
  const parsed = await readWord(
    args,
    flags,
    { ...rules, isEnough: ({ values }) => Object.keys(values).length > 0 },
    around,
  );
  if ('status' in parsed) return parsed.status;
  const { values, wrong: complain } = parsed;
  const url = values['model-url'];
  if (url === undefined) return complain('A world is designed by a model; give its server with --model-url URL.');
  if (values.out === undefined) return complain('Say where the world goes: -o FILE.world.json.');
  const domain = domains.find((one) => one === (values.domain ?? 'mcp'));
  if (!domain) return complain(`--domain takes one of ${domains.join(', ')}, not ${values.domain}.`);
  const numbers = readNumbers(values);
  if ('problem' in numbers) return complain(numbers.problem);
  const parameters = samplingOf(values);
  if ('problem' in parameters) return complain(parameters.problem);
  const { seed, count, entities, jobs } = numbers;
  const wishes = Array.from({ length: count }, (_, at) => {
    const file = path.resolve(around.cwd, nameOf(values.out ?? '', count === 1 ? undefined : seed + at));
    return { wish: { domain, about: values.about ?? '', seed: seed + at, entities }, file };
  });
  const provider = providerAt(url, values.model);
  let failed = 0;
  await inParallel(each(wishes), jobs, around.signal, async ({ wish, file }) => {
    const problem = await worldInto(file, values.force ?? false, async () => {
      const world = await buildWorld(wish, { provider, parameters, signal: around.signal });
      if (!('problem' in world))
        await around.say(`${file}: ${world.title}, ${countOf(world.entities.length, 'thing')}\n`);
      return world;
    });
    if (problem === undefined) return;
    failed += 1;
    around.tell(`foretell: The world of seed ${wish.seed} was not built: ${problem}`);
  });
  return failed > 0 || around.signal.aborted ? 1 : 0;
}

async function* each<T>(members: readonly T[]): AsyncGenerator<T> {
  yield* members;
}

/** Builds a world into a file; nobody is asked where the file may not be written. Why not, as a sentence. */
async function worldInto(
  file: string,
  overwrites: boolean,
  build: () => Promise<World | { problem: string }>,
): Promise<string | undefined> {
  if (!overwrites && statusOf(file))
    return `${file} is there already; choose another name, or overwrite it with --force.`;
  const world = await build();
  if ('problem' in world) return world.problem;
  const output = openOutput(file, overwrites);
  if ('problem' in output) return output.problem;
  await output.write(`${JSON.stringify(world, null, 2)}\n`);
  await output.close();
  return undefined;
}

/** Of several worlds each has its seed in its name. */
function nameOf(out: string, seed: number | undefined): string {
  if (seed === undefined) return out;
  const stem = out.replace(/(?:\.world)?\.json$/, '');
  return `${stem}-${seed}.world.json`;
}

type Numbers = Record<'seed' | 'count' | 'entities' | 'jobs', number>;

function readNumbers(values: { [Name in keyof Numbers]?: string | undefined }): Numbers | { problem: string } {
  const limits: Record<keyof Numbers, readonly [usual: number, least: number, most: number]> = {
    seed: [1, 0, 999_999_999],
    count: [1, 1, 100_000],
    entities: [12, 1, 500],
    jobs: [8, 1, 1000],
  };
  const numbers: Numbers = { seed: 0, count: 0, entities: 0, jobs: 0 };
  for (const name of ['seed', 'count', 'entities', 'jobs'] as const) {
    const [usual, least, most] = limits[name];
    const number = Number(values[name] ?? usual);
    if (!Number.isInteger(number) || number < least || number > most)
      return { problem: `--${name} takes a whole number from ${least} to ${most}, not ${values[name]}.` };
    numbers[name] = number;
  }
  return numbers;
}
