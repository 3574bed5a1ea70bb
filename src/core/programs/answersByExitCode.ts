import { programOf } from './programOf.ts';

/**
 * Whether an exit code other than 0 is an answer of the program and not its failure: `grep` found nothing, `diff` found
 * differences.
 */
export function answersByExitCode(argv: readonly string[], exitCode: number): boolean {
  const answers = programOf(argv[0] ?? '')?.answers ?? [];
  const words = argv.slice(1);
  return answers.some(
    ({ codes, after, having }) =>
      codes.includes(exitCode) &&
      (after === undefined || words.some((word) => after.includes(word))) &&
      (having === undefined || words.some((word) => having.includes(word))),
  );
}
