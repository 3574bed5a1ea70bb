import type { WithheldVariable } from '../../../context/environment.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import type { View } from '../../../view/view.ts';
import type { RunRecord } from '../wire/runRecord.ts';

/** Whoever writes an environment into files writes it into few. */
const mostFiles = 8;
const mostBytes = 256 * 1024;
/** Shorter values are met by chance. */
const fewestCharacters = 4;

/** Names the variables that were kept back and in whose place a made-up value is shown, as output or in a file. */
export async function withheldShown(
  { record, held }: { record: Pick<RunRecord, 'output'>; held: { view: Pick<View, 'read'> } },
  changes: readonly FileChange[],
  withheld: readonly WithheldVariable[] = [],
): Promise<NoticeFact[]> {
  const long = withheld.filter(({ standIns }) => standIns[0].length >= fewestCharacters);
  if (long.length === 0) return [];
  const written = changes.filter(({ change, type, volatile }) => change !== 'deleted' && type === 'file' && volatile);
  const files = written.slice(0, mostFiles).map(({ path }) => held.view.read(path, 'after', mostBytes));
  const shown = [Buffer.concat(record.output.map(({ bytes }) => bytes)), ...(await Promise.all(files))];
  const isShown = (value: string) => shown.some((bytes) => bytes && Buffer.from(bytes).includes(value));
  const names = long.filter(({ standIns }) => standIns.some(isShown)).map(({ name }) => name);
  return names.length === 0 ? [] : [{ kind: 'withheld', names }];
}
