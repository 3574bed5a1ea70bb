import path from 'node:path';
import { portsInUse } from '../../../context/portsInUse.ts';
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
export function letIn(
  consent: Consent | undefined,
  launcher: Launcher,
  gated: Gated,
  record: RunRecord,
): boolean | Promise<boolean> {
  const isMeant = consent !== undefined && launcher.letsIn && isConsented(consent, gated, record);
  if (isMeant !== 'ifOwn') return admit(isMeant, launcher, gated, record);
  return asksNobodyElse(launcher, gated).then((isSo) => admit(isSo, launcher, gated, record));
}

function admit(isMeant: boolean, launcher: Launcher, gated: Gated, record: RunRecord): boolean {
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
  return isConsented({ folder: gated.cwd, programs: 'all' }, gated) === true || portsNamed(gated.argv).length > 0;
}

/** A program is what it is by its file and by where it is started: `cd /elsewhere && npm test` is no command of the folder. */
function isConsented({ folder, programs }: Consent, gated: Gated, record?: RunRecord): boolean | 'ifOwn' {
  if (gated.cwd !== folder && !gated.cwd.startsWith(`${folder}/`)) return false;
  switch (gated.reason) {
    case 'notInert':
    case 'notJudged':
    case 'mayBeLetIn': {
      const isMeant = programs === 'all' || (gated.isUnchanged && programs.some(({ file }) => file === gated.realPath));
      if (!isMeant || isServedHere(gated.argv, record) || !needsOthers(namedArgv(gated), gated.cwd)) return isMeant;
      return 'ifOwn';
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

/** A server that a word names: `http://localhost:3000/x`, `127.0.0.1:80`, `--url=http://[::1]:80`. */
const server =
  /^(?:--?[\w-]+=)?(?:([a-z][\w+.-]*):\/\/)?(?:[^\s/@]*@)?(\[[\da-f:.]+\]|[\w.-]+)(?::(\d{1,5}))?(?=[/?#]|$)/i;
const isHere = /^(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0|\[::1?\])$/i;

/** The ports of this machine that words name; none where they name a server that is elsewhere, or no port. */
function portsNamed(argv: readonly string[]): string[] {
  const ports: string[] = [];
  for (const word of argv.slice(1)) {
    const [, scheme, host = '', port] = server.exec(word) ?? [];
    const usual = /^(?:http|ws)s$/i.test(scheme ?? '') ? '443' : '80';
    if (isHere.test(host) && (scheme ?? port) !== undefined) ports.push(port ?? usual);
    else if (isHere.test(host) || (scheme ?? port) !== undefined) return [];
  }
  return ports;
}

/** A socket that a word names: `./app.sock`, `--unix-socket=/x`, `unix:///x`. */
const socket = /^(?:--?[\w-]+=)?(?:unix:(?:\/\/)?)?([^-].*)$/;

/** Of more words it is not asked whether they name a socket. */
const mostWords = 32;

/** Whether the command has made a socket that its words name. */
async function reachesOwnSocket(launcher: Launcher, { argv, cwd }: Gated): Promise<boolean> {
  for (const word of argv.slice(1, mostWords)) {
    const [, name = ''] = socket.exec(word) ?? [];
    const place = path.resolve(cwd, name);
    const isMade = name !== '' && (await launcher.stat(place, 'after'))?.type === 'socket';
    if (isMade && !(await launcher.stat(place, 'before'))) return true;
  }
  return false;
}

/**
 * Whether its words name only this machine, and nobody serves there but the command itself: it is refused then, as it really is, or
 * reaches that server.
 */
async function asksNobodyElse(launcher: Launcher, gated: Gated): Promise<boolean> {
  if (await reachesOwnSocket(launcher, gated)) return true;
  const ports = portsNamed(gated.argv);
  const inUse = ports.length > 0 ? await portsInUse() : undefined;
  return inUse !== undefined && !ports.some((port) => inUse.has(`tcp ${port}`) || inUse.has(`udp ${port}`));
}

/** What a rehearsal has not. */
const absent: ReadonlySet<EffectKind> = new Set<EffectKind>(['network', 'service', 'cloud', 'container']);

/** Whether a program needs other machines or daemons: it would fail in a rehearsal, and really does not. */
function needsOthers([name = '', ...words]: readonly string[], cwd: string): boolean {
  const { downloads, serves, starts } = programOf(name) ?? {};
  if (downloads === undefined) {
    // A server is what others need.
    if (holds(serves, [words.join(' ')])) return false;
    return describeProgram([name, ...words], cwd).effects.some(({ effect }) => absent.has(effect));
  }
  // It is told to do with what is here.
  if (words.some((word) => /^(?:--offline|--no-index)$/.test(word))) return false;
  const valued = starts?.valued?.split(' ') ?? [];
  const operands = words.filter((word, at) => !word.startsWith('-') && !valued.includes(words[at - 1] ?? ''));
  const [first = words.length === 0 ? '' : undefined] = operands;
  return first !== undefined && holds(downloads, [first, operands.join(' ')]);
}
