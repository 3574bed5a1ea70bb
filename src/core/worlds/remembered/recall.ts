import fs from 'node:fs';
import { addressOf, portsInUse } from '../../context/portsInUse.ts';
import type { ChangedInput, NoticeFact } from '../../facts/notice.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { NamedPath, PredictRequest, Rehearsal } from '../../prediction/rehearsal.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { realView } from '../../view/realView.ts';
import type { Looker, View } from '../../view/view.ts';
import { changedInputs, type Input } from './inputs.ts';
import { lockedInputs } from './lockedFiles.ts';
import { contentFile, digestIn, isYoung, type KeptRun, type MemoryUse, readKept } from './memoryStore.ts';
import { dependsOnHour, differing, keyOf, otherInputsOf } from './otherInputs.ts';
import { unitIn, unitRequest } from './standIn.ts';

/** A copy of the machine in which changes were made again. */
export interface HeldCopy {
  view: View;
  inView: Looker;
}

/** What recalling needs of the engine. */
export interface RecallParts {
  looker: Looker;
  /** Path of the launcher, whose version counts. */
  launcher: string;
  /** Makes changes again in a new copy. Rejects where that cannot be done exactly. */
  hold(changes: readonly FileChange[], content: (path: string) => Uint8Array): Promise<HeldCopy>;
  /** What the user's interactive shell would begin with. */
  shellState(request: PredictRequest): Promise<string | undefined>;
}

/** A remembered answer, or what is not as it was then. */
export type Recalled = { rehearsal: Rehearsal } | { changed: NoticeFact } | undefined;

/** At most so many names are told. */
const mostNames = 5;

/** At most so many files are told, the nearest first. */
const mostRead = 200;

/**
 * The files of the workspace that the same command, or its one program, read when it was last rehearsed, whether or not they changed
 * since: what a model has to see of it. Not what packages brought.
 */
export function readLastTime(request: PredictRequest, use: MemoryUse): string[] {
  const unit = unitIn(request);
  const known = keyOf(request);
  const alone = unit && keyOf(unitRequest(request, unit));
  const kept = (known && readKept(use.folder, known.key)) ?? (alone && readKept(use.folder, alone.key));
  if (!known || !kept) return [];
  const own = kept.inputs.filter(
    ({ path, isRead }) => isRead && path.startsWith(`${known.workspace}/`) && !/\/(?:\.git|node_modules)\//.test(path),
  );
  const depth = ({ path }: { path: string }) => path.split('/').length;
  return own
    .sort((a, b) => depth(a) - depth(b))
    .slice(0, mostRead)
    .map(({ path }) => path);
}

/** Looks for a remembered run of the same command on the same inputs. Nothing is run for it but what is held for questions. */
export async function recall(request: PredictRequest, use: MemoryUse, parts: RecallParts): Promise<Recalled> {
  const found = await findKept(request, use, parts);
  if (!found || 'changed' in found) return found;
  const { kept, of, key } = found;
  return { rehearsal: await answer(kept, of, request, parts, (name) => contentFile(use.folder, key, name)) };
}

/** A kept run all of whose inputs are as they were, and how many those are; or what is not as it was then. */
export async function findKept(
  request: PredictRequest,
  use: MemoryUse,
  parts: Pick<RecallParts, 'launcher' | 'shellState'>,
): Promise<{ kept: KeptRun; of: number; key: string } | { changed: NoticeFact } | undefined> {
  const known = keyOf(request);
  const kept = known && !use.isFresh ? readKept(use.folder, known.key) : undefined;
  const digest = kept && digestIn(use.folder);
  if (!known || !kept || !digest || kept.isUnfit) return undefined;
  if (kept.contradictedAt !== undefined) {
    const isKnown = isYoung(kept.contradictedAt, use.mostAgeMs, Date.now());
    return isKnown ? { changed: { kind: 'contradicted', at: kept.contradictedAt } } : undefined;
  }
  if (!isYoung(kept.madeAt, use.mostAgeMs, Date.now())) return undefined;
  // It takes some milliseconds, in which the others are compared.
  const locking = lockedInputs(kept.inputs);
  const taking = takenPorts(kept.events);
  const shellState = await parts.shellState(request);
  const around = { version: use.version, launcher: parts.launcher, shellState, asksHour: dependsOnHour(kept) };
  const now = otherInputsOf(request, around, digest);
  const changed: ChangedInput[] = [
    ...changedInputs(kept.inputs).map((name) => ({ kind: 'path', name }) as const),
    ...(await locking).map((name) => ({ kind: 'path', name }) as const),
    ...(await taking).map((name) => ({ kind: 'path', name }) as const),
    ...differing(kept.variables, now.variables).map((name) => ({ kind: 'variable', name }) as const),
    ...differing(kept.machine, now.machine).map((name) => ({ kind: 'machine', name }) as const),
  ];
  const of = new Set(kept.inputs.map(({ path }) => path)).size + Object.keys(now.variables).length;
  if (changed.length > 0) {
    const names = changed.slice(0, mostNames);
    return { changed: { kind: 'inputsChanged', changed: names, count: changed.length, of, at: kept.madeAt } };
  }
  return { kept, of, key: known.key };
}

/** Of the ports that servers of a run took, those on which somebody else serves now. */
async function takenPorts(events: readonly FactEvent[]): Promise<string[]> {
  const served = events.flatMap((event) =>
    event.type === 'effect' && event.fact?.kind === 'listens' ? [event.fact.on] : [],
  );
  if (served.length === 0) return [];
  const inUse = await portsInUse();
  return served.filter((on) => {
    const address = addressOf(on);
    return address && (inUse?.has(`${address.protocol} ${address.port}`) ?? true);
  });
}

async function answer(
  kept: KeptRun,
  of: number,
  request: PredictRequest,
  parts: RecallParts,
  place: (name: string) => string,
): Promise<Rehearsal> {
  const files = new Map(kept.contents);
  const content = (path: string) => fs.readFileSync(place(files.get(path) ?? ''));
  const changes = kept.events.flatMap((event) => (event.type === 'file' ? [event.change] : []));
  const startedAt = performance.now();
  const held: HeldCopy =
    changes.length === 0 ? { view: realView(), inView: parts.looker } : await parts.hold(changes, content);
  async function* events(): Rehearsal['events'] {
    yield { type: 'started', by: 'remembered' };
    for (const event of kept.events) {
      if (event.type === 'done') break;
      if (event.type === 'exit') yield { type: 'notice', fact: rememberedFact(kept, of) };
      yield asRemembered(event);
    }
    const durationMs = Math.round(performance.now() - startedAt);
    yield request.signal.aborted ? { type: 'cancelled', durationMs } : { type: 'done', durationMs };
  }
  const beganAt = Date.now();
  return { ...held, events: events(), named: () => ({ beganAt, paths: kept.inputs.map(namedInput) }) };
}

function rememberedFact({ madeAt, reallyAt }: KeptRun, of: number): NoticeFact {
  return { kind: 'remembered', at: madeAt, of, ...(reallyAt === undefined ? {} : { reallyAt }) };
}

/** An input as a run would name it, which was the same when the answer was recalled. */
function namedInput({ path, sight, isRead }: Input): NamedPath {
  const isOpened = isRead === true || sight === 'names' || sight === 'text';
  return { path, isOpened, isMoved: false, isLinked: false, isDisk: false, wasThere: false };
}

/** What was rehearsed then is remembered now. */
export function asRemembered(event: FactEvent): FactEvent {
  return 'basis' in event && event.basis === 'rehearsed' ? { ...event, basis: 'remembered' } : event;
}
