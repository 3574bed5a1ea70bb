import type { TurnAction } from '../../../action/turnAction.ts';
import type { Contradiction, WorldFact } from '../../../facts/contradiction.ts';
import { judgeVerbs } from '../../../programs/verbs.ts';
import { onlyLooks } from '../conditions/checks/shellReading.ts';
import type { Domain } from '../prompt/turns/turn.ts';
import { commandOf } from '../prompt/turns/turnText.ts';
import { filePath, isReadingTool, observedFacts, type SeenTurn } from './observedFacts.ts';
import { type Json, leavesOf } from './resultValue.ts';

/** A fact, and the turn that showed it; 0: the description of the world. */
export interface KeptFact extends WorldFact {
  since: number;
}

/** What one turn has brought. */
export interface TakenTurn {
  /** What was not known before, or is another now. */
  facts: WorldFact[];
  contradictions: Contradiction[];
  /** How many of the facts that it shows were known. */
  compared: number;
}

/** What is known of a simulated world, written turn by turn. */
export interface Ledger {
  take(turn: SeenTurn): TakenTurn;
  facts(): readonly KeptFact[];
  contradictions(): readonly (Contradiction & { turn: number })[];
}

/** Of one session. The oldest facts are given up beyond that many. */
const mostFacts = 5_000;

/**
 * Keeps what observations show of things (`observedFacts`), and finds where one shows another value than before. An action
 * that names the thing, or the new value, may have changed it: then nothing is said. `stated`: facts of the description.
 * `readOnlyTools`: tools that say of themselves that they change nothing.
 */
export function createLedger(
  domain: Domain,
  { stated = [], readOnlyTools = [] }: { stated?: readonly WorldFact[]; readOnlyTools?: readonly string[] } = {},
): Ledger {
  const known = new Map<string, KeptFact>();
  const found: (Contradiction & { turn: number })[] = [];
  /** Actions that may have changed something, by the number of their turn. */
  const changing: { turn: number; action: TurnAction; isHardly: boolean }[] = [];
  let turns = 0;
  const keyOf = ({ entity, attribute }: WorldFact) => JSON.stringify([entity, attribute]);
  const keep = (fact: WorldFact, since: number) => {
    known.delete(keyOf(fact));
    known.set(keyOf(fact), { ...fact, since });
    if (known.size > mostFacts) known.delete(known.keys().next().value ?? '');
  };
  for (const fact of stated) keep(fact, 0);

  /** What may have made another value of it: `names` it, or `may` all the same. */
  function causeOf(before: KeptFact, after: string): 'named' | 'possible' | 'none' {
    const between = changing.filter(({ turn }) => turn > before.since);
    if (between.some(({ action, isHardly }) => !isHardly && namesThing(action, before, after))) return 'named';
    return between.length > 0 ? 'possible' : 'none';
  }

  return {
    take(turn) {
      turns += 1;
      const does = changes(domain, turn.action, readOnlyTools);
      if (does !== 'nothing') changing.push({ turn: turns, action: turn.action, isHardly: does === 'hardly' });
      const taken: TakenTurn = { facts: [], contradictions: [], compared: 0 };
      for (const fact of observedFacts(domain, turn)) {
        const before = known.get(keyOf(fact));
        if (before) taken.compared += 1;
        if (before?.value === fact.value) continue;
        const cause = before ? causeOf(before, fact.value) : 'named';
        if (before && cause !== 'named') {
          const { entity, attribute } = fact;
          const isCertain = cause === 'none';
          const one = { entity, attribute, before: before.value, after: fact.value, since: before.since, isCertain };
          taken.contradictions.push(one);
          found.push({ ...one, turn: turns });
          // What was shown first holds.
          if (isCertain) continue;
        }
        taken.facts.push(fact);
        keep(fact, turns);
      }
      return taken;
    },
    facts: () => [...known.values()],
    contradictions: () => found,
  };
}

/** Whether an action can have changed what others show. `hardly`: its tool is called as those that read are. */
function changes(
  domain: Domain,
  action: TurnAction,
  readOnlyTools: readonly string[],
): 'nothing' | 'hardly' | 'something' {
  if (domain === 'search') return 'nothing';
  const command = commandOf(action);
  if (command !== undefined) return onlyLooks(command) ? 'nothing' : 'something';
  if (action.kind !== 'tool') return 'something';
  if (readOnlyTools.includes(action.name) || isReadingTool(action.name)) return 'nothing';
  const words = action.name.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
  return judgeVerbs(words) === 'reads' ? 'hardly' : 'something';
}

/** Whether an action speaks of a thing, or of its new value. What runs in a shell may change any file. */
function namesThing(action: TurnAction, { entity, attribute }: WorldFact, after: string): boolean {
  if (action.kind !== 'tool' || commandOf(action) !== undefined) return true;
  if (attribute === 'content' && filePath(action) !== undefined) return filePath(action) === entity;
  const told = leavesOf(action.arguments as Json).map(({ value }) => `${value}`);
  // The entity of a record ends with its identity; that of a call has all that the call asked for.
  return told.some((text) => text !== '' && (text === after || entity === text || entity.endsWith(` ${text}`)));
}
