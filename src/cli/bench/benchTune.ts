import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import type { PromptSettings } from '../../core/bench/collect/rows.ts';
import { readRowWords } from '../../core/bench/run/rowWords.ts';
import type { TuneModel, TuneVariant } from '../../core/bench/templates/tune.ts';
import type { TrajectoryStep } from '../../core/trajectory/step/step.ts';
import { readConditions } from '../../core/worlds/language/conditions/conditionPresets.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { providerAt } from '../loop/loopWorld.ts';
import { promptFlags, promptSettings } from '../modelOptions.ts';
import { openOutput, statusOf } from '../outputFile.ts';
import { type Parsed, readWord } from '../readArguments.ts';
import { modelUrlFlag } from './benchOptions.ts';
import type { BenchProcess, BenchWord } from './benchProcess.ts';
import { readSteps } from './benchRows.ts';

const variantFlags = {
  variant: {
    type: 'string',
    multiple: true,
    value: 'NAME=PATH',
    help: 'templates (a folder with <domain>/system_prompt.txt), a system prompt (a file), or rows of a benchmark (.jsonl): its own words, as they stand there',
  },
  variants: {
    type: 'string',
    value: 'FILE',
    help: 'JSON: [{"name", "prompts"?, "style"?, "dialect"?, "under"?, "underText"?, "budget"?, "grounding"?, "temperature"?, "maxTokens"?}], prompts being a folder or a file',
  },
} as const satisfies Flags;

const modelFlags = {
  'model-url': modelUrlFlag,
  model: {
    type: 'string',
    multiple: true,
    value: 'NAME',
    help: 'which of its models (default: the first); may be given again',
  },
  also: { type: 'string', multiple: true, value: 'URL#MODEL', help: 'one more, on another server; may be given again' },
} as const satisfies Flags;

const otherFlags = {
  dialect: promptFlags.dialect,
  budget: promptFlags.budget,
  limit: { type: 'string', value: 'N', help: 'only the first N steps' },
  jobs: { type: 'string', value: 'N', help: 'questions at once (default: 4)' },
  out: {
    type: 'string',
    short: 'o',
    value: 'DIR',
    help: 'writes DIR/tune.json, tune.csv and tune.md; what is there is overwritten',
  },
  json: { type: 'boolean', help: 'the report as JSON' },
  differences: { type: 'string', value: 'N', help: 'how many answers are shown with what differs (default: 10)' },
  ...helpFlag,
} as const satisfies Flags;

const flags = { ...variantFlags, ...modelFlags, ...otherFlags };

const usage = `Usage: foretell bench tune STEPS… --model-url URL [--variant …] [options]

Asks models for the steps of trajectories with true observations (foretell bench collect makes them), with several variants
of the prompt, and shows variants × commands × models in one table, with the lines that differ.

${optionsText({
  'Variants (may be given again; without any, the shipped prompts)': variantFlags,
  Models: modelFlags,
  Options: otherFlags,
})}`;

/** `foretell bench tune`. */
export const tuneWord: BenchWord = {
  summary: 'variants of a prompt × commands × models in one table, with the lines that differ',
  run: runTune,
};

const VariantFile = z.array(
  z.strictObject({
    name: z.string(),
    prompts: z.optional(z.string()),
    style: z.optional(z.enum(['benchmark', 'quickstart'])),
    dialect: z.optional(z.enum(['qwen', 'claude'])),
    under: z.optional(z.array(z.string())),
    underText: z.optional(z.string()),
    budget: z.optional(z.number()),
    grounding: z.optional(z.boolean()),
    temperature: z.optional(z.number()),
    maxTokens: z.optional(z.number()),
  }),
);
type VariantEntry = z.infer<typeof VariantFile>[number];

async function runTune(args: string[], around: BenchProcess): Promise<number> {
  const read = await readWord(args, flags, { word: 'foretell bench tune', usage }, around);
  if ('status' in read) return read.status;
  const { values, positionals, wrong: complain } = read;
  const wrong = (['limit', 'jobs', 'differences'] as const).find((name) => !/^\d{0,7}$/.test(values[name] ?? ''));
  if (wrong) return complain(`--${wrong} takes a whole number, not ${values[wrong]}.`);
  if (positionals.length === 0) return complain('Give at least one file of steps; foretell bench collect makes them.');
  const models = modelsOf(values);
  if ('problem' in models) return complain(models.problem);
  const base = promptSettings({ dialect: values.dialect, budget: values.budget }, around);
  if ('problem' in base) return complain(base.problem);
  const variants = variantsOf(values, base, around);
  if ('problem' in variants) return complain(variants.problem);
  const steps: TrajectoryStep[] = [];
  for (const name of positionals) {
    const read = await readSteps(path.resolve(around.cwd, name), around);
    if ('problem' in read) return complain(read.problem);
    steps.push(...read.steps);
  }
  const chosen = values.limit ? steps.slice(0, Number(values.limit)) : steps;
  if (!chosen.some(({ observation }) => observation))
    return complain('No step has a true observation; make some with foretell bench collect.');
  const [{ tune }, { tuneCsv, tuneMarkdown, tuneText }] = await Promise.all([
    import('../../core/bench/templates/tune.ts'),
    import('../../core/bench/templates/tuneText.ts'),
  ]);
  const foretell = around.foretell(4);
  try {
    const report = await tune({
      foretell,
      steps: chosen,
      variants: variants.list,
      models: models.list,
      concurrency: Number(values.jobs ?? 4),
      onCell: (_, done, all) => around.progress(`${done} of ${all} answers`),
      signal: around.signal,
    });
    const shown = { mostCells: Number(values.differences ?? 10), mostLines: 40 };
    const json = `${JSON.stringify(report, null, 1)}\n`;
    if (values.out !== undefined) {
      const folder = path.resolve(around.cwd, values.out);
      const texts = {
        'tune.json': json,
        'tune.csv': tuneCsv(report),
        'tune.md': tuneMarkdown(report, { ...shown, mostCells: 200 }),
      };
      for (const [name, text] of Object.entries(texts)) {
        const file = openOutput(path.join(folder, name), true);
        if ('problem' in file) return complain(file.problem);
        await file.write(text);
        await file.close();
      }
    }
    await around.say(values.json ? json : plain(tuneText(report, shown)));
    if (around.signal.aborted) return 130;
    return report.cells.some(({ outcome }) => outcome === 'answered') ? 0 : 3;
  } finally {
    await foretell.dispose();
  }
}

type Values = Parsed<typeof flags>['values'];

function modelsOf(values: Values): { list: TuneModel[] } | { problem: string } {
  const url = values['model-url'];
  if (url === undefined && !values.also) return { problem: 'Give a model server with --model-url URL.' };
  const list: TuneModel[] = [];
  if (url !== undefined) {
    const names = values.model ?? [];
    if (names.length === 0) list.push({ name: 'model', provider: providerAt(url, undefined) });
    for (const name of names) list.push({ name, provider: providerAt(url, name) });
  }
  for (const also of values.also ?? []) {
    const [address = '', name] = also.split('#');
    list.push({ name: name ?? address, provider: providerAt(address, name) });
  }
  const twice = list.find(({ name }, index) => list.findIndex((one) => one.name === name) !== index);
  return twice ? { problem: `The model ${twice.name} is named twice.` } : { list };
}

function variantsOf(
  values: Values,
  base: PromptSettings,
  { cwd }: BenchProcess,
): { list: TuneVariant[] } | { problem: string } {
  const entries: VariantEntry[] = [];
  for (const text of values.variant ?? []) {
    const at = text.indexOf('=');
    if (at < 1) return { problem: `--variant takes NAME=DIR or NAME=FILE, not ${text}.` };
    entries.push({ name: text.slice(0, at), prompts: text.slice(at + 1) });
  }
  if (values.variants !== undefined) {
    const file = path.resolve(cwd, values.variants);
    const read = readVariantFile(file);
    if ('problem' in read) return read;
    entries.push(...read.entries);
  }
  if (entries.length === 0) entries.push({ name: 'shipped' });
  const list: TuneVariant[] = [];
  for (const entry of entries) {
    if (list.some(({ name }) => name === entry.name)) return { problem: `The variant ${entry.name} is named twice.` };
    const made = variantOf(entry, base, cwd);
    if ('problem' in made) return made;
    list.push(made);
  }
  return { list };
}

function readVariantFile(file: string): { entries: VariantEntry[] } | { problem: string } {
  try {
    const read = VariantFile.safeParse(JSON.parse(fs.readFileSync(file, 'utf8')));
    if (read.success) return { entries: read.data };
    const [issue] = read.error.issues;
    return {
      problem: `${file} is no list of variants: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'wrong'}.`,
    };
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? (error instanceof Error ? error.message : String(error));
    return { problem: `${file} cannot be read (${why}).` };
  }
}

function variantOf(entry: VariantEntry, base: PromptSettings, cwd: string): TuneVariant | { problem: string } {
  const conditions = readConditions(entry.under ?? [], []);
  if ('problem' in conditions) return conditions;
  const prompts = entry.prompts === undefined ? undefined : path.resolve(cwd, entry.prompts);
  const found = prompts === undefined ? undefined : statusOf(prompts);
  if (prompts !== undefined && !found)
    return { problem: `${prompts} is not there; a variant is a folder of templates or a file.` };
  const isFolder = found?.isDirectory() === true;
  const text = prompts !== undefined && !isFolder ? fs.readFileSync(prompts, 'utf8') : undefined;
  const rows = text !== undefined && prompts?.endsWith('.jsonl') ? readRowWords(text) : undefined;
  if (rows && Object.keys(rows.suffixes).length === 0)
    return { problem: `${prompts} has no rows of a benchmark that tell how it asks; give a *_test.jsonl.` };
  const language: PromptSettings = {
    ...base,
    templateFolders:
      prompts !== undefined && isFolder
        ? [{ source: 'configured', path: prompts }, ...base.templateFolders]
        : base.templateFolders,
    ...(rows ? { templates: rows.templates, suffixes: rows.suffixes } : {}),
    ...(entry.style ? { style: entry.style } : {}),
    ...(entry.dialect ? { dialect: entry.dialect } : {}),
    ...(entry.under ? { conditions: conditions.ids } : {}),
    ...(entry.underText ? { conditionText: entry.underText } : {}),
    ...(entry.budget === undefined ? {} : { budgetTokens: entry.budget }),
    parameters: {
      ...(entry.temperature === undefined ? {} : { temperature: entry.temperature }),
      ...(entry.maxTokens === undefined ? {} : { maxOutputTokens: entry.maxTokens }),
    },
  };
  return {
    name: entry.name,
    language,
    isGrounded: entry.grounding ?? true,
    ...(text !== undefined && !rows ? { template: text } : {}),
  };
}

/** Control characters made visible: a model's text must not steer the reader's terminal. */
function plain(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : `\\x${code.toString(16)}`;
  });
}
