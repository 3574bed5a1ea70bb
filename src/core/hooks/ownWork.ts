import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isLostForGood } from '../facts/recovery.ts';
import type { Prediction } from '../prediction/prediction.ts';
import type { View } from '../view/view.ts';
import { isFields } from './hookCall.ts';
import { keptFiles } from './hookFolder.ts';

/** A session that is older is over. In milliseconds. */
const sessionMs = 7 * 24 * 3_600_000;
const mostPaths = 2_000;
const mostFileBytes = 8 * 1024 ** 2;

/**
 * What an agent has written itself in a session, as contents: whoever lets it work here loses nothing of their own where it
 * overwrites or deletes that again.
 */
export interface OwnWork {
  /** Everything that would be lost for good is such content, as it stands there now. False where nothing would be lost. */
  isAllOwn(prediction: Prediction): boolean;
  /** A call is let through: what it leaves is the agent's, where it wrote all of it. `view`: of the prediction. */
  passes(prediction: Prediction, view: View, now: number): Promise<void>;
}

/** `folder`: see `hookFolder`; `session`: the agent's name for it. */
export function createOwnWork(folder: string, session: string): OwnWork {
  const files = keptFiles(path.join(folder, 'sessions'));
  const name = createHash('sha256').update(session).digest('hex').slice(0, 40);
  const read = (): Map<string, string> => {
    const kept = files.read(name);
    const entries = isFields(kept) && isFields(kept['written']) ? Object.entries(kept['written']) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  };
  return {
    isAllOwn({ loss }) {
      const lost = loss.filter(isLostForGood);
      if (lost.length === 0 || lost.length > mostPaths) return false;
      const written = read();
      return lost.every(
        ({ path: file, going }) => going !== undefined && written.has(file) && written.get(file) === digestOf(file),
      );
    },
    async passes(prediction, view, now) {
      const written = read();
      const before = JSON.stringify([...written]);
      for (const [file, sha256] of await writtenBy(prediction, view, written)) {
        // The latest stand at the end, so that the oldest are forgotten first.
        written.delete(file);
        written.set(file, sha256);
      }
      for (const { recovery } of prediction.loss) {
        // What was somebody else's is only there from now on.
        if (recovery.kind === 'file')
          for (const file of [recovery.file, ...(recovery.together ?? [])]) written.delete(file);
      }
      if (JSON.stringify([...written]) === before) return;
      files.forget(sessionMs, now);
      files.write(name, { written: Object.fromEntries([...written].slice(-mostPaths)) });
    },
  };
}

/**
 * The files of which every byte is the agent's afterwards. Of an edit: new ones, those that were its own, and those whose old
 * content can be brought back. Of a command: new ones whose content stands in the command, and copies of its own.
 */
async function writtenBy(
  { action, files, loss }: Prediction,
  view: View,
  written: ReadonlyMap<string, string>,
): Promise<[string, string][]> {
  const found: [string, string][] = [];
  const own = new Set(written.values());
  const isBroughtBack = (file: string) => {
    const losses = loss.filter((one) => one.path === file);
    return losses.length > 0 && !losses.some(isLostForGood);
  };
  for (const { path: file, type, change, sha256, volatile, before } of files.slice(0, mostPaths)) {
    if (type !== 'file' || sha256 === undefined || volatile) continue;
    const isNew = change === 'created' && before === undefined;
    const isOwn =
      action.kind === 'edit'
        ? isNew || (written.has(file) && written.get(file) === digestOf(file)) || isBroughtBack(file)
        : own.has(sha256) || (isNew && action.kind === 'command' && (await isIn(action.script, file, view)));
    if (isOwn) found.push([file, sha256]);
  }
  return found;
}

/** The whole content stands in the script, as in a here-document. */
async function isIn(script: string, file: string, view: View): Promise<boolean> {
  const bytes = await view.read(file, 'after', script.length * 4 + 1);
  if (bytes === undefined) return false;
  const text = new TextDecoder().decode(bytes).trim();
  return !text.includes('\ufffd') && script.includes(text);
}

function digestOf(file: string): string | undefined {
  try {
    const status = fs.lstatSync(file);
    if (!status.isFile() || status.size > mostFileBytes) return undefined;
    return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  } catch {
    return undefined;
  }
}
