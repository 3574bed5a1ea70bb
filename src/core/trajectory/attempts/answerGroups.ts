import type { StepAttempt, StepPrediction } from '../step/step.ts';

/** Attempts that say the same. */
export interface AnswerGroup {
  /** Indexes of the attempts, in order. */
  attempts: number[];
  /** What they say; of attempts that failed, why. */
  text: string;
  /** One line for a list: the first of those that the fewest groups have. */
  line: string;
  exitCode?: number;
  failed: boolean;
}

/**
 * Groups attempts by what they say: output, errors and exit code, apart from blanks at the ends of lines. The group with
 * most attempts is first; of two that are as large, that with the earlier attempt. Attempts that failed for one reason are
 * one group, behind all that answered.
 */
export function answerGroups(attempts: readonly StepAttempt[]): AnswerGroup[] {
  const groups = new Map<string, AnswerGroup>();
  for (const [index, { prediction }] of attempts.entries()) {
    if (!prediction) continue;
    const failed = prediction.ending !== 'done';
    const text = failed ? (prediction.reason ?? `It ended as ${prediction.ending}.`) : answerText(prediction);
    const key = failed ? `! ${text}` : JSON.stringify([keyOf(prediction), prediction.exitCode ?? null]);
    const group = groups.get(key);
    if (group) group.attempts.push(index);
    else {
      const { exitCode } = prediction;
      groups.set(key, { attempts: [index], text, line: '', failed, ...(exitCode === undefined ? {} : { exitCode }) });
    }
  }
  const sorted = [...groups.values()].sort(
    (a, b) =>
      Number(a.failed) - Number(b.failed) ||
      b.attempts.length - a.attempts.length ||
      (a.attempts[0] ?? 0) - (b.attempts[0] ?? 0),
  );
  const lines = sorted.map(({ text, failed, attempts: [first = 0] }) => {
    const prediction = attempts[first]?.prediction;
    return failed || !prediction ? linesOf(text) : keyOf(prediction).flatMap(linesOf);
  });
  const counts = new Map<string, number>();
  for (const own of lines) for (const line of new Set(own)) counts.set(line, (counts.get(line) ?? 0) + 1);
  for (const [index, group] of sorted.entries()) {
    const [first = '', ...rest] = lines[index] ?? [];
    const countOf = (line: string) => counts.get(line) ?? 0;
    group.line = rest.reduce((rarest, line) => (countOf(line) < countOf(rarest) ? line : rarest), first).slice(0, 200);
  }
  return sorted;
}

function linesOf(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}

/** What an attempt says, as it is shown to the agent; the output alone where that is all there is. */
export function answerText({ text, output }: Pick<StepPrediction, 'text' | 'output'>): string {
  return text ?? output.map((piece) => piece.text ?? '').join('');
}

function keyOf(prediction: StepPrediction): string[] {
  const { output } = prediction;
  if (output.length === 0) return [trimmed(answerText(prediction))];
  return (['stdout', 'stderr'] as const).map((stream) =>
    trimmed(
      output
        .filter((piece) => piece.stream === stream)
        .map((piece) => piece.text ?? piece.base64 ?? '')
        .join(''),
    ),
  );
}

function trimmed(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trimEnd();
}
