import type { Doubt } from '../../../facts/doubt.ts';
import type { EffectFact, FoundEffect } from '../../../facts/effect.ts';
import type { Failure } from '../../../facts/failure.ts';
import type { NoticeFact } from '../../../facts/notice.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import { programOf } from '../../../programs/programOf.ts';
import type { Basis } from '../../../view/basis.ts';
import type { FileChange } from '../../../view/fileChange.ts';
import { onlyLooksForNewer } from '../certainty/network.ts';
import type { MarkedText } from '../certainty/volatile.ts';
import { markOfDoor } from '../doors.ts';
import type { StreamName } from './codes.ts';
import type { Finished, LauncherEffect } from './launcher.ts';
import { namedArgv, type RecordedEffect, type RecordedProgram, type RunRecord, signalOf } from './runRecord.ts';

/** Nobody notices a shorter wait: `rsync` waits some milliseconds for its other half. */
const noticedMs = 100;

/** Basis of a fact of a run: rehearsed, unless it rests on an answer that was not. */
export function basisOf(record: RunRecord, unsure: boolean): Basis {
  if (!unsure) return record.basis ?? 'rehearsed';
  return record.unsure === 'imagined' ? 'imagined' : 'assumed';
}

/** Programs of the action, without those that only hold others together. */
export function programsOf(record: RunRecord): RecordedProgram[] {
  return record.programs.filter(({ isOurs }) => !isOurs);
}

/** The nearest program above that is one of the action. */
function parentOf(program: RecordedProgram, record: RunRecord): number | undefined {
  let at = program.parent;
  while (at !== undefined && record.programs[at - 1]?.isOurs) at = record.programs[at - 1]?.parent;
  return at;
}

/** How a program came about, as a field of an event. */
export function labelOf({ label }: Pick<RecordedProgram, 'label'> = {}): Pick<RecordedProgram, 'label'> {
  return label === undefined ? {} : { label };
}

/** Programs, their exits, and what was assumed about them. */
export function* programEvents(record: RunRecord): Generator<FactEvent> {
  for (const program of programsOf(record)) {
    const parent = parentOf(program, record);
    const basis: Basis = program.answeredBy ?? basisOf(record, program.unsure);
    yield {
      type: 'program',
      id: program.id,
      ...(parent === undefined ? {} : { parent }),
      argv: program.argv,
      cwd: program.cwd,
      basis: program.supposed ? 'assumed' : basis,
      ...(program.exitCode === undefined || program.dependsOn ? {} : { exitCode: program.exitCode }),
      ...(program.isVolatile ? { volatile: true } : {}),
      ...(program.lookedThrough ? { lookedThrough: true } : {}),
      ...(program.isLetIn && !program.isKnown ? { byConsent: true } : {}),
      ...labelOf(program),
    };
    if (program.gate !== undefined) {
      yield { type: 'gated', id: program.id, argv: program.argv, cwd: program.cwd, because: program.gate };
    }
  }
  const seen = new Set<string>();
  for (const { otherwise: _, mayWrite: __, ...assumption } of record.assumptions) {
    const key = assumption.argv.join('\0');
    if (seen.has(key)) continue;
    seen.add(key);
    yield { type: 'assumption', ...assumption, ...labelOf(record.programs[assumption.id - 1]) };
  }
}

/** Bytes as text where they are UTF-8, else as base64. */
export function outputEvent(
  stream: StreamName,
  piece: MarkedText,
  basis: Basis,
): Extract<FactEvent, { type: 'output' }> {
  const text = piece.bytes.toString('utf8');
  const isText = !text.includes('\uFFFD') || Buffer.from(text).equals(piece.bytes);
  return {
    type: 'output',
    stream,
    ...(isText ? { text } : { base64: piece.bytes.toString('base64') }),
    basis,
    ...(piece.volatile ? { volatile: true } : {}),
  };
}

/** That something may be printed, which depends on these stopped programs. */
export function unknownOutput(stream: StreamName, dependsOn: string[][]): Extract<FactEvent, { type: 'output' }> {
  return { type: 'output', stream, basis: 'unknown', dependsOn };
}

/** One event for each change. */
export function* fileEvents(
  changes: readonly FileChange[],
  basis: (change: FileChange) => Basis,
): Generator<FactEvent> {
  for (const change of changes) {
    const whence = basis(change);
    // The bytes in the copy are not those that there would be.
    if (whence === 'unknown') delete change.sha256;
    yield { type: 'file', change, basis: whence };
  }
}

/** Effects that the launcher reported, as the reader should see them, and the doubts that they leave. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table: one case a kind of effect.
export function effectsOf(
  record: RunRecord,
  listed: readonly LauncherEffect[],
): { effects: FoundEffect[]; doubts: Doubt[]; notices: NoticeFact[] } {
  const effects: FoundEffect[] = [];
  const doubts: Doubt[] = [];
  const notices: NoticeFact[] = [];
  const touched: string[] = [];
  const attributed: string[] = [];
  const meanwhile: string[] = [];
  const signalled = new Set<string>();
  const refreshes = new Set<string>();
  let waitedMs = 0;
  const all: RecordedEffect[] = [
    ...record.effects,
    ...listed.map((one) => ({ ...one, unsure: record.unsure !== false })),
  ];
  for (const effect of all) {
    const basis = basisOf(record, effect.unsure);
    const add = (fact: EffectFact) => effects.push({ fact, basis });
    switch (effect.kind) {
      case 'connects':
        if (ordersAddresses(effect)) break;
        add({ kind: 'connects', to: effect.detail });
        break;
      case 'signals':
        add(signalOf(effect));
        if (effect.lookedBehind || signalled.has(String(effect.target))) {
          doubts.push({ kind: 'looksBehindSignal', command: effect.detail });
        }
        signalled.add(String(effect.target));
        break;
      case 'looksForProcess':
        // `kill 12; kill -0 12`: really it may be gone. Signals to all of them have no number.
        if (signalled.has(String(effect.target)) || signalled.has('undefined')) {
          doubts.push({ kind: 'looksBehindSignal', command: effect.detail });
        }
        break;
      case 'waitSkipped':
        waitedMs += effect.durationMs;
        break;
      case 'moveUnfinished':
        doubts.push({ kind: 'moveTooLarge', path: effect.detail });
        break;
      case 'callRefused':
        add({ kind: 'asksSystem', what: effect.detail });
        doubts.push({ kind: 'asksSystem', what: effect.detail });
        break;
      case 'listens':
        add({ kind: 'listens', on: effect.detail });
        break;
      case 'hardLinked':
        // 0: it only got another name, which matters to who reads link counts (`linkCountDoubt`).
        if (effect.names === 0) break;
        doubts.push({ kind: 'hardLinks', path: effect.detail, names: effect.names });
        break;
      case 'otherOwner':
        doubts.push({ kind: 'otherOwner', path: effect.detail });
        break;
      case 'waitsForNobody':
        doubts.push({ kind: 'waitsUnserved', path: effect.detail });
        break;
      case 'timeOnly':
        if (!effect.detail.includes('/.git/')) touched.push(effect.detail);
        break;
      case 'attributes':
        attributed.push(effect.detail);
        break;
      case 'changesSystem':
        add({ kind: 'changesSystem', what: effect.detail });
        // Names are really changed, in the view.
        if (effect.wentOn && !/^set(?:host|domain)name$/.test(effect.detail)) {
          doubts.push({ kind: 'changesSystem', what: effect.detail });
        }
        break;
      case 'readsTables':
        if (countsAsReading(effect)) doubts.push({ kind: 'readsMachine', path: effect.detail });
        break;
      case 'changedMeanwhile':
        meanwhile.push(effect.detail);
        break;
      case 'statusDiffers':
        doubts.push({ kind: 'showsCopyStatus', path: effect.detail });
        break;
      case 'door': {
        const mark = markOfDoor(effect.door, effect.detail);
        if (mark) add(mark);
        doubts.push({ kind: 'door', call: effect.door, path: effect.detail });
        break;
      }
      case 'leftOut':
        refreshes.add(effect.detail);
        break;
    }
  }
  if (refreshes.size > 0) {
    notices.push({ kind: 'indexRefresh' });
  }
  for (const [kind, paths] of [['timesOnly', touched] as const, ['attributes', attributed] as const]) {
    const [first] = paths;
    if (first === undefined) continue;
    effects.push({ fact: { kind, count: paths.length, first }, basis: basisOf(record, record.unsure !== false) });
  }
  const [changed] = meanwhile;
  if (changed !== undefined) {
    const others = new Set(meanwhile).size - 1;
    doubts.unshift({ kind: 'changedMeanwhile', path: changed, others });
  }
  if (waitedMs >= noticedMs) effects.push({ fact: { kind: 'waits', durationMs: waitedMs }, basis: 'rehearsed' });
  for (const program of record.programs.filter(({ waits }) => waits === true)) {
    effects.push({ fact: { kind: 'neverEnds', argv: program.argv, ...labelOf(program) }, basis: 'imagined' });
  }
  // What the end of a limit stopped is not left running.
  for (const left of record.finished && isOver(record.finished) ? record.finished.leftRunning : []) {
    const program = record.programs.findLast(({ pid }) => pid === left.pid);
    if (program?.isOurs) continue;
    effects.push({
      fact: { kind: 'leavesRunning', argv: program?.argv ?? left.argv, ...labelOf(program) },
      basis: basisOf(record, record.unsure !== false),
    });
  }
  if (record.finished?.outputCut) {
    notices.push({ kind: 'outputCut' });
    doubts.push({ kind: 'outputCut' });
  }
  return { effects, doubts, notices };
}

/**
 * Whether what a program reads of the machine's tables may show. Who looks for a newer one of its kind looks at interfaces for that,
 * and others only to know which values an option may have.
 */
export function countsAsReading({ program, detail }: RecordedEffect & { detail: string }): boolean {
  if (program === undefined) return true;
  if (onlyLooksForNewer(program.argv)) return false;
  const { asksInterfaces } = programOf(namedArgv(program)[0] ?? '') ?? {};
  return !(asksInterfaces && detail === interfaces);
}

/** An address of this machine that a program only asks to be put in order with others (getaddrinfo(3)): nothing is sent. */
function ordersAddresses({ program, detail }: RecordedEffect): boolean {
  if (program === undefined || !/^udp (127\.|\[::1\])/.test(detail ?? '')) return false;
  return programOf(namedArgv(program)[0] ?? '')?.ordersAddresses === true;
}

/** Where the launcher says that the network's interfaces are. */
const interfaces = '/sys/class/net';

/** Ending of a run that did not end by itself; `undefined` when it did. */
export function failureOf(finished: Finished, limits: { wallMs: number; processes: number }): Failure | undefined {
  switch (finished.how) {
    case 'exited':
    case 'signalled':
    // The run ended before something that only the real system can answer; an effect says what.
    case 'stopped':
      return undefined;
    case 'timeLimit':
      return { kind: 'timeLimit', limitMs: limits.wallMs };
    case 'notStarted':
      return { kind: 'notStarted', because: finished.detail };
    case 'diskQuota':
      return { kind: 'diskLimit' };
    case 'memoryLimit':
      return { kind: 'memoryLimit' };
    case 'processLimit':
      return { kind: 'processLimit', processes: limits.processes };
    case 'gateSlipped':
      return { kind: 'gateSlipped', path: finished.detail };
    default:
      return { kind: 'stopped', because: finished.detail };
  }
}

/** Whether the run came to its end by itself. */
export function isOver({ how }: Finished): boolean {
  return how === 'exited' || how === 'signalled';
}
