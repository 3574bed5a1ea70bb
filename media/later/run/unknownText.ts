import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import { unknownOutputText } from '../../../src/core/words/boundText.ts';
import { callText } from '../../../src/core/words/shownPrograms.ts';

/** What stands in the place of output that nobody can say. */
export function unknownText({ programs }: Prediction, { dependsOn = [], limit }: Prediction['output'][number]): string {
  const names = dependsOn.map((argv) => callText(argv, programs));
  return `${unknownOutputText(names, limit)}\n`;
}
