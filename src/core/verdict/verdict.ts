import type { Effect, EffectKind } from '../facts/effect.ts';
import type { Level } from '../facts/level.ts';
import type { PackagePlan } from '../facts/packagePlan.ts';
import type { ProgramFact } from '../facts/programFact.ts';
import type { ChangeCounts, Incompleteness, Risk, RiskFact } from '../facts/risk.ts';
import { describeProgram, isKnownProgram } from '../programs/describeProgram.ts';
import { programName } from '../programs/programName.ts';
import { mayBeSameCall } from '../programs/sameCall.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import type { FileChange } from '../view/fileChange.ts';
import { editRisks } from './editRisks.ts';
import { callAsEvidence, effectsAsEvidence, marksOf, pathsAsEvidence } from './evidence.ts';
import type { Facts } from './facts.ts';
import { failureRisks } from './failureRisks.ts';
import { fileRisks, inGit, placeOf } from './fileRisks.ts';
import { flowRisks } from './flowRisks.ts';
import { gitLevel } from './gitRisks.ts';
import { asCalled, examinePrograms, fileOutOfPlace, inputsOf, programRisks } from './programRisks.ts';
import { spellingRisks } from './spellingRisks.ts';
import { startedElsewhere } from './startedElsewhere.ts';
import { writtenPrograms } from './staticFacts.ts';

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
  const written = facts.written ?? writtenPrograms(facts);
  const statics = [...written, ...startedElsewhere(written, facts)];
  const programs = examinePrograms(facts, statics);
  const risks = [
    ...spellingRisks(facts),
    ...fileRisks(facts),
    ...editRisks(facts),
    ...flowRisks(statics, facts),
    ...programRisks(facts, programs),
    ...effectRisks(facts),
    ...failureRisks(facts, statics),
    ...limitRisks(facts),
    ...incompleteRisks(facts, statics),
  ];
  const unique = withoutRepetitions(risks).sort((a, b) => rank[a.level] - rank[b.level]);
  if (unique.some((risk) => risk.level !== 'safe')) return unique.filter((risk) => risk.level !== 'safe');
  return unique.length > 0 ? unique : [harmless(facts)];
}

function harmless({ files, effects, programs }: Facts): Risk {
  const own = files.filter((file) => !inGit(file.path));
  if (own.length > 0) {
    const named = pathsAsEvidence(own.map((file) => file.path));
    const among = own.filter(({ type }) => type === 'directory');
    const folders = among.length > 0 ? { folders: countChanges(among) } : {};
    return { level: 'safe', fact: { kind: 'onlyChanges', ...countChanges(own), ...folders }, ...named };
  }
  const git = marksOf(effects.filter(({ effect }) => effect === 'git'));
  if (git.length > 0)
    return { level: 'safe', fact: { kind: 'onlyGit', effects: git.slice(0, 3) }, evidence: effectsAsEvidence(git) };
  const calls = programs.slice(0, 5).map((program) => callAsEvidence(program));
  if (files.length > 0) return { level: 'safe', fact: { kind: 'onlyGitFiles' }, evidence: calls };
  const touched = marksOf(effects.filter(({ effect }) => effect === 'timestamp'));
  if (touched.length > 0) return { level: 'safe', fact: { kind: 'onlyTimes' }, evidence: effectsAsEvidence(touched) };
  return { level: 'safe', fact: { kind: 'onlyReads' }, evidence: calls };
}

function countChanges(files: readonly FileChange[]): ChangeCounts {
  const counts = { created: 0, modified: 0, mode: 0, renamed: 0, deleted: 0 } satisfies Record<
    FileChange['change'],
    number
  >;
  for (const { change } of files) counts[change] += 1;
  const { created, modified, mode, renamed, deleted } = counts;
  return { created, changed: modified + mode, moved: renamed, deleted };
}

/** The worst level of some risks; `safe` when there are none. */
export function worstLevel(risks: readonly { level: Level }[]): Level {
  return risks.reduce<Level>((worst, risk) => (rank[risk.level] < rank[worst] ? risk.level : worst), 'safe');
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
  'runs-later': 'safe',
  other: 'safe',
};

/** Of more effects of one kind than this, the rest are counted. */
const toldEffects = 5;

function effectRisks(facts: Facts): Risk[] {
  const risks: Risk[] = [];
  const told = new Map<EffectKind, { level: Level; count: number }>();
  for (const effect of facts.effects) {
    // What a known program would do is said with the program.
    if (effect.basis === 'assumed' && effect.expectedOf !== undefined) continue;
    const level = effectLevel(effect);
    if (level === 'safe') continue;
    const count = (told.get(effect.effect)?.count ?? 0) + 1;
    told.set(effect.effect, { level, count });
    // Each thing that happens to git is told.
    if (count > toldEffects && effect.effect !== 'git') continue;
    const [mark] = marksOf([effect]);
    if (mark) risks.push({ level, fact: { kind: 'effect', effect: mark }, evidence: effectsAsEvidence([mark]) });
  }
  for (const [effect, { level, count }] of told) {
    const more = count - toldEffects;
    if (more > 0 && effect !== 'git')
      risks.push({ level, fact: { kind: 'moreEffects', effect, count: more }, evidence: [] });
  }
  return risks;
}

function effectLevel({ effect, git, fact }: Effect): Level {
  if (fact?.kind === 'packagePlan') return planLevel(fact.plan);
  if (effect !== 'git') return effectLevels[effect];
  return git === undefined ? 'safe' : gitLevel(git);
}

function planLevel({ installs, upgrades, downgrades, removes }: PackagePlan): Level {
  if (removes.length > 0) return 'danger';
  return installs.length + upgrades.length + downgrades.length > 0 ? 'caution' : 'safe';
}

function limitRisks({ limit }: Facts): Risk[] {
  return limit === undefined || limit === 'time'
    ? []
    : [{ level: 'danger', fact: { kind: 'limit', limit }, evidence: [] }];
}

function incompleteRisks(facts: Facts, statics: readonly StaticProgram[]): Risk[] {
  if (facts.incomplete === undefined) return [];
  const gated = facts.programs.filter((program) => program.gatedBecause !== undefined);
  if (gated.length > 0 && gated.every(isKnownAndSafe(facts, statics))) return [];
  const fact = answeredThen(facts.incomplete) ?? ({ kind: 'incomplete', ...facts.incomplete } as const);
  return [{ level: 'caution', fact, evidence: gated.map((program) => callAsEvidence(program)) }];
}

/** Where somebody was really asked, it is known what he said; only not whether he still says so. */
function answeredThen({ doubt }: Incompleteness): RiskFact | undefined {
  if (doubt?.kind !== 'assumption') return undefined;
  const [then, ...others] = doubt.assumes;
  if (then?.kind !== 'answersAsThen' || others.length > 0 || doubt.unknown !== undefined) return undefined;
  const { argv = [], label } = doubt;
  return { kind: 'answeredThen', argv, ...(label ? { label } : {}), to: then.to, at: then.at };
}

/** Whether a program is one whose arguments, and what it reads, tell that it does no harm. */
function isKnownAndSafe(facts: Facts, statics: readonly StaticProgram[]): (program: ProgramFact) => boolean {
  const place = placeOf(facts);
  return (told) => {
    const program = asCalled(told, facts.programs);
    const { argv, cwd } = program;
    if (!isKnownProgram(programName(argv[0] ?? '')) || fileOutOfPlace(program, place) !== undefined) return false;
    const calls = statics.filter((written) => mayBeSameCall(written, argv));
    const inputs = calls.length === 0 ? [{}] : calls.map(inputsOf);
    return inputs.every((input) => {
      const around = { home: place.home, workspaceFolders: facts.workspaceFolders, ...input };
      return describeProgram(argv, cwd, around).level === 'safe';
    });
  };
}

/** The same fact is told once, with the evidence of the first. */
function withoutRepetitions(risks: readonly Risk[]): Risk[] {
  const seen = new Set<string>();
  return risks.filter(({ level, fact }) => {
    const key = JSON.stringify([level, fact]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
