import { programName } from './wrappers.ts';

/** Programs whose exit code answers a question. `after`: only with one of these words among the arguments. */
interface AnsweringPrograms {
  names: string;
  codes: readonly number[];
  after?: readonly string[];
}

const answering: readonly AnsweringPrograms[] = [
  { names: 'grep egrep fgrep zgrep bzgrep xzgrep zstdgrep rg ag ack ugrep look', codes: [1] },
  { names: 'diff cmp zdiff zcmp xzdiff sdiff diff3 comm colordiff', codes: [1] },
  { names: 'test [ [[ (( let expr', codes: [1] },
  { names: 'which type command hash pgrep pidof pkill killall fuser lsof mountpoint', codes: [1] },
  { names: 'jq yq', codes: [1, 4], after: ['-e', '--exit-status'] },
  { names: 'systemctl', codes: [1, 3, 4], after: ['is-active', 'is-enabled', 'is-failed', 'status'] },
  { names: 'git', codes: [1], after: ['--exit-code', '--quiet', '-q', '--no-index', '--check'] },
  {
    names: 'git',
    codes: [1],
    after: ['grep', 'config', 'show-ref', 'check-ignore', 'check-attr', 'merge-base', 'symbolic-ref', 'ls-remote'],
  },
  { names: 'getent', codes: [1, 2] },
];

/**
 * Whether an exit code other than 0 is an answer of the program and not its failure: `grep` found nothing, `diff` found
 * differences. Wrappers and full paths count as the program that they start or name.
 */
export function answersByExitCode(argv: readonly string[], exitCode: number): boolean {
  const name = programName(argv[0] ?? '');
  return answering.some(
    ({ names, codes, after }) =>
      names.split(' ').includes(name) &&
      codes.includes(exitCode) &&
      (after === undefined || argv.some((word) => after.includes(word))),
  );
}
