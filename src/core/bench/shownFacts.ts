import type { RecordedTurn } from '../action/action.ts';
import { emptyPrediction, fold } from '../prediction/prediction.ts';
import { factsOfObservation } from '../worlds/language/imagineTurn.ts';
import type { Dialect } from '../worlds/language/turn.ts';
import { domains } from '../worlds/language/turn.ts';
import { parseScreen } from '../worlds/language/turnTextScreen.ts';
import type { ComparedFacts } from './factualScore.ts';

/**
 * What the text of an observation says, for `factualScore`: of a screen what was printed between the prompts (and the
 * exit code where the turn asks for it), of a shell tool's reply its output and exit code, of anything else the text.
 * Two texts of one turn become comparable.
 */
export function shownFacts(action: RecordedTurn, text: string, dialect: Dialect): ComparedFacts {
  const { turn } = action;
  const facts = emptyPrediction(action);
  if (turn.kind === 'keystrokes') {
    const { output, exitCode } = parseScreen(text, turn.keystrokes);
    if (output !== '') fold(facts, { type: 'output', stream: 'stdout', text: output, basis: 'imagined' });
    if (exitCode !== undefined) fold(facts, { type: 'exit', code: exitCode, basis: 'imagined' });
    return facts;
  }
  const domain = domains.find((name) => name === action.domain) ?? 'swe';
  for (const event of factsOfObservation(action, domain, text, dialect)) fold(facts, event);
  return facts;
}

/** The first line in which two texts differ, counted from 1; an absent side has no such line. */
export interface LineDifference {
  line: number;
  imagined?: string;
  real?: string;
}

/** Where two texts part; undefined where they are the same but for blanks at the ends of lines. */
export function firstDifference(imagined: string, real: string): LineDifference | undefined {
  const lines = (text: string) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => line.trimEnd());
  const [mine, theirs] = [lines(imagined), lines(real)];
  for (let index = 0; index < Math.max(mine.length, theirs.length); index += 1) {
    const [one, other] = [mine[index], theirs[index]];
    if (one === other) continue;
    return {
      line: index + 1,
      ...(one === undefined ? {} : { imagined: one }),
      ...(other === undefined ? {} : { real: other }),
    };
  }
  return undefined;
}
