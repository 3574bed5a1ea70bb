import { createScreen, plainText, writeText } from '../action/terminalScreen.ts';
import { decodedBytes } from './decodedBytes.ts';
import type { Prediction } from './prediction.ts';

/** What was really printed. `terminal`: both streams as one terminal showed them. */
export type ObservedOutput = readonly { stream: 'stdout' | 'stderr' | 'terminal'; text: string }[];

/**
 * How a predicted output compares with the real one, line by line, as a terminal would show both. `apart`: it differs only
 * where the prediction itself said that it varies. Of what differs, the first line (counted from 1; a missing line is
 * `undefined`), and its stream where both were observed apart.
 */
export type OutputComparison =
  | { result: 'agrees' | 'apart' }
  | {
      result: 'differs';
      line: number;
      stream: 'stdout' | 'stderr' | undefined;
      predicted: string | undefined;
      observed: string | undefined;
    };

/** Compares a predicted output with the real one. */
export function compareOutput(predicted: Prediction['output'], observed: ObservedOutput): OutputComparison {
  // A terminal mixes both streams, so they are compared apart only where they were observed apart.
  const streams = observed.some((piece) => piece.stream === 'terminal') ? [undefined] : (['stdout', 'stderr'] as const);
  let varied = false;
  for (const stream of streams) {
    const said = predicted.filter((piece) => stream === undefined || piece.stream === stream);
    // Behind what is unknown nothing can be compared.
    const unknownAt = said.findIndex((piece) => piece.basis === 'unknown');
    const wanted = unknownAt < 0 ? said : said.slice(0, unknownAt);
    const predictedLines = linesOf(wanted.map((piece) => piece.text ?? decodedBytes(piece.base64)));
    const observedLines = linesOf(
      observed.filter((piece) => stream === undefined || piece.stream === stream).map((piece) => piece.text),
    );
    const loose = volatileLines(wanted.map((piece) => ({ text: piece.text ?? '', volatile: piece.volatile === true })));
    if (unknownAt >= 0) {
      varied = true;
      observedLines.length = Math.min(observedLines.length, predictedLines.length);
      if (wanted.length === 0) continue;
    }
    const at = firstDifference(predictedLines, observedLines, loose);
    if (at >= 0) {
      return { result: 'differs', line: at + 1, stream, predicted: predictedLines[at], observed: observedLines[at] };
    }
    varied ||= predictedLines.some((line, index) => line !== observedLines[index]);
  }
  return { result: varied ? 'apart' : 'agrees' };
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
