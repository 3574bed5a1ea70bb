import { lstatSync, readdirSync } from 'node:fs';
import type { Doubt } from '../../../facts/doubt.ts';
import type { NamedPath } from '../../../prediction/rehearsal.ts';
import { countsAsReading } from '../wire/events.ts';
import type { RunRecord } from '../wire/runRecord.ts';
import { type Runs, readsOf } from './readsOf.ts';

/** Folders of running programs, of which a view made by overlays has its own, and empty. */
const ownFolders = ['/run', '/dev/shm'];

/** The first thing in these folders that a run named, as far as that was written down, and that really is another one than in the view. */
export function ownFoldersRead(runs: Runs): Doubt[] {
  const own = ownFolders.filter((folder) => runs.record.parts.includes(folder));
  const found =
    own.length === 0 ? undefined : readsOf(runs)?.paths.find((named) => own.some((folder) => differs(named, folder)));
  return found ? [{ kind: 'readsMachine', path: found.path }] : [];
}

/** Whether a run came to something in them that is otherwise there, by a name or by a link that leads there. */
export function readsOwnFolders(record: RunRecord): boolean {
  const isIn = (path: string) => ownFolders.some((folder) => path === folder || path.startsWith(`${folder}/`));
  const isTold = record.effects.some((one) => one.kind === 'readsTables' && countsAsReading(one) && isIn(one.detail));
  return isTold || ownFoldersRead({ record, other: record }).length > 0;
}

function differs({ path, isOpened, wasThere }: NamedPath, folder: string): boolean {
  const place = path.replace(/^\/var(?=\/run(?:\/|$))/, '').replace(/(?<=.)\/+$/, '');
  try {
    if (place === folder) return isOpened && readdirSync(place).length > 0;
    // What is there in the view the command has made, and connections are told of by themselves.
    return place.startsWith(`${folder}/`) && !wasThere && !lstatSync(place).isSocket();
  } catch {
    return false;
  }
}
