import type { StandIn } from '../../../prediction/rehearsal.ts';
import { putChanges } from '../putChanges.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { addGated, namedArgv, type RunRecord } from '../wire/runRecord.ts';

/** Whether a stopped program is the one that is known, and begins as it did then: with the same words, folder, variables and streams. */
export function isStandInFor(standIn: StandIn, gated: Gated): boolean {
  const { cwd, realPath, isUnchanged } = gated;
  const argv = namedArgv(gated);
  if (gated.reason !== 'notInert' && gated.reason !== 'mayBeLetIn') return false;
  if (!isUnchanged || gated.knownPid !== 0 || cwd !== standIn.cwd || realPath !== standIn.realPath) return false;
  const isFed =
    gated.stdin === 'null' && gated.stdout === 'pipe' && (gated.stderr === 'pipe' || gated.stderr === 'null');
  const isSame = argv.length === standIn.argv.length && argv.every((word, index) => word === standIn.argv[index]);
  return isFed && isSame && standIn.beganWith(gated.env);
}

/**
 * Puts what a program did in its place: its changes, what it printed, how it ended. False: something was changed before it, so
 * that nobody knows whether it would do the same; nothing is answered then.
 */
export async function standInFor(
  standIn: StandIn,
  launcher: Launcher,
  gated: Gated,
  { record, isCheck }: { record: RunRecord; isCheck: boolean },
): Promise<boolean> {
  if (standIn.isBehind) {
    const { changes, effects, complete } = await launcher.list('none');
    if (!complete || changes.length + effects.length > 0) return false;
  }
  const program = addGated(record, gated);
  delete program.gate;
  program.isLetIn = true;
  program.answeredBy = standIn.basis;
  await putChanges(launcher, standIn.changes, (path) => standIn.content(path, isCheck));
  const { stdout, stderr } = isCheck ? standIn.other : standIn;
  launcher.write(gated.token, 'stdout', stdout);
  launcher.write(gated.token, 'stderr', stderr);
  launcher.answer(gated.token, { kind: 'exit', code: standIn.exitCode });
  standIn.onUsed();
  return true;
}
