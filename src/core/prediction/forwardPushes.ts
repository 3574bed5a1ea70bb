import { askGit, endOf } from '../loss/git/gitPlumbing.ts';
import { gitCommandOf } from '../programs/gitCommand.ts';
import type { Looker } from '../view/view.ts';
import type { Prediction } from './prediction.ts';

/** Who is asked about the repository: as it is now, and as the action would leave it. */
export interface PushLookers {
  looker: Looker;
  inView: Looker;
  signal: AbortSignal;
}

/**
 * The forced pushes among the programs that take nothing away from the remote, as far as was fetched: all that is known of
 * the remote branch is in what is pushed. Calls, their words joined by NUL.
 */
export async function forwardPushes({ programs }: Prediction, lookers: PushLookers): Promise<string[]> {
  const found: string[] = [];
  for (const { argv, cwd } of programs) {
    const push = readPush(argv, cwd);
    if (push && (await onlyForwards(push, lookers))) found.push(argv.join('\0'));
  }
  return found;
}

interface ForcedPush {
  cwd: string;
  remote: string;
  /** `['', '']`: the current branch. */
  refs: (readonly [source: string, branch: string])[];
}

const forces = /^(-f|--force|--force-with-lease(=.*)?|--force-if-includes)$/;
const harmless =
  /^(-u|--set-upstream|-q|--quiet|-v|--verbose|--progress|--no-progress|--verify|--no-verify|--porcelain|--atomic|-4|-6)$/;

/** A forced push of branches by name; `undefined` where it is none, or does more. */
function readPush(argv: readonly string[], cwd: string): ForcedPush | undefined {
  const call = gitCommandOf(argv, cwd);
  if (call?.command !== 'push' || call.globals.some((word, index) => index % 2 === 0 && word !== '-c'))
    return undefined;
  const { words } = call;
  const options = words.filter((word) => word.startsWith('-'));
  const [remote = '', ...specs] = words.filter((word) => !word.startsWith('-'));
  if (!options.every((option) => forces.test(option) || harmless.test(option))) return undefined;
  if (!options.some((option) => forces.test(option)) && !specs.some((spec) => spec.startsWith('+'))) return undefined;
  const refs = specs.map((spec) => {
    const [source = '', branch = source] = spec.replace(/^\+/, '').split(':');
    return [source, branch.replace(/^refs\/heads\//, '')] as const;
  });
  // An empty source deletes; a pattern or another kind of ref is not followed.
  if (refs.some(([source, branch]) => source === '' || branch === '' || /[*]|^refs\//.test(branch))) return undefined;
  return { cwd: call.cwd, remote, refs: refs.length > 0 ? refs : [['', '']] };
}

// `$1`: the remote; then the source and the branch of each, empty for the current branch. Prints a line for each.
const now = `b=$(g symbolic-ref -q --short HEAD)
r=$1; shift
[ -n "$r" ] || r=$(g config "branch.$b.pushRemote" || g config remote.pushDefault || g config "branch.$b.remote" || echo origin)
while [ $# -gt 0 ]; do
  d=$2
  [ "$d" != HEAD ] || d=$b
  if [ -z "$d" ]; then d=$(g config "branch.$b.merge") || d=$b; d=\${d#refs/heads/}; fi
  g rev-parse -q --verify "refs/remotes/$r/$d^{commit}" || echo none
  shift 2
done; ${endOf('known')}`;
// The same pairs with the id that is known of the remote branch in the place of the branch.
const afterwards = `while [ $# -gt 0 ]; do
  g merge-base --is-ancestor "$2" "\${1:-HEAD}" || exit 0
  shift 2
done; echo forwards; ${endOf('forwards')}`;

async function onlyForwards(
  { cwd, remote, refs }: ForcedPush,
  { looker, inView, signal }: PushLookers,
): Promise<boolean> {
  const known = await askGit({ looker, signal }, cwd, now, { arguments: [remote, ...refs.flat()] });
  const ids = (known.sections.get('known')?.text ?? '').split('\n').filter((line) => line !== '');
  if (known.failure !== undefined || ids.length !== refs.length || !ids.every((id) => /^[0-9a-f]{40,64}$/.test(id)))
    return false;
  const pairs = refs.flatMap(([source], index) => [source, ids[index] ?? '']);
  const answer = await askGit({ looker: inView, signal }, cwd, afterwards, { arguments: pairs });
  return answer.sections.get('forwards')?.text.trim() === 'forwards';
}
