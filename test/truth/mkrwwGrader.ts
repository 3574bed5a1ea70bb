/** What really happened in one step, as the grader sees it. */
export interface GradedTruth {
  stdout: string;
  stderr: string;
}

/** Lower case, runs of blanks as one blank, no blanks at the ends. */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[ \t]+/g, ' ')
    .trim();
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(normalise)
    .filter((line) => line !== '');
}

const errorWords = /\b(error|errors|fatal|failed|traceback|cannot|denied|not found|no such file|invalid)\b/;

/**
 * Score 0–100 of one predicted screen by the recall grader of MKRWW: which part of the really printed lines can be found
 * in it, standard output weighing 2 and standard error 1.5. A step that really printed nothing scores 100 when the
 * screen shows no word of error, else 30.
 *
 * It does not punish what was invented on top, and sees neither exit code nor files: a strict score belongs beside it.
 */
export function gradeRecall(screen: string, truth: GradedTruth): number {
  const seen = screen.split('\n').map(normalise).join('\n');
  const parts = [
    { lines: linesOf(truth.stdout), weight: 2 },
    { lines: linesOf(truth.stderr), weight: 1.5 },
  ].filter(({ lines }) => lines.length > 0);
  if (parts.length === 0) return errorWords.test(seen) ? 30 : 100;
  const weights = parts.reduce((sum, { weight }) => sum + weight, 0);
  const score = parts.reduce((sum, { lines, weight }) => {
    const found = lines.filter((line) => seen.includes(line)).length;
    return sum + (weight * found) / lines.length;
  }, 0);
  return (100 * score) / weights;
}
