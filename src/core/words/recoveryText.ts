import { shortId } from '../facts/gitNames.ts';
import { isWayBack, type KnownWay, type Recovery } from '../facts/recovery.ts';

/** `no`, `not known`, or a sentence that begins `yes, from …`. For people and JSON; nothing reads it back. */
export function recoveryText(recovery: Recovery): string {
  if (!isWayBack(recovery)) return recovery.kind === 'none' ? 'no' : 'not known';
  return `yes, ${wayBack(recovery)}`;
}

/** What losses that nothing brings back are called together: `Lost for good`, or what that comes to where it is not known of all. */
export function lostTitle(losses: readonly { recovery: Recovery }[]): string {
  const unknown = losses.filter(({ recovery }) => recovery.kind === 'unknown').length;
  if (unknown === 0) return 'Lost for good';
  return unknown === losses.length ? 'May be lost for good' : 'Lost, or may be lost, for good';
}

/** Where it can be brought back from, as a phrase: `from the reflog until it expires (git branch rescue 1a2b3c4d5e)`. */
export function wayBack(recovery: KnownWay): string {
  switch (recovery.kind) {
    case 'commit':
      return recovery.remoteBranch === undefined
        ? `from commit ${shortId(recovery.commit)}`
        : `from commit ${shortId(recovery.commit)} (on ${recovery.remoteBranch} as of the last fetch)`;
    case 'index':
      return recovery.id === undefined ? 'from the index' : `from the index (git cat-file -p ${shortId(recovery.id)})`;
    case 'gitName':
      return `from ${recovery.holder}`;
    case 'objectDatabase':
      return `from git’s object database until the next gc${inBrackets(recovery.command)}`;
    case 'storedByAction':
      return 'from what this action stores in git';
    case 'reflog':
      return `from the reflog until it expires${inBrackets(recovery.command)}`;
    case 'remote':
      return `from ${recovery.address}${recovery.isHere ? '' : ' as of the last fetch'} (git ${recovery.by})`;
    case 'tool':
      return `from ${recovery.tool} (${nameOf(recovery.from)} is beside ${nameOf(recovery.made)})`;
    case 'linkTarget':
      return `from its target, which is known: ${recovery.target}`;
    case 'localHistory':
      return `from VS Code’s local history (saved ${new Date(recovery.savedAt).toISOString()})`;
    case 'editor':
      return 'from the editor in which it is open, as long as that stays open';
    case 'otherNames':
      return recovery.names === 1
        ? 'from the other name of the same file'
        : `from ${recovery.names} other names of the same file`;
    case 'file':
      if (recovery.together !== undefined)
        return `from ${[recovery.file, ...recovery.together].join(' and ')}, which hold it together`;
      return recovery.format === undefined ? `from ${recovery.file}` : `from ${recovery.file}, which holds it`;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function inBrackets(command: string | undefined): string {
  return command === undefined ? '' : ` (${command})`;
}
