import type { Incomparable, Keeping, StateDifference } from '../facts/alternative.ts';
import type { EffectKind } from '../facts/effect.ts';
import { countOf, inSentence } from '../view/quantity.ts';

/** What a proven safer command does better, in one sentence. `saves`: how much the given one would lose for good. */
export function saferText(keeps: readonly Keeping[], saves: number): string {
  const kept = keeps.map(keepingText).join('; ');
  const lost = saves === 0 ? 'nothing is taken away' : 'nothing is lost for good';
  return `Proven by a rehearsal: it leaves the same files, git state and exit code, and ${lost}: ${kept}.`;
}

/** Where a safer command keeps what would go, as a clause. */
function keepingText(keeping: Keeping): string {
  switch (keeping.kind) {
    case 'stash':
      return 'the changes are in the stash (git stash pop)';
    case 'names':
      return `${keeping.names.length === 1 ? 'branch' : 'branches'} ${keeping.names.map((name) => inSentence(name)).join(', ')} ${keeping.names.length === 1 ? 'keeps' : 'keep'} the commits`;
    case 'folder':
      return `what it deletes is moved to ${inSentence(keeping.path)}`;
    case 'archive':
      return `what would be lost is packed into ${inSentence(keeping.path)}`;
    case 'objects':
      return 'git keeps the objects that nothing reaches';
    case 'code':
      return `the code is in ${inSentence(keeping.path)}, where it can be read, and runs only when all of it came`;
  }
}

/** In what the state behind an alternative is another one, as one clause of a few words. */
function differencesText(differences: readonly StateDifference[], nameOf: (path: string) => string): string {
  const files = differences.flatMap((one) => (one.kind === 'file' ? [one.path] : []));
  const rest = differences.filter((one) => one.kind !== 'file').map((one) => differenceText(one, nameOf));
  const first = files.slice(0, 3).map(nameOf);
  const more = files.length - first.length;
  const named =
    files.length === 0 ? [] : [`${first.join(', ')}${more > 0 ? ` and ${countOf(more, 'more path')}` : ''}`];
  return [...named, ...new Set(rest)].join('; ');
}

const effectWords: Readonly<Record<EffectKind, string>> = {
  git: 'a change in git',
  network: 'a connection',
  process: 'a process',
  signal: 'a signal',
  waits: 'a wait',
  package: 'a change of packages',
  permission: 'a change of attributes',
  privilege: 'a right of the system',
  'outside-workspace': 'a change outside the workspace',
  device: 'a write to a device',
  service: 'a change of services',
  cloud: 'a change in a cloud',
  container: 'a change of containers',
  database: 'a change of a database',
  'code-execution': 'a run of code',
  environment: 'a change of variables',
  timestamp: 'a change of times',
  'runs-later': 'a change of what others run later',
  other: 'another effect',
};

function differenceText(
  difference: Exclude<StateDifference, { kind: 'file' }>,
  nameOf: (path: string) => string,
): string {
  switch (difference.kind) {
    case 'git': {
      const { what, name = '' } = difference;
      const words = { ref: inSentence(name), head: 'HEAD', index: 'what is staged', stash: 'the stash' };
      return words[what];
    }
    case 'exitCode':
      return `exit code ${difference.here ?? 'unknown'} instead of ${difference.there ?? 'an unknown one'}`;
    case 'effect':
      return `${effectWords[difference.effect]} ${difference.how === 'onlyHere' ? 'besides' : 'is missing'}`;
    case 'folder':
      return `the shell is in ${nameOf(difference.here)}`;
  }
}

/** Why nobody can say whether an alternative leaves the same. */
function incomparableText(because: Incomparable): string {
  switch (because.kind) {
    case 'failed':
      return 'it could not be predicted';
    case 'gitUnread':
      return 'what git has afterwards could not be read';
    case 'notKnown':
      return because.imagined ? 'a model imagined a part of it' : 'not everything of it is known';
  }
}

/** How many of some alternatives leave the same state; `agreeing` is absent where nothing is known. `isBest`: one loses nothing. */
export function agreementText(agreeing: number | undefined, total: number, isBest: boolean): string {
  if (agreeing === undefined) return 'What they leave cannot be compared: nothing is known exactly.';
  const first = isBest ? ', and the first one shown loses nothing' : '';
  return agreeing === 1
    ? `All ${total} end in different states or are not known.`
    : `${agreeing} of ${total} end in the same state${first}.`;
}

/** What state an alternative leaves, beside the first one that was given. */
export function stateText(
  {
    group,
    differences,
    because,
  }: { group: number | undefined; differences: readonly StateDifference[]; because: Incomparable | undefined },
  nameOf: (path: string) => string,
): string {
  if (because) return `cannot be compared: ${incomparableText(because)}`;
  if (group === 0) return 'the same';
  return differences.length === 0 ? 'one of its own' : `another: ${differencesText(differences, nameOf)}`;
}
