import { programName } from './programName.ts';

/** Programs whose exit code answers a question. `after`: only behind one of these words; `having`: and with one of these. */
interface AnsweringPrograms {
  names: string;
  codes: readonly number[];
  after?: readonly string[];
  having?: readonly string[];
}

const answering: readonly AnsweringPrograms[] = [
  { names: 'grep egrep fgrep zgrep bzgrep xzgrep zstdgrep rg ag ack ugrep look', codes: [1] },
  { names: 'diff cmp zdiff zcmp xzdiff sdiff diff3 comm colordiff', codes: [1] },
  { names: 'test [ [[ (( let expr', codes: [1] },
  { names: 'which type command hash pgrep pidof pkill killall fuser lsof mountpoint', codes: [1] },
  { names: 'jq yq', codes: [1, 4], after: ['-e', '--exit-status'] },
  { names: 'systemctl', codes: [1, 3, 4], after: ['is-active', 'is-enabled', 'is-failed', 'status'] },
  {
    names: 'git',
    codes: [1],
    after: ['diff', 'diff-index', 'diff-files', 'diff-tree'],
    having: ['--exit-code', '--quiet', '-q', '--no-index', '--check'],
  },
  {
    names: 'git',
    codes: [1],
    after: ['rev-parse', 'show-ref', 'symbolic-ref', 'ls-remote'],
    having: ['-q', '--quiet', '--verify', '--exists', '--exit-code'],
  },
  { names: 'git', codes: [1], after: ['grep', 'check-ignore', 'merge-base'] },
  { names: 'git', codes: [1], after: ['config'], having: ['--get', '--get-all', '--get-regexp', 'get'] },
  { names: 'getent', codes: [1, 2] },
];

/**
 * Whether an exit code other than 0 is an answer of the program and not its failure: `grep` found nothing, `diff` found
 * differences. A full path counts as the program that it names.
 */
export function answersByExitCode(argv: readonly string[], exitCode: number): boolean {
  const name = programName(argv[0] ?? '');
  const words = argv.slice(1);
  return answering.some(
    ({ names, codes, after, having }) =>
      names.split(' ').includes(name) &&
      codes.includes(exitCode) &&
      (after === undefined || words.some((word) => after.includes(word))) &&
      (having === undefined || words.some((word) => having.includes(word))),
  );
}
