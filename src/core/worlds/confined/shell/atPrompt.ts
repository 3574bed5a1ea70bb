import type { Doubt } from '../../../facts/doubt.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { PredictRequest, Rehearsal } from '../../../prediction/rehearsal.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import { withoutOrigin } from './fishFunctions.ts';
import type { StartState } from './shellState.ts';

/** What is known of names: those that stand for others, and functions. */
type Definitions = Pick<StartState, 'aliases' | 'functions'>;

/** How the shell of the rehearsal is asked. */
export interface AskedShell {
  /** What it begins with; asked only where it matters. */
  startState(request: PredictRequest): Promise<Definitions | undefined>;
  /** Of a fish: its functions of these names, see `fishFunctions`. */
  fishFunctions(request: PredictRequest, names: readonly string[]): Promise<ReadonlyMap<string, string> | undefined>;
}

const nothing: Definitions = { aliases: new Map(), functions: new Set() };

/**
 * A rehearsal of what would be typed at the prompt of a terminal's shell: where that shell could not be seen, or a name that
 * the command starts with means something else there than in the shell of the rehearsal, that is said.
 */
export function atPrompt(request: PredictRequest, rehearsal: Rehearsal, asked: AskedShell): Rehearsal {
  const { promptShell, action } = request;
  if (promptShell === undefined || action.kind !== 'command') return rehearsal;
  async function* events(): AsyncGenerator<FactEvent> {
    for await (const event of rehearsal.events) {
      const doubt = event.type === 'done' ? await doubtOf(request, asked) : undefined;
      if (doubt && event.type === 'done') yield { type: 'abstained', doubt, durationMs: event.durationMs };
      else yield event;
      if (event.type === 'started' && promptShell === 'unseen' && action.kind === 'command')
        yield { type: 'notice', fact: { kind: 'promptUnseen', shell: action.shell } };
    }
  }
  return { ...rehearsal, events: events() };
}

/** The first name of the script that means something else in the terminal. */
async function doubtOf(request: PredictRequest, asked: AskedShell): Promise<Doubt | undefined> {
  const { action, promptShell, cwd, home, env } = request;
  if (action.kind !== 'command' || promptShell === undefined || promptShell === 'unseen') return undefined;
  const { aliases, functions, definitions } = promptShell;
  const names = new Set(findStaticPrograms(action.script, { cwd, home, env }).map(({ argv }) => argv[0] ?? ''));
  // Only of the words that are written: what a shell evaluates later has its names from there.
  const written = [...names].filter((name) => name !== '' && action.script.includes(name));
  if (written.length === 0) return undefined;
  const others = definitions && (await otherFunction(request, definitions, written, asked));
  if (others !== undefined) return { kind: 'promptDefinition', name: others, is: 'function' };
  const known = (await asked.startState(request)) ?? nothing;
  for (const name of written) {
    if (aliases && aliases.get(name) !== known.aliases.get(name))
      return { kind: 'promptDefinition', name, is: 'alias' };
    if (functions && functions.has(name) !== known.functions.has(name))
      return { kind: 'promptDefinition', name, is: 'function' };
  }
  return undefined;
}

/** The first of these names that is another function at the prompt; one of which nobody could say it counts as such. */
async function otherFunction(
  request: PredictRequest,
  definitions: ReadonlyMap<string, string>,
  written: readonly string[],
  asked: AskedShell,
): Promise<string | undefined> {
  const named = written.filter((name) => definitions.has(name));
  if (named.length === 0) return undefined;
  const known = await asked.fishFunctions(request, named);
  return named.find((name) => known?.get(name) !== withoutOrigin(definitions.get(name) ?? ''));
}
