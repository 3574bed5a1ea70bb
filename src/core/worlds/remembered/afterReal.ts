import { decodedBytes } from '../../prediction/decodedBytes.ts';
import { agreesInAll, differences, type ObservedRun } from '../../prediction/differences.ts';
import type { FactEvent } from '../../prediction/factEvent.ts';
import type { Prediction } from '../../prediction/prediction.ts';
import { lineUnit } from '../../programs/lineUnit.ts';
import type { FileChange } from '../../view/fileChange.ts';
import { forgetRun, type KeptRun, keptRunsOf, rewriteKept } from './memoryStore.ts';

/** A command that was predicted and then really run. */
export interface RealRun {
  script: string;
  cwd: string;
  prediction: Pick<Prediction, 'action' | 'exitCode' | 'output' | 'files'>;
  seen: ObservedRun;
  at: Date;
}

/**
 * What a real run says of the rehearsals of its command that are remembered. Those that say just what was predicted are noted to
 * have come out so, where all of it was observed. Where it came out otherwise none is remembered any more, nor what is kept of its
 * one program: what decides it nobody compares.
 */
export function afterReal(folder: string, { script, cwd, prediction, seen, at }: RealRun): void {
  const differs = differences(prediction, seen).length > 0;
  if (!differs && !agreesInAll(prediction, seen)) return;
  for (const { key, kept } of keptRunsOf(folder, { script, cwd })) {
    if (kept.contradictedAt !== undefined) continue;
    const isMeant = saidBy(kept) === saidIn(prediction);
    const time = at.toISOString();
    if (isMeant && differs) rewriteKept(folder, key, { ...nothingOf(kept), contradictedAt: time });
    else if (isMeant) rewriteKept(folder, key, { ...kept, reallyAt: time });
    // What it says nobody has compared.
    else if (differs) forgetRun(folder, key);
  }
  if (differs) doubtUnit(folder, { script, cwd, at });
}

/** What is kept of the one program of a line decides what is said of the line. */
function doubtUnit(folder: string, { script, cwd, at }: Pick<RealRun, 'script' | 'cwd' | 'at'>): void {
  const unit = lineUnit(script, { cwd, home: '/', env: {} });
  for (const { key, kept } of unit ? keptRunsOf(folder, { script: unit.script, cwd }) : []) {
    const { unit: _, ...rest } = nothingOf(kept);
    rewriteKept(folder, key, { ...rest, contradictedAt: at.toISOString() });
  }
}

function nothingOf({ reallyAt: _, ...kept }: KeptRun): KeptRun {
  return { ...kept, inputs: [], events: [], contents: [] };
}

function saidIn({ exitCode, output, files }: RealRun['prediction']): string {
  return said(exitCode, output, files);
}

function saidBy({ events }: KeptRun): string {
  const of = <Type extends FactEvent['type']>(type: Type) =>
    events.filter((event): event is Extract<FactEvent, { type: Type }> => event.type === type);
  const [exit] = of('exit');
  return said(
    exit?.code,
    of('output'),
    of('file').map(({ change }) => change),
  );
}

type Piece = Pick<Prediction['output'][number], 'stream' | 'text' | 'base64'>;
type File = Pick<FileChange, 'path' | 'change' | 'type' | 'sizeBytes'> & { sha256?: string | undefined };

/** All that is said of how a command ends, to be compared. */
function said(exitCode: number | undefined, output: readonly Piece[], files: readonly File[]): string {
  const printed = (stream: Piece['stream']) =>
    output.map((piece) => (piece.stream === stream ? (piece.text ?? decodedBytes(piece.base64)) : '')).join('');
  const changed = files.map(({ path, change, type, sizeBytes, sha256 }) => [path, change, type, sizeBytes, sha256]);
  return JSON.stringify([exitCode, printed('stdout'), printed('stderr'), changed.map((one) => one.join()).sort()]);
}
