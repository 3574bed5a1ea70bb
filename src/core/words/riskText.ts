import type { Limit } from '../facts/limit.ts';
import type { Evidence, Incompleteness, Risk, RiskFact } from '../facts/risk.ts';
import { countOf } from '../view/quantity.ts';
import { doubtText } from './doubtText.ts';
import { editRiskText, failedActionText } from './editRiskText.ts';
import { failureText } from './failureText.ts';
import { lossRiskText, placeRiskText } from './fileRiskText.ts';
import { harmlessText } from './harmlessText.ts';
import { otherSpellingText } from './otherSpellingText.ts';
import { programRiskText } from './programRiskText.ts';
import { programText } from './programText.ts';
import { scriptRiskText } from './scriptRiskText.ts';
import { capital, withStop } from './sentence.ts';

/** A reason of the verdict as one plain sentence. For people; nothing reads it back. */
export function riskText({ fact, withoutModel, inFuture }: Pick<Risk, 'fact' | 'withoutModel' | 'inFuture'>): string {
  const sentence = factText(fact);
  if (inFuture)
    return `In ${inFuture.count} of ${inFuture.of} imagined ends of \`${programText(inFuture)}\`: ${sentence}`;
  if (!withoutModel) return sentence;
  return `Without what the model imagined: ${sentence}`;
}

function factText(fact: RiskFact): string {
  switch (fact.kind) {
    case 'fails':
      return failedActionText(fact);
    case 'incomplete':
      return `Not everything could be predicted: ${incompleteText(fact)}`;
    case 'effect':
      return `${capital(fact.effect.detail)}.`;
    case 'moreEffects':
      return `And ${countOf(fact.count, 'more effect')} of the kind ${fact.effect}.`;
    case 'limit':
      return limits[fact.limit];
    case 'workLost':
    case 'workTakenAway':
    case 'filesLost':
    case 'temporaryFilesLost':
    case 'ownLogsLost':
    case 'filesTakenAway':
    case 'filesPacked':
    case 'builtFilesLost':
      return lossRiskText(fact);
    case 'otherSpelling':
      return otherSpellingText(fact);
    case 'placeChanged':
    case 'runsAsOwner':
    case 'writableByAll':
    case 'closedToOwner':
      return placeRiskText(fact);
    case 'newErrors':
    case 'secretWritten':
    case 'editMarked':
    case 'changedMeanwhile':
      return editRiskText(fact);
    case 'program':
    case 'forwardPush':
    case 'unknown':
    case 'unknownDestroys':
    case 'unknownRan':
    case 'unknownElsewhere':
    case 'answeredThen':
    case 'outOfPlace':
    case 'openProgram':
    case 'variableRuns':
    case 'pathOfOthers':
    case 'code':
      return programRiskText(fact);
    case 'runsOutput':
    case 'runsDownload':
    case 'runsUnread':
    case 'overwrites':
    case 'writesPlace':
    case 'connects':
    case 'sendsSecret':
    case 'readsSecret':
    case 'unsetVariable':
    case 'bomb':
    case 'historyOff':
    case 'hiddenCharacters':
    case 'unreadableScript':
      return scriptRiskText(fact);
    case 'onlyChanges':
    case 'onlyGit':
    case 'onlyGitFiles':
    case 'onlyTimes':
    case 'onlyReads':
      return harmlessText(fact);
  }
}

function incompleteText({ doubt, failure }: Incompleteness): string {
  if (doubt) return withStop(doubtText(doubt, 'behindColon').reason);
  return failure ? withStop(failureText(failure, 'behindColon')) : 'a language model imagined a part of it.';
}

const limits: Readonly<Record<Limit, string>> = {
  time: 'Takes longer than a rehearsal may.',
  processes: 'Starts more processes than a rehearsal may have: it would use up the machine.',
  memory: 'Needs more memory than a rehearsal may have: it could use up the machine.',
  disk: 'Writes more than a rehearsal may: it could fill the disk.',
};

/** What the reader can look up, as it stands elsewhere in the prediction. */
export function evidenceText(evidence: Evidence): string {
  switch (evidence.kind) {
    case 'path':
      return evidence.path;
    case 'program':
      return programText(evidence);
    case 'effect':
      return evidence.effect.detail;
    case 'variable':
      return `${evidence.name}=${evidence.value}`;
    case 'environment':
      return 'the environment';
    case 'name':
      return evidence.name;
  }
}
