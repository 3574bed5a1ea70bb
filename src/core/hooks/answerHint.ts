import { hintLine } from '../words/hintText.ts';
import { type EnterSurroundings, predictLine, type TypedLine } from './answerEnter.ts';
import { hintMs, isStillOpen, typedHint } from './typedHint.ts';

/** Where a line that is still typed stands. */
export interface HintSurroundings extends Omit<EnterSurroundings, 'held'> {
  /** The terminal shows more than ASCII. */
  showsGlyphs: boolean;
}

/** The share of its time that the rehearsal may take. */
const rehearsalShare = 0.7;

/**
 * What is said of a line after a pause, while it is still typed: one row of text. `undefined`: nothing, because it is no whole command
 * yet, or nothing is known of it in time. Programs are not rehearsed for it, even where the user has agreed to that: nobody has asked.
 */
export async function answerHint(typed: TypedLine, around: HintSurroundings): Promise<string | undefined> {
  const { line, shell, columns } = typed;
  if (isStillOpen(line, shell)) return undefined;
  const withinMs = Math.min(typed.withinMs, hintMs);
  return predictLine(typed, around, async (predict) => {
    const prediction = await predict({
      trusted: true,
      limits: { wallMs: Math.round(withinMs * rehearsalShare) },
      due: AbortSignal.timeout(withinMs),
    });
    const hint = typedHint(prediction, line, around.cwd);
    return hint && hintLine(hint, { columns, showsGlyphs: around.showsGlyphs });
  });
}
