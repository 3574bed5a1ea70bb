import { readScript } from '../action/script.ts';
import { commandText } from './dataRisks.ts';
import { editRisks } from './editRisks.ts';
import type { Facts, ProgramFact, Risk } from './facts.ts';
import { count, fileRisks, inGit, placeOf } from './fileRisks.ts';
import { flowRisks } from './flowRisks.ts';
import { describeProgram, expectedDetail, isKnownProgram } from './knownPrograms.ts';
import type { Level } from './level.ts';
import { discardsWork, examinePrograms, programRisks } from './programRisks.ts';
import { findStaticPrograms, type StaticProgram } from './staticPrograms.ts';
import { programName } from './wrappers.ts';

const rank: Readonly<Record<Level, number>> = { danger: 0, caution: 1, safe: 2 };

/**
 * What a developer should know before running an action, most important first; never empty. Pure.
 *
 * Three sources, each of which can only raise: what the prediction's facts prove (losses, changed files, effects), what
 * the programs were asked to do (also those that failed, were stopped at the gate, or did not run this time), and how
 * the parts of the script are connected. Where a rehearsal shows all that a program's arguments threaten, its facts
 * judge in the place of the arguments.
 */
export function judge(facts: Facts): Risk[] {
  const statics = staticPrograms(facts);
  const programs = examinePrograms(facts, statics);
  const risks = [
    ...fileRisks(facts, discardsWork(programs)),
    ...editRisks(facts),
    ...flowRisks(statics, facts),
    ...programRisks(facts, programs),
    ...effectRisks(facts),
    ...refusals(facts),
  ];
  const unique = withoutRepetitions(risks).sort((a, b) => rank[a.level] - rank[b.level]);
  if (unique.some((risk) => risk.level !== 'safe')) return unique.filter((risk) => risk.level !== 'safe');
  return unique.length > 0 ? unique : [harmless(facts)];
}

function harmless(facts: Facts): Risk {
  const files = facts.files.filter((file) => !inGit(file.path));
  const of = (changes: readonly string[]) => files.filter((file) => changes.includes(file.change)).length;
  const does = [
    ['creates', of(['created'])],
    ['changes', of(['modified', 'mode'])],
    ['moves', of(['renamed'])],
    ['deletes', of(['deleted'])],
  ] as const;
  const told = does.filter(([, amount]) => amount > 0).map(([verb, amount]) => `${verb} ${count(amount, 'file')}`);
  if (told.length > 0) {
    const reason = `${capital(told.join(', '))}; nothing is lost.`;
    return { level: 'safe', reason, evidence: files.map((file) => file.path).slice(0, 20) };
  }
  const git = facts.effects.filter(({ effect }) => effect === 'git').map(({ detail }) => detail);
  if (git.length > 0) return { level: 'safe', reason: `${capital(git.slice(0, 3).join('; '))}.`, evidence: git };
  const programs = facts.programs.map((program) => commandText(program.argv)).slice(0, 5);
  if (facts.files.length > 0)
    return { level: 'safe', reason: 'Changes only files of git; nothing is lost.', evidence: programs };
  return { level: 'safe', reason: 'Changes no files; only reads or prints.', evidence: programs };
}

/** The worst level of some risks; `safe` when there are none. */
export function worstLevel(risks: readonly Risk[]): Level {
  return risks.reduce<Level>((worst, risk) => (rank[risk.level] < rank[worst] ? risk.level : worst), 'safe');
}

function staticPrograms(facts: Facts): StaticProgram[] {
  if (facts.action.kind !== 'command') return [];
  const { script, cwd } = facts.action;
  return findStaticPrograms(readScript(script), { cwd, home: facts.home, env: facts.env });
}

const effectLevels: Readonly<Record<string, Level>> = {
  device: 'danger',
  network: 'caution',
  process: 'caution',
  signal: 'caution',
  package: 'caution',
  permission: 'caution',
  privilege: 'caution',
  'outside-workspace': 'caution',
  service: 'caution',
  cloud: 'caution',
  container: 'caution',
  database: 'caution',
  'code-execution': 'caution',
};

// What git's effects say of history; making commits and branches is everyday work.
const rewritesGit = /\b(delet|remov|rewrit|drops?|forc|discard|lost|loses|unreachable|hook|prun|expire)/i;

function effectRisks(facts: Facts): Risk[] {
  const risks: Risk[] = [];
  const gated = facts.programs.filter((program) => program.gatedBecause !== undefined);
  const told = expectedDetails(facts);
  for (const { effect, detail, basis } of facts.effects) {
    if (basis === 'assumed' && told.has(detail)) continue;
    if (/\blimit\b.*\b(hit|reached|exceeded)|quota/i.test(detail)) {
      risks.push({ level: 'danger', reason: `${capital(detail)}: it would use up the machine.`, evidence: [detail] });
      continue;
    }
    const level = effect === 'git' ? (rewritesGit.test(detail) ? 'caution' : 'safe') : effectLevels[effect];
    if (level === undefined || level === 'safe') continue;
    // What a known program would do over the network is said with the program.
    if (effect === 'network' && gated.some((program) => detail.includes(programName(program.argv[0] ?? '')))) continue;
    risks.push({ level, reason: `${capital(detail)}.`, evidence: [detail] });
  }
  if (facts.incompleteBecause !== undefined && (gated.length === 0 || !gated.every(isKnownAndSafe(facts)))) {
    risks.push({
      level: 'caution',
      reason: `Not everything could be predicted: ${inSentence(sentenceEnd(facts.incompleteBecause))}`,
      evidence: gated.map((program) => commandText(program.argv)),
    });
  }
  return risks;
}

// What the table of known programs expects of programs that nobody ran is said with the programs.
function expectedDetails(facts: Facts): Set<string> {
  const place = placeOf(facts);
  const around = { home: place.home, workspaceFolders: facts.workspaceFolders };
  const assumed = facts.programs.filter((program) => program.basis === 'assumed');
  const details = assumed.flatMap(({ argv, cwd }) =>
    describeProgram(argv, cwd, around).effects.map(({ detail }) => expectedDetail(argv, detail)),
  );
  return new Set(details);
}

function isKnownAndSafe(facts: Facts): (program: ProgramFact) => boolean {
  const place = placeOf(facts);
  return (program) => {
    const knowledge = describeProgram(program.argv, program.cwd, {
      home: place.home,
      workspaceFolders: facts.workspaceFolders,
    });
    return isKnownProgram(programName(program.argv[0] ?? '')) && knowledge.level === 'safe';
  };
}

const refused = /(Permission denied|Operation not permitted|Read-only file system|EACCES|EPERM)/;

/** What the system refused: a sentence that it would fail. */
function refusals(facts: Facts): Risk[] {
  const lines = facts.errors.split('\n').filter((line) => refused.test(line));
  const first = lines[0];
  if (first === undefined) return [];
  const more = lines.length > 1 ? ` and ${count(lines.length - 1, 'more refusal')}` : '';
  return [{ level: 'caution', reason: `Would be refused: ${first.trim()}${more}.`, evidence: lines.slice(0, 5) }];
}

function withoutRepetitions(risks: readonly Risk[]): Risk[] {
  const seen = new Set<string>();
  return risks.filter(({ level, reason }) => {
    const key = `${level} ${reason}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A sentence of the engine that goes on behind a colon. */
function inSentence(text: string): string {
  return text.replace(/^(It|The|A|An|They|Only) /, (word) => word.toLowerCase());
}

function sentenceEnd(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
