import { posix } from 'node:path';
import type { FoundLoss, Loss, LossReason } from '../facts/loss.ts';
import { countOf, formatBytes } from '../view/quantity.ts';
import { commitCount, quotedSubjects, shorten } from './gitWords.ts';
import { recoveryText } from './recoveryText.ts';

/** A loss with its words beside it. */
export function withLossText<T extends FoundLoss>(loss: T): T & Pick<Loss, 'why' | 'recoverable'> {
  return { ...loss, ...lossWords(loss) };
}

/** Why it is a loss, and what brings it back. Of thousands most have the same words. */
export function lossWords(loss: FoundLoss): Pick<Loss, 'why' | 'recoverable'> {
  const { because, recovery, isCopyRemoved, isOpenUnsaved } = loss;
  const isPlain = !isCopyRemoved && !isOpenUnsaved;
  if (isPlain && last?.because === because && last.recovery === recovery) return last.words;
  const removed = isCopyRemoved ? ', and git’s copy is removed too' : '';
  const unsaved = isOpenUnsaved ? '; open in an editor with unsaved changes' : '';
  const why = `${lossReasonText(because)}${removed}${unsaved}`;
  const words = { why, recoverable: recoveryText(recovery) };
  if (isPlain) last = { because, recovery, words };
  return words;
}

/** The last words of a plain loss, for the next with the same reason and way back. */
let last: (Pick<FoundLoss, 'because' | 'recovery'> & { words: Pick<Loss, 'why' | 'recoverable'> }) | undefined;

/** `3 lines` that exist nowhere else; where nobody counts them, how long it was. */
export function lossSizeText({ lines, sizeBytes }: Pick<Loss, 'lines' | 'sizeBytes'>): string {
  if (lines === 0 && sizeBytes > 0) return 'only the order of its lines';
  return lines ? countOf(lines, 'line') : formatBytes(sizeBytes);
}

/** One clause, for example `untracked`, or `3 commits on no other branch, tag or remote: “One”, “Two”, “Three”`. */
export function lossReasonText(reason: LossReason): string {
  switch (reason.kind) {
    case 'modified':
      return 'modified and not committed';
    case 'untracked':
      return 'untracked';
    case 'ignored':
      return 'ignored by git, and nothing says how to make it again';
    case 'leftover':
      return 'ignored by git, of a kind that programs write as they run';
    case 'staged':
      return 'staged, not committed';
    case 'stagedInDeleted':
      return 'staged only, in a repository that is deleted too';
    case 'stagedVersion':
      return 'a staged version that nothing else has';
    case 'elsewhereInGit':
      return 'not in HEAD, but git has this content';
    case 'madeByTool':
      return 'made by a tool';
    case 'pushed':
      return 'committed and pushed';
    case 'committedHere':
      return 'committed, only in this repository';
    case 'committedInDeleted':
      return 'committed, but on no remote, and the repository is deleted too';
    case 'outsideRepository':
      return 'outside any git repository';
    case 'allOnRemote':
      return 'the repository; every commit is on a remote';
    case 'packedWhole':
      return 'the repository, all of which the action packs before';
    case 'allInFile':
      return 'the repository; every commit is in a file that the action writes';
    case 'allInFiles':
      return 'the repository; every commit is in files that the action writes';
    case 'allBeside':
      return 'the repository; every commit is in another one beside it';
    case 'gitFailed':
      return `it is not known whether git has it: ${reason.failure}`;
    case 'filtered':
      return `it is not known whether git has it: the filter \`${reason.filter}\` decides what it keeps of it`;
    case 'makerLost':
      return `made from ${posix.basename(reason.from)}, which is lost too`;
    case 'otherName':
      return `another name of ${posix.basename(reason.of)}, whose content is lost once`;
    case 'unreachable':
      return unreachableText(reason);
    case 'unreachableOfMore':
      return `${commitCount(reason.commits)} of ${countOf(reason.names, 'more name')} on nothing else: ${quotedSubjects(reason.commits)}`;
    case 'onNoRemote': {
      const where = reason.hasRemote ? 'on no remote' : 'in a repository without a remote';
      return `${commitCount(reason.commits)} ${where}: ${quotedSubjects(reason.commits)}`;
    }
    case 'unreadableRepository':
      return `a repository whose commits could not be read: ${reason.failure}`;
    case 'onlyLogged':
      return `${commitCount(reason.commits)} that only the reflog kept: ${quotedSubjects(reason.commits)}`;
    case 'stashed':
      return `stashed changes: “${shorten(reason.message)}”`;
  }
}

function unreachableText({ commits, replacedBy, inFiles }: LossReason & { kind: 'unreachable' }): string {
  const replaced = replacedBy > 0 ? `, replaced by ${countOf(replacedBy, 'new one')}` : '';
  const still = inFiles && replacedBy === 0 ? '; what they changed is still in the files' : '';
  return `${commitCount(commits)} on no other branch, tag or remote${replaced}: ${quotedSubjects(commits)}${still}`;
}

/** A list that was cut has at least as many. */
