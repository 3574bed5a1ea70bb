import { holdsSomething, isLostForGood } from '../../../src/core/facts/recovery.ts';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import type { Observed } from '../../../src/protocol/panelProtocol.ts';
import type { FileTree } from '../../predict/fileTree.ts';
import { lossCount } from '../../predict/lossGroups.ts';
import { changed, type Headline } from '../../predict/summary.ts';
import { counted } from '../../shared/format.ts';

/** The verdict line once it was run or applied: what really happened counts more than any prediction. */
export function realHeadline(prediction: Prediction, tree: FileTree, observed: Observed): Headline {
  if (observed.differs?.length) return differsFrom(prediction, observed);
  const { isApplied } = observed;
  const isSeen = observed.files !== undefined && (isApplied || (observed.output && observed.exitCode !== undefined));
  const came = `It was ${isApplied ? 'applied' : 'run for real'}, and came out as predicted${isSeen ? '' : ', as far as it could be seen'}.`;
  // What is done is no danger that could still be turned away; what it has cost is said all the same.
  return {
    tone: 'asPredicted',
    word: 'DONE',
    sentence: `${came} It ${changed(tree)}${lostText(prediction, observed)}`,
  };
}

function differsFrom(prediction: Prediction, { differs = [], exitCode, files = [], isApplied }: Observed): Headline {
  const wrong = files.filter((file) => !file.agrees).length;
  const parts = differs.map((what) => {
    if (what === 'exitCode') return `exit code ${exitCode} instead of ${prediction.exitCode}`;
    return what === 'output' ? 'another output' : `${counted(wrong, 'path')} not as predicted`;
  });
  const what = isApplied ? 'What was applied' : 'The real run';
  return { tone: 'differs', word: 'DIFFERS', sentence: `${what}: ${parts.join(', ')}.` };
}

/** What is gone, or kept by the safety net; empty where nothing is. */
function lostText({ loss }: Prediction, { keptLost = 0 }: Observed): string {
  const all = loss.filter(isLostForGood);
  const lost = all.filter(holdsSomething);
  if (lost.length === 0) return '';
  if (keptLost >= all.length) return ' What was lost is kept for a week.';
  if (keptLost > 0)
    return ` ${keptLost} of ${counted(all.length, 'path')} that are lost ${keptLost === 1 ? 'is' : 'are'} kept for a week.`;
  const is = lost.some(({ recovery }) => recovery.kind === 'unknown') ? ['may be', 'may be'] : ['is', 'are'];
  return ` ${lossCount(lost)} ${is[lost.length === 1 ? 0 : 1]} lost for good.`;
}
