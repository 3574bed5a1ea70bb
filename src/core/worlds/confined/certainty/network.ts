import path from 'node:path';
import { type Address, addressOf, portsInUse } from '../../../context/portsInUse.ts';
import type { Doubt } from '../../../facts/doubt.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import { holds, programOf } from '../../../programs/programOf.ts';
import { namedArgv, type RecordedEffect, type RecordedProgram, type RunRecord } from '../wire/runRecord.ts';
import { leaveUnknown } from './leaveUnknown.ts';

function isLoopback({ host }: Address): boolean {
  return host === '::1' || host === '::' || host === '0.0.0.0' || /^(?:::ffff:)?127\./i.test(host);
}

/** Names of other machines are asked for here: what answers is the network. */
const nameServicePort = 53;

/** What the network has to do with a run, besides its effects. */
export interface NetworkPart {
  doubts: Doubt[];
  notices: NoticeFact[];
  /** How it ended may be the network's answer. */
  isEndUnknown: boolean;
}

/** Nothing is open. */
export const noNetwork: NetworkPart = { doubts: [], notices: [], isEndUnknown: false };

/**
 * No connection leaves a rehearsal. Where nobody of this machine listens on a port of its own, refusing it is exact. Of
 * others, a program of the user's that went on, succeeded and says nothing of it was rehearsed offline. What a program failed
 * behind that tried to reach others, and what was printed behind its attempt, is the network's to say: that is marked as
 * unknown in the record.
 */
export async function networkPart(
  record: RunRecord,
  isForeign: boolean,
  script: string,
  read: Read,
): Promise<NetworkPart> {
  const tried = record.effects.filter(({ kind }) => kind === 'connects');
  const served = record.effects.flatMap(({ kind, detail }) => (kind === 'listens' ? [detail] : []));
  if (tried.length === 0 && served.length === 0) return noNetwork;
  const inUse = await portsInUse();
  const isInUse = ({ protocol, port }: Address) => inUse?.has(`${protocol} ${port}`) ?? true;
  const doubts: Doubt[] = [];
  for (const on of new Set(served)) {
    const address = addressOf(on);
    if (address && isInUse(address)) doubts.push({ kind: 'portTaken', on });
  }
  const offline = new Set<string>();
  const awaited = new Set<string>();
  let isEndUnknown = false;
  for (const attempt of tried) {
    const address = addressOf(attempt.detail);
    const isAway = !address || !isLoopback(address) || address.port === nameServicePort;
    if (!isAway && !isInUse(address)) continue;
    const isSaid = async () =>
      printsHowItEnded(record, attempt) || (await mayPrintHowItEnded(record, attempt, { script, read }));
    if (isAway && isForeign && wentOn(record, attempt) && !(await isSaid())) {
      offline.add(attempt.detail);
      markOffline(record, attempt);
      continue;
    }
    awaited.add(attempt.detail);
    if (!isForeign) continue;
    isEndUnknown = true;
    leaveUnknown(record, attempt);
  }
  for (const to of awaited) doubts.push({ kind: 'connects', to });
  const to = [...offline].filter((one) => !awaited.has(one));
  return { doubts, notices: to.length > 0 ? [{ kind: 'offline', to }] : [], isEndUnknown };
}

/**
 * Whether a program did without the network: it succeeded, goes on, or by the table of programs only looks for a newer one of
 * its kind meanwhile (`npm run`). Where it is not known which program it was, the whole run counts.
 */
function wentOn(record: RunRecord, { program }: RecordedEffect): boolean {
  const { finished, endedBy } = record;
  if (program && decidesNothing(record, program)) return true;
  if (program?.exitCode !== undefined) return program.exitCode === 0;
  return (finished?.how === 'exited' && finished.exitCode === 0) || endedBy?.kind === 'goesOn';
}

/** Names of errors, and the words of systems and runtimes for them, that only the want of a network brings about. */
const wantOfNetwork =
  /\b(?:EAI_\w+|ENOTFOUND|ECONNREFUSED|ECONNABORTED|E(?:NET|HOST)(?:UNREACH|DOWN)|ETIMEDOUT|getaddrinfo|gaierror|UnknownHostException|ERR_SOCKET\w*|UND_ERR_\w+|offline)\b|\bname resolution\b|\bname or service not known\b|\bno address associated\b|\b(?:resolve|unknown|find|reach|contact) (?:the )?(?:host|server|address)|\bnetwork is (?:unreachable|down)\b|\bnetwork ?error\b|\bconnection (?:refused|timed out|error|failed)\b|\bno route to host\b|\bfetch failed\b|\b(?:failed|unable|could not|couldn't|cannot|can't) (?:to )?(?:connect|resolve|reach|fetch|download)\b/i;

/** Whether a text says how an attempt to reach others ended: who wrote it has caught the error, so that nothing but the words tells that. */
export function tellsOfNetwork(bytes: Uint8Array): boolean {
  return wantOfNetwork.test(Buffer.from(bytes).toString('latin1'));
}

function saysOfNetwork(record: RunRecord): boolean {
  return tellsOfNetwork(Buffer.concat(record.output.map(({ bytes }) => bytes)));
}

/**
 * Whether what was printed behind an attempt says how it ended: then the network decides it. A program that says so of its look
 * for a newer one of its kind is known by then.
 */
function printsHowItEnded(record: RunRecord, { program, pieces = 0 }: RecordedEffect): boolean {
  if (program && decidesNothing(record, program)) return false;
  const behind = record.output.slice(pieces).map(({ bytes }) => bytes);
  return tellsOfNetwork(Buffer.concat(behind));
}

/** Gives the content of a file, absolute, as it is behind the run. */
type Read = (file: string, mostBytes: number) => Promise<Uint8Array | undefined>;

const mostCode = 256 * 1024;

/** A call that gives how an attempt ended as a number, and no error that has words, and code that does something with it. */
const usesNumber = /(?:\b(?:print|if|while|return|exit|assert)\b[^\n:]*|=\s*[\w.()]*)\bconnect_ex\s*\(/;

/** Whether something was printed behind an attempt of which no word may tell how it ended: `print(s.connect_ex(…))`. */
async function mayPrintHowItEnded(
  record: RunRecord,
  { program, pieces = 0 }: RecordedEffect,
  { script, read }: { script: string; read: Read },
): Promise<boolean> {
  if (!program || record.output.slice(pieces).every(({ bytes }) => bytes.length === 0)) return false;
  const [name = '', ...words] = program.argv;
  if (!programOf(name)?.language) return false;
  if ([...words, script].some((text) => usesNumber.test(text))) return true;
  const file = words.find((word) => !word.startsWith('-'));
  const bytes = file && (await read(path.resolve(program.cwd, file), mostCode).catch(() => undefined));
  return usesNumber.test(Buffer.from(bytes || []).toString('latin1'));
}

/** No answer of the network would change what it does: it asks for a newer one of its kind, or the tool that it runs was here. */
function decidesNothing(record: RunRecord, { id, argv, exitCode }: RecordedProgram): boolean {
  const endsAsStarted = () => record.programs.some((one) => one.parent === id && one.exitCode === exitCode);
  // `npm version -w x` succeeds in what it is told, asks the registry, and fails.
  if (onlyLooksForNewer(argv)) return !exitCode || endsAsStarted() || !saysOfNetwork(record);
  const [name = '', ...words] = namedArgv({ argv });
  const first = words.find((word) => !word.startsWith('-'));
  return (
    exitCode !== undefined && first !== undefined && holds(programOf(name)?.endsAsTool, [first]) && endsAsStarted()
  );
}

/** Whether the table of programs says that all that a program wants of the network is whether there is a newer one of its kind. */
export function onlyLooksForNewer(argv: readonly string[]): boolean {
  const [name = '', ...words] = namedArgv({ argv });
  const { looksForNewer, worksOffline } = programOf(name) ?? {};
  const first = words.find((word) => !word.startsWith('-'));
  if (first === undefined) return false;
  return holds(looksForNewer, [first]) || (words.includes('--offline') && holds(worksOffline, [first]));
}

/** What was printed behind an attempt holds without a network; what came before holds with one as well. */
function markOffline(record: RunRecord, { program, pieces = 0 }: RecordedEffect): void {
  if (program && decidesNothing(record, program)) return;
  for (const piece of record.output.slice(pieces)) piece.isOffline = true;
}
