import type { ProgramFact } from '../facts/programFact.ts';
import { answersByExitCode } from '../programs/answersByExitCode.ts';
import type { StaticProgram } from '../programs/staticPrograms.ts';
import { commandText } from './dataRisks.ts';
import type { Facts, Risk } from './facts.ts';

/** Longest quotation of what a program says. */
const maxQuoted = 160;

/**
 * That a command would fail: never safe, however little it does. An exit code that is an answer (`grep` found nothing,
 * `diff` found differences) is no failure. Nothing is said where the exit code is only assumed.
 */
export function failureRisks(facts: Facts, statics: readonly StaticProgram[]): Risk[] {
  const { action, exitCode, exitBasis, errors } = facts;
  if (action.kind !== 'command' || exitCode === undefined || exitCode === 0 || exitBasis === 'assumed') return [];
  const last = facts.programs.findLast((program) => ranWith(program, exitCode));
  const argv = last?.argv ?? statics.findLast((program) => program.argv.length > 0)?.argv ?? [];
  if (answersByExitCode(argv, exitCode)) return [];
  const who = last === undefined ? 'Fails' : `\`${commandText(last.argv, last.label)}\` fails`;
  const said = errors.split('\n').find((line) => line.trim() !== '');
  const quoted = said === undefined ? '' : `: ${shortened(said.trim())}`;
  const reason = `${who} with exit code ${exitCode}${quoted}${/[.!?…]$/.test(quoted) ? '' : '.'}`;
  return [
    {
      level: 'caution',
      kind: 'fails',
      reason,
      evidence: last === undefined ? [] : [commandText(last.argv, last.label)],
    },
  ];
}

function ranWith(program: ProgramFact, exitCode: number): boolean {
  return program.exitCode === exitCode && program.basis !== 'assumed' && program.gatedBecause === undefined;
}

function shortened(text: string): string {
  return text.length > maxQuoted ? `${text.slice(0, maxQuoted - 1)}…` : text;
}
