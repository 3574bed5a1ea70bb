import type { CallOutcome, ComparedPart } from '../facts/callOutcome.ts';
import type { HeadlineKind } from '../facts/headline.ts';
import { countOf } from '../view/quantity.ts';
import { filesText } from './filesText.ts';

/** How far a call has come, in a few words: `denied`, `came out as predicted`. */
export function callOutcomeText(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'predicting':
      return 'being predicted';
    case 'unpredicted':
      return 'its prediction did not end';
    case 'denied':
      return 'denied';
    case 'madeAnyway':
      return 'denied, and made all the same';
    case 'waiting':
      return 'let through, no result yet';
    case 'untold':
      return 'let through, no result told';
    case 'agrees':
      return 'came out as predicted';
    case 'differs':
      return `differs: ${outcome.parts.map(partText).join(', ')}`;
    case 'unchecked':
      return 'made, nothing to compare';
  }
}

/** The same as a sentence. */
export function callOutcomeSentence(outcome: CallOutcome): string {
  switch (outcome.kind) {
    case 'predicting':
      return 'It is being predicted.';
    case 'unpredicted':
      return 'Nothing is known of it: its prediction did not end.';
    case 'denied':
      return 'It was denied.';
    case 'madeAnyway':
      return 'It was denied, and the agent says that it was made all the same.';
    case 'waiting':
      return 'It was let through. The agent has not said yet what came of it.';
    case 'untold':
      return 'It was let through. The agent has gone on and has not said what came of it: it may have failed, been refused by you, or still be running.';
    case 'agrees':
      return 'It was made, and everything that could be compared came out as predicted.';
    case 'differs':
      return `It was made, and came out otherwise than predicted: ${outcome.parts.map(partText).join(', ')}.`;
    case 'unchecked':
      return 'It was made, and nothing of it could be compared.';
  }
}

/** A headline in small letters: `safe`, `new errors`; absent: nothing was predicted. */
export function callHeadlineText(headline: HeadlineKind | undefined): string {
  return headline === undefined ? 'not known' : headline === 'newErrors' ? 'new errors' : headline;
}

/** What a call changes and loses, in numbers: `3 files, 1 lost for good`; empty where there is nothing. */
export function callCountsText({ fileCount, lostCount }: { fileCount: number; lostCount: number }): string {
  const files = fileCount > 0 ? [filesText(fileCount)] : [];
  return [...files, ...(lostCount > 0 ? [`${countOf(lostCount, 'path')} lost for good`] : [])].join(', ');
}

function partText(part: ComparedPart): string {
  return part === 'exitCode' ? 'exit code' : part;
}
