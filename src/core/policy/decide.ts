import type { Level } from '../facts/level.ts';
import type { NamedRule, PolicyDecision, PolicyEffect, PolicyOrigin, PolicyProblem } from '../facts/policyFact.ts';
import { patternExpression } from '../shell/glob.ts';
import { matchesPattern, type PatternPlace } from './pathPattern.ts';
import type { Bounds, PolicyRule, Trigger } from './policy.ts';

/** The rules of one file. */
export interface PolicyLayer {
  origin: PolicyOrigin;
  /** Absolute, or the name of a preset. */
  file: string;
  rules: readonly PolicyRule[];
  /** Its rules may allow; else only its `ask` and `deny` count. */
  mayAllow: boolean;
  /** Where its relative patterns begin; `undefined`: at the project of the call. */
  root?: string | undefined;
}

/** All policies that count for a call. */
export interface Policies {
  layers: readonly PolicyLayer[];
  /** Files that do not count, and why: then nothing is allowed. */
  problems: readonly PolicyProblem[];
}

/** What a decision is made of. */
export interface Decided {
  effects: readonly PolicyEffect[];
  /** Of the verdict. */
  level: Level | undefined;
  /** The folder of the project, where relative patterns of the user and the team begin. */
  root: string | undefined;
  home: string;
}

/**
 * What policies say of an action: `deny` counts over `ask`, and `ask` over `allow`, whoever's rule it is. Facts that are not
 * certain can make a rule ask or deny, and none can make one allow.
 */
export function decide({ layers, problems }: Policies, about: Decided): PolicyDecision {
  for (const kind of ['deny', 'ask'] as const) {
    for (const { layer, rule } of rulesOf(layers, kind, about)) {
      if (rule.answer === 'allow') continue;
      const effects = met(rule.if, about, placeOf(layer, about));
      if (effects) return { kind, rule: named(layer, rule), effects };
    }
  }
  const [problem] = problems;
  if (problem) {
    const effects = about.effects.filter((effect) => !isPlain(effect));
    return effects.length > 0 ? { kind: 'unreadable', problem, effects } : { kind: 'none' };
  }
  let nearest: { rule: NamedRule; broken: PolicyEffect[] } | undefined;
  for (const { layer, rule } of rulesOf(layers, 'allow', about)) {
    if (rule.answer !== 'allow' || !layer.mayAllow) continue;
    const place = placeOf(layer, about);
    const broken = about.effects.filter((effect) => !admits(rule.only, effect, place));
    if (broken.length === 0 && about.level !== undefined)
      return { kind: 'allow', rule: named(layer, rule), effects: about.effects };
    if (!nearest || broken.length < nearest.broken.length) nearest = { rule: named(layer, rule), broken };
  }
  return nearest ? { kind: 'none', nearest } : { kind: 'none' };
}

function* rulesOf(layers: readonly PolicyLayer[], answer: PolicyRule['answer'], about: Decided) {
  for (const layer of layers) {
    for (const rule of layer.rules) {
      if (rule.answer !== answer) continue;
      const { in: folders } = rule;
      const root = layer.root ?? about.root;
      const place = { root: undefined, home: about.home };
      const isHere =
        folders === undefined ||
        (root !== undefined && folders.some((one) => matchesPattern(one, { path: root, isFolder: true }, place)));
      if (isHere) yield { layer, rule };
    }
  }
}

function named({ origin, file }: PolicyLayer, { name }: PolicyRule): NamedRule {
  return { origin, file, name };
}

function placeOf(layer: PolicyLayer, { root, home }: Decided): PatternPlace {
  return { root: layer.root ?? root, home };
}

/** What happens when something is only read. */
function isPlain(effect: PolicyEffect): boolean {
  return effect.kind === 'exits' || (effect.kind === 'git' && effect.part === 'upkeep');
}

/** Whether a rule that allows has room for an effect. */
function admits(only: Bounds, effect: PolicyEffect, place: PatternPlace): boolean {
  switch (effect.kind) {
    case 'writes':
    case 'deletes':
    case 'permissions':
      return isAmong(only[effect.kind], effect, place);
    case 'loses':
      return only.loses?.includes(effect.way) ?? false;
    case 'connects':
      return reaches(only.network, effect);
    case 'letIn':
      return only.programs === 'consented';
    case 'leavesRunning':
      return only.leavesRunning === true;
    case 'git':
      return effect.isElsewhere !== true && (only.git?.includes(effect.part) ?? false);
    case 'exits':
      return only.exit !== 'success' || effect.code === 0;
    case 'marks':
      return only.marks?.some((mark) => mark === effect.effect) ?? false;
    case 'remembered':
      return only.certainty?.includes('remembered') ?? false;
    case 'listens':
    case 'judged':
    case 'unknown':
      return false;
  }
}

function isChange(effect: PolicyEffect): effect is Extract<PolicyEffect, { path: string }> {
  return effect.kind === 'writes' || effect.kind === 'deletes' || effect.kind === 'permissions';
}

function isAmong(
  patterns: readonly string[] | undefined,
  effect: { path: string; isFolder?: true },
  place: PatternPlace,
): boolean {
  return patterns?.some((pattern) => matchesPattern(pattern, effect, place)) ?? false;
}

function reaches(network: Bounds['network'], { reach, host }: { reach: 'loopback' | 'elsewhere'; host?: string }) {
  if (network === undefined || network === 'none') return false;
  if (network === 'any') return true;
  if (network === 'loopback') return reach === 'loopback';
  return host !== undefined && network.some((pattern) => patternExpression(pattern)?.test(host) ?? false);
}

/** The effects that a rule which asks or denies is about; `undefined` where one of its conditions is not met. */
function met(trigger: Trigger, { effects, level }: Decided, place: PatternPlace): PolicyEffect[] | undefined {
  const found: PolicyEffect[] = [];
  const need = (is: (effect: PolicyEffect) => boolean): boolean => {
    const those = effects.filter(is);
    found.push(...those);
    return those.length > 0;
  };
  const { writes, deletes, permissions, outside, loses, git, marks, network } = trigger;
  const among = (kind: 'writes' | 'deletes' | 'permissions', patterns: readonly string[]) =>
    need((effect) => effect.kind === kind && isAmong(patterns, effect, place));
  const holds =
    (writes === undefined || among('writes', writes)) &&
    (deletes === undefined || among('deletes', deletes)) &&
    (permissions === undefined || among('permissions', permissions)) &&
    (outside === undefined || need((effect) => isChange(effect) && !isAmong(outside, effect, place))) &&
    (loses === undefined || need((effect) => effect.kind === 'loses' && loses.includes(effect.way))) &&
    (git === undefined || need((effect) => effect.kind === 'git' && git.includes(effect.part))) &&
    (marks === undefined || need((effect) => effect.kind === 'marks' && marks.some((one) => one === effect.effect))) &&
    (network === undefined || need((effect) => effect.kind === 'connects' && reaches(network, effect))) &&
    (trigger.programs === undefined || need(({ kind }) => kind === 'letIn')) &&
    (trigger.leavesRunning === undefined || need(({ kind }) => kind === 'leavesRunning')) &&
    (trigger.exit === undefined || need((effect) => effect.kind === 'exits' && effect.code !== 0)) &&
    (trigger.unknown === undefined || need(({ kind }) => kind === 'unknown')) &&
    (trigger.level === undefined || trigger.level.some((one) => one === level));
  if (!holds) return undefined;
  return found.length > 0 ? found : effects.filter((effect) => effect.kind === 'judged' || effect.kind === 'loses');
}
