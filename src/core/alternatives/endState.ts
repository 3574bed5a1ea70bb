import type { Incomparable, StateDifference } from '../facts/alternative.ts';
import type { EffectKind } from '../facts/effect.ts';
import type { PredictedFile } from '../prediction/parts.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { quoteWord } from '../shell/quoteWord.ts';

/** What an action leaves behind, as far as it can be compared with what another one does. */
export interface EndState {
  /** What stands at each path that is changed, and `gone` where nothing does any more. Git's own files are told by `git`. */
  files: ReadonlyMap<string, string>;
  /** By repository: what its names, its index and its stash are. */
  git: ReadonlyMap<string, readonly GitEntry[]>;
  /** Marks besides files and git, such as signals. */
  effects: ReadonlyMap<string, EffectKind>;
  exitCode: number | undefined;
  cwd: string | undefined;
}

interface GitEntry {
  what: 'ref' | 'head' | 'index' | 'stash';
  name: string;
  id: string;
}

/** Whether everything that a prediction says of its end is known exactly; else why not. */
export function incomparable(prediction: Prediction): Incomparable | undefined {
  const { ending, assumptions, files, exitBasis } = prediction;
  if (ending === 'failed' || ending === 'cancelled' || ending === undefined) return { kind: 'failed' };
  const bases = new Set([...files.map(({ basis }) => basis), exitBasis]);
  if (bases.has('imagined')) return { kind: 'notKnown', imagined: true };
  const isKnown = ending === 'done' && assumptions.length === 0 && !bases.has('assumed') && !bases.has('unknown');
  return isKnown ? undefined : { kind: 'notKnown' };
}

/** Folders of the repositories whose own files some predictions change. */
export function changedRepositories(predictions: readonly Prediction[]): string[] {
  const roots = new Set<string>();
  for (const { files } of predictions) {
    for (const { path, from } of files) {
      for (const one of [path, from]) {
        const at = one === undefined ? -1 : `${one}/`.indexOf('/.git/');
        if (one !== undefined && at > 0) roots.add(one.slice(0, at));
      }
    }
  }
  return [...roots].sort();
}

/** A script that only reads, and prints what git has in each of these repositories: to be predicted after the action. */
export function gitQuestion(repositories: readonly string[]): string {
  const parts = repositories.map((root, at) => {
    const git = `git --git-dir=${quoteWord(`${root}/.git`)} --no-optional-locks`;
    return [
      `if [ -e ${quoteWord(`${root}/.git/HEAD`)} ]; then`,
      `${git} symbolic-ref -q HEAD | sed 's/^/${at} head /' || :`,
      `${git} rev-parse -q --verify HEAD | sed 's/^/${at} head at /'`,
      `${git} for-each-ref --format='${at} ref %(refname) %(objectname)'`,
      `${git} ls-files --stage | git hash-object --stdin | sed 's/^/${at} index . /'`,
      `[ ! -e ${quoteWord(`${root}/.git/logs/refs/stash`)} ] || ${git} log -g --format='${at} stash . %H' refs/stash -- 2>/dev/null`,
      'fi',
    ].join('\n');
  });
  return [...parts, 'echo end'].join('\n');
}

/** What git's own files are told by the question above, or only record how it came to its state. */
const toldByGit =
  /\/\.git(?:$|\/(?:HEAD|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|index|packed-refs|(?:objects|refs|logs)(?:$|\/.*)|gc\.(?:log|pid))$)/;

/** The state behind an action; `answer` is the prediction of `gitQuestion`. Undefined where git could not be read. */
export function endStateOf(
  prediction: Prediction,
  repositories: readonly string[],
  answer: Prediction | undefined,
): EndState | undefined {
  const git = new Map<string, GitEntry[]>();
  if (repositories.length > 0) {
    const text = (answer?.output ?? []).map((piece) => (piece.stream === 'stdout' ? (piece.text ?? '') : '')).join('');
    const lines = text.split('\n').slice(0, -1);
    if (!answer || incomparable(answer) || lines.pop() !== 'end') return undefined;
    for (const line of lines) addEntry(git, repositories, line);
  }
  const files = new Map<string, string>();
  for (const file of prediction.files) addFile(files, file);
  const effects = new Map(
    prediction.effects.flatMap((one) =>
      passing.has(one.effect) ? [] : [[JSON.stringify([one.effect, one.fact ?? one.detail]), one.effect] as const],
    ),
  );
  return { files, git, effects, exitCode: prediction.exitCode, cwd: prediction.cwd };
}

/** What git or files show by themselves, and what is no state: times of files, waiting. */
const passing: ReadonlySet<EffectKind> = new Set<EffectKind>([
  'git',
  'timestamp',
  'waits',
  'environment',
  'runs-later',
]);

function addEntry(git: Map<string, GitEntry[]>, repositories: readonly string[], line: string): void {
  const [number = '', what, name = '', id = ''] = line.split(' ');
  const repository = repositories[Number(number)];
  if (repository === undefined || (what !== 'ref' && what !== 'head' && what !== 'index' && what !== 'stash')) return;
  // The stash is told entry by entry.
  if (what === 'ref' && name === 'refs/stash') return;
  git.set(repository, [
    ...(git.get(repository) ?? []),
    { what, name: what === 'head' && id === '' ? 'HEAD' : name, id: id || name },
  ]);
}

function addFile(files: Map<string, string>, file: PredictedFile): void {
  const { path, from, change, type, mode, sha256, target, volatile, sizeBytes } = file;
  if (from !== undefined && !toldByGit.test(from) && !files.has(from)) files.set(from, 'gone');
  if (toldByGit.test(path)) return;
  const content = volatile ? 'varies' : (sha256 ?? target ?? (type === 'file' ? `${sizeBytes} bytes` : ''));
  files.set(path, change === 'deleted' ? 'gone' : `${type} ${mode} ${content}`);
}

/** What a safer command may leave besides: everything below `path`, and names of git. */
export interface Besides {
  path?: string | undefined;
  /** Short names of branches. */
  names?: readonly string[];
  stash?: boolean;
}

/** In what a state (`here`) is another than the state behind something else (`there`); `besides` counts for nothing. */
export function stateDifferences(here: EndState, there: EndState, besides: Besides = {}): StateDifference[] {
  const found: StateDifference[] = [];
  const { path: kept, names = [], stash = false } = besides;
  const isKept = (path: string) => kept !== undefined && (path === kept || path.startsWith(`${kept}/`));
  for (const [path, node] of here.files) {
    if (isKept(path)) continue;
    const other = there.files.get(path);
    if (other !== node) found.push({ kind: 'file', path, how: other === undefined ? 'onlyHere' : 'content' });
  }
  for (const path of there.files.keys())
    if (!here.files.has(path)) found.push({ kind: 'file', path, how: 'onlyThere' });
  const mayBeKept = ({ what, name }: GitEntry) =>
    (what === 'stash' && stash) || (what === 'ref' && names.some((one) => name === `refs/heads/${one}`));
  for (const repository of new Set([...here.git.keys(), ...there.git.keys()])) {
    // A repository that was moved away as a whole is kept with everything in it.
    if (isKept(repository)) continue;
    const key = ({ what, name, id }: GitEntry) => `${what} ${name} ${id}`;
    const [ours, theirs] = [here.git.get(repository) ?? [], there.git.get(repository) ?? []];
    const [ourKeys, theirKeys] = [new Set(ours.map(key)), new Set(theirs.map(key))];
    const differing = [
      ...ours.filter((one) => !theirKeys.has(key(one)) && !mayBeKept(one)),
      ...theirs.filter((one) => !ourKeys.has(key(one))),
    ];
    const told = new Set<string>();
    for (const { what, name } of differing) {
      if (told.has(`${what} ${name}`)) continue;
      told.add(`${what} ${name}`);
      found.push({ kind: 'git', repository, what, ...(what === 'ref' ? { name } : {}) });
    }
  }
  for (const [key, effect] of here.effects)
    if (!there.effects.has(key)) found.push({ kind: 'effect', effect, how: 'onlyHere' });
  for (const [key, effect] of there.effects)
    if (!here.effects.has(key)) found.push({ kind: 'effect', effect, how: 'onlyThere' });
  if (here.exitCode !== there.exitCode) found.push({ kind: 'exitCode', here: here.exitCode, there: there.exitCode });
  if (here.cwd !== undefined && there.cwd !== undefined && here.cwd !== there.cwd)
    found.push({ kind: 'folder', here: here.cwd, there: there.cwd });
  return found;
}
