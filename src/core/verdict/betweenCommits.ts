import type { FoundLoss } from '../facts/loss.ts';
import { describeProgram } from '../programs/describeProgram.ts';
import { gitCommandOf, isGit } from '../programs/gitCommand.ts';
import type { Facts } from './facts.ts';

/** With these git only puts the files of one commit in the place of those of another. */
const movesBetweenCommits = /^(switch|checkout|pull|merge|fetch)$/;

/** All that the command starts are such calls of git, and what only looks: what git had at the one commit it has there still. */
export function goesBetweenCommits({ written = [], programs, effects, action: { kind } }: Facts): boolean {
  const moves = effects.some(
    ({ git }) => git?.kind === 'headSwitched' || git?.kind === 'headDetached' || git?.kind === 'refMoved',
  );
  const calls = [...written, ...programs.filter(({ argv, id }) => id !== undefined && !isGit(argv[0] ?? '', true))];
  if (kind !== 'command' || !moves || written.length === 0) return false;
  return calls.every(({ argv, cwd }) => {
    const call = gitCommandOf(argv, cwd);
    const knowledge = describeProgram(argv, cwd);
    if (!call || knowledge.onlyLooks) return knowledge.onlyLooks || argv.length === 0 || argv[0] === 'cd';
    const names = call.words.filter((word) => !word.startsWith('-'));
    return (
      movesBetweenCommits.test(call.command) &&
      names.length <= 1 &&
      !call.words.includes('--') &&
      !call.words.includes('.')
    );
  });
}

/** The content is that of a commit. */
export function isCommitted({ class: of }: FoundLoss): boolean {
  return of === 'committed-local' || of === 'committed-pushed';
}
