import type { FactEvent } from '../../../prediction/factEvent.ts';
import { programName } from '../../../programs/programName.ts';
import { type ScriptBounds, scriptBounds } from '../../../programs/scriptBounds.ts';
import type { RecordedProgram, RunRecord } from '../wire/runRecord.ts';

/** What is certain of a run although programs were stopped; nothing where none was. */
export function boundsOf(record: RunRecord, script: string): ScriptBounds {
  const { programs } = record;
  const stopped = programs.filter(({ answeredBy }) => answeredBy === 'assumed' || answeredBy === 'imagined');
  if (stopped.length === 0 || script === '') return {};
  const calls = programs.filter(({ gate }) => gate === undefined).map(({ argv }) => argv.join('\0'));
  return scriptBounds(script, {
    stopped: new Set(stopped.map((program) => programName(writtenAs(program, programs).argv[0] ?? ''))),
    ran: (argv) => calls.includes(argv.join('\0')),
  });
}

/** The command of the script behind which a program was started: `npm test` of `vitest`. */
function writtenAs(program: RecordedProgram, programs: readonly RecordedProgram[]): RecordedProgram {
  const parent = program.parent === undefined ? undefined : programs[program.parent - 1];
  return parent === undefined ? program : writtenAs(parent, programs);
}

/** Output that is not known, with what is certain of it; none where certainly nothing is printed. */
export function* withBound(event: FactEvent, { lines, isNumber, errorsApart }: ScriptBounds): Generator<FactEvent> {
  if (event.type !== 'output' || event.basis !== 'unknown' || event.stream !== 'stdout' || lines === undefined) {
    yield event;
  } else if (lines > 0) {
    const bound = { lines, ...(isNumber ? { isNumber } : {}), ...(errorsApart ? { errorsApart } : {}) };
    yield { ...event, bound };
  }
}
