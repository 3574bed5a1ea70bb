import path from 'node:path';
import * as z from 'zod/mini';
import type { Prediction } from '../../prediction/prediction.ts';
import { quoteWord } from '../../shell/quoteWord.ts';

const Text = z.string().check(z.maxLength(200_000));

/** What a text has to be; everything that is given has to hold. */
const TextTest = z.strictObject({
  equals: z.optional(Text),
  contains: z.optional(Text),
  /** A regular expression of JavaScript, in which `.` does not match a line break. */
  matches: z.optional(Text),
});
type TextTest = z.infer<typeof TextTest>;

const weight = { weight: z.optional(z.number().check(z.positive())) };

/** One assertion on what an agent did; its weight is 1 where none is given. */
export const RewardRule = z.union([
  /** A file, absolute or below the session's folder. */
  z.strictObject({ file: z.string().check(z.minLength(1)), absent: z.literal(true), ...weight }),
  z.strictObject({ file: z.string().check(z.minLength(1)), is: z.optional(TextTest), ...weight }),
  /** How the last action ended. */
  z.strictObject({ exitCode: z.int(), ...weight }),
  /** What the last action showed. */
  z.strictObject({ output: TextTest, ...weight }),
  /** A command that is run in the copy when the episode ends; its exit code is 0 where nothing else is said. */
  z.strictObject({
    command: Text.check(z.minLength(1)),
    exitCode: z.optional(z.int()),
    output: z.optional(TextTest),
    ...weight,
  }),
]);
export type RewardRule = z.infer<typeof RewardRule>;

/** What an episode is worth: rules, the judgement of a model by a rubric, or both. */
export const RewardRequest = z.strictObject({
  rules: z.optional(z.array(RewardRule).check(z.maxLength(1000))),
  /** What a good episode is, in words; the world's model judges when the episode ends. */
  rubric: z.optional(Text.check(z.minLength(1))),
  /** Of the rubric beside the rules; default 1. */
  rubricWeight: z.optional(z.number().check(z.positive())),
});
export type RewardRequest = z.infer<typeof RewardRequest>;

/** Whether a rule holds; `unknown`: it rests on something that nobody knows, and earns nothing. */
export interface RuleOutcome {
  rule: RewardRule;
  holds: boolean | 'unknown';
}

/** What rules are asked of. */
export interface RuleWorld {
  folder: string;
  /** Of the last action; absent: there was none. */
  last?: { text: string; exitCode?: number; isKnown: boolean };
  /** Whether what the copy holds is what would really be. */
  isExact: boolean;
  read(path: string): Promise<Uint8Array | undefined>;
  check(script: string): Promise<Prediction>;
}

/** A regular expression that cannot be read, as one sentence; undefined where all can. */
export function rulesProblem(rules: readonly RewardRule[]): string | undefined {
  for (const rule of rules) {
    const test = 'output' in rule ? rule.output : 'is' in rule ? rule.is : undefined;
    if (test?.matches === undefined) continue;
    try {
      new RegExp(test.matches, 'u');
    } catch {
      return `The rule's expression ${JSON.stringify(test.matches.slice(0, 80))} cannot be read; write it as JavaScript does.`;
    }
  }
  return undefined;
}

/** Asks every rule. `isOver`: commands are run too; before that they hold for nothing yet. */
export async function askRules(
  rules: readonly RewardRule[],
  world: RuleWorld,
  isOver: boolean,
): Promise<RuleOutcome[]> {
  const outcomes: RuleOutcome[] = [];
  for (const rule of rules) outcomes.push({ rule, holds: await holdsOf(rule, world, isOver) });
  return outcomes;
}

async function holdsOf(rule: RewardRule, world: RuleWorld, isOver: boolean): Promise<RuleOutcome['holds']> {
  if ('command' in rule) {
    if (!isOver) return false;
    const prediction = await world.check(rule.command);
    const isKnown = world.isExact && prediction.ending === 'done' && prediction.exitCode !== undefined;
    if (!isKnown) return 'unknown';
    return prediction.exitCode === (rule.exitCode ?? 0) && passes(rule.output ?? {}, printed(prediction));
  }
  if ('file' in rule) return fileHolds(rule, world);
  if (!world.last) return false;
  if (!world.last.isKnown) return 'unknown';
  if ('output' in rule) return passes(rule.output, world.last.text);
  return world.last.exitCode === undefined ? 'unknown' : world.last.exitCode === rule.exitCode;
}

async function fileHolds(rule: RewardRule & { file: string }, world: RuleWorld): Promise<RuleOutcome['holds']> {
  if (!world.isExact) return 'unknown';
  const file = path.resolve(world.folder, rule.file);
  if ('absent' in rule) {
    const word = quoteWord(file);
    const { ending, exitCode } = await world.check(`test ! -e ${word} && test ! -L ${word}`);
    return ending === 'done' ? exitCode === 0 : 'unknown';
  }
  const bytes = await world.read(file);
  if (!bytes) return false;
  return passes(('is' in rule ? rule.is : undefined) ?? {}, Buffer.from(bytes).toString('utf8'));
}

function passes({ equals, contains, matches }: TextTest, text: string): boolean {
  if (equals !== undefined && text !== equals) return false;
  if (contains !== undefined && !text.includes(contains)) return false;
  return matches === undefined || new RegExp(matches, 'u').test(text);
}

function printed({ output }: Prediction): string {
  return output.map(({ text = '' }) => text).join('');
}

/** From 0 to 1: the weight of what holds. `rubric`: what a model gave, with its weight. */
export function rewardOf(outcomes: readonly RuleOutcome[], rubric?: { score: number; weight: number }): number {
  const weightOf = ({ rule }: RuleOutcome) => rule.weight ?? 1;
  const all = outcomes.reduce((sum, one) => sum + weightOf(one), rubric?.weight ?? 0);
  if (all === 0) return 0;
  const earned = outcomes.reduce((sum, one) => sum + (one.holds === true ? weightOf(one) : 0), 0);
  return (earned + (rubric ? rubric.score * rubric.weight : 0)) / all;
}
