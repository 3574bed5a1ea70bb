import { writtenText } from '../../action/action.ts';
import { redactForPrompt } from '../../context/secrets/redactForPrompt.ts';
import { secretFormOf } from '../../context/secrets/secretFiles.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { NamedPath, PredictRequest, Rehearsal, TracedRun } from '../../prediction/rehearsal.ts';
import { runPlaceOf } from '../../prediction/sharedFolders.ts';
import type { LineUnit } from '../../programs/lineUnit.ts';
import { delegatedView } from '../../view/delegatedView.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { readRegularFile } from '../../view/regularFile.ts';
import { isThere } from '../../view/statusIfKnown.ts';
import type { View } from '../../view/view.ts';
import { asksLastRead } from './asksLastRead.ts';
import { type TakenInputs, takeInputs } from './inputs.ts';
import { lockedInputs } from './lockedFiles.ts';
import {
  digestIn,
  forgetRun,
  isYoung,
  type KeptRun,
  keepRun,
  type MemoryUse,
  makeMemory,
  readKept,
} from './memoryStore.ts';
import { asksHour, keyOf, otherInputsOf } from './otherInputs.ts';
import { keepUnfit, unitOf } from './unitOfRun.ts';

/** What one frame of the launcher can take back, and what is worth to be kept of one run. In bytes. */
const mostOfFile = 15 * 1024 ** 2;
const mostOfRun = 64 * 1024 ** 2;

/** What is told of a run besides what the analyses find. */
const keptTypes: ReadonlySet<FactEvent['type']> = new Set([
  ...(['program', 'programEnded', 'output', 'file', 'effect', 'notice', 'exit', 'done'] as const),
]);

/**
 * Follows a rehearsal, and keeps it where it is exact and all that it depended on can be compared later. Its view is not freed
 * before that is done.
 */
export function remember(
  rehearsal: Rehearsal,
  request: PredictRequest,
  use: MemoryUse,
  ours: { launcher: string; isOwn(path: string): boolean },
  asUnit?: { unit: LineUnit },
): Rehearsal {
  let keeping: Promise<void> = Promise.resolve();
  async function* events(): Rehearsal['events'] {
    const told: FactEvent[] = [];
    for await (const event of rehearsal.events) {
      if (event.type !== 'progress' && event.type !== 'started') told.push(event);
      yield event;
    }
    keeping = keep({ told, rehearsal, request, use, ...ours, ...asUnit }).catch(() => {});
  }
  const view = delegatedView(
    () => rehearsal.view,
    async () => {
      await keeping;
      await rehearsal.view.close();
    },
  );
  return { ...rehearsal, events: events(), view };
}

interface Keeping {
  told: FactEvent[];
  rehearsal: Rehearsal;
  request: PredictRequest;
  use: MemoryUse;
  launcher: string;
  isOwn(path: string): boolean;
  /** It is rehearsed for the sake of its one program. */
  unit?: LineUnit;
}

async function keep({ told, rehearsal, request, use, launcher, isOwn, unit }: Keeping): Promise<void> {
  const traced = rehearsal.traced?.();
  const known = keyOf(request);
  if (!known || request.action.kind !== 'command') return;
  // With a shut gate nothing was run that could be remembered.
  if (!request.openGate && request.consent === undefined) return;
  const { contradictedAt } = readKept(use.folder, known.key) ?? {};
  if (contradictedAt !== undefined && isYoung(contradictedAt, use.mostAgeMs, Date.now())) return;
  // Whoever cancels a run learns nothing of what was kept before.
  if (told.at(-1)?.type === 'cancelled') return;
  const content = traced && isExact(told) ? await contentsOf(told, rehearsal.view) : undefined;
  const isKept = traced && content && !asksLastRead(request, told, traced);
  const taken = isKept ? inputsOf(request, traced, isOwn) : undefined;
  const isLocked = taken && 'inputs' in taken && (await lockedInputs(taken.inputs)).length > 0;
  const inputs: TakenInputs | undefined = isLocked ? { because: 'locked' } : taken;
  const memory = { script: request.action.script, cwd: request.action.cwd, workspace: known.workspace };
  if (!traced || !content || !inputs || 'because' in inputs || (await hasSecrets(request, told, content, traced))) {
    // What was kept before is no more what a rehearsal says.
    forgetRun(use.folder, known.key);
    if (unit) keepUnfit(use, known.key, memory);
    return;
  }
  if (!makeMemory(use.folder)) return;
  const digest = digestIn(use.folder);
  if (!digest) return;
  const keptUnit = unit && unitOf(unit, traced, told, digest);
  if (unit && !keptUnit) {
    keepUnfit(use, known.key, memory);
    return;
  }
  const { shellState, beganAt } = traced;
  const at = new Date(beganAt);
  const around = { version: use.version, launcher, shellState, asksHour: asksHour(traced.paths), at };
  const kept: KeptRun = {
    format: 1,
    ...memory,
    madeAt: at.toISOString(),
    ...otherInputsOf(request, around, digest),
    inputs: inputs.inputs,
    events: told,
    contents: content.map(([path], index) => [path, `content-${index}`]),
    ...(keptUnit ? { unit: keptUnit } : {}),
  };
  keepRun(
    use,
    known.key,
    kept,
    content.map(([, bytes]) => bytes),
  );
}

/** Nothing of it rests on anything but the real programs, and it says no more than can be said again. */
function isExact(told: readonly FactEvent[]): boolean {
  if (told.at(-1)?.type !== 'done') return false;
  return told.every((event) => {
    if (!keptTypes.has(event.type)) return false;
    if ('basis' in event && event.basis !== 'rehearsed' && event.basis !== 'computed') return false;
    return event.type !== 'file' || canBeRepeated(event.change);
  });
}

/** A change that can be made again in a view from its content alone. */
function canBeRepeated({ type, change, sizeBytes, before }: FileChange): boolean {
  if (type === 'other' || before?.type === 'other') return false;
  if (type === 'directory') return change === 'created' || change === 'deleted';
  return sizeBytes <= mostOfFile;
}

async function contentsOf(
  told: readonly FactEvent[],
  view: View,
): Promise<[path: string, bytes: Uint8Array][] | undefined> {
  const contents: [string, Uint8Array][] = [];
  let left = mostOfRun;
  for (const event of told) {
    if (event.type !== 'file' || event.change.type !== 'file' || event.change.change === 'deleted') continue;
    left -= event.change.sizeBytes;
    if (left < 0) return undefined;
    const bytes = await view.read(event.change.path, 'after', mostOfFile);
    if (!bytes || bytes.length !== event.change.sizeBytes) return undefined;
    contents.push([event.change.path, bytes]);
  }
  return contents;
}

/** All that a run depended on besides its variables, or why nobody can say. */
export function inputsOf(request: PredictRequest, traced: TracedRun, isOwn: (path: string) => boolean): TakenInputs {
  const named = (path: string): NamedPath => {
    return { path, isOpened: false, isMoved: false, isLinked: false, isDisk: false, wasThere: isThere(path) };
  };
  const place = {
    ...runPlaceOf(request),
    showsStatus: traced.showsStatus === true,
    isOwn,
  };
  return takeInputs([named(request.cwd), ...traced.paths], place, traced.beganAt);
}

/** Whether anything that would be kept has a secret in it, or a value of a file of secrets that was read. */
async function hasSecrets(
  request: PredictRequest,
  told: readonly FactEvent[],
  contents: readonly (readonly [string, Uint8Array])[],
  traced: TracedRun,
): Promise<boolean> {
  const { script } = writtenText(request.action);
  const printed = told.map((event) => (event.type === 'output' ? (event.text ?? '') : ''));
  const words = told.map((event) => (event.type === 'program' ? event.argv.join(' ') : ''));
  const others = Object.values(traced.other ?? {}).map((bytes) => Buffer.from(bytes).toString('utf8'));
  const texts: [text: string, path?: string][] = [
    [script],
    [printed.join('')],
    [words.join('\n')],
    [others.join('\n')],
  ];
  for (const [path, bytes] of contents) texts.push([Buffer.from(bytes).toString('utf8'), path]);
  const values = secretValues(traced);
  for (const [text, path] of texts) {
    if (values.some((value) => text.includes(value))) return true;
    if ((await redactForPrompt(text, path === undefined ? {} : { path })).found.length > 0) return true;
  }
  return false;
}

/** A longer file is no file of secrets, in bytes. */
const mostSecretBytes = 256 * 1024;

/** Long words of the secret files that were read. */
function secretValues({ paths }: TracedRun): string[] {
  const values: string[] = [];
  for (const { path, isOpened } of paths) {
    if (!isOpened || secretFormOf(path) === undefined) continue;
    const bytes = readRegularFile(path, mostSecretBytes);
    if (bytes) values.push(...bytes.toString('utf8').split(/[\s=:"',;]+/));
  }
  return values.filter((value) => value.length >= 8);
}
