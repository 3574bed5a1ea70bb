import fs from 'node:fs';
import { decodedBytes } from '../../prediction/decodedBytes.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { PredictRequest, StandIn } from '../../prediction/rehearsal.ts';
import { type LineUnit, lineUnit } from '../../programs/lineUnit.ts';
import { contentFile, digestIn, type KeptRun, type MemoryUse } from './memoryStore.ts';
import { environmentDigest } from './unitOfRun.ts';

/** The unit of the line that a request is about, where a program of it can be stood in for. */
export function unitIn(request: PredictRequest): LineUnit | undefined {
  const { action, interactive, terminal, promptShell, openGate, faults, answers } = request;
  if (action.kind !== 'command' || action.shell !== 'bash' || interactive || promptShell !== undefined)
    return undefined;
  // At a terminal a program is shown another thing than a pipe, and with an open gate nothing is stopped.
  if (terminal !== undefined || openGate || faults || answers) return undefined;
  const unit = lineUnit(action.script, { cwd: action.cwd, home: request.home, env: {} });
  return unit && unit.script !== action.script ? unit : undefined;
}

/** The unit alone, to be rehearsed or looked for. */
export function unitRequest(request: PredictRequest, { script }: LineUnit): PredictRequest {
  if (request.action.kind !== 'command') return request;
  return { ...request, action: { ...request.action, script }, hash: false };
}

/** What is kept of a unit, to stand in for its program in a line; nothing where that would not be what the line really does. */
export function standInOf(
  kept: KeptRun,
  {
    key,
    unit,
    use,
    basis,
    onUsed,
  }: { key: string; unit: LineUnit; use: MemoryUse } & Pick<StandIn, 'basis' | 'onUsed'>,
): StandIn | undefined {
  const digest = digestIn(use.folder);
  if (!kept.unit || !digest) return undefined;
  const { argv, cwd, realPath, env, exitCode } = kept.unit;
  const changes = kept.events.flatMap((event) => (event.type === 'file' ? [event.change] : []));
  // Who reads what it prints may look, at the same time, at what it changes.
  const isSeen = unit.beside.some((word) => fs.existsSync(word) || changes.some(({ path }) => path === word));
  if (changes.length > 0 && isSeen) return undefined;
  const stdout = printedOn('stdout', kept.events);
  const stderr = printedOn('stderr', kept.events);
  const other = {
    stdout: otherText(stdout, Buffer.from(kept.unit.other.stdout, 'base64')),
    stderr: otherText(stderr, Buffer.from(kept.unit.other.stderr, 'base64')),
  };
  const mostLines = unit.mostLines ?? Number.POSITIVE_INFINITY;
  if (Math.max(linesIn(stdout.bytes), linesIn(other.stdout)) > mostLines) return undefined;
  const files = new Map(kept.contents);
  const isVolatile = new Set(changes.flatMap(({ path, volatile }) => (volatile ? [path] : [])));
  return {
    ...{ argv, cwd, realPath, exitCode, stdout: stdout.bytes, stderr: stderr.bytes, other, changes, basis, onUsed },
    isBehind: unit.isBehind,
    beganWith: (given) => environmentDigest(given, digest) === env,
    content(path, isOther) {
      const bytes = fs.readFileSync(contentFile(use.folder, key, files.get(path) ?? ''));
      return isOther && isVolatile.has(path) ? Buffer.concat([bytes, Buffer.from('\n')]) : bytes;
    },
  };
}

interface Printed {
  bytes: Buffer;
  /** Lines, in latin1, of which a part is volatile, and the same with that part changed. */
  volatile: Map<string, string>;
}

function printedOn(stream: 'stdout' | 'stderr', events: readonly FactEvent[]): Printed {
  const lines = new Map<string, string>();
  const whole: Buffer[] = [];
  let [line, changed] = ['', ''];
  for (const event of events) {
    if (event.type !== 'output' || event.stream !== stream) continue;
    const text = event.text === undefined ? decodedBytes(event.base64) : Buffer.from(event.text, 'utf8');
    whole.push(Buffer.from(text));
    const pieces = Buffer.from(text)
      .toString('latin1')
      .split(/(?<=\n)/);
    for (const piece of pieces) {
      line += piece;
      changed += event.volatile ? varied(piece) : piece;
      if (!piece.endsWith('\n')) continue;
      if (line !== changed) lines.set(line, changed);
      [line, changed] = ['', ''];
    }
  }
  if (line !== changed) lines.set(line, changed);
  return { bytes: Buffer.concat(whole), volatile: lines };
}

/** Other digits; without any, other letters. */
function varied(text: string): string {
  if (/\d/.test(text)) return text.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));
  return text.replace(/[A-Za-z]/g, (letter) =>
    /[zZ]/.test(letter) ? 'a' : String.fromCharCode(letter.charCodeAt(0) + 1),
  );
}

/** What another run printed; what both agree on only by chance is varied in it. */
function otherText({ volatile }: Printed, other: Buffer): Buffer {
  const lines = other.toString('latin1').split(/(?<=\n)/);
  return Buffer.from(lines.map((line) => volatile.get(line) ?? line).join(''), 'latin1');
}

/** Begun lines count. */
function linesIn(bytes: Uint8Array): number {
  const ends = bytes.reduce((count, byte) => count + (byte === 10 ? 1 : 0), 0);
  return ends + (bytes.length > 0 && bytes.at(-1) !== 10 ? 1 : 0);
}
