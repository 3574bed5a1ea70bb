import path from 'node:path';
import { ShellName } from '../core/action/action.ts';
import { type NamedAgent, readNamedAgent } from '../core/action/edit/agentVersions.ts';
import { type Flags, optionsText } from './helpText.ts';
import { promptFlags, samplingFlags, serverFlags } from './modelOptions.ts';
import type { Values } from './optionValues.ts';
import { type Parsed, readArguments } from './readArguments.ts';

/** What the command line asked for. */
export interface CliOptions {
  command: 'predict' | 'edit' | 'compare' | 'tool-result' | 'batch' | 'mcp' | 'status' | 'help' | 'version';
  /** Words of the script, as they were given. */
  words: string[];
  file: string | undefined;
  /** The next command, predicted on what the edit leaves. */
  then: string | undefined;
  /** Which tool applies a patch; absent: git for git's patches, else `patch`. */
  tool: 'git-apply' | 'patch' | undefined;
  strip: number | undefined;
  fuzz: number | undefined;
  reverse: boolean;
  /** Whose tool a call is made of. */
  agent: NamedAgent | undefined;
  /** Of a tool call whose result is predicted; absent: what its tools tell. */
  domain: string | undefined;
  cwd: string;
  shell: ShellName;
  json: boolean;
  all: boolean;
  openGate: boolean;
  /** Programs that are known by the form of their words may run. */
  trusted: boolean;
  /** Nothing is recalled. */
  fresh: boolean;
  /** Where it is danger, safer commands are looked for. */
  safer: boolean;
  /** What is predicted is put in place, after a yes. */
  apply: boolean;
  yes: boolean;
  /** Paths of which alone it is put in place; empty: all. */
  only: string[];
  interactive: boolean;
  terminal: { columns: number; rows: number } | undefined;
  color: 'auto' | 'always' | 'never';
  timeLimitMs: number | undefined;
  concurrency: number;
  /** A server that speaks the OpenAI API; absent: no model takes part. */
  modelUrl: string | undefined;
  modelName: string | undefined;
  /** The model alone predicts the whole command. */
  imagine: boolean;
  samples: number;
  /** Ids of conditions. */
  conditions: string[];
  /** How prompts are made, and how replies are sampled: as given. */
  prompting: Values;
  /** Conditions in the user's own words. */
  conditionText: string;
}

const commonFlags = {
  file: {
    type: 'string',
    short: 'f',
    value: 'SCRIPT',
    help: 'a script to predict instead of COMMAND; - is standard input',
  },
  json: { type: 'boolean', help: 'one JSON object instead of text' },
  cwd: { type: 'string', value: 'DIR', help: 'where it would be run (default: here)' },
  shell: { type: 'string', value: 'NAME', help: 'bash (default), sh, zsh or fish' },
  tty: { type: 'string', value: 'COLSxROWS', help: 'give it a terminal of that size (default: pipes)' },
  interactive: { type: 'boolean', help: 'with the aliases and functions of your interactive shell' },
  'open-gate': {
    type: 'boolean',
    help: 'this once really run every program it starts, still confined and without network',
  },
  untrusted: {
    type: 'boolean',
    help: 'run inert programs only: not even python3 -c and the like, which otherwise run confined and without network',
  },
  fresh: { type: 'boolean', help: 'do not recall what was rehearsed before with the same inputs: rehearse it again' },
  apply: {
    type: 'boolean',
    help: 'put the predicted result in place instead of running COMMAND: only where all of it is certain and nothing but files changes; asks first',
  },
  yes: { type: 'boolean', help: 'with --apply: do not ask' },
  only: {
    type: 'string',
    multiple: true,
    value: 'PATH',
    help: 'with --apply: only this path (may be given again); what was edited meanwhile is merged, or left',
  },
  safer: {
    type: 'boolean',
    help: 'where the verdict is danger: commands that reach the same and lose nothing, each proven by a rehearsal (always at a terminal)',
  },
  'time-limit': { type: 'string', value: 'SECONDS', help: 'stop after that long (default: 10)' },
  all: { type: 'boolean', help: 'list every file, also in folders that are deleted as a whole' },
  color: { type: 'string', value: 'WHEN', help: 'auto (default), always or never' },
  jobs: { type: 'string', value: 'N', help: 'batch, mcp: how many at once (default: 2)' },
  help: { type: 'boolean', short: 'h', help: 'this text' },
  version: { type: 'boolean', short: 'V', help: 'the version' },
} as const satisfies Flags;

const editFlags = {
  // biome-ignore lint/suspicious/noThenProperty: it is the name of an option.
  then: { type: 'string', value: "'COMMAND'", help: 'then predict this command, on what the edit leaves' },
  tool: { type: 'string', value: 'NAME', help: "git-apply or patch (default: git-apply for git's patches)" },
  strip: {
    type: 'string',
    short: 'p',
    value: 'N',
    help: 'leading parts of file names to take away (default: what the names suggest)',
  },
  fuzz: { type: 'string', value: 'N', help: 'how many lines of context may differ (patch)' },
  reverse: { type: 'boolean', short: 'R', help: 'take the patch back' },
  agent: {
    type: 'string',
    value: 'NAME[@VERSION]',
    help: 'whose tool a call is of: claude, codex@0.169, gemini … (default: what its form tells); what it would answer is told for versions that were checked',
  },
} as const satisfies Flags;

const modelFlags = {
  ...serverFlags('a server that speaks the OpenAI API: programs that may not run are imagined'),
  domain: {
    type: 'string',
    value: 'NAME',
    help: 'tool-result: whose prompt, mcp, swe, search … (default: what the names of the tools tell)',
  },
  imagine: { type: 'boolean', help: 'the model alone predicts the whole command' },
  samples: { type: 'string', value: 'N', help: 'ask N times and count how often each line comes (default: 1)' },
  under: {
    type: 'string',
    value: 'ID[,ID…]',
    help: 'under conditions such as disk-full or no-network (--under list shows all)',
  },
  'under-text': { type: 'string', value: 'TEXT', help: 'under conditions in your own words' },
  ...promptFlags,
  ...samplingFlags,
} as const satisfies Flags;

const promptingNames = [...namesOf(promptFlags), ...namesOf(samplingFlags)];

const flags = { ...commonFlags, ...editFlags, ...modelFlags };

export const usage = `Usage: foretell [options] 'COMMAND'
       foretell [options] --file SCRIPT      (or - for standard input)
       foretell edit [options] FILE          (a patch, or an agent's edit call as JSON; or -)
       foretell compare [options] 'A' 'B' …  (2 to 5 commands side by side: end states, losses, cost)
       foretell tool-result [FILE]           (what a tool call in a log would return, by a model; or -)
       foretell batch [options]              (one JSON request a line, one JSON prediction a line)
       foretell mcp [options]                (tools for agents: the Model Context Protocol over standard input and output)
       foretell trajectory WORD FILE         (import, export and check recorded steps)
       foretell agent --task TEXT …          (an agent in a simulated environment; --help tells more)
       foretell world --model-url URL …      (fictional worlds for such environments; --help tells more)
       foretell failure --text TEXT …        (steps that end in a failure, each proven by a rehearsal; --help tells more)
       foretell serve --environment …        (the environment for harnesses; --help tells more)
       foretell policy [explain COMMAND]     (what agents may do without a question, by effect; --help tells more)
       foretell consent [give|take-back]     (programs that may really run on the copy; --help tells more)
       foretell hooks [install|remove]       (lets agents ask before each call; --help tells more)
       foretell agents [--follow]            (their calls, as predicted and as they came out; --help tells more)
       foretell hook AGENT                   (answers an agent that asks; --help tells more)
       foretell allow CODE                   (lets a call through that was denied to an agent, once)
       foretell enter [bash|zsh|fish]        (holds what you type where it would lose work; --help tells more)
       foretell service [stop]               (what answers agents without a start; --help tells more)
       foretell memory [clear]               (what is remembered of rehearsals; --help tells more)
       foretell restore [ID] [PATH…]         (what was kept before it was lost; --help tells more)
       foretell status

Shows what a command or an edit of files would do, with nothing touched.

${optionsText({
  Options: commonFlags,
  'For edits': editFlags,
  'With a language model (its key, if it wants one, in FORETELL_API_KEY)': modelFlags,
})}
Exit status
  0 safe   1 caution   2 danger   3 it could not be predicted   64 wrong usage
  with --apply: 0 applied   1 not, or not all of it   3 it could not be
`;

/** What is asked for by a word that no FILE follows. */
function isWordAlone(first: string | undefined): first is 'batch' | 'mcp' | 'status' {
  return first === 'batch' || first === 'mcp' || first === 'status';
}

/** What stands where it means nothing: a sentence. */
function misplacedWord(values: Parsed<typeof flags>['values'], positionals: readonly string[]): string | undefined {
  if (values.help || values.version) return undefined;
  const [first] = positionals;
  const isEdit = first === 'edit';
  const isWord = isWordAlone(first);
  if (isEdit && positionals.length > 2) {
    const count = positionals.length - 1;
    return `edit takes one FILE, not ${count}; join them (cat A B), or quote a command that is called edit.`;
  }
  if (isWord && positionals.length > 1)
    return `${first} takes no FILE; leave it out, or quote a command that is called ${first}.`;
  const ofEdits = (['then', 'tool', 'strip', 'fuzz', 'reverse', 'agent'] as const).find(
    (name) => values[name] !== undefined,
  );
  if (ofEdits !== undefined && !isEdit) return `--${ofEdits} is for edits; say foretell edit --${ofEdits} … FILE.`;
  return undefined;
}

/** Reads the command line; a problem is one sentence. */
export function readOptions(args: string[], here: string): CliOptions | { problem: string } {
  const parsed = readArguments(args, flags, { word: 'foretell' });
  if ('problem' in parsed) return parsed;
  const { values, positionals } = parsed;
  const shell = ShellName.safeParse(values.shell ?? 'bash');
  if (!shell.success) return { problem: `There is no shell called ${values.shell}; choose bash, sh, zsh or fish.` };
  const terminal = values.tty === undefined ? undefined : readSize(values.tty);
  if (terminal === null) return { problem: `--tty takes a size such as 80x24, not ${values.tty}.` };
  const color = values.color ?? 'auto';
  if (color !== 'auto' && color !== 'always' && color !== 'never') {
    return { problem: `--color takes auto, always or never, not ${color}.` };
  }
  const seconds = values['time-limit'] === undefined ? undefined : Number(values['time-limit']);
  if (seconds !== undefined && !(seconds > 0)) {
    return { problem: `--time-limit takes a number of seconds, not ${values['time-limit']}.` };
  }
  const jobs = Number(values.jobs ?? 2);
  if (!Number.isInteger(jobs) || jobs < 1)
    return { problem: `--jobs takes a whole number from 1, not ${values.jobs}.` };
  const samples = Number(values.samples ?? 1);
  if (!Number.isInteger(samples) || samples < 1 || samples > 20) {
    return { problem: `--samples takes a whole number from 1 to 20, not ${values.samples}.` };
  }
  const ofModels = ['model', 'imagine', 'samples', 'under', 'under-text', ...promptingNames] as const;
  const needsModel = ofModels.find((name) => values[name] !== undefined);
  if (needsModel && !values['model-url'] && values.under !== 'list') {
    return { problem: `--${needsModel} needs a model; give its server with --model-url URL.` };
  }
  const { tool } = values;
  if (tool !== undefined && tool !== 'git-apply' && tool !== 'patch')
    return { problem: `--tool takes git-apply or patch, not ${tool}.` };
  const numbers = (['strip', 'fuzz'] as const).find((name) => !/^\d{1,3}$/.test(values[name] ?? '0'));
  if (numbers)
    return { problem: `--${numbers} takes a whole number from 0 to 999, not ${values[numbers] || 'an empty text'}.` };
  const misplaced = misplacedWord(values, positionals);
  if (misplaced !== undefined) return { problem: misplaced };
  const [first] = positionals;
  const isEdit = first === 'edit' || first === 'compare' || first === 'tool-result';
  const isWord = isWordAlone(first);
  const agent = values.agent === undefined ? undefined : readNamedAgent(values.agent);
  if (agent && 'problem' in agent) return agent;
  return {
    command: values.help ? 'help' : values.version ? 'version' : isWord || isEdit ? first : 'predict',
    words: isWord ? [] : isEdit ? positionals.slice(1) : positionals,
    file: values.file,
    // biome-ignore lint/suspicious/noThenProperty: it is the name of an option.
    then: values.then,
    tool,
    strip: values.strip === undefined ? undefined : Number(values.strip),
    fuzz: values.fuzz === undefined ? undefined : Number(values.fuzz),
    reverse: values.reverse ?? false,
    agent,
    domain: values.domain,
    cwd: here === '' ? (values.cwd ?? '') : path.resolve(here, values.cwd ?? ''),
    shell: shell.data,
    json: values.json ?? false,
    all: values.all ?? false,
    openGate: values['open-gate'] ?? false,
    trusted: !values.untrusted,
    fresh: values.fresh ?? false,
    safer: values.safer ?? false,
    apply: values.apply ?? false,
    yes: values.yes ?? false,
    only: values.only ?? [],
    interactive: values.interactive ?? false,
    terminal,
    color,
    timeLimitMs: seconds === undefined ? undefined : Math.round(seconds * 1000),
    concurrency: jobs,
    modelUrl: values['model-url'],
    modelName: values.model,
    imagine: values.imagine ?? false,
    samples,
    conditions: (values.under ?? '').split(',').filter((id) => id !== ''),
    conditionText: values['under-text'] ?? '',
    prompting: Object.fromEntries(promptingNames.map((name) => [name, values[name]])),
  };
}

function namesOf<F extends Flags>(some: F): (keyof F)[] {
  return Object.keys(some);
}

function readSize(text: string): { columns: number; rows: number } | null {
  const match = /^(\d{1,4})x(\d{1,4})$/.exec(text);
  const [columns, rows] = [Number(match?.[1]), Number(match?.[2])];
  return columns > 0 && rows > 0 ? { columns, rows } : null;
}
