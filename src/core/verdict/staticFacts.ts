import type { CommandAction } from '../action/action.ts';
import type { Effect } from '../facts/effect.ts';
import type { ProgramFact } from '../facts/programFact.ts';
import type { Incompleteness } from '../facts/risk.ts';
import { describeProgram, expectedDetail } from '../programs/describeProgram.ts';
import { findStaticPrograms } from '../programs/staticPrograms.ts';
import type { StaticProgram } from '../shell/evaluated.ts';
import { readScript } from '../shell/script.ts';
import type { Facts } from './facts.ts';

/** What facts from the script alone are made from. */
export interface StaticFactsInput {
  action: CommandAction;
  workspaceFolders: readonly string[];
  home: string;
  userId: number;
  env: Readonly<Record<string, string | undefined>>;
  /** The programs that the script's text names; absent: nobody has read it yet. */
  written?: readonly StaticProgram[];
  /** Why nothing could be run. */
  incomplete?: Incompleteness | undefined;
}

/** The programs that the text of an action names, as far as it tells; none of what is no command. `texts`: of files that they read. */
export function writtenPrograms(
  { action, home, env }: Pick<Facts, 'action' | 'home' | 'env'>,
  texts?: ReadonlyMap<string, string>,
): StaticProgram[] {
  if (action.kind !== 'command') return [];
  const { script, cwd, shell } = action;
  return findStaticPrograms(readScript(script), { cwd, home, env, shell, ...(texts ? { texts } : {}) });
}

/**
 * Facts for a verdict where nothing could be run: the programs that the script's text names, all `assumed`, and the
 * effects that the table of known programs expects of them. They know no files and no losses.
 */
export function staticFacts(input: StaticFactsInput): Facts {
  const { action, home, env, workspaceFolders } = input;
  const programs: ProgramFact[] = [];
  const effects = new Map<string, Effect>();
  const written = input.written ?? writtenPrograms(input);
  for (const { argv, cwd, inside } of written) {
    if (argv.length === 0) continue;
    programs.push({ argv, cwd, basis: 'assumed', ...(inside ? { lookedThrough: true } : {}) });
    for (const { effect, detail } of describeProgram(argv, cwd, { home, workspaceFolders }).effects) {
      // A loop starts the same call again and again.
      effects.set(JSON.stringify([effect, argv]), {
        effect,
        detail: expectedDetail(argv, detail),
        basis: 'assumed',
        expectedOf: argv,
      });
    }
  }
  const facts: Facts = {
    action,
    workspaceFolders,
    home,
    userId: input.userId,
    env,
    programs,
    written,
    files: [],
    effects: [...effects.values()],
    loss: [],
    errors: '',
  };
  if (input.incomplete !== undefined) facts.incomplete = input.incomplete;
  return facts;
}
