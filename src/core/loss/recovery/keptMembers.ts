import { createHash } from 'node:crypto';
import { archiveKind, archiveMembers } from './archiveMembers.ts';

/**
 * How much of an archive's members stands on in what it became, with the same names and contents, as a share of their bytes: a list of
 * members at its end, and blocks of nothing, are no content. `undefined`: they are not archives of one kind with files in them.
 */
export function keptMembers(before: Uint8Array, after: Uint8Array): number | undefined {
  const old = membersOf(before);
  if (!old || old.members.size === 0) return undefined;
  const now = membersOf(after);
  if (old.kind !== now?.kind) return undefined;
  let [all, kept] = [0, 0];
  for (const [member, sizeBytes] of old.members) {
    // An empty file is worth its name.
    all += sizeBytes + 1;
    if (now.members.has(member)) kept += sizeBytes + 1;
  }
  return kept / all;
}

/** Their sizes in bytes, by name and content. */
function membersOf(bytes: Uint8Array): { kind: string; members: ReadonlyMap<string, number> } | undefined {
  const archive = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kind = archive.length < 32 ? undefined : archiveKind(archive);
  if (kind === undefined) return undefined;
  const members = new Map<string, number>();
  for (const { name, content } of archiveMembers(kind, archive, () => true))
    members.set(`${name}\0${createHash('sha256').update(content).digest('hex')}`, content.length);
  return { kind, members };
}
