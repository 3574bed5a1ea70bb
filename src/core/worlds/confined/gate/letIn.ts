import type { Consent } from '../../../facts/consent.ts';
import type { EffectKind } from '../../../facts/effect.ts';
import { describeProgram } from '../../../programs/describeProgram.ts';
import { holds, programOf } from '../../../programs/programOf.ts';
import type { Gated, Launcher } from '../wire/launcher.ts';
import { addGated, namedArgv, type RunRecord } from '../wire/runRecord.ts';

/**
 * Lets a stopped program in to which the user consented: it runs, and what it starts. False: it has to be answered for.
 * Never in look mode, whatever was consented to.
 */
export function letIn(consent: Consent | undefined, launcher: Launcher, gated: Gated, record: RunRecord): boolean {
  const isMeant = consent !== undefined && launcher.letsIn && isConsented(consent, gated, record);
  if (gated.reason === 'mayBeLetIn') {
    // It is inert, and was stopped for what it starts.
    launcher.answer(gated.token, { kind: isMeant ? 'run' : 'asInert' });
    if (!isMeant) return true;
  } else if (!isMeant) return false;
  else launcher.answer(gated.token, { kind: 'run' });
  const program = addGated(record, gated);
  delete program.gate;
  program.isLetIn = true;
  program.env ??= gated.env;
  program.awaitsExec = gated.reason !== 'foreignLibrary';
  return true;
}

/** Whether consent would let this program in, where anything can be let in. */
export function mayBeLetIn(gated: Gated): boolean {
  return isConsented({ folder: gated.cwd, programs: 'all' }, gated);
}

/** A program is what it is by its file and by where it is started: `cd /elsewhere && npm test` is no command of the folder. */
function isConsented({ folder, programs }: Consent, gated: Gated, record?: RunRecord): boolean {
  if (gated.cwd !== folder && !gated.cwd.startsWith(`${folder}/`)) return false;
  switch (gated.reason) {
    case 'notInert':
    case 'notJudged':
    case 'mayBeLetIn': {
      const isMeant = programs === 'all' || (gated.isUnchanged && programs.some(({ file }) => file === gated.realPath));
      return isMeant && (isServedHere(gated.argv, record) || !needsOthers(namedArgv(gated), gated.cwd));
    }
    case 'foreignLibrary':
      return programs === 'all';
    // The rights of another user are not the user's to give, and the tables of processes and mounts are not those of the machine.
    case 'raisesRights':
    case 'readsTables':
    case 'changed':
      return false;
  }
}

/** Whether its words name a port on which something listens that this run has started: it asks nobody else, or is seen to try. */
function isServedHere(argv: readonly string[], record: RunRecord | undefined): boolean {
  const ports = record?.effects.flatMap(({ kind, detail }) => (kind === 'listens' ? (/\d+$/.exec(detail) ?? []) : []));
  return ports?.some((port) => argv.some((word) => word === port || wordsOfPort(port).test(word))) ?? false;
}

const wordsOfPort = (port: string) => new RegExp(`:${port}(?!\\d)`);

/** What a rehearsal has not. */
const absent: ReadonlySet<EffectKind> = new Set<EffectKind>(['network', 'service', 'cloud', 'container']);

/** Whether a program needs other machines or daemons: it would fail in a rehearsal, and really does not. */
function needsOthers([name = '', ...words]: readonly string[], cwd: string): boolean {
  const { downloads, serves } = programOf(name) ?? {};
  if (downloads === undefined) {
    // A server is what others need.
    if (holds(serves, [words.join(' ')])) return false;
    return describeProgram([name, ...words], cwd).effects.some(({ effect }) => absent.has(effect));
  }
  // It is told to do with what is here.
  if (words.some((word) => /^(?:--offline|--no-index)$/.test(word))) return false;
  const operands = words.filter((word) => !word.startsWith('-'));
  const [first = words.length === 0 ? '' : undefined] = operands;
  return first !== undefined && holds(downloads, [first, operands.join(' ')]);
}
