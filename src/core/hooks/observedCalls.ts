import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import { redactAtOnce } from '../context/secrets/redactForPrompt.ts';
import { emptyPrediction } from '../prediction/fold.ts';
import { Output, PredictedFile } from '../prediction/parts.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { type CalibrationEntry, calibrationEntry, type ObservedRun } from '../trajectory/calibration.ts';
import { createCalibrationStore } from '../trajectory/calibrationStore.ts';
import { Basis } from '../view/basis.ts';
import { afterReal } from '../worlds/remembered/afterReal.ts';
import type { HookCall, ObservedCall } from './hookCall.ts';
import { keptFiles } from './hookFolder.ts';

/** A call that has not been made by then is not made any more. In milliseconds. */
const waitsMs = 3_600_000;
/** Longer output is cut by agents, so that it cannot be compared. In characters. */
const mostOutput = 16_000;
const mostFiles = 200;
const mostFileBytes = 8 * 1024 ** 2;

/** What is kept of a prediction until the call was made: what is compared, and no secret. */
const KeptCall = z.object({
  kind: z.enum(['command', 'edit']),
  /** Names of the programs. */
  programs: z.array(z.object({ name: z.string(), basis: Basis })),
  ending: z.enum(['done', 'abstained']),
  exitCode: z.optional(z.number()),
  exitBasis: z.optional(Basis),
  /** Absent: too long. */
  output: z.optional(z.array(Output)),
  /** Absent: too many. */
  files: z.optional(z.array(PredictedFile)),
});
type KeptCall = z.infer<typeof KeptCall>;

/** Predictions of agents' calls beside what was seen when they were made. `folder`: see `hookFolder`. */
export interface ObservedCalls {
  /** A call is let through. */
  predicted(call: HookCall, prediction: Prediction, now: number): void;
  /** It was made: what came of it is kept as the editor keeps its real runs. `undefined`: nothing was predicted of it. */
  made(call: HookCall, observed: ObservedCall, now: number): Promise<CalibrationEntry | undefined>;
}

/** Where the hit rates of agents' calls are kept, one entry a line. */
export function observedFolder(folder: string): string {
  return path.join(folder, 'observed');
}

/** Keeps and compares. `memory`: what is remembered of rehearsals, and where calls are made that do not say it. */
export function createObservedCalls(folder: string, memory?: { folder: string; cwd: string }): ObservedCalls {
  const calls = keptFiles(path.join(folder, 'calls'));
  const nameOf = (id: string) => createHash('sha256').update(id).digest('hex').slice(0, 40);
  return {
    predicted({ id }, prediction, now) {
      const { ending } = prediction;
      if (id === undefined || (ending !== 'done' && ending !== 'abstained')) return;
      calls.forget(waitsMs, now);
      calls.write(nameOf(id), keptOf(prediction, ending));
    },
    async made({ id, deed, cwd = memory?.cwd }, observed, now) {
      if (id === undefined) return undefined;
      const kept = KeptCall.safeParse(calls.read(nameOf(id)));
      calls.remove(nameOf(id));
      if (!kept.success) return undefined;
      const prediction = predictionOf(kept.data);
      const seen = observedRun(kept.data, observed);
      const at = new Date(now);
      if (memory && cwd !== undefined && deed.kind === 'command' && kept.data.output && kept.data.files)
        afterReal(memory.folder, { script: deed.script, cwd, prediction, seen, at });
      const entry = calibrationEntry(prediction, seen, at.toISOString());
      await createCalibrationStore(observedFolder(folder)).add(entry);
      return entry;
    },
  };
}

function keptOf(prediction: Prediction, ending: KeptCall['ending']): KeptCall {
  const { action, programs, exitCode, exitBasis, output, files } = prediction;
  const length = output.reduce((sum, { text = '' }) => sum + text.length, 0);
  const redacted = output.map((piece) =>
    piece.text === undefined ? piece : { ...piece, text: redactAtOnce(piece.text).text },
  );
  return {
    kind: action.kind === 'edit' ? 'edit' : 'command',
    programs: programs.slice(0, 20).map(({ argv: [name = ''], basis }) => ({ name: path.basename(name), basis })),
    ending,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(exitBasis === undefined ? {} : { exitBasis }),
    ...(length > mostOutput ? {} : { output: redacted }),
    ...(files.length > mostFiles ? {} : { files }),
  };
}

function predictionOf({ kind, programs, output = [], files = [], ending, exitCode, exitBasis }: KeptCall): Prediction {
  const empty = emptyPrediction(
    kind === 'edit' ? { kind, changes: [] } : { kind, script: '', shell: 'bash', cwd: '/' },
  );
  return {
    ...empty,
    programs: programs.map(({ name, basis }, id) => ({ id, argv: [name], cwd: '/', basis })),
    output,
    files,
    ending,
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(exitBasis === undefined ? {} : { exitBasis }),
  };
}

function observedRun({ output: predicted, files }: KeptCall, { output, exitCode }: ObservedCall): ObservedRun {
  const length = output?.reduce((sum, { text }) => sum + text.length, 0) ?? 0;
  const isCompared = predicted !== undefined && length <= mostOutput;
  return {
    exitCode,
    ...(output && isCompared
      ? { output: output.map((piece) => ({ ...piece, text: redactAtOnce(piece.text).text })) }
      : {}),
    // Where no file was to change nobody looks which one did.
    ...(files && files.length > 0 ? { files: files.flatMap(compared) } : {}),
  };
}

/** Whether a file is as it was predicted to be; empty where that was not said, or is not looked at. */
function compared({ path: file, change, type, sha256, basis, volatile }: PredictedFile): { agrees: boolean }[] {
  const isSure = basis === 'rehearsed' || basis === 'computed' || basis === 'remembered';
  if (!isSure || volatile) return [];
  try {
    const status = fs.lstatSync(file, { throwIfNoEntry: false });
    if (change === 'deleted') return [{ agrees: status === undefined }];
    if (type !== 'file' || sha256 === undefined) return [];
    if (!status?.isFile()) return [{ agrees: false }];
    if (status.size > mostFileBytes) return [];
    return [{ agrees: createHash('sha256').update(fs.readFileSync(file)).digest('hex') === sha256 }];
  } catch {
    return [];
  }
}
