import { createHash, type Hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { Prediction } from '../prediction/prediction.ts';

/** So much content is read for one digest; of what is beyond, the file's own numbers stand for it. In bytes. */
const mostReadBytes = 32 * 1024 ** 2;

/**
 * A digest of what an action would do, in this folder: of every path, what happens to it, what stood there and what would; of
 * losses, effects and the reasons of danger. Two commands with the same effect have the same digest; any other effect has
 * another one. Where not everything is known the action itself is part of it. Ask for it with `hash: true` in the request.
 */
export function effectDigest(prediction: Prediction, folder: string): string {
  const { files, loss, effects, verdict, action, ending, programs } = prediction;
  const digest = createHash('sha256').update(`foretell effect 1\n${folder}\n`);
  const budget = { bytes: mostReadBytes };
  const tell = (...parts: unknown[]) => digest.update(`${JSON.stringify(parts)}\n`);
  for (const file of [...files].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))) {
    const { change, type, from, mode, target, sha256, volatile } = file;
    // Names and contents that differ from run to run are none of the effect.
    const isRandom = volatile && change === 'created';
    tell(isRandom ? path.dirname(file.path) : file.path, change, type, from, mode, target, volatile ? '' : sha256);
    if (change !== 'created' && type === 'file') tellOld(digest, from ?? file.path, budget);
  }
  for (const { path: lost, class: kind, because, going } of loss) tell(lost, kind, because, going);
  for (const { effect, detail } of effects) tell(effect, detail);
  for (const { level, fact, evidence } of verdict.reasons) if (level === 'danger') tell(fact, evidence);
  const isKnown = ending === 'done' && programs.every(({ basis }) => basis !== 'assumed' && basis !== 'imagined');
  if (!isKnown) tell(action);
  return digest.digest('hex');
}

/** What stands there now. */
function tellOld(digest: Hash, file: string, budget: { bytes: number }): void {
  try {
    const status = fs.lstatSync(file, { bigint: true });
    const size = Number(status.size);
    if (!status.isFile()) return;
    if (size <= budget.bytes) {
      budget.bytes -= size;
      digest.update(createHash('sha256').update(fs.readFileSync(file)).digest());
    } else digest.update(`${status.ino} ${status.size} ${status.mtimeNs} ${status.ctimeNs}`);
  } catch {
    digest.update('none');
  }
}
