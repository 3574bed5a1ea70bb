import { randomBytes } from 'node:crypto';
import type { PatchEdit } from '../../../action/action.ts';
import { patchArgv } from '../../../action/edit/patchCommand.ts';
import { encodeText } from '../../../action/edit/textBytes.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import { ownFolder } from '../shell/ownFolder.ts';
import type { ErrorName } from '../wire/codes.ts';
import type { Launcher } from '../wire/launcher.ts';
import { type RunRecord, streamBytes } from '../wire/runRecord.ts';
import { maxEditBytes } from './editFiles.ts';

/** A patch as a file on the view's own /dev/shm, from which the tool reads its standard input. */
export interface HeldPatch {
  /** What is run: the tool itself, with the file on its standard input. */
  argv: string[];
  /** Returns the name of the error; `undefined` when it is there. */
  put(launcher: Launcher): Promise<ErrorName | undefined>;
  /** True for our file and its folder. */
  isOwn(path: string): boolean;
  /** What the reader should know about how the tool ran. */
  noticesOf(record: RunRecord): NoticeFact[];
}

/** Names the file; nothing is written before `put`. */
export function holdPatch(patch: PatchEdit): HeldPatch {
  const folder = ownFolder();
  const file = `${folder}/.foretell-${randomBytes(6).toString('hex')}.patch`;
  return {
    argv: ['sh', '-c', 'exec "$@" <"$0"', file, ...patchArgv(patch)],
    async put(launcher) {
      const bytes = encodeText(patch.text, patch.encoding);
      return bytes.length > maxEditBytes ? 'EFBIG' : launcher.put(file, 'file', bytes, 0o600);
    },
    isOwn: (path) => path === folder || path === file,
    // Only its words tell that GNU patch asked: without a terminal it goes on with the usual answer, and ends with the same
    // codes as otherwise (patch's util.c, `ask`). What is read is a notice; no level and no other fact rests on it.
    noticesOf(record) {
      const asks = /^File to patch: |\[[yn]\] /m.test(streamBytes(record, 'stdout').toString('latin1'));
      return asks ? [{ kind: 'patchAsks' }] : [];
    },
  };
}
