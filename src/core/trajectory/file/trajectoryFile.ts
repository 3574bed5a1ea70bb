import { TrajectoryStep } from '../step/step.ts';

/** How a line ends. */
export type LineBreak = '\n' | '\r\n';

/**
 * One line of a trajectory file. `text` is the line as it stands there, without its line break; `lineBreak` is that of
 * this line where it is not the file's.
 */
export type TrajectoryLine =
  | { kind: 'step'; text: string; step: TrajectoryStep; lineBreak?: LineBreak }
  | { kind: 'blank'; text: string; lineBreak?: LineBreak }
  /** Not a step: kept as it is. `problem` is one sentence without the line's number. */
  | { kind: 'bad'; text: string; problem: string; lineBreak?: LineBreak };

/** A trajectory file as it was read: every line of it, so that nothing is lost when it is written. */
export interface TrajectoryFile {
  lines: TrajectoryLine[];
  /** How lines end, unless they say otherwise. */
  lineBreak: LineBreak;
  /** The last line ends with a line break. */
  endsWithBreak: boolean;
  /** The text begins with a byte order mark. */
  byteOrderMark?: boolean;
}

const byteOrderMark = '\ufeff';

/** Reads a trajectory file (`*.trajectory.jsonl`). Never fails: what is no step is a line with a problem. */
export function readTrajectory(text: string): TrajectoryFile {
  const hasMark = text.startsWith(byteOrderMark);
  const lineBreak: LineBreak = /^[^\n]*\r\n/.test(text) ? '\r\n' : '\n';
  const lines: TrajectoryLine[] = [];
  let at = hasMark ? 1 : 0;
  while (at < text.length) {
    const end = text.indexOf('\n', at);
    const isLast = end < 0;
    const isLong = !isLast && end > at && text[end - 1] === '\r';
    const line = readTrajectoryLine(text.slice(at, isLast ? text.length : isLong ? end - 1 : end));
    const own: LineBreak = isLong ? '\r\n' : '\n';
    lines.push(isLast || own === lineBreak ? line : { ...line, lineBreak: own });
    at = isLast ? text.length : end + 1;
  }
  return { lines, lineBreak, endsWithBreak: text.endsWith('\n'), ...(hasMark ? { byteOrderMark: true } : {}) };
}

/**
 * Reads one line, without its line break. The step is what stands there: fields that this version does not know are kept
 * at every depth.
 */
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
  // The schema only checks: it has neither defaults nor changes of form, so the value itself is the step.
  if (read.success) return { kind: 'step', text, step: value as TrajectoryStep };
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') || 'the line';
  return { kind: 'bad', text, problem: `This is no step: ${where} is ${issue?.message ?? 'wrong'}.` };
}

/** A step as a line, without its line break. The order of the fields is always the same, so that differences are small. */
export function stepLine(step: TrajectoryStep): string {
  const place = ([name]: [string, unknown]) => {
    const index = fieldOrder.indexOf(name);
    return index < 0 ? fieldOrder.length : index;
  };
  return JSON.stringify(Object.fromEntries(Object.entries(step).sort((a, b) => place(a) - place(b))));
}

const fieldOrder = [
  ...['version', 'id', 'trajectory', 'after', 'at', 'domain', 'note', 'uncertain', 'edited', 'action', 'state'],
  ...['context', 'agent'],
  ...['model', 'template', 'perturbations', 'perturbationText', 'fictionalWorld', 'parameters'],
  ...['begins', 'messages', 'reply', 'prediction', 'observation', 'row', 'scores', 'others'],
];

/** The file's text. Lines that were read and not replaced are written as they stood there, byte for byte. */
export function writeTrajectory(file: TrajectoryFile): string {
  const pieces: string[] = file.byteOrderMark ? [byteOrderMark] : [];
  file.lines.forEach((line, index) => {
    pieces.push(line.text);
    if (index < file.lines.length - 1 || file.endsWithBreak) pieces.push(line.lineBreak ?? file.lineBreak);
  });
  return pieces.join('');
}

/** A line of a step that is new or was changed. */
export function lineOf(step: TrajectoryStep): TrajectoryLine {
  return { kind: 'step', text: stepLine(step), step };
}

/** The text of a new file that holds these steps and nothing else. */
export function trajectoryText(steps: readonly TrajectoryStep[]): string {
  return writeTrajectory({ lines: steps.map(lineOf), lineBreak: '\n', endsWithBreak: true });
}

/** The steps of a file, in order. */
export function stepsOf(file: TrajectoryFile): TrajectoryStep[] {
  return file.lines.flatMap((line) => (line.kind === 'step' ? [line.step] : []));
}

/** Something that is wrong in a file. `line` counts from 1; 0 where it is about the file as a whole. */
export interface LineProblem {
  line: number;
  /** One sentence. */
  message: string;
}

/** Everything that is wrong in a trajectory file, in the order of its lines: lines that are no steps, and names of steps that lead nowhere. */
export function checkTrajectory(file: TrajectoryFile): LineProblem[] {
  const problems: LineProblem[] = [];
  const lineOfId = new Map<string, number>();
  file.lines.forEach((line, index) => {
    if (line.kind !== 'step') return;
    const { id } = line.step;
    if (!lineOfId.has(id)) lineOfId.set(id, index + 1);
  });
  file.lines.forEach((line, index) => {
    const say = (message: string) => problems.push({ line: index + 1, message });
    if (line.kind === 'bad') say(line.problem);
    if (line.kind !== 'step') return;
    const { id, after, begins, others = [] } = line.step;
    const first = lineOfId.get(id);
    if (first !== index + 1) say(`The id ${id} is that of line ${first} already; give this step another one.`);
    if (after !== undefined && !lineOfId.has(after)) say(`It comes after the step ${after}, which is not in the file.`);
    for (const name of [begins, ...others.map((other) => other.begins)]) {
      if (name && !lineOfId.has(name.step))
        say(`Its messages begin with those of the step ${name.step}, which is not in the file.`);
    }
  });
  return problems;
}
