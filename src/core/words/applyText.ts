import type { ApplyRefusal } from '../facts/applyFact.ts';
import { countOf, inSentence } from '../view/quantity.ts';

/** Why a result is not put in place: one sentence with a next step where there is one. */
export function applyRefusalText(refusal: ApplyRefusal): string {
  switch (refusal.kind) {
    case 'unfinished':
      return 'Only a prediction that came to its end can be applied.';
    case 'notExact':
      return 'A part of it is not known for certain, so it cannot be applied; run the command instead.';
    case 'effect':
      return `It does more than change files (${refusal.effect}), so it cannot be applied; run the command instead.`;
    case 'nothing':
      return 'It changes no file, so there is nothing to apply.';
    case 'afterAnother':
      return 'It starts from what was only predicted. Start over, and predict it on the real files.';
    case 'special':
      return `${inSentence(refusal.path)} is no file, folder or link, so it cannot be applied; run the command instead.`;
    case 'severalNames':
      return `${inSentence(refusal.path)} is a file with several names, so it cannot be applied; run the command instead.`;
    case 'owner':
      return `${inSentence(refusal.path)} belongs to somebody else and would belong to you, so it cannot be applied; run the command instead.`;
    case 'time':
      return `${inSentence(refusal.path)} has a time of change that cannot be set here, so it cannot be applied; run the command instead.`;
    case 'tooLarge':
      return `${inSentence(refusal.path)} is too large to be applied; run the command instead.`;
    case 'tooMany':
      return `It changes ${countOf(refusal.count, 'path')}, too many to be applied; run the command instead.`;
    case 'gone':
      return 'This prediction is gone. Predict it again.';
    case 'changed': {
      const [first = '', ...more] = refusal.paths;
      const others = more.length === 0 ? '' : ` and ${countOf(more.length, 'more path')}`;
      return `${inSentence(first)}${others} changed since it was predicted, so nothing was applied. Predict it again.`;
    }
    case 'notKept':
      return `${inSentence(refusal.path)} could not be kept before, so nothing was applied.`;
  }
}
