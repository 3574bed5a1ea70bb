import { refusalText } from '../action/edit/toolOutcome.ts';
import type { EditMark, RiskFactOf } from '../facts/risk.ts';
import { countOf } from '../view/quantity.ts';
import { programText } from './programText.ts';
import { withStop } from './sentence.ts';

const marks: Readonly<Record<EditMark, (files: string) => string>> = {
  pipeline: (files) => `Changes ${files} that decide what runs on other machines.`,
  unsaved: (files) => `Writes ${files} open in an editor with unsaved changes; one of the two would be lost.`,
  generated: (files) => `Edits ${files} that are generated; the next build would undo it.`,
  lockFile: (files) => `Edits ${files} by hand that a package manager keeps.`,
  readOnly: (files) => `Writes ${files} marked as read-only.`,
};

/** What an edit does beyond writing its files, as a sentence. */
export function editRiskText(
  fact: RiskFactOf<'newErrors' | 'secretWritten' | 'editMarked' | 'changedMeanwhile'>,
): string {
  switch (fact.kind) {
    case 'newErrors': {
      const where = fact.first ? `: ${fact.first.message} (line ${fact.first.line})` : '';
      return `Leaves ${countOf(fact.files, 'file')} with a syntax error${where}.`;
    }
    case 'secretWritten':
      return `Writes what looks like a secret (${fact.secrets.join(', ')}) into ${countOf(fact.files, 'file')}.`;
    case 'editMarked':
      return marks[fact.mark](countOf(fact.files, 'file'));
    case 'changedMeanwhile':
      return `${fact.path} was changed since it was read; the edit was made for other contents.`;
  }
}

/** Longest quotation of what a program says. */
const maxQuoted = 160;

/** That an action fails, with the words in which it says so, as a sentence. */
export function failedActionText({ failure }: RiskFactOf<'fails'>): string {
  switch (failure.of) {
    case 'command': {
      const who = failure.program === undefined ? 'Fails' : `\`${programText(failure.program)}\` fails`;
      const ends = `${who} with exit code ${failure.exitCode}`;
      return failure.said === undefined ? `${ends}.` : `${ends}: ${withStop(shortened(failure.said))}`;
    }
    case 'patch':
      return `The patch does not apply${failure.isPartly ? ' as a whole' : ''}: ${failure.said.slice(0, 200)}`;
    case 'edit':
      return `The edit would be refused: ${failure.said.slice(0, 200)}`;
    case 'call':
      return `The edit would be refused: ${refusalText(failure.refusal)}.`;
  }
}

function shortened(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text;
}
