import type { RedactedKind } from '../context/secrets/redactValue.ts';
import { exportTrajectory } from './exportTrajectory.ts';
import { type LineProblem, readTrajectory, stepsOf, trajectoryText } from './file/trajectoryFile.ts';
import type { RowOptions } from './formats/agentWorld.ts';
import { type ImportFailure, importTrajectory } from './importTrajectory.ts';
import type { TrajectoryFormat } from './trajectoryFormats.ts';

/** A trajectory file that was made of a text of another format. */
export interface ImportedText {
  /** Empty where there is no step. */
  text: string;
  steps: number;
  format: TrajectoryFormat;
  problems: LineProblem[];
  redacted: RedactedKind[];
}

/** A text of another format that was made of a trajectory file. */
export interface ExportedText {
  text: string;
  /** Rows, chats, entries or commands in it. */
  count: number;
  /** Sentences about steps that were left out. */
  problems: string[];
  /** Steps in the file, and lines of it that are none. */
  steps: number;
  badLines: number;
}

/** `importTrajectory` from text to text. */
export async function importText(
  text: string,
  options: Parameters<typeof importTrajectory>[1],
): Promise<ImportedText | ImportFailure> {
  const read = await importTrajectory(text, options);
  if ('failure' in read) return read;
  const { steps, format, problems, redacted } = read;
  return { text: trajectoryText(steps), steps: steps.length, format, problems, redacted };
}

/** `exportTrajectory` from text to text. */
export function exportText(text: string, format: TrajectoryFormat, options: RowOptions): ExportedText {
  const file = readTrajectory(text);
  const steps = stepsOf(file);
  const badLines = file.lines.filter(({ kind }) => kind === 'bad').length;
  return { ...exportTrajectory(steps, format, options), steps: steps.length, badLines };
}
