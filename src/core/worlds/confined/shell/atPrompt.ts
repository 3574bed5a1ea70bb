import type { Doubt } from '../../../facts/doubt.ts';
import type { FactEvent } from '../../../prediction/factEvent.ts';
import type { PredictRequest, Rehearsal } from '../../../prediction/rehearsal.ts';
import { programNamed } from '../../../programs/programOf.ts';
import { findStaticPrograms } from '../../../programs/staticPrograms.ts';
import { wordsIn } from '../../../shell/callsFunction.ts';
import { foundOnPath } from '../../../shell/foundOnPath.ts';
import { readScript } from '../../../shell/script.ts';
import { withoutOrigin } from './fishFunctions.ts';
import type { StartState } from './startState.ts';

/** What is known of names: those that stand for others, and functions. */
type Definitions = Pick<StartState, 'aliases' | 'functions'>;

/** How the shell of the rehearsal is asked. */
export interface AskedShell {
  /** What it begins with; asked only where it matters. */
  startState(request: PredictRequest): Promise<Definitions | undefined>;
  /** Whether it begins with what could not be read. */
  isStartUnread(request: PredictRequest): Promise<boolean>;
  /** Of a fish: its functions of these names, see `fishFunctions`. */
  fishFunctions(request: PredictRequest, names: readonly string[]): Promise<ReadonlyMap<string, string> | undefined>;
}

const nothing: Definitions = { aliases: new Map(), functions: new Set() };

/**
 * A rehearsal of what would be typed at the prompt of a terminal's shell: where that shell could not be seen, or a name that
 * the command starts with means something else there than in the shell of the rehearsal, that is said. So it is where the start
 * files of the user's shell count and could not be read.
 */
export function atPrompt(request: PredictRequest, rehearsal: Rehearsal, asked: AskedShell): Rehearsal {
  const { promptShell, action } = request;
  if ((promptShell === undefined && !request.interactive) || action.kind !== 'command') return rehearsal;
  async function* events(): AsyncGenerator<FactEvent> {
    let exitCode: number | undefined;
    for await (const event of rehearsal.events) {
      if (event.type === 'exit') exitCode = event.code;
      const doubt = event.type === 'done' ? await doubtOf(request, asked, exitCode) : undefined;
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
  request: PredictRequest,
  asked: AskedShell,
  exitCode: number | undefined,
): Promise<Doubt | undefined> {
  const { action, promptShell, cwd, home, env } = request;
  if (action.kind === 'command' && (await asked.isStartUnread(request)))
    return { kind: 'startUnread', shell: action.shell };
  if (action.kind !== 'command' || promptShell === undefined) return undefined;
  const names = new Set(findStaticPrograms(action.script, { cwd, home, env }).map(({ argv }) => argv[0] ?? ''));
  // Only of the words that are written: what a shell evaluates later has its names from there.
  const written = [...names].filter((name) => name !== '' && action.script.includes(name));
  if (written.length === 0) return undefined;
  if (promptShell === 'unseen') return unknownName(request, written, asked, exitCode);
  const { aliases, functions, definitions } = promptShell;
  const others = definitions && (await otherFunction(request, definitions, written, asked));
  if (others !== undefined) return { kind: 'promptDefinition', name: others, is: 'function' };
  const begins = await asked.startState(request);
  const known = begins ?? nothing;
  for (const name of written) {
    if (aliases && aliases.get(name) !== known.aliases.get(name))
      return { kind: 'promptDefinition', name, is: 'alias' };
    if (functions && functions.has(name) !== known.functions.has(name))
      return { kind: 'promptDefinition', name, is: 'function' };
  }
  const used = aliasesUsed(action.script, written, promptShell);
  // Those of zsh that stand for other than commands are all there, or none.
  const other = begins ? undefined : used.names.find((name) => aliases?.get(name) === undefined);
  if (other !== undefined) return { kind: 'promptDefinition', name: other, is: 'alias' };
  const reached = functions && used.words.find((name) => functions.has(name) !== known.functions.has(name));
  return reached === undefined ? undefined : { kind: 'promptDefinition', name: reached, is: 'function' };
}

/** How a shell ends that found no command of a name (POSIX, Shell Command Language, 2.8.2). */
const notFound = 127;

/** The first name that nothing has but the shell in the terminal, perhaps, where that could not be seen. */
async function unknownName(
  request: PredictRequest,
  written: readonly string[],
  asked: AskedShell,
  exitCode: number | undefined,
): Promise<Doubt | undefined> {
  const own = new Set(request.action.kind === 'command' ? readScript(request.action.script).functions : []);
  const isMissing = (name: string) => !name.includes('/') && !own.has(name) && !foundOnPath(name, request.env);
  const names = written.filter(isMissing);
  // A single command tells by how it ends; of several the others may have failed, and some are the shell's own.
  const suspects = written.length === 1 && exitCode !== notFound ? [] : names;
  const strange = exitCode === notFound ? suspects : suspects.filter((name) => programNamed(name) === undefined);
  if (strange.length === 0) return undefined;
  const begins = (await asked.startState(request)) ?? nothing;
  const fish = await asked.fishFunctions(request, strange);
  const name = strange.find((one) => !begins.aliases.has(one) && !begins.functions.has(one) && !fish?.has(one));
  return name === undefined ? undefined : { kind: 'promptName', name };
}

/** The aliases that a script uses, one by the other, and all words that they stand for: some are names of what is started. */
function aliasesUsed(
  script: string,
  written: readonly string[],
  { aliases, globalAliases, suffixAliases }: Exclude<PredictRequest['promptShell'], 'unseen' | undefined>,
): { names: string[]; words: string[] } {
  const names = new Set<string>();
  const words = new Set<string>();
  const waiting = [...written, ...wordsIn(script).filter((word) => globalAliases?.has(word))];
  for (let word = waiting.pop(); word !== undefined; word = waiting.pop()) {
    const ending = word.includes('.') ? word.slice(word.lastIndexOf('.') + 1) : '';
    const text = aliases?.get(word) ?? globalAliases?.get(word) ?? suffixAliases?.get(ending);
    if (text === undefined || names.has(word)) continue;
    names.add(word);
    for (const next of wordsIn(text)) {
      words.add(next);
      waiting.push(next);
    }
  }
  return { names: [...names], words: [...words] };
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
