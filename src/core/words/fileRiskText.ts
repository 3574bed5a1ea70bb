import type { Going, LossReason } from '../facts/loss.ts';
import { isWayBack, type Recovery } from '../facts/recovery.ts';
import type { Amount, RiskFactOf, SpecialPlace } from '../facts/risk.ts';
import { countOf, formatBytes } from '../view/quantity.ts';
import { filesText } from './filesText.ts';
import { lossReasonText } from './lossText.ts';
import { wayBack } from './recoveryText.ts';

const verbs: Readonly<Record<Going, string>> = { deleted: 'Deletes', replaced: 'Overwrites', edited: 'Edits' };

/** What files and commits an action takes away, as a sentence. */
export function lossRiskText(
  fact: RiskFactOf<
    | 'workLost'
    | 'workTakenAway'
    | 'filesLost'
    | 'temporaryFilesLost'
    | 'ownLogsLost'
    | 'filesTakenAway'
    | 'filesPacked'
    | 'builtFilesLost'
  >,
): string {
  switch (fact.kind) {
    case 'workLost':
      return `Loses ${fact.of === 'stash' ? `the stashed work ${fact.name}` : lossReasonText(fact.because)}, for good.`;
    case 'workTakenAway':
      return `Takes away ${workText(fact.because)} can be brought back${backText(fact)}.`;
    case 'filesLost':
      if (fact.amount.isOrder)
        return `${verbs[fact.going]} ${countOf(fact.amount.files, 'file')}, of which only the order of the lines is lost.`;
      if (fact.isUnknown)
        return `${verbs[fact.going]} ${contentText(fact.amount)}; whether git has ${fact.amount.files === 1 ? 'it' : 'them'} is not known.`;
      return `${verbs[fact.going]} ${contentText(fact.amount)} ${fact.isNowhere ? 'that no repository has' : onlyHere(fact.amount)}.`;
    case 'temporaryFilesLost':
      return `Deletes or overwrites ${contentText(fact.amount)} in the temporary folder.`;
    case 'ownLogsLost':
      return `Deletes ${contentText(fact.amount)} of old logs, as the program that keeps them does by itself.`;
    case 'filesTakenAway':
      return `${verbs[fact.going]} ${contentText(fact.amount)} that can be brought back${backText(fact)}.`;
    case 'filesPacked':
      return `Deletes or overwrites ${contentText(fact.amount)} that can be brought back${backText(fact)}.`;
    case 'builtFilesLost':
      return `Deletes ${contentText(fact.amount)} that can be built again.`;
  }
}

/** Each reason; versions of several files have the same. */
function workText(because: readonly LossReason[]): string {
  const isOfVersions = because.length > 1 && because.every(({ kind }) => kind === 'stagedVersion');
  return isOfVersions
    ? `${because.length} staged versions that nothing else has; they`
    : `${cut([...new Set(because.map(lossReasonText))].join('; '))}; ${isOne(because) ? 'it' : 'they'}`;
}

function isOne([first, ...others]: readonly LossReason[]): boolean {
  return others.length === 0 && !(first && 'commits' in first && first.commits.count > 1);
}

/** Where the ways differ, none of them holds for all; the list of losses has each. */
function backText({ recovery, ways }: { recovery: Recovery; ways?: number | undefined }): string {
  if (ways !== undefined) return `, from ${ways} different places`;
  return isWayBack(recovery) ? ` ${wayBack(recovery)}` : '';
}

/** `3 files with 214 uncommitted lines`. */
function contentText({ files, lines, sizeBytes, isUncommitted }: Amount): string {
  const size = lines > 0 ? countOf(lines, isUncommitted ? 'uncommitted line' : 'line') : formatBytes(sizeBytes);
  return `${countOf(files, 'file')} with ${size}`;
}

function onlyHere({ files, lines }: Amount): string {
  return lines === 1 || (lines === 0 && files === 1) ? 'that exists nowhere else' : 'that exist nowhere else';
}

function cut(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}

/** What files of a place do, said of one and of several. */
const changedPlaces: Readonly<Record<SpecialPlace, readonly [one: string, several: string]>> = {
  device: same("of the machine's devices"),
  startup: same('that will be run or read at the next start'),
  secret: same('with keys or passwords'),
  guard: ['that decides what agents and editors may do', 'that decide what agents and editors may do'],
  pipeline: ['that decides what runs on other machines', 'that decide what runs on other machines'],
  keeps: ['that holds keys, settings or history', 'that hold keys, settings or history'],
  system: same('of the system'),
  outside: same('outside the workspace'),
};

function same(words: string): readonly [string, string] {
  return [words, words];
}

function placeText({ place, files, isDeleted }: RiskFactOf<'placeChanged'>): string {
  if (isDeleted && place === 'startup') return 'that would be run or read at the next start';
  return changedPlaces[place][files === 1 ? 0 : 1];
}

function changeOf({ isDeleted, isCreated }: RiskFactOf<'placeChanged'>): string {
  if (isDeleted) return 'Deletes';
  return isCreated ? 'Creates' : 'Changes';
}

/** Where changed files stand, and who may use them from now on, as a sentence. */
export function placeRiskText(
  fact: RiskFactOf<'placeChanged' | 'runsAsOwner' | 'writableByAll' | 'closedToOwner'>,
): string {
  const files = filesText(fact.files, fact.kind === 'runsAsOwner' ? 0 : fact.folders);
  switch (fact.kind) {
    case 'placeChanged':
      return `${changeOf(fact)} ${files} ${placeText(fact)}.`;
    case 'runsAsOwner':
      return `Makes ${files} run with the rights of the owner.`;
    case 'writableByAll':
      return `Lets everybody on this machine write ${files}.`;
    case 'closedToOwner':
      return fact.files === 1
        ? `Leaves ${files} closed even to its owner; \`${fact.wayBack}\` opens it again.`
        : `Leaves ${files} closed even to their owner; \`${fact.wayBack}\` opens them again.`;
  }
}
