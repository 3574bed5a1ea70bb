import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Looker } from '../../view/view.ts';
import { below } from '../bytePath.ts';

/** Who runs git for us, and until when. */
export interface GitRunner {
  looker: Looker;
  signal: AbortSignal;
}

/** One `git` script and what it printed, cut at its markers. */
export interface GitAnswer {
  /** Text of each section, one character per byte. Absent: the script did not get that far. */
  sections: Map<string, { text: string; exitCode: number }>;
  /** Why nothing came: one clause, for example `git is not installed`. */
  failure?: string;
  /** It was not run to its end: it took too long, or would have changed something. */
  isCut?: true;
}

/**
 * Shell words that end a section: everything printed since the last one belongs to `name`, with the exit code of what ran
 * last. The mark differs each time, so that no file content can look like one.
 */
export function endOf(name: string): string {
  return `printf "\\0\\0$MARK ${name} %d\\0\\0" $?`;
}

// Variables that would make git look at another repository than the one we found.
const redirections =
  'GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES GIT_COMMON_DIR ' +
  'GIT_NAMESPACE GIT_PREFIX GIT_CEILING_DIRECTORIES GIT_EXTERNAL_DIFF GIT_DIFF_OPTS GIT_CONFIG_PARAMETERS GIT_TRACE';

// `g` is git with everything off that could run a program of the repository's choice.
const switchedOff = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.untrackedCache=false',
  'log.showSignature=false',
];
const prelude = `unset ${redirections}
g() { git ${switchedOff.map((one) => `-c ${one}`).join(' ')} "$@"; }
`;

/** Locks off, lazy fetching off (a partial clone would call its server), nothing asked at the terminal. */
const quiet = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_LITERAL_PATHSPECS: '1',
  LC_ALL: 'C',
};

/**
 * Settings as `GIT_CONFIG_KEY_n` variables (git 2.31 and later). `safe.directory=*` because these calls only read: a
 * repository of another owner must not turn into "outside any repository".
 */
function settingsAsVariables(settings: readonly (readonly [string, string])[]): Record<string, string> {
  const all = [['safe.directory', '*'], ...settings] as const;
  const variables: Record<string, string> = { GIT_CONFIG_COUNT: String(all.length) };
  all.forEach(([key, value], index) => {
    variables[`GIT_CONFIG_KEY_${index}`] = key ?? '';
    variables[`GIT_CONFIG_VALUE_${index}`] = value ?? '';
  });
  return variables;
}

/** What a looker says of a program that could not be run to its end. */
const notRun = -1;
const notRunText = 'git could not be run without changing something, or took too long';

/**
 * Runs a shell script of git plumbing (`g status …; ${endOf('status')}`) without changing anything. In the script `g`
 * stands for git; `"$@"` are the arguments. One process start for several questions: a look costs about 4 ms.
 */
export async function askGit(
  runner: GitRunner,
  cwd: string,
  script: string,
  options: {
    arguments?: readonly string[];
    stdin?: Uint8Array;
    settings?: readonly (readonly [string, string])[];
    limitMs?: number;
  } = {},
): Promise<GitAnswer> {
  const mark = `#${randomBytes(9).toString('hex')}`;
  const result = await runner.looker.look(['sh', '-c', `${prelude}${script}`, 'sh', ...(options.arguments ?? [])], {
    cwd,
    env: { ...quiet, MARK: mark, ...settingsAsVariables(options.settings ?? []) },
    ...(options.stdin ? { stdin: options.stdin } : {}),
    limitMs: options.limitMs ?? 30_000,
    signal: runner.signal,
  });
  const sections = cutSections(bytesAsText(result.stdout), mark);
  const answer: GitAnswer = { sections };
  const failure = failureOf(result.exitCode, sections, result.stderr);
  if (failure !== undefined) answer.failure = failure;
  if (result.exitCode === notRun) answer.isCut = true;
  return answer;
}

/**
 * Runs git alone, without a shell before it: half as long as a script, and several run at once. The one section is called
 * `git`. A look begins with none of the variables that would lead it elsewhere.
 */
export async function askGitAlone(
  runner: GitRunner,
  cwd: string,
  words: readonly string[],
  settings: readonly (readonly [string, string])[] = [],
): Promise<GitAnswer> {
  const argv = ['git', ...switchedOff.flatMap((one) => ['-c', one]), ...words];
  const result = await runner.looker.look(argv, {
    cwd,
    env: { ...quiet, ...settingsAsVariables(settings) },
    limitMs: 30_000,
    signal: runner.signal,
  });
  // Nothing is said of a program that is not there; a shell says it.
  if (result.exitCode === notRun) return askGit(runner, cwd, `g --version; ${endOf('git')}`).then(withoutAnswer);
  const sections = new Map([['git', { text: bytesAsText(result.stdout), exitCode: result.exitCode }]]);
  const failure = failureOf(result.exitCode, sections, result.stderr);
  return failure === undefined ? { sections } : { sections, failure };
}

function withoutAnswer({ failure }: GitAnswer): GitAnswer {
  return { sections: new Map(), failure: failure ?? notRunText, isCut: true };
}

/** One character per byte. */
function bytesAsText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function cutSections(text: string, mark: string): GitAnswer['sections'] {
  const sections: GitAnswer['sections'] = new Map();
  const parts = text.split(new RegExp(`\\0\\0${mark} (\\w+) (\\d+)\\0\\0`));
  for (let i = 0; i + 2 < parts.length; i += 3) {
    sections.set(parts[i + 1] ?? '', { text: parts[i] ?? '', exitCode: Number(parts[i + 2]) });
  }
  return sections;
}

function failureOf(exitCode: number, sections: GitAnswer['sections'], stderr: string): string | undefined {
  if (exitCode === notRun) return notRunText;
  if (sections.size === 0) return 'git could not be run';
  for (const section of sections.values()) {
    if (section.exitCode === 127) return 'git is not installed';
    if (section.exitCode >= 128) return `git said “${firstLine(stderr)}”`;
  }
  return undefined;
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

/** The fields of a `-z` listing. */
export function fields(text: string): string[] {
  const parts = text.split('\0');
  if (parts.at(-1) === '') parts.pop();
  return parts;
}

/** What the settings of a repository say that we must know before asking more. */
export interface RepositorySettings {
  /** Overrides that switch every clean, smudge and process filter off. */
  filtersOff: [string, string][];
  /** Address of each remote. */
  remotes: Map<string, string>;
}

const known = new Map<string, { stamp: string; settings: Promise<RepositorySettings> }>();

/**
 * Filters and remotes of the repository at `cwd` whose settings are in `commonFolder`. Remembered until its `config`
 * changes, because asking costs 2 ms; a filter that comes from elsewhere meanwhile is still stopped by look mode, it only
 * makes the answer "could not be run".
 */
export async function repositorySettings(
  runner: GitRunner,
  cwd: string,
  commonFolder: string,
): Promise<RepositorySettings> {
  const file = await stat(below(commonFolder, 'config')).catch(() => undefined);
  const stamp = file ? `${file.ino}:${file.size}:${file.mtimeMs}` : '';
  const before = known.get(cwd);
  if (before?.stamp === stamp) return before.settings;
  if (known.size > 64) known.clear();
  const settings = readSettings(runner, cwd);
  known.set(cwd, { stamp, settings });
  // What failed is asked again next time.
  settings.catch(() => known.delete(cwd));
  return settings;
}

async function readSettings(runner: GitRunner, cwd: string): Promise<RepositorySettings> {
  const script = `g config -z --get-regexp '^(filter|remote)\\.'; ${endOf('config')}`;
  const answer = await askGit(runner, cwd, script);
  const filters = new Set<string>();
  const remotes = new Map<string, string>();
  for (const record of fields(answer.sections.get('config')?.text ?? '')) {
    const end = record.indexOf('\n');
    const key = end < 0 ? record : record.slice(0, end);
    const value = end < 0 ? '' : record.slice(end + 1);
    const filter = /^filter\.(.+)\.[^.]+$/s.exec(key)?.[1];
    if (filter !== undefined) filters.add(filter);
    const remote = /^remote\.(.+)\.url$/s.exec(key)?.[1];
    if (remote !== undefined) remotes.set(remote, value);
  }
  return { filtersOff: [...filters].flatMap(filterOff), remotes };
}

function filterOff(name: string): [string, string][] {
  // A required filter without a command is an error to git, so that is switched off too.
  return [
    [`filter.${name}.clean`, ''],
    [`filter.${name}.smudge`, ''],
    [`filter.${name}.process`, ''],
    [`filter.${name}.required`, 'false'],
  ];
}
