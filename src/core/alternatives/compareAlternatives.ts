import type { CommandAction } from '../action/action.ts';
import type { Incomparable, StateDifference } from '../facts/alternative.ts';
import type { Level } from '../facts/level.ts';
import { isLostForGood } from '../facts/recovery.ts';
import type { Foretell } from '../foretell.ts';
import type { Prediction } from '../prediction/prediction.ts';
import { stateDifferences } from './endState.ts';
import { type RehearsedAlternative, rehearseAlternatives, type SharedRequest } from './rehearseAlternatives.ts';

/** At most so many alternatives stand side by side. */
export const mostAlternatives = 5;

/** The alternatives that a text names: its paragraphs where blank lines part it, else its lines. Comments are left out. */
export function alternativesIn(text: string): string[] {
  const parts = /\n[ \t]*\n/.test(text.trim()) ? text.split(/\n(?:[ \t]*\n)+/) : text.split('\n');
  const scripts = parts.map((part) =>
    part
      .split('\n')
      .filter((line) => !/^\s*#/.test(line))
      .join('\n')
      .trim(),
  );
  return scripts.filter((script) => script !== '');
}

/** One of several ways, beside the others. */
export interface ComparedAlternative {
  /** As it was given, from 0. */
  index: number;
  action: CommandAction;
  prediction: Prediction;
  level: Level | undefined;
  /** Alternatives of the same group leave the same state; absent: what it leaves is not known. */
  group: number | undefined;
  /** In what its state differs from that of the first group; empty where it is the same or not known. */
  differences: StateDifference[];
  /** Why its state is not known. */
  because: Incomparable | undefined;
  /** How many paths, sets of commits and stashes are lost for good, and how many can be brought back. */
  losses: { forGood: number; back: number };
  cost: {
    /** How long the prediction took, in milliseconds. */
    durationMs: number;
    programs: number;
    /** Of its files, as they are written. */
    writtenBytes: number;
    /** Tokens of a language model, where one was asked. */
    tokens?: number;
  };
}

/** Several ways beside each other. */
export interface Comparison {
  /** In the order to choose from: the same state as most or as the first, nothing lost, less danger. */
  alternatives: ComparedAlternative[];
  /** How many of them leave the state of the first group. */
  agreeing: number;
  /** The one that reaches the state of the first group, loses nothing for good and is no danger; absent: none does. */
  best: number | undefined;
}

/** Predicts two to five commands, each from the real files, and says which leave the same state, and at what price. */
export async function compareAlternatives(
  foretell: Foretell,
  actions: readonly CommandAction[],
  request: SharedRequest,
): Promise<Comparison> {
  const { alternatives } = await rehearseAlternatives(foretell, actions, request);
  const groups: RehearsedAlternative[][] = [];
  const groupOf = new Map<RehearsedAlternative, number>();
  for (const one of alternatives) {
    const { state } = one;
    if (!state) continue;
    // What the stash holds besides keeps something and changes nothing.
    let at = groups.findIndex(
      ([first]) => first?.state && stateDifferences(state, first.state, { stash: true }).length === 0,
    );
    if (at < 0) at = groups.push([]) - 1;
    groups[at]?.push(one);
    groupOf.set(one, at);
  }
  // The first alternative is what the user means to reach, where its state is known.
  const wanted = groups[0]?.[0];
  const compared = alternatives.map((one, index): ComparedAlternative => {
    const { action, prediction, state, because } = one;
    const group = groupOf.get(one);
    const differences = state && wanted?.state && group !== 0 ? stateDifferences(state, wanted.state) : [];
    const losses = { forGood: prediction.loss.filter(isLostForGood).length, back: 0 };
    losses.back = prediction.loss.length - losses.forGood;
    return {
      ...{ index, action, prediction, level: prediction.verdict.level, group, differences, because, losses },
      cost: costOf(prediction),
    };
  });
  const ordered = [...compared].sort(betterFirst);
  const [first] = ordered;
  const isBest = first?.group === 0 && first.losses.forGood === 0 && first.level !== 'danger';
  return {
    alternatives: ordered,
    agreeing: groups[0]?.length ?? 0,
    best: isBest ? first.index : undefined,
  };
}

const levels: Readonly<Record<Level, number>> = { safe: 0, caution: 1, danger: 2 };

function betterFirst(a: ComparedAlternative, b: ComparedAlternative): number {
  return (
    order(a) - order(b) ||
    a.losses.forGood - b.losses.forGood ||
    levels[a.level ?? 'danger'] - levels[b.level ?? 'danger'] ||
    a.losses.back - b.losses.back ||
    a.index - b.index
  );
}

/** The wanted state, another known one, and then what nobody knows. */
function order({ group }: ComparedAlternative): number {
  return group === 0 ? 0 : group === undefined ? 2 : 1;
}

function costOf({ durationMs = 0, programs, files, questions }: Prediction): ComparedAlternative['cost'] {
  const written = files.filter(({ change }) => change === 'created' || change === 'modified');
  const tokens = questions.reduce(
    (sum, { reply }) => sum + (reply?.usage?.promptTokens ?? 0) + (reply?.usage?.completionTokens ?? 0),
    0,
  );
  return {
    durationMs,
    programs: programs.length,
    writtenBytes: written.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    ...(questions.length > 0 ? { tokens } : {}),
  };
}
