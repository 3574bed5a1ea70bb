import type { FileChange } from '../../../view/fileChange.ts';
import type { HeldView } from '../views.ts';
import { measuredLines } from './durations.ts';
import { holdsMadeTime, madeTimeFinder, type Span } from './madeTimes.ts';
import { hasNumber } from './moment.ts';
import { tellsOfNetwork } from './network.ts';
import { hasHashedKeys } from './order.ts';
import { namesOverlayNode } from './overlayNodes.ts';

/** Its content was written. */
export function isMade({ type, change, sizeBytes }: FileChange): boolean {
  return type === 'file' && (change === 'created' || change === 'modified') && sizeBytes > 0;
}

/** More is not looked into, in bytes. */
const mostOfText = 256 * 1024;

/** `ls -l > list` writes the times of files that were made a moment ago: the next run would write others. */
export async function markTimes(
  changes: readonly FileChange[],
  held: HeldView,
  { spans, ofMoment, storesNew }: { spans: readonly Span[]; ofMoment: boolean; storesNew: boolean },
): Promise<void> {
  // An archive is not looked into: what is no text may be one.
  for await (const { change, bytes } of contentsOf(storesNew ? changes.filter(isMade) : [], held, mostOfText))
    change.volatile ||= !bytes || bytes.includes(0);
  const namesMadeTime = madeTimeFinder(spans);
  for await (const { change, bytes } of smallOnes(changes, held)) {
    const text = Buffer.from(bytes).toString('latin1');
    change.volatile = namesMadeTime(text) || (ofMoment && hasNumber(text));
  }
}

/** The error of who tried to reach others, in a log: with a network another would stand there, or none. */
export async function markNetworkErrors(changes: readonly FileChange[], held: HeldView): Promise<void> {
  for await (const { change, bytes } of smallOnes(changes, held)) change.volatile = tellsOfNetwork(bytes);
}

/** Times and nodes of files, and durations, that a program wrote into others. */
export async function markMeasured(
  changes: readonly FileChange[],
  held: HeldView,
  options: { isForeign: boolean; isTimed: boolean; script: string; spans: readonly Span[]; tookMs: number },
): Promise<void> {
  if (!options.isForeign && !options.isTimed) return;
  // Nobody knows what other programs store; that compiled Python holds the time of its source is but one case.
  for await (const { change, bytes } of smallOnes(changes, held, options.isForeign ? mostOfStored : mostOfText)) {
    change.volatile = options.isForeign && holdsMadeTime(bytes, options.spans);
    if (change.volatile || bytes.length > mostOfText || bytes.includes(0)) continue;
    const text = Buffer.from(bytes).toString();
    change.volatile = options.isForeign && (namesOverlayNode(text) || hasHashedKeys(text));
    const told = options.isTimed ? measuredLines(text, options.tookMs, options.script) : [];
    if (change.volatile || told.length === 0) continue;
    const before = change.change === 'created' ? undefined : await held.view.read(change.path, 'before', mostOfText);
    const old = new Set(
      Buffer.from(before ?? [])
        .toString()
        .split('\n'),
    );
    change.volatile = told.some((line) => !old.has(line));
  }
}

/** What may hold a number is no text, and can be larger: compiled modules of 300 kB. In bytes. */
const mostOfStored = 8 * 1024 ** 2;

/** So many are read at once, and so many bytes. */
const readAtOnce = { files: 512, bytes: 2 * mostOfStored };

/** Small files that were written and of which two runs agree. */
async function* smallOnes(
  changes: readonly FileChange[],
  held: HeldView,
  mostBytes = mostOfText,
): AsyncGenerator<{ change: FileChange; bytes: Uint8Array }> {
  const small = changes.filter((change) => isMade(change) && !change.volatile && change.sizeBytes < mostBytes);
  for await (const { change, bytes } of contentsOf(small, held, mostBytes)) if (bytes) yield { change, bytes };
}

/** What stands in these files now, at most `mostBytes` of each: the next ones are read while somebody looks at some. */
async function* contentsOf(
  changes: readonly FileChange[],
  { view }: HeldView,
  mostBytes: number,
): AsyncGenerator<{ change: FileChange; bytes: Uint8Array | undefined }> {
  const read = async (some: readonly FileChange[]) => {
    const paths = some.map(({ path }) => path);
    const contents =
      (await view.readMany?.(paths, 'after', mostBytes)) ??
      (await Promise.all(paths.map((path) => view.read(path, 'after', mostBytes))));
    return some.map((change, index) => ({ change, bytes: contents[index] }));
  };
  let reading: ReturnType<typeof read> | undefined;
  for (let at = 0; at < changes.length || reading; ) {
    const from = at;
    for (let bytes = 0; at < changes.length && at - from < readAtOnce.files && bytes < readAtOnce.bytes; at += 1)
      bytes += Math.min(changes[at]?.sizeBytes ?? 0, mostBytes);
    const next = at > from ? read(changes.slice(from, at)) : undefined;
    // Where the launcher ends meanwhile, nobody waits for it.
    next?.catch(() => {});
    if (reading) yield* await reading;
    reading = next;
  }
}
