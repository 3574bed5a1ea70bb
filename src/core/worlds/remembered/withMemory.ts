import type { FactEvent } from '../../prediction/factEvent.ts';
import type { PredictRequest, Rehearsal, StandIn } from '../../prediction/rehearsal.ts';
import type { LineUnit } from '../../programs/lineUnit.ts';
import { delegatedView } from '../../view/delegatedView.ts';
import { forgetRun, isYoung, type KeptRun, type MemoryUse, readKept } from './memoryStore.ts';
import { keyOf } from './otherInputs.ts';
import { asRemembered, findKept, type Recalled, type RecallParts, recall } from './recall.ts';
import { remember } from './remember.ts';
import { standInOf, unitIn, unitRequest } from './standIn.ts';

/** What memory needs of the engine. */
export interface MemoryParts extends RecallParts {
  /** Files of ours, which stand for something that is compared elsewhere. */
  isOwn(path: string): boolean;
  /** A rehearsal for itself, of which nothing is shown. */
  rehearse(request: PredictRequest): Rehearsal;
}

/**
 * Answers from memory where the same was rehearsed with the same inputs. Else whoever comes next does (`next`), what is
 * not as it was is told, and what comes of it is kept. Of a line with one program that may not run by itself, that program's part
 * is remembered for itself, and the rest of the line is run on it.
 */
export function withMemory(
  request: PredictRequest,
  use: MemoryUse,
  parts: MemoryParts,
  next: (request: PredictRequest) => Rehearsal,
): Rehearsal {
  let inner: Rehearsal | undefined;
  let isClosed = false;
  async function* events(): Rehearsal['events'] {
    // A memory that cannot be used is none.
    const recalled: Recalled = await recall(request, use, parts).catch(() => undefined);
    const isWhole = recalled !== undefined && 'rehearsal' in recalled;
    const line = isWhole ? undefined : lineOf(request, use);
    let hasStarted = false;
    let stand = line && (await standFor(line, 'remembered', use, parts));
    if (line && !stand && mayRehearse(line, use)) {
      for await (const event of rehearsed(line, use, parts)) {
        hasStarted ||= event.type === 'started';
        yield event;
      }
      stand = await standFor(line, 'rehearsed', use, parts);
    }
    if (isWhole) inner = recalled.rehearsal;
    else {
      const run = next(stand ? { ...request, standIn: stand.standIn } : request);
      inner = remember(run, request, use, parts);
      if (stand) inner = { ...inner, events: told(inner.events, stand) };
    }
    if (isClosed) void inner.view.close();
    for await (const event of inner.events) {
      if (event.type !== 'started' || !hasStarted) yield event;
      if (event.type === 'started' && recalled && 'changed' in recalled && stand?.standIn.basis !== 'remembered')
        yield { type: 'notice', fact: recalled.changed };
    }
  }
  return {
    events: events(),
    view: delegatedView(
      () => inner?.view,
      async () => {
        isClosed = true;
        await inner?.view.close();
      },
    ),
    named: () => inner?.named?.(),
    inView: {
      look: async (argv, options) =>
        inner?.inView.look(argv, options) ?? { exitCode: -1, stdout: new Uint8Array(), stderr: '' },
    },
  };
}

/** A line with one program that may not run by itself, and the rehearsal of that program alone. */
interface Line {
  unit: LineUnit;
  request: PredictRequest;
  key: string;
}

/** What stands in for the program of a line, and whether it did. */
interface Stand {
  standIn: StandIn;
  kept: KeptRun;
  of: number;
  isUsed: boolean;
}

function lineOf(request: PredictRequest, use: MemoryUse): Line | undefined {
  const unit = unitIn(request);
  const alone = unit && unitRequest(request, unit);
  const known = alone && keyOf(alone);
  if (!unit || !alone || !known) return undefined;
  // The line is rehearsed anew as a whole, and what was kept of its program is not trusted any more.
  if (use.isFresh) forgetRun(use.folder, known.key);
  return use.isFresh ? undefined : { unit, request: alone, key: known.key };
}

async function standFor(
  { unit, request, key }: Line,
  basis: StandIn['basis'],
  use: MemoryUse,
  parts: MemoryParts,
): Promise<Stand | undefined> {
  const found = await findKept(request, use, parts).catch(() => undefined);
  if (!found || 'changed' in found) return undefined;
  const { kept, of } = found;
  let stand: Stand | undefined;
  const onUsed = () => {
    if (stand) stand.isUsed = true;
  };
  const standIn = standInOf(kept, { key, unit, use, basis, onUsed });
  stand = standIn && { standIn, kept, of, isUsed: false };
  return stand;
}

/** Not where it would be in vain: whoever may leave before it ends may not be there to read all of it. */
function mayRehearse({ unit, request, key }: Line, { folder, mostAgeMs }: MemoryUse): boolean {
  if (request.consent === undefined || request.signal.aborted || unit.mostLines !== undefined) return false;
  const kept = readKept(folder, key);
  const isVain = kept?.isUnfit ? kept.madeAt : kept?.contradictedAt;
  return isVain === undefined || !isYoung(isVain, mostAgeMs, Date.now());
}

/** Rehearses the program of a line alone, and keeps that. Gives what shows that something goes on. */
async function* rehearsed({ unit, request }: Line, use: MemoryUse, parts: MemoryParts): AsyncGenerator<FactEvent> {
  const rehearsal = remember(parts.rehearse(request), request, use, parts, { unit });
  try {
    for await (const event of rehearsal.events) if (event.type === 'started' || event.type === 'progress') yield event;
  } finally {
    await rehearsal.view.close();
  }
}

/** So far from those of the line are the numbers of the programs that its program started. */
const farNumber = 100_000;

/** What its program started is told with it. Where it was recalled, all that follows from it is remembered. */
async function* told(events: Rehearsal['events'], stand: Stand): Rehearsal['events'] {
  const { kept, of, standIn } = stand;
  const { argv, cwd, basis } = standIn;
  let isTold = false;
  for await (const event of events) {
    const isRecalled = stand.isUsed && basis === 'remembered';
    if (isRecalled && event.type === 'exit')
      yield { type: 'notice', fact: { kind: 'remembered', at: kept.madeAt, of, argv: [...argv] } };
    yield isRecalled && event.type !== 'program' ? asRemembered(event) : event;
    if (!stand.isUsed || isTold || event.type !== 'program') continue;
    if (event.cwd !== cwd || event.argv.join('\0') !== argv.join('\0')) continue;
    isTold = true;
    yield* startedBy(event.id, stand);
  }
}

function startedBy(id: number, { kept, standIn }: Stand): Extract<FactEvent, { type: 'program' }>[] {
  const { argv, basis } = standIn;
  const programs = kept.events.flatMap((event) => (event.type === 'program' ? [event] : []));
  const root = programs.find((one) => one.parent === undefined && one.argv.join('\0') === argv.join('\0'));
  return programs.flatMap((one) => {
    if (one.parent === undefined) return [];
    return [{ ...one, id: farNumber + one.id, parent: one.parent === root?.id ? id : farNumber + one.parent, basis }];
  });
}
