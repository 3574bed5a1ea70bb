import { randomBytes } from 'node:crypto';
import { quoteWord } from '../../shell/quoteWord.ts';
import type { Looker } from '../../view/view.ts';

/** One inert command whose output is wanted. */
export interface LookQuestion {
  command: string;
  cwd: string;
}

/** What it printed. */
export interface LookAnswer extends LookQuestion {
  text: string;
  exitCode: number;
}

/**
 * Asks several inert commands with one process start (a start costs 3 to 10 ms), in order. What did not come in time, or
 * would have changed something, is absent. Never rejects.
 */
export async function askAll(
  looker: Looker,
  questions: readonly LookQuestion[],
  options: { limitMs: number; signal: AbortSignal },
): Promise<LookAnswer[]> {
  const first = questions[0];
  if (!first) return [];
  const mark = `#${randomBytes(9).toString('hex')}`;
  const script = questions
    .map(({ command, cwd }) => `(cd ${quoteWord(cwd)} && ${command}) 2>&1; printf '\\n%s %d\\n' "$MARK" $?`)
    .join('\n');
  const result = await looker
    .look(['sh', '-c', script], { cwd: first.cwd, env: { MARK: mark, TERM: 'dumb' }, ...options })
    .catch(() => undefined);
  if (!result) return [];
  const parts = Buffer.from(result.stdout)
    .toString('utf8')
    .split(new RegExp(`\\n${mark} (\\d+)\\n`));
  return questions.flatMap((question, index) => {
    const [text, exitCode] = [parts[index * 2], parts[index * 2 + 1]];
    return text === undefined || exitCode === undefined ? [] : [{ ...question, text, exitCode: Number(exitCode) }];
  });
}
