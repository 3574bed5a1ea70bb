import type { PlannedNames } from '../../../loss/git/plannedNames.ts';
import { decodePath } from '../wire/bytePath.ts';
import type { ReaderTools, Reading } from './call.ts';
import type { GitCall } from './gitCall.ts';

/** The notes of the repository that a call works on. */
async function namesOf({ ask }: GitCall, tools: ReaderTools): Promise<PlannedNames | undefined> {
  const printed = await ask(['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (!printed) return undefined;
  const folder = decodePath(printed).replace(/\n$/, '');
  let names = tools.names.find((one) => one.folder === folder);
  if (!names) {
    names = { folder, deleted: [], moved: new Map(), stashes: [] };
    tools.names.push(names);
  }
  return names;
}

async function idOf(revision: string, ask: GitCall['ask']): Promise<string | undefined> {
  return (await ask(['rev-parse', '-q', '--verify', `${revision}^{commit}`]))?.toString().trim();
}

/** `git branch -D topic`, `git branch -f topic HEAD~2`. */
export async function branch(call: GitCall, tools: ReaderTools): Promise<Reading> {
  const { options, ask } = call;
  const forced = options.has('-D', '-f', '--force', '-M');
  const deletes = options.has('-d', '-D', '--delete');
  if (!deletes && !forced) return 'unknown';
  const names = await namesOf(call, tools);
  if (!names || options.has('-M', '-m', '-c', '-C')) return 'unknown';
  const folder = options.has('-r', '--remotes') ? 'refs/remotes/' : 'refs/heads/';
  if (deletes) {
    // Without force git deletes only what is merged, of which no commit is lost.
    if (!forced) return 'known';
    const current = (await ask(['symbolic-ref', '-q', 'HEAD']))?.toString().trim();
    names.deleted.push(...options.words.map((word) => folder + word).filter((name) => name !== current));
    return 'known';
  }
  const [name, start = 'HEAD'] = options.words;
  const to = await idOf(start, ask);
  if (name === undefined || to === undefined) return 'unknown';
  names.moved.set(folder + name, to);
  return 'known';
}

/** `git tag -d v1`. */
export async function tag(call: GitCall, tools: ReaderTools): Promise<Reading> {
  if (!call.options.has('-d', '--delete')) return 'unknown';
  const names = await namesOf(call, tools);
  names?.deleted.push(...call.options.words.map((word) => `refs/tags/${word}`));
  return names ? 'known' : 'unknown';
}

/** `git update-ref -d refs/heads/topic`. */
export async function updateRef(call: GitCall, tools: ReaderTools): Promise<Reading> {
  const { options, ask } = call;
  const names = await namesOf(call, tools);
  const [ref, id] = options.words;
  if (!names || ref === undefined || options.has('--stdin')) return 'unknown';
  if (options.has('-d')) {
    names.deleted.push(ref);
    return 'known';
  }
  const to = id === undefined ? undefined : await idOf(id, ask);
  if (to === undefined) return 'unknown';
  names.moved.set(ref, to);
  return 'known';
}

/** `git stash drop`, `git stash clear`; everything else keeps what is stashed, or puts it into the files. */
export async function stash(call: GitCall, tools: ReaderTools): Promise<Reading> {
  const [verb, which = '0'] = call.options.words;
  if (verb === 'list' || verb === 'show') return 'exact';
  if (verb !== 'drop' && verb !== 'clear') return 'unknown';
  const names = await namesOf(call, tools);
  const index = /^(?:stash@\{)?(\d+)\}?$/.exec(which)?.[1];
  if (!names || (verb === 'drop' && index === undefined)) return 'unknown';
  if (verb === 'clear') names.stashes = 'all';
  else if (names.stashes !== 'all') names.stashes.push(Number(index));
  return 'known';
}

/** The branch that is checked out goes to another commit: `git reset --hard HEAD~1`. */
export async function moveBranch(revision: string, call: GitCall, tools: ReaderTools): Promise<void> {
  const [current, to] = [
    (await call.ask(['symbolic-ref', '-q', 'HEAD']))?.toString().trim(),
    await idOf(revision, call.ask),
  ];
  const names = current && to ? await namesOf(call, tools) : undefined;
  if (names && current && to) names.moved.set(current, to);
}
