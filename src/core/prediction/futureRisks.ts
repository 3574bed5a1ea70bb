import type { Risk } from '../facts/risk.ts';
import { analyseLoss } from '../loss/analyseLoss.ts';
import type { Facts } from '../verdict/facts.ts';
import { realView } from '../view/realView.ts';
import type { Looker } from '../view/view.ts';
import { worseLevel } from './fold.ts';
import type { Futures } from './parts.ts';
import type { Prediction } from './prediction.ts';
import type { PredictRequest } from './rehearsal.ts';

/** What the ends need to be judged that are not shown. */
interface Judging {
  looker: Looker;
  judge(facts: Facts): Risk[];
  /** Of the end that is shown. */
  facts: Facts;
}

/**
 * Reasons of the ends that some samples lead to and that are not shown, where they are worse than what is shown: the worst
 * case raises the verdict. What is lost there is looked up in the real files; what such an end would keep under another
 * name counts as lost, because its copy is gone.
 */
export async function futureRisks(
  { futures, verdict }: Prediction,
  request: Pick<PredictRequest, 'signal' | 'localHistoryFolders' | 'unsavedPaths'>,
  judging: Judging,
): Promise<Risk[]> {
  const risks: Risk[] = [];
  for (const end of futures?.ends ?? []) {
    if (end.isShown) continue;
    const { argv, count } = end;
    const of = futures?.of ?? count;
    for (const risk of await risksIn(end, request, judging)) {
      if (worseLevel(verdict.level, risk.level) === verdict.level) continue;
      risks.push({ ...risk, inFuture: { count, of, argv: [...argv] } });
    }
  }
  return risks;
}

async function risksIn(
  { files, exitCode }: Futures['ends'][number],
  {
    signal,
    localHistoryFolders,
    unsavedPaths,
  }: Pick<PredictRequest, 'signal' | 'localHistoryFolders' | 'unsavedPaths'>,
  { looker, judge, facts }: Judging,
): Promise<Risk[]> {
  const loss = await analyseLoss({ files, view: realView(), looker, signal, localHistoryFolders, unsavedPaths });
  const { incomplete: _, limit: __, ...known } = facts;
  return judge({ ...known, files, loss, exitCode, exitBasis: 'imagined' });
}
