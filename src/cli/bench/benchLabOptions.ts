import { type Flags, helpFlag } from '../helpText.ts';
import { samplingFlags } from '../modelOptions.ts';
import { modelUrlFlag, shardFlag } from './benchOptions.ts';

/** Options of `infer` and `run`. */
export const inferFlags = {
  out: {
    type: 'string',
    short: 'o',
    value: 'DIR',
    help: 'folder of the run (default: foretell-bench); a run that was stopped goes on there',
  },
  'model-url': modelUrlFlag,
  model: {
    type: 'string',
    multiple: true,
    value: 'NAME[=URL]',
    help: 'which of its models (default: the first), or one of another server; may be given again',
  },
  prompts: {
    type: 'string',
    multiple: true,
    value: 'DIR|rows',
    help: "templates instead of the rows' own system prompts; may be given again, and each model is asked with each (default: rows, as the benchmark wants it)",
  },
  'row-prompts': {
    type: 'string',
    multiple: true,
    value: 'DIR',
    help: 'templates that the rows were made from, to find their tool definitions',
  },
  price: { type: 'string', value: 'IN,OUT[,CACHED]', help: 'what a million tokens cost' },
  ...samplingFlags,
} as const satisfies Flags;

/** Options of `judge` and `run`. */
export const judgeFlags = {
  'judge-url': { type: 'string', value: 'URL', help: 'server of the judge (its key in FORETELL_JUDGE_API_KEY)' },
  'judge-model': { type: 'string', value: 'NAME', help: 'which of its models (default: the first)' },
  style: {
    type: 'string',
    value: 'NAME',
    help: 'rubric (default: five scores), turing (which response is real) or reference (which of two predictions is closer)',
  },
  reference: { type: 'string', value: 'FILE|NAME', help: 'predictions.jsonl to compare with, or a variant of the run' },
  'judge-prompts': {
    type: 'string',
    multiple: true,
    value: 'DIR',
    help: 'templates of the judge: DIR/<domain>/judge_system_prompt.txt',
  },
  attempts: { type: 'string', value: 'N', help: 'how often a judge is asked whose reply cannot be read (default: 3)' },
  'judge-price': { type: 'string', value: 'IN,OUT[,CACHED]', help: 'what a million tokens of the judge cost' },
} as const satisfies Flags;

/** Options of everything that asks models. */
export const runningFlags = {
  jobs: { type: 'string', short: 'j', value: 'N', help: 'how many rows at once (default: 32)' },
  retries: {
    type: 'string',
    value: 'N',
    help: 'how often rows are asked again at the end that failed for a moment (default: 1)',
  },
  limit: { type: 'string', value: 'N', help: 'only the first N rows of each domain' },
  shard: shardFlag,
  domain: { type: 'string', value: 'NAME[,NAME…]', help: 'only these domains' },
  cache: { type: 'string', value: 'DIR', help: 'where replies are kept (default: ~/.cache/foretell/replies)' },
  'no-cache': { type: 'boolean', help: 'ask again what was asked before' },
  ...helpFlag,
} as const satisfies Flags;
