import type { HostMessage } from '../../protocol/panelProtocol.ts';
import type { Run } from '../predict/run.ts';

type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;

/** What a prediction is compared with: the one before it where the reader asked for that, else what was rehearsed. */
export function besideOf(run: Run | undefined): Pick<Snapshot, 'beside' | 'hasLast'> {
  if (!run) return {};
  const beside =
    run.showsLast && run.last
      ? { title: 'Last run', isLast: true as const, prediction: run.last }
      : run.rehearsed && { title: 'Rehearsed', prediction: run.rehearsed };
  return { ...(beside ? { beside } : {}), ...(run.last ? { hasLast: true } : {}) };
}
