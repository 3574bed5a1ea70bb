import { collect } from '../../bench/collect/collect.ts';
import type { Inexact } from '../../bench/collect/exactness.ts';
import type { StepForm } from '../../bench/collect/trueStep.ts';
import type { Foretell } from '../../foretell.ts';
import type { TrajectoryStep } from '../../trajectory/step/step.ts';
import type { Asking } from '../../worlds/language/client/readableReply.ts';
import { type Failure, isFailure, wantedLines } from './failure.ts';
import { proposeSequences, type Tried } from './proposeSequences.ts';

/** A model that found nothing is asked again, with what its sequences came to; so often at most. */
const mostRounds = 3;
/** So much of what a sequence came to is told to the model, in characters, from its end. */
const mostTold = 1_500;

/** What is wanted. */
export interface FailingOptions extends Asking {
  foretell: Pick<Foretell, 'predict' | 'openSession' | 'looker'>;
  failure: Failure;
  /** Where the sequences begin, absolute. */
  cwd: string;
  /** How many sequences a model is asked for at once. */
  count: number;
  /** How their steps are worded. */
  form: StepForm;
  budgetTokens?: number;
  /** Limit of one command. */
  timeLimitMs?: number;
  onProgress?(state: { round: number; proposed: number; kept: number }): void;
}

/** What was found. */
export interface FailingSteps {
  /** Each with true observations; the last one is the failure. */
  kept: { commands: string[]; steps: TrajectoryStep[] }[];
  /** Sequences that end otherwise, or whose end is not certain. */
  left: Tried[];
}

/**
 * Sequences of commands that end in a failure: a model proposes them, and what a rehearsal does not prove is left out. Only
 * what is exact to its end counts. A problem is one sentence.
 */
export async function failingSteps(options: FailingOptions): Promise<FailingSteps | { problem: string }> {
  const { failure, count, cwd, foretell, budgetTokens = 8_000 } = options;
  if (wantedLines(failure).length === 0 && failure.exitCode === undefined)
    return { problem: 'Say what the failure is: a line that it prints, or its exit code.' };
  if (failure.exitCode === 0) return { problem: 'A command that ends with exit code 0 has not failed.' };
  const found: FailingSteps = { kept: [], left: [] };
  const known = new Set<string>();
  let proposed = 0;
  for (let round = 1; round <= mostRounds && found.kept.length === 0 && !options.signal.aborted; round++) {
    const wish = { failure, count, cwd, looker: foretell.looker, budgetTokens };
    const answer = await proposeSequences(wish, found.left, options);
    if ('problem' in answer) {
      if (round > 1 && !options.signal.aborted) break;
      return answer;
    }
    const fresh = answer.sequences.filter((one) => !known.has(JSON.stringify(one)));
    for (const one of fresh) known.add(JSON.stringify(one));
    if (fresh.length === 0) break;
    proposed += fresh.length;
    options.onProgress?.({ round, proposed, kept: 0 });
    await rehearseAll(options, fresh, round, found);
    options.onProgress?.({ round, proposed, kept: found.kept.length });
  }
  return found;
}

async function rehearseAll(
  { foretell, failure, cwd, form, timeLimitMs, signal }: FailingOptions,
  sequences: readonly string[][],
  round: number,
  found: FailingSteps,
): Promise<void> {
  const nameOf = (at: number) => `failure-${round}-${at + 1}`;
  const steps = new Map<string, TrajectoryStep[]>();
  const inexact = new Map<string, Inexact>();
  await collect({
    foretell,
    commands: sequences.flatMap((commands, at) => commands.map((script) => ({ script, session: nameOf(at) }))),
    cwd,
    forms: [form],
    concurrency: 2,
    ...(timeLimitMs === undefined ? {} : { timeLimitMs }),
    write: async (some) => {
      // A trajectory is called as its session; what goes on behind a command that is not certain is another one.
      const name = some[0]?.trajectory?.match(/failure-\d+-\d+$/)?.[0];
      if (name !== undefined) steps.set(name, [...some]);
    },
    onInexact: ({ session = '' }, _, why) => {
      if (!inexact.has(session)) inexact.set(session, why);
    },
    signal,
  });
  if (signal.aborted) return;
  for (const [at, commands] of sequences.entries()) {
    const name = nameOf(at);
    const made = steps.get(name) ?? [];
    // What comes behind the failure does not belong to it.
    const end = made.findIndex(({ observation }) => observation?.facts && isFailure(failure, observation.facts)) + 1;
    const unsure = inexact.get(name);
    if (end > 0) found.kept.push({ commands: commands.slice(0, end), steps: made.slice(0, end) });
    else
      found.left.push({
        commands,
        came: unsure ? `What it does is not certain. ${unsure.why}` : cameTo(made.at(-1)?.observation?.facts),
      });
  }
}

function cameTo(facts: NonNullable<TrajectoryStep['observation']>['facts']): string {
  const printed = (facts?.output ?? []).map(({ text = '' }) => text).join('');
  return `exit code ${facts?.exitCode ?? 'unknown'}\n${printed.slice(-mostTold)}`;
}
