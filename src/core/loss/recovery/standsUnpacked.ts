import type { FileChange } from '../../view/fileChange.ts';
import type { Looker } from '../../view/view.ts';
import type { BeforeContent } from '../beforeContent.ts';
import { below, folderOf } from '../bytePath.ts';
import type { Destroyed } from '../destroyed.ts';
import { archiveKind, archiveMembers } from './archiveMembers.ts';
import { contentOf, type Holder, type HolderInput, heldElsewhere } from './heldElsewhere.ts';
import { isPacked, unpack } from './packedFormats.ts';

/** What is needed to find out where the content of an archive stands. */
export interface UnpackedInput extends HolderInput {
  /** Runs inert programs on the real files, before the action. */
  looker: Looker;
  /** Folders in which files of an archive may have been there before. */
  standsIn?: readonly string[] | undefined;
}

/** Larger ones are not unpacked here. */
const mostBytes = 64 * 1024 * 1024;
const mostMembers = 4096;
/** So much of a file tells whether it is an archive: one block of tar. */
const headBytes = 512;

/** Which deleted files stand after the action in others, or are packed and stand unpacked. */
export async function heldOrUnpacked(
  items: readonly Destroyed[],
  input: UnpackedInput,
  before: BeforeContent,
): Promise<Map<string, Holder>> {
  const found = await heldElsewhere(items, input, before);
  const left = items.filter(({ path }) => !found.has(path));
  return new Map([...found, ...(await standsUnpacked(left, input, before))]);
}

/**
 * Which deleted files are packed, and stand unpacked after the action: `gunzip a.gz`, `tar xf a.tar && rm a.tar`. All of an archive has
 * to stand there, byte for byte.
 */
async function standsUnpacked(
  items: readonly Destroyed[],
  input: UnpackedInput,
  before: BeforeContent,
): Promise<Map<string, Holder>> {
  const found = new Map<string, Holder>();
  const bySize = new Map<number, FileChange[]>();
  for (const change of input.files) {
    if (change.type !== 'file' || change.change === 'deleted' || change.change === 'mode') continue;
    const list = bySize.get(change.sizeBytes);
    if (list) list.push(change);
    else bySize.set(change.sizeBytes, [change]);
  }
  for (const item of items) {
    if (input.signal.aborted) break;
    if (item.type !== 'file' || item.sizeBytes < 16 || item.sizeBytes > mostBytes) continue;
    const head = Buffer.from((await input.view.read(item.path, 'before', headBytes)) ?? []);
    const isArchive = head.length >= 32 && archiveKind(head) !== undefined;
    if (!isArchive && !isPacked(item.path, head)) continue;
    const bytes = await contentOf(item, input.view, before);
    const packed = { path: item.path, bytes: bytes ?? Buffer.alloc(0), leftBytes: mostBytes };
    const unpacked = await unpack(packed, { ...input, inView: input.looker });
    const file = await placeOf(item, unpacked?.bytes ?? packed.bytes, unpacked !== undefined, bySize, input);
    if (file !== undefined) found.set(item.path, { file, isAlone: true });
  }
  return found;
}

/** The file in which it stands, or the first of those of an archive; absent: not all of it does. */
async function placeOf(
  item: Destroyed,
  inner: Buffer,
  isUnpacked: boolean,
  bySize: ReadonlyMap<number, readonly FileChange[]>,
  input: UnpackedInput,
): Promise<string | undefined> {
  const kind = inner.length >= 32 ? archiveKind(inner) : undefined;
  const stands = async (content: Uint8Array, places: readonly string[]) => {
    for (const place of places) {
      const there = await input.view.read(place, 'after', content.length + 1);
      if (there && Buffer.compare(there, content) === 0) return place;
    }
    return undefined;
  };
  const made = (size: number) => (bySize.get(size) ?? []).map(({ path }) => path);
  const beside = item.path.replace(/\.[^./]+$/, '');
  if (!kind) return isUnpacked && inner.length > 0 ? stands(inner, [...made(inner.length), beside]) : undefined;
  let asked = 0;
  const members = [
    ...archiveMembers(kind, inner, () => {
      asked += 1;
      return asked <= mostMembers;
    }),
  ];
  // One that cannot be read here may be the only one.
  if (members.length === 0 || members.length !== asked) return undefined;
  const folders = [folderOf(item.path), ...(input.standsIn ?? [])];
  let first: string | undefined;
  for (const { name, content } of members) {
    if (content.length === 0) continue;
    const named = made(content.length).toSorted((a, b) => Number(endsAlike(b, name)) - Number(endsAlike(a, name)));
    const place = await stands(content, [...named.slice(0, 8), ...folders.map((folder) => below(folder, name))]);
    if (place === undefined || input.signal.aborted) return undefined;
    first ??= place;
  }
  return first;
}

function endsAlike(path: string, name: string): boolean {
  return path.slice(path.lastIndexOf('/')) === `/${name.slice(name.lastIndexOf('/') + 1)}`;
}
