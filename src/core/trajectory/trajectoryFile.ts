import { TrajectoryStep } from './step.ts';

/** One line of a trajectory file. `text` is the line as it stands there, without its line break. */
export type TrajectoryLine =
  | { kind: 'step'; text: string; step: TrajectoryStep }
  | { kind: 'blank'; text: string }
  /** Not a step: kept as it is. `problem` is one sentence without the line's number. */
  | { kind: 'bad'; text: string; problem: string };

/** A trajectory file as it was read: every line of it, so that nothing is lost when it is written. */
export interface TrajectoryFile {
  lines: TrajectoryLine[];
  /** How lines end. */
  lineBreak: '\n' | '\r\n';
  /** The last line ends with a line break. */
  endsWithBreak: boolean;
}

/** Reads a trajectory file (`*.trajectory.jsonl`). Never fails: what is no step is a line with a problem. */
export function readTrajectory(text: string): TrajectoryFile {
  const lineBreak = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
  const endsWithBreak = text.endsWith('\n');
  const whole = endsWithBreak ? text.slice(0, text.endsWith('\r\n') ? -2 : -1) : text;
  const lines = text === '' ? [] : whole.split('\n').map((line) => readTrajectoryLine(line.replace(/\r$/, '')));
  return { lines, lineBreak, endsWithBreak };
}

/** Reads one line, without its line break. */
export function readTrajectoryLine(text: string): TrajectoryLine {
  if (text.trim() === '') return { kind: 'blank', text };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { kind: 'bad', text, problem: `This is not JSON (${why}).` };
  }
  const read = TrajectoryStep.safeParse(value);
  if (read.success) return { kind: 'step', text, step: read.data };
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') || 'the line';
  return { kind: 'bad', text, problem: `This is no step: ${where} is ${issue?.message ?? 'wrong'}.` };
}

/** A step as a line, without its line break. The order of the fields is always the same, so that differences are small. */
export function stepLine(step: TrajectoryStep): string {
  const ordered: Record<string, unknown> = {};
  for (const name of fieldOrder) if (name in step) ordered[name] = step[name];
  for (const [name, value] of Object.entries(step)) ordered[name] ??= value;
  return JSON.stringify(ordered);
}

const fieldOrder = [
  ...['version', 'id', 'trajectory', 'after', 'at', 'domain', 'note', 'action', 'state', 'context'],
  ...['model', 'template', 'perturbations', 'perturbationText', 'fictionalWorld', 'parameters'],
  ...['begins', 'messages', 'reply', 'prediction', 'observation', 'scores', 'others'],
];

/** The file's text. Lines that were read and not replaced are written as they stood there. */
export function writeTrajectory(file: TrajectoryFile): string {
  const text = file.lines.map((line) => line.text).join(file.lineBreak);
  return file.lines.length > 0 && file.endsWithBreak ? `${text}${file.lineBreak}` : text;
}

/** A line of a step that is new or was changed. */
export function lineOf(step: TrajectoryStep): TrajectoryLine {
  return { kind: 'step', text: stepLine(step), step };
}
