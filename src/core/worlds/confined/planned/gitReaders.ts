import { posix } from 'node:path';
import { gitCommandOf } from '../../../programs/gitCommand.ts';
import { unquotePath } from '../../../shell/unquotePath.ts';
import { decodePath } from '../wire/bytePath.ts';
import { type Call, type Reader, type ReaderTools, type Reading, readOptions } from './call.ts';
import type { GitCall } from './gitCall.ts';
import { branch, moveBranch, stash, tag, updateRef } from './gitNames.ts';

/** Of so many files the committed content is compared. */
const comparedFiles = 32;

/** What each subcommand would do to the files of the working tree, asked of git itself. */
const subcommands: Readonly<Record<string, (call: GitCall, tools: ReaderTools) => Promise<Reading>>> = {
  clean,
  reset,
  checkout,
  switch: switchBranch,
  restore,
  rm: removeTracked,
  branch,
  tag,
  stash,
  'update-ref': updateRef,
};

/** Reads `git …`: which files it would delete or overwrite, and with what. */
export const git: Reader = async (call, tools) => {
  if (call.words.some(({ isOpen }) => isOpen)) return 'unknown';
  const texts = call.words.map(({ text }) => text);
  const parts = gitCommandOf(['git', ...texts], call.cwd);
  const read = parts && subcommands[parts.command];
  if (!read || !Object.hasOwn(subcommands, parts.command)) return 'unknown';
  const { command: sub, words, globals, cwd } = parts;
  const rest = call.words.slice(call.words.length - words.length);
  const off = ['-c', 'core.fsmonitor=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.quotePath=true'];
  const env = { ...call.env, LC_ALL: 'C', GIT_OPTIONAL_LOCKS: '0', GIT_PAGER: 'cat', GIT_NO_LAZY_FETCH: '1' };
  const inner: Call = { ...call, cwd, words: rest };
  return read(
    {
      ...inner,
      sub,
      options: readOptions(inner, '-s --source -e --exclude -b -B -c -C --orphan --conflict --pathspec-from-file'),
      divider: rest.findIndex(({ text }) => text === '--'),
      ask: (args) => tools.look(['git', ...off, ...globals, ...args], { cwd, env, inputText: undefined }),
    },
    tools,
  );
};

async function clean({ words, options, ask, cwd }: GitCall, { disk }: ReaderTools): Promise<Reading> {
  if (options.has('-n', '--dry-run', '-h', '--help')) return 'exact';
  if (!options.has('-f', '--force', '-i', '--interactive')) {
    const required = (await ask(['config', '--type=bool', 'clean.requireForce']))?.toString().trim();
    if (required !== 'false') return 'exact'; // It refuses.
  }
  // `-q` would print nothing, `-i` would ask.
  const kept = words.flatMap(({ text }) => {
    if (/^--(quiet|interactive)$/.test(text)) return [];
    return /^-[a-zA-Z]+$/.test(text) ? [text.replace(/[qi]/g, '')].filter((word) => word !== '-') : [text];
  });
  const printed = await ask(['clean', '-n', ...kept]);
  if (!printed) return 'unknown';
  for (const line of printed.toString('utf8').split('\n')) {
    const named = /^Would remove (.*)$/.exec(line)?.[1];
    if (named === undefined) continue;
    // The folder that it works in stays, empty.
    const gone =
      named === './' ? await disk.names(await disk.place(cwd, './')) : [unquotePath(named).replace(/\/$/, '')];
    for (const name of gone) if (!(await disk.remove(await disk.place(cwd, name)))) return 'unknown';
  }
  return options.has('-i', '--interactive') ? 'known' : 'exact';
}

async function removeTracked({ options, ask }: GitCall, { disk }: ReaderTools): Promise<Reading> {
  if (options.has('-n', '--dry-run', '--cached')) return 'exact';
  if (options.words.length === 0) return 'unknown';
  // `git rm -n` would lock the index.
  const named = ['--full-name', '--error-unmatch', '--', ...options.words];
  const [listed, root] = [await ask(['ls-files', '-z', ...named]), await rootOf(ask)];
  if (root === undefined) return 'unknown';
  if (!listed) return 'known'; // It refuses: git does not track all of them.
  if (!options.has('-f', '--force')) {
    const changed = await differences(ask, ['HEAD', '--', ...options.words]);
    if (!changed) return 'unknown';
    if (changed.length > 0) return 'known'; // It refuses.
  }
  for (const path of fieldsOf(listed)) await disk.remove(posix.join(root, decodePath(path)));
  return 'known';
}

async function reset(call: GitCall, tools: ReaderTools): Promise<Reading> {
  const { options, ask, divider } = call;
  if (options.has('--merge', '--keep')) return 'unknown';
  const [target = 'HEAD'] = options.words;
  if (!options.has('--hard')) {
    // With paths nothing moves; else the files keep what the commits had.
    return options.words.length > 1 || divider >= 0 || target === 'HEAD' ? 'known' : 'unknown';
  }
  if (divider >= 0) return 'exact'; // It refuses paths.
  await moveBranch(target, call, tools);
  return overwriteFrom(target, [], { ask, removes: true }, tools);
}

async function checkout(call: GitCall, tools: ReaderTools): Promise<Reading> {
  const { options, words, divider, ask } = call;
  if (options.has('-p', '--patch', '--pathspec-from-file', '--ours', '--theirs', '-m', '--merge')) return 'unknown';
  const forced = options.has('-f', '--force');
  const makesBranch = options.has('-b', '-B', '--orphan');
  if (makesBranch) return options.words.length > 0 || forced ? 'unknown' : 'known';
  const behind = divider >= 0 ? words.slice(divider + 1).map(({ text }) => text) : undefined;
  const before = behind ? options.words.slice(0, options.words.length - behind.length) : options.words;
  if (behind) {
    const [tree] = before;
    return behind.length === 0
      ? switchTo(tree ?? 'HEAD', forced, ask, tools)
      : overwriteFrom(tree, behind, { ask, removes: false }, tools);
  }
  const [first, ...paths] = before;
  if (first === undefined) return forced ? switchTo('HEAD', true, ask, tools) : 'known';
  const isRevision = (await ask(['rev-parse', '-q', '--verify', `${revision(first)}^{commit}`])) !== undefined;
  if (!isRevision) return overwriteFrom(undefined, before, { ask, removes: false }, tools);
  if (paths.length > 0) return overwriteFrom(first, paths, { ask, removes: false }, tools);
  return switchTo(first, forced, ask, tools);
}

async function switchBranch({ options, ask }: GitCall, tools: ReaderTools): Promise<Reading> {
  const forced = options.has('-f', '--force', '--discard-changes');
  if (options.has('-m', '--merge')) return 'unknown';
  if (options.has('-c', '-C', '--create', '--force-create', '--orphan')) return forced ? 'unknown' : 'known';
  const [target] = options.words;
  return target === undefined ? 'known' : switchTo(target, forced, ask, tools);
}

async function restore({ options, ask }: GitCall, tools: ReaderTools): Promise<Reading> {
  if (options.has('-p', '--patch', '--pathspec-from-file', '--ours', '--theirs', '-m', '--merge')) return 'unknown';
  const staged = options.has('-S', '--staged');
  if (staged && !options.has('-W', '--worktree')) return 'known';
  const source = options.value('-s', '--source') ?? (staged ? 'HEAD' : undefined);
  if (options.words.length === 0) return 'exact';
  return overwriteFrom(source, options.words, { ask, removes: !options.has('--overlay') }, tools);
}

/** `-` is the branch before (git-checkout(1)). */
function revision(name: string): string {
  return name === '-' ? '@{-1}' : name;
}

async function rootOf(ask: GitCall['ask']): Promise<string | undefined> {
  const printed = await ask(['rev-parse', '--show-toplevel']);
  return printed && decodePath(printed).replace(/\n$/, '');
}

function fieldsOf(printed: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0, end = printed.indexOf(0); end >= 0; from = end + 1, end = printed.indexOf(0, from)) {
    parts.push(printed.subarray(from, end));
  }
  return parts;
}

/** Status letters and paths, relative to the top, of `git diff --name-status -z`. */
async function differences(ask: GitCall['ask'], args: readonly string[]): Promise<[string, string][] | undefined> {
  const printed = await ask([
    'diff',
    '--no-ext-diff',
    '--no-textconv',
    '--no-renames',
    '--ignore-submodules',
    '--name-status',
    '-z',
    ...args,
  ]);
  if (!printed) return undefined;
  const parts = fieldsOf(printed);
  return parts.flatMap((part, index) =>
    index % 2 === 0 ? [[part.toString(), decodePath(parts[index + 1] ?? Buffer.alloc(0))] as [string, string]] : [],
  );
}

/**
 * Files that take their content from a commit, or from the index where `tree` is absent. `removes`: what the commit does
 * not have and git tracks is deleted.
 */
async function overwriteFrom(
  tree: string | undefined,
  paths: readonly string[],
  { ask, removes }: { ask: GitCall['ask']; removes: boolean },
  { disk }: ReaderTools,
): Promise<Reading> {
  const from = tree === undefined ? [] : [revision(tree)];
  if (tree === undefined && paths.length > 0) {
    // It refuses all of them where git does not know one.
    if (!(await ask(['ls-files', '--error-unmatch', '--', ...paths]))) return 'known';
  }
  const [found, root] = [await differences(ask, [...from, '--', ...paths]), await rootOf(ask)];
  if (!found || root === undefined) return 'unknown';
  let compared = 0;
  for (const [status, relative] of found) {
    const path = posix.join(root, relative);
    const node = await disk.node(path);
    if (!node || status === 'U') continue;
    if (status === 'A') {
      if (removes) await disk.remove(path);
      continue;
    }
    compared += 1;
    const content =
      compared <= comparedFiles ? await ask(['cat-file', 'blob', `${from[0] ?? ''}:${relative}`]) : undefined;
    if (node.type !== 'directory') await disk.write(path, content);
  }
  return 'known';
}

/** Another commit in the working tree. Without force git refuses where that would lose something that is not committed. */
async function switchTo(target: string, forced: boolean, ask: GitCall['ask'], tools: ReaderTools): Promise<Reading> {
  if (forced) return overwriteFrom(target, [], { ask, removes: true }, tools);
  const to = revision(target);
  if ((await ask(['rev-parse', '-q', '--verify', `${to}^{commit}`])) === undefined) return 'unknown';
  const [between, local, root] = [
    await differences(ask, ['HEAD', to]),
    await differences(ask, ['HEAD']),
    await rootOf(ask),
  ];
  if (!between || !local || root === undefined) return 'unknown';
  const changed = new Set(local.map(([, path]) => path));
  if (between.some(([, path]) => changed.has(path))) return 'known'; // It refuses.
  let compared = 0;
  for (const [status, relative] of between) {
    const path = posix.join(root, relative);
    const node = await tools.disk.node(path);
    if (!node || node.type === 'directory') continue;
    if (status === 'D') await tools.disk.remove(path);
    else {
      compared += 1;
      const content = compared <= comparedFiles ? await ask(['cat-file', 'blob', `${to}:${relative}`]) : undefined;
      await tools.disk.write(path, content);
    }
  }
  return 'known';
}
