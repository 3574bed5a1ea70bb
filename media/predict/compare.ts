import { createScreen, plainText, writeText } from '../../src/core/action/terminalScreen.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import type { Observed } from '../../src/protocol.ts';
import { counted, decoded } from '../shared/format.ts';

/** One thing that was predicted, beside what was observed. */
export interface Comparison {
  what: 'Output' | 'Exit code' | 'Files';
  /** `apart`: differs only where the prediction itself said that it varies. `unknown`: could not be observed. */
  result: 'agrees' | 'differs' | 'apart' | 'unknown';
  sentence: string;
  /** The first lines that differ. */
  predicted?: string;
  observed?: string;
}

/** Compares a prediction with what its real run did. Empty while it still runs. */
export function compare(prediction: Prediction, observed: Observed): Comparison[] {
  if (observed.state === 'running') return [];
  if (prediction.action.kind === 'edit') return [compareFiles(observed)];
  return [compareOutput(prediction, observed), compareExit(prediction, observed), compareFiles(observed)];
}

function compareExit(prediction: Prediction, observed: Observed): Comparison {
  const what = 'Exit code';
  if (observed.exitCode === undefined) return { what, result: 'unknown', sentence: 'The shell did not report it.' };
  if (prediction.exitCode === undefined) {
    return { what, result: 'unknown', sentence: `Not predicted; it was ${observed.exitCode}.` };
  }
  const agrees = prediction.exitCode === observed.exitCode;
  return {
    what,
    result: agrees ? 'agrees' : 'differs',
    sentence: agrees
      ? `${observed.exitCode}, as predicted`
      : `predicted ${prediction.exitCode}, observed ${observed.exitCode}`,
  };
}

function compareFiles(observed: Observed): Comparison {
  const what = 'Files';
  if (!observed.files) return { what, result: 'unknown', sentence: 'They were not compared.' };
  const wrong = observed.files.filter((file) => !file.agrees).length;
  if (wrong === 0) {
    const count = observed.files.length;
    return {
      what,
      result: 'agrees',
      sentence: count === 0 ? 'none changed, as predicted' : `all ${counted(count, 'path')} as predicted`,
    };
  }
  return {
    what,
    result: 'differs',
    sentence: `${wrong} of ${counted(observed.files.length, 'path')} are not as predicted`,
  };
}

function compareOutput(prediction: Prediction, observed: Observed): Comparison {
  const what = 'Output';
  if (!observed.output) return { what, result: 'unknown', sentence: 'The terminal did not report it.' };
  // A terminal mixes both streams, so they are compared apart only where they were observed apart.
  const streams = observed.output.some((piece) => piece.stream === 'terminal')
    ? [undefined]
    : (['stdout', 'stderr'] as const);
  let varied = false;
  for (const stream of streams) {
    const wanted = prediction.output.filter((piece) => stream === undefined || piece.stream === stream);
    const predictedLines = linesOf(wanted.map((piece) => piece.text ?? decoded(piece.base64)));
    const observedLines = linesOf(
      observed.output.filter((piece) => stream === undefined || piece.stream === stream).map((piece) => piece.text),
    );
    const loose = volatileLines(wanted.map((piece) => ({ text: piece.text ?? '', volatile: piece.volatile === true })));
    const at = firstDifference(predictedLines, observedLines, loose);
    if (at >= 0) {
      return {
        what,
        result: 'differs',
        sentence: `${stream === undefined ? 'line' : `${stream} line`} ${at + 1} is not as predicted`,
        predicted: predictedLines[at] ?? '(no such line)',
        observed: observedLines[at] ?? '(no such line)',
      };
    }
    varied ||= predictedLines.some((line, index) => line !== observedLines[index]);
  }
  return varied
    ? { what, result: 'apart', sentence: 'as predicted, apart from what was marked volatile' }
    : { what, result: 'agrees', sentence: 'every line as predicted' };
}

function linesOf(texts: readonly string[]): string[] {
  const screen = createScreen();
  for (const text of texts) writeText(screen, text);
  return plainText(screen).trimEnd().split('\n');
}

/** Numbers of the lines that volatile pieces touch. */
function volatileLines(pieces: readonly { text: string; volatile: boolean }[]): Set<number> {
  const lines = new Set<number>();
  let line = 0;
  for (const piece of pieces) {
    const breaks = piece.text.split('\n').length - 1;
    if (piece.volatile) {
      const last = piece.text.endsWith('\n') ? line + breaks - 1 : line + breaks;
      for (let at = line; at <= last; at++) lines.add(at);
    }
    line += breaks;
  }
  return lines;
}

function firstDifference(
  predicted: readonly string[],
  observed: readonly string[],
  loose: ReadonlySet<number>,
): number {
  const count = Math.max(predicted.length, observed.length);
  for (let at = 0; at < count; at++) {
    if (predicted[at] !== observed[at] && !loose.has(at)) return at;
  }
  return -1;
}
