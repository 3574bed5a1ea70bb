import type { EffectKind } from '../facts/effect.ts';
import type { Level } from '../facts/level.ts';
import type { Limit } from '../facts/limit.ts';
import type { ProgramFact } from '../facts/programFact.ts';
import { describeProgram, isKnownProgram } from '../programs/knownPrograms.ts';
import { programName } from '../programs/programName.ts';
import { findStaticPrograms, type StaticProgram } from '../programs/staticPrograms.ts';
import { readScript } from '../shell/script.ts';
import { commandText } from './dataRisks.ts';
import { editRisks } from './editRisks.ts';
import type { Facts, Risk } from './facts.ts';
import { failureRisks } from './failureRisks.ts';
import { count, fileRisks, inGit, placeOf } from './fileRisks.ts';
import { flowRisks } from './flowRisks.ts';
import { gitRisk } from './gitRisks.ts';
import { examinePrograms, programRisks } from './programRisks.ts';

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
    ...fileRisks(facts),
    ...editRisks(facts),
    ...flowRisks(statics, facts),
    ...programRisks(facts, programs),
    ...effectRisks(facts),
    ...failureRisks(facts, statics),
    ...limitRisks(facts),
    ...incompleteRisks(facts),
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
  const programs = facts.programs.map(({ argv, label }) => commandText(argv, label)).slice(0, 5);
  if (facts.files.length > 0)
    return { level: 'safe', reason: 'Changes only files of git; nothing is lost.', evidence: programs };
  const touched = facts.effects.filter(({ effect }) => effect === 'timestamp').map(({ detail }) => detail);
  if (touched.length > 0) return { level: 'safe', reason: 'Changes nothing but times of files.', evidence: touched };
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

const effectLevels: Readonly<Record<Exclude<EffectKind, 'git'>, Level>> = {
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
  waits: 'safe',
  environment: 'safe',
  timestamp: 'safe',
  other: 'safe',
};

/** Of more effects of one kind than this, the rest are counted. */
const toldEffects = 5;

function effectRisks(facts: Facts): Risk[] {
  const risks: Risk[] = [];
  const told = new Map<EffectKind, number>();
  for (const effect of facts.effects) {
    // What a known program would do is said with the program.
    if (effect.basis === 'assumed' && effect.expectedOf !== undefined) continue;
    if (effect.effect === 'git') {
      const risk = gitRisk(effect);
      if (risk) risks.push(risk);
      continue;
    }
    const level = effectLevels[effect.effect];
    if (level === 'safe') continue;
    const number = (told.get(effect.effect) ?? 0) + 1;
    told.set(effect.effect, number);
    if (number <= toldEffects) risks.push({ level, reason: `${capital(effect.detail)}.`, evidence: [effect.detail] });
  }
  for (const [kind, amount] of told) {
    const more = amount - toldEffects;
    const level = effectLevels[kind as Exclude<EffectKind, 'git'>];
    if (more > 0) risks.push({ level, reason: `And ${count(more, 'more effect')} of the kind ${kind}.`, evidence: [] });
  }
  return risks;
}

const limitReasons: Readonly<Record<Exclude<Limit, 'time'>, string>> = {
  processes: 'Starts more processes than a rehearsal may have: it would use up the machine.',
  memory: 'Needs more memory than a rehearsal may have: it could use up the machine.',
  disk: 'Writes more than a rehearsal may: it could fill the disk.',
};

function limitRisks({ limit }: Facts): Risk[] {
  return limit === undefined || limit === 'time'
    ? []
    : [{ level: 'danger', reason: limitReasons[limit], evidence: [] }];
}

function incompleteRisks(facts: Facts): Risk[] {
  if (facts.incompleteBecause === undefined) return [];
  const gated = facts.programs.filter((program) => program.gatedBecause !== undefined);
  if (gated.length > 0 && gated.every(isKnownAndSafe(facts))) return [];
  const reason = `Not everything could be predicted: ${inSentence(sentenceEnd(facts.incompleteBecause))}`;
  return [
    {
      level: 'caution',
      kind: 'incomplete',
      reason,
      evidence: gated.map(({ argv, label }) => commandText(argv, label)),
    },
  ];
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
