import { blobId, withoutCarriageReturns } from '../beforeContent.ts';
import { below, fromBytePath } from '../bytePath.ts';
import { linesLost, maxAfterBytes } from '../textLines.ts';
import { filtersOf } from './filteredFiles.ts';
import { stashLoss } from './gitCommits.ts';
import { askGit, endOf, fields, type GitRunner, repositorySettings } from './gitPlumbing.ts';
import { objectTypes, type RefSnapshot, type StashedPath, stashedPaths } from './gitRefs.ts';
import { versions } from './gitStorage.ts';
import type { Findings, GitFolderTask } from './gitTask.ts';
import { listedEntry } from './listedIndex.ts';

/** Tells which stash entries are made and which are gone. A popped entry is not lost: its content is in the files. */
export async function describeStashes(
  task: GitFolderTask,
  before: RefSnapshot,
  after: RefSnapshot,
  found: Findings,
): Promise<void> {
  const old = new Set(before.stashes.map((stash) => stash.id));
  const now = new Set(after.stashes.map((stash) => stash.id));
  for (const stash of after.stashes) {
    if (!old.has(stash.id)) found.facts.push({ kind: 'stashPut', message: stash.message });
  }
  const named = before.stashes.map((stash, index) => ({ ...stash, name: `stash@{${index}}` }));
  const gone = named.filter((stash) => !now.has(stash.id));
  if (gone.length === 0) return;
  const inView = { looker: task.input.inView, signal: task.input.signal };
  const ids = gone.map((stash) => stash.id);
  const left = await objectTypes(inView, task.group.folder, ids);
  for (const stash of gone) {
    if (left.has(stash.id) && (await isApplied(task, stash.id))) {
      found.facts.push({ kind: 'stashApplied', name: stash.name, message: stash.message });
      continue;
    }
    found.facts.push({ kind: 'stashDropped', name: stash.name, message: stash.message });
    // A branch or tag that stands at it keeps it as it does any other commit, and so does its own name without its log.
    const names = [...after.refs.values(), after.stashTip];
    if (left.has(stash.id) && names.includes(stash.id)) continue;
    const command = `${task.git} stash apply ${stash.id}`;
    found.loss.push(
      stashLoss(stash, left.has(stash.id) ? { kind: 'objectDatabase', id: stash.id, command } : { kind: 'none' }),
    );
  }
}

/**
 * The action writes every path of the stash entry, and what the entry added stands there: `git stash pop`, not `git stash drop`, nor
 * `git stash; git stash drop stash@{1}`, where the same files are written back to the last commit.
 */
async function isApplied(task: GitFolderTask, id: string): Promise<boolean> {
  const real = { looker: task.input.looker, signal: task.input.signal };
  const stashed = await stashedPaths(real, task.group.folder, id);
  for (const root of rootsOf(task, stashed)) if (await standsBelow(task, root, stashed)) return true;
  return false;
}

/** Working trees in which the action writes all these paths: also linked ones and those of submodules, which stand elsewhere. */
function rootsOf({ input }: GitFolderTask, stashed: readonly StashedPath[]): string[] {
  const [first] = stashed;
  if (first === undefined) return [];
  const written = new Set(input.files.map(({ path }) => path));
  const endings = stashed.map(({ path }) => `/${fromBytePath(path)}`);
  const ending = `/${fromBytePath(first.path)}`;
  const roots = [...written].filter((path) => path.endsWith(ending)).map((path) => path.slice(0, -ending.length));
  return roots.filter((root) => endings.every((one) => written.has(root + one)));
}

async function standsBelow(task: GitFolderTask, root: string, stashed: readonly StashedPath[]): Promise<boolean> {
  const { folder } = task.group;
  const inView = { looker: task.input.inView, signal: task.input.signal };
  const repository = { root, gitFolder: folder, commonFolder: folder };
  const settings = await repositorySettings(inView, root, folder);
  const paths = stashed.map(({ path }) => path);
  // Whether a file is what a filter made of a version, only the filter could say; but a file as the index has it is not what was stashed.
  const filtered = await filtersOf(inView, repository, settings, paths);
  if (filtered.size > 0 && (await isAsIndexed(inView, root, stashed, filtered))) return false;
  const plain = stashed.filter(({ path, mode }) => /^(?:100|000)/.test(mode) && !filtered.has(path));
  const real = { looker: task.input.looker, signal: task.input.signal };
  const ids = plain.flatMap((one) => [one.id, one.baseId]);
  const contents = await versions(real, { ...repository, root: folder }, ids);
  for (const one of plain) if (!(await standsThere(task, root, one, contents))) return false;
  return true;
}

/** One of the filtered files stands as the index has it, by the times in there, and the index has another version than the entry. */
async function isAsIndexed(
  inView: GitRunner,
  root: string,
  stashed: readonly StashedPath[],
  filtered: ReadonlyMap<string, string>,
): Promise<boolean> {
  const asked = stashed.filter(({ path }) => filtered.has(path));
  const script = `g diff-files --name-only -z -- "$@"; ${endOf('changed')}\ng ls-files -s -z -- "$@"; ${endOf('index')}`;
  const answer = await askGit(inView, root, script, { arguments: asked.map(({ path }) => fromBytePath(path)) });
  const changed = new Set(fields(answer.sections.get('changed')?.text ?? ''));
  const entries = fields(answer.sections.get('index')?.text ?? '').map(listedEntry);
  const index = new Map(entries.map((entry) => [entry.path, entry.id]));
  return asked.some(({ path, id }) => index.has(path) && !changed.has(path) && index.get(path) !== id);
}

async function standsThere(
  { input }: GitFolderTask,
  root: string,
  { path, id, baseId }: StashedPath,
  contents: ReadonlyMap<string, Uint8Array>,
): Promise<boolean> {
  const after = await input.view.read(below(root, fromBytePath(path)), 'after', maxAfterBytes);
  if (/^0+$/.test(id)) return after === undefined;
  if (after === undefined) return false;
  if (blobId(after, id.length) === id) return true;
  const unix = withoutCarriageReturns(after);
  if (unix && blobId(unix, id.length) === id) return true;
  const [content, base] = [contents.get(id), contents.get(baseId)];
  // One that is too large to be read was written, and nobody says how.
  if (!content) return true;
  if (linesLost(content, base ? [after, base] : [after]) !== 0) return false;
  return base === undefined || blobId(after, baseId.length) !== baseId;
}
