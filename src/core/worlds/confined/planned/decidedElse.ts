import { mayBeSameCall } from '../../../programs/sameCall.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import { controlledBy } from '../../../shell/controlled.ts';
import { readScript } from '../../../shell/script.ts';
import type { ScriptCommand, ScriptReading } from '../../../shell/scriptReading.ts';
import { failedWithout } from '../gate/spokenWith.ts';
import type { RecordedProgram } from '../wire/runRecord.ts';

/** Commands of a script that run or not by how programs end that failed here only for want of an answer; empty where none did. */
export function decidedElse(
  text: string | ScriptReading,
  started: readonly RecordedProgram[],
): ReadonlySet<ScriptCommand> {
  const failed = failedWithout({ programs: [...started] });
  if (failed.length === 0) return new Set();
  const script = typeof text === 'string' ? readScript(text) : text;
  const statics = findStaticPrograms(script, { cwd: '/', home: '/', env: {} });
  const deciding = new Set<ScriptCommand>();
  for (const one of statics) {
    if (one.command && failed.some(({ argv }) => mayBeSameCall(one, argv))) deciding.add(one.command);
  }
  return controlledBy(script.body, (command) => deciding.has(command));
}
