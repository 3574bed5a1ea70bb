import type { Flags } from '../readArguments.ts';
import { samplingFlags, samplingHelp } from './benchOptions.ts';

/** Options of `infer` and `run`. */
export const inferFlags = {
  out: { type: 'string', short: 'o' },
  'model-url': { type: 'string' },
  model: { type: 'string', multiple: true },
  prompts: { type: 'string', multiple: true },
  'row-prompts': { type: 'string', multiple: true },
  ...samplingFlags,
  price: { type: 'string' },
} as const satisfies Flags;

/** Options of `judge` and `run`. */
export const judgeFlags = {
  'judge-url': { type: 'string' },
  'judge-model': { type: 'string' },
  style: { type: 'string' },
  reference: { type: 'string' },
  'judge-prompts': { type: 'string', multiple: true },
  attempts: { type: 'string' },
  'judge-price': { type: 'string' },
} as const satisfies Flags;

/** Options of everything that asks models. */
export const runningFlags = {
  jobs: { type: 'string', short: 'j' },
  retries: { type: 'string' },
  limit: { type: 'string' },
  domain: { type: 'string' },
  cache: { type: 'string' },
  'no-cache': { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const satisfies Flags;

export const inferHelp = `  -o, --out DIR          folder of the run (default: foretell-bench); a run that was stopped goes on there
  --model-url URL        a server that speaks the OpenAI API (its key in FORETELL_API_KEY)
  --model NAME[=URL]     which of its models (default: the first), or one of another server; may be given again
  --prompts DIR|rows     templates in the place of the rows' own system prompts; may be given again, and each model is
                         asked with each (default: rows, as the benchmark wants it)
  --row-prompts DIR      templates that the rows were made from, to find their tool definitions
  --price IN,OUT[,CACHED] what a million tokens cost
${samplingHelp}`;

export const judgeHelp = `  --judge-url URL        server of the judge (its key in FORETELL_JUDGE_API_KEY)
  --judge-model NAME     which of its models (default: the first)
  --style NAME           rubric (default: five scores), turing (which response is real) or reference
                         (which of two predictions is closer)
  --reference FILE|NAME  predictions.jsonl to compare with, or a variant of the run
  --judge-prompts DIR    templates of the judge: DIR/<domain>/judge_system_prompt.txt
  --attempts N           how often a judge is asked whose reply cannot be read (default: 3)
  --judge-price IN,OUT[,CACHED] what a million tokens of the judge cost`;

export const runningHelp = `  -j, --jobs N           how many rows at once (default: 32)
  --retries N            how often rows are asked again at the end that failed for a moment (default: 1)
  --limit N              only the first N rows of each domain
  --domain NAME[,NAME…]  only these domains
  --cache DIR            where replies are kept (default: ~/.cache/foretell/replies)
  --no-cache             ask again what was asked before
  -h, --help             this text`;
