import { redactAtOnce } from '../context/secrets/redactForPrompt.ts';
import { toJson } from '../prediction/json.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { createPainter, type Painter } from '../prediction/text/painter.ts';
import { printable } from '../prediction/text/printable.ts';
import { predictionSections } from '../prediction/text/renderPrediction.ts';
import { countOf, inSentence } from '../view/quantity.ts';
import type { View } from '../view/view.ts';
import type { ChangedTexts } from './changedTexts.ts';
import { fitText, type TextPart } from './fitText.ts';
import { type ShortJsonLimits, shortJson } from './shortJson.ts';
import type { ToolReply } from './tool.ts';

/** A prediction, the texts that it changes, and where it was made. */
export interface Predicted {
  prediction: Prediction;
  changed: ChangedTexts;
  cwd: string;
  /** Closed already, but in a session. */
  view: View;
}

/** For a reader who does not know our signs. */
export const wordPainter: Painter = {
  ...createPainter(false),
  level: (_, text) => text.trim(),
  basis: (basis) => `[${basis}]`,
  namedBasis: (basis) => `[${basis}]`,
};

/** Lines of output that are shown: how it ends is what counts. */
const outputLines = 40;

/** The verdict and what it is about, in one line without secrets. */
export function verdictLine(prediction: Prediction): string {
  const [line = ''] = predictionSections(prediction, wordPainter, { all: false, cwd: '/' }).verdict;
  return redactAtOnce(inSentence(line, 600)).text;
}

/**
 * A prediction as a text for a model, in at most so many characters. `hasOutput`: what the command prints is told, too;
 * whoever runs it next sees that anyway.
 */
export function predictionText(
  { prediction, changed, cwd }: Omit<Predicted, 'view'>,
  mostCharacters: number,
  { hasOutput = true } = {},
): Promise<string> {
  const { lineCounts, diff, untold } = changed;
  const sections = predictionSections(prediction, wordPainter, { all: false, cwd, lineCounts });
  const part = (lines: readonly string[], share: number): TextPart => ({
    lines,
    mostCharacters: Math.floor(mostCharacters * share),
  });
  // The shares leave a quarter of the room for the diff, whatever else there is to say.
  const parts = [
    part(sections.verdict, 0.12),
    part(sections.loss, 0.12),
    part(sections.assumptions, 0.1),
    part(sections.questions, 0.04),
    part(sections.futures, 0.04),
    part(sections.files, 0.1),
    part(sections.consequences, 0.08),
    ...(hasOutput ? [{ ...part(sections.output, 0.12), lines: lastLines(sections.output), keepsEnd: true }] : []),
    part(sections.effects, 0.06),
    part(sections.end, 0.04),
  ];
  const more =
    untold === 0 ? '' : `(${countOf(untold, 'more file')} without a diff: not text, too large or too many)\n`;
  const rest = diff === '' && more === '' ? '' : `Diff\n${printable(diff, true)}${more}`;
  return fitText(parts, mostCharacters, rest);
}

function lastLines([title, ...lines]: readonly string[]): string[] {
  if (title === undefined) return [];
  if (lines.length <= outputLines) return [title, ...lines];
  return [`${title} (the last ${outputLines} of ${countOf(lines.length, 'line')})`, ...lines.slice(-outputLines)];
}

/** The JSON of a prediction, with the diff; long lists are cut, and `omitted` says of what and how much. */
export async function predictionData(
  { prediction, changed }: Predicted,
  limits?: ShortJsonLimits,
): Promise<Record<string, unknown>> {
  const { value, omitted } = await shortJson(toJson(prediction, ''), limits);
  return { ...value, ...diffData(changed.diff, omitted) };
}

const mostDiff = 32_000;

/** A diff as a field, and what is left out. */
export function diffData(diff: string, omitted: Readonly<Record<string, number>> = {}): Record<string, unknown> {
  const cut = diff.length > mostDiff ? { ...omitted, diff: diff.length - mostDiff } : omitted;
  return {
    diff: diff.slice(0, mostDiff),
    ...(Object.keys(cut).length > 0 ? { omitted: cut } : {}),
  };
}

/** Whether there is nothing to go by. */
export function isFailed({ ending }: Prediction): boolean {
  return ending === 'failed' || ending === 'cancelled' || ending === undefined;
}

/** What a tool answers with one prediction. */
export async function predictionReply(predicted: Predicted, mostCharacters: number): Promise<ToolReply> {
  return {
    text: await predictionText(predicted, mostCharacters),
    structured: await predictionData(predicted),
    ...(isFailed(predicted.prediction) ? { isError: true } : {}),
  };
}
