import type { RedactedKind } from '../context/secrets/redactValue.ts';
import type { LineProblem } from './file/trajectoryFile.ts';
import { type JsonObject, jsonLines, objectOf, parsedJson } from './formats/imported.ts';
import { redactSteps } from './step/redactStep.ts';
import type { TrajectoryStep } from './step/step.ts';
import { formatNames, formatOf, type TrajectoryFormat } from './trajectoryFormats.ts';

/** What was imported. */
export interface ImportedTrajectory {
  steps: TrajectoryStep[];
  /** What was skipped, and why, in the order of the lines. */
  problems: LineProblem[];
  format: TrajectoryFormat;
  /** Secrets that were taken out. */
  redacted: RedactedKind[];
}

/** A text that is in none of the formats. `message`: one sentence with a next step. */
export interface ImportFailure {
  failure: { code: 'unknown-format'; message: string };
}

/**
 * Reads a text of another format into steps; the format is recognised unless it is given. Secrets are taken out by
 * default, but of a benchmark's rows and of our own files: those are data that a score or a difference is made of.
 * Rejects only where secrets cannot be looked for.
 */
export async function importTrajectory(
  text: string,
  options: { fileName?: string; format?: TrajectoryFormat; redact?: boolean } = {},
): Promise<ImportedTrajectory | ImportFailure> {
  const format = options.format ?? recognise(text);
  if (!format) {
    const message = `This is none of the formats that can be read (${formatNames.join(', ')}); name one, if it is.`;
    return { failure: { code: 'unknown-format', message } };
  }
  const name =
    (options.fileName ?? '').replace(/^.*[\\/]/, '').replace(/(?:\.trajectory)?\.[a-z0-9]+$/i, '') || 'imported';
  const imported = formatOf(format).read(text, { name });
  const { steps, redacted } =
    (options.redact ?? !formatOf(format).isData)
      ? await redactSteps(imported.steps)
      : { steps: imported.steps, redacted: [] };
  return { steps, problems: imported.problems.sort((a, b) => a.line - b.line), format, redacted };
}

/** Which format a text is in, by its first records; `undefined`: none that is known. */
export function recognise(text: string): TrajectoryFormat | undefined {
  const beginning = text.replace(/^\ufeff/, '');
  let tried = 0;
  let from = 0;
  while (from < beginning.length && tried < 50) {
    const end = beginning.indexOf('\n', from);
    const piece = beginning.slice(from, end < 0 ? undefined : end);
    from = end < 0 ? beginning.length : end + 1;
    const [line] = jsonLines(piece);
    if (!line) continue;
    tried += 1;
    const value = line.ok ? line.value : undefined;
    const record = objectOf(value);
    const format = (record && formatOfRecord(record)) ?? formatOfWhole(value);
    if (format) return format;
  }
  // No line stands for itself: one value over many lines.
  const whole = /^\s*[{[]/.test(beginning) ? parsedJson(beginning) : undefined;
  return whole?.ok ? formatOfWhole(whole.value) : undefined;
}

function formatOfWhole(value: unknown): TrajectoryFormat | undefined {
  const record = objectOf(value);
  return formatNames.find((name) => formatOf(name).isWhole?.(value)) ?? (record && formatOfRecord(record));
}

function formatOfRecord(record: JsonObject): TrajectoryFormat | undefined {
  return formatNames.find((name) => formatOf(name).isRecord?.(record));
}
