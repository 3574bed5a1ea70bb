import type { StepFacts } from '../../trajectory/step/step.ts';

/** A failure that somebody saw. */
export interface Failure {
  /** What was printed: its lines, in order. A line of three dots, or …, stands for any lines. */
  text: string;
  /** Absent: any but 0. */
  exitCode?: number;
}

/** Whether what a command did is that failure: the lines stand in its output in that order, each in one line of it. */
export function isFailure(failure: Failure, { output, exitCode }: Pick<StepFacts, 'output' | 'exitCode'>): boolean {
  if (exitCode === undefined) return false;
  if (failure.exitCode === undefined ? exitCode === 0 : exitCode !== failure.exitCode) return false;
  const printed = output.map(({ text = '' }) => text).join('');
  const lines = printed.split('\n');
  let at = 0;
  return wantedLines(failure).every((wanted) => {
    while (at < lines.length && !(lines[at] ?? '').includes(wanted)) at += 1;
    at += 1;
    return at <= lines.length;
  });
}

/** The lines of a failure that say something. */
export function wantedLines({ text }: Failure): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && line !== '...' && line !== '…');
}
