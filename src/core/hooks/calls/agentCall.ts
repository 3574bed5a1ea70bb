import type { CallOutcome, ComparedPart } from '../../facts/callOutcome.ts';
import type { AskedLine, CallLine, MadeLine, PredictedLine } from './callLine.ts';

/** One call of an agent: what was asked, what was predicted and answered, what came of it. */
export interface AgentCall {
  asked: AskedLine;
  answered?: PredictedLine;
  made?: MadeLine;
}

/** After so long a prediction does not end any more: a hook has two seconds. In milliseconds. */
const predictingMs = 10_000;
/** A call of which nothing was heard for so long is not waited for any more. In milliseconds. */
const waitingMs = 3_600_000;

/** Calls as they are put together of their lines, that come in the order in which they were kept. */
export interface CallBook {
  /** Gives the call that the line is about, where it is known already. */
  take(line: CallLine): AgentCall | undefined;
  /** Oldest first. */
  calls(): readonly AgentCall[];
}

/** An empty book of one session. `most`: older calls than so many are forgotten. */
export function createCallBook(most = 5_000): CallBook {
  const byKey = new Map<string, AgentCall>();
  const byName = new Map<string, AgentCall[]>();
  return {
    take(line) {
      if (line.is === 'made') {
        const same = byName.get(line.call) ?? [];
        // Some agents call equal calls the same: it is the last one that waits.
        const call = same.findLast((one) => !one.made && one.answered?.answer !== 'deny') ?? same.at(-1);
        if (call && !call.made) call.made = line;
        return call;
      }
      const known = byKey.get(line.key);
      if (line.is === 'predicted') {
        if (known) known.answered = line;
        return known;
      }
      if (known) return known;
      const call: AgentCall = { asked: line };
      byKey.set(line.key, call);
      if (line.call !== undefined) byName.set(line.call, [...(byName.get(line.call) ?? []), call]);
      if (byKey.size > most) forgetOldest(byKey, byName);
      return call;
    },
    calls: () => [...byKey.values()],
  };
}

function forgetOldest(byKey: Map<string, AgentCall>, byName: Map<string, AgentCall[]>): void {
  const [oldest] = byKey.values();
  if (!oldest) return;
  const { key, call } = oldest.asked;
  byKey.delete(key);
  if (call === undefined) return;
  const rest = (byName.get(call) ?? []).filter((one) => one !== oldest);
  if (rest.length > 0) byName.set(call, rest);
  else byName.delete(call);
}

/** Whether no call that was asked about after it is known to be over: agents make several at once. */
export function isAwaited(calls: readonly AgentCall[], index: number): boolean {
  for (let at = index + 1; at < calls.length; at += 1) if (calls[at]?.made) return false;
  return true;
}

/** How far a call has come. `now`: milliseconds since 1970; `awaited`: see `isAwaited`. */
export function outcomeOf({ asked, answered, made }: AgentCall, now: number, awaited: boolean): CallOutcome {
  if (made) {
    if (answered?.answer === 'deny') return { kind: 'madeAnyway' };
    const parts = (['output', 'exitCode', 'files'] as const satisfies readonly ComparedPart[]).filter(
      (part) => made.hits[part] === 'miss',
    );
    if (parts.length > 0) return { kind: 'differs', parts };
    return { kind: Object.values(made.hits).includes('hit') ? 'agrees' : 'unchecked' };
  }
  const ageMs = now - Date.parse(asked.at);
  if (!answered) return { kind: ageMs < predictingMs ? 'predicting' : 'unpredicted' };
  if (answered.answer === 'deny') return { kind: 'denied' };
  return { kind: awaited && ageMs < waitingMs ? 'waiting' : 'untold' };
}
