import type { Doubt } from '../../../facts/doubt.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { PredictRequest, Rehearsal } from '../../../prediction/rehearsal.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import type { StartState } from './shellState.ts';

/** What is known of names: those that stand for others, and functions. */
type Definitions = Pick<StartState, 'aliases' | 'functions'>;

const nothing: Definitions = { aliases: new Map(), functions: new Set() };

/**
 * A rehearsal of what would be typed at the prompt of a terminal's shell: where that shell could not be seen, or a name that
 * the command starts with means something else there than in the shell of the rehearsal, that is said.
 *
 * `startState`: what the shell of the rehearsal begins with; asked only where it matters.
 */
export function atPrompt(
  request: PredictRequest,
  rehearsal: Rehearsal,
  startState: () => Promise<Definitions | undefined>,
): Rehearsal {
  const { promptShell, action } = request;
  if (promptShell === undefined || action.kind !== 'command') return rehearsal;
  async function* events(): AsyncGenerator<FactEvent> {
    for await (const event of rehearsal.events) {
      const doubt = event.type === 'done' ? await doubtOf(request, startState) : undefined;
      if (doubt && event.type === 'done') yield { type: 'abstained', doubt, durationMs: event.durationMs };
      else yield event;
      if (event.type === 'started' && promptShell === 'unseen' && action.kind === 'command')
        yield { type: 'notice', fact: { kind: 'promptUnseen', shell: action.shell } };
    }
  }
  return { ...rehearsal, events: events() };
}

/** The first name of the script that means something else in the terminal. */
async function doubtOf(
  { action, promptShell, cwd, home, env }: PredictRequest,
  startState: () => Promise<Definitions | undefined>,
): Promise<Doubt | undefined> {
  if (action.kind !== 'command' || promptShell === undefined || promptShell === 'unseen') return undefined;
  const { aliases, functions } = promptShell;
  const names = new Set(findStaticPrograms(action.script, { cwd, home, env }).map(({ argv }) => argv[0] ?? ''));
  // Only of the words that are written: what a shell evaluates later has its names from there.
  const written = [...names].filter((name) => name !== '' && action.script.includes(name));
  if (written.length === 0) return undefined;
  const known = (await startState()) ?? nothing;
  for (const name of written) {
    if (aliases && aliases.get(name) !== known.aliases.get(name))
      return { kind: 'promptDefinition', name, is: 'alias' };
    if (functions && functions.has(name) !== known.functions.has(name))
      return { kind: 'promptDefinition', name, is: 'function' };
  }
  return undefined;
}
