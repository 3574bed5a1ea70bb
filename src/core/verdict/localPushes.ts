import type { ProgramFact } from '../facts/programFact.ts';
import { gitCommandOf } from '../programs/gitCommand.ts';
import { programName } from '../programs/programName.ts';

/**
 * Whether a push came to its end at a repository of this machine, taken or refused: who receives it was started by the push
 * itself, on the copy, and nobody who speaks with others. What it changes there is among the facts.
 */
export function isLocalPush(push: ProgramFact, programs: readonly ProgramFact[]): boolean {
  if (push.id === undefined || push.exitCode === undefined) return false;
  if (gitCommandOf(push.argv, push.cwd)?.command !== 'push') return false;
  const started = descendants(push.id, programs);
  const receivers = started.filter(({ argv }) => programName(argv[0] ?? '') === 'git-receive-pack');
  const hasEnded = ({ exitCode, basis }: ProgramFact) =>
    basis === 'rehearsed' && (push.exitCode === 0 ? exitCode === 0 : exitCode !== undefined);
  return (
    receivers.length > 0 &&
    receivers.every(hasEnded) &&
    !started.some(({ argv }) => /^(git-remote-.+|ssh)$/.test(programName(argv[0] ?? '')))
  );
}

function descendants(id: number, programs: readonly ProgramFact[]): ProgramFact[] {
  const found = new Set([id]);
  // Who is started comes behind whoever starts it.
  return programs.filter((program) => {
    if (program.id === undefined || program.parent === undefined || !found.has(program.parent)) return false;
    found.add(program.id);
    return true;
  });
}
