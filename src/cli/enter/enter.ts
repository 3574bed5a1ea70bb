import fs from 'node:fs';
import path from 'node:path';
import { type EnterShell, enterShells, enterStart } from '../../core/hooks/enterStart.ts';
import { clientFolder } from '../../core/hooks/staticClient.ts';
import { quoteWord } from '../../core/shell/quoteWord.ts';
import { inSentence } from '../../core/view/quantity.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { readWord } from '../readArguments.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What `foretell enter` needs of the process around it. */
export interface EnterProcess {
  /** Of the built command line; what the shells evaluate is beside it. */
  distFolder: string;
  env: Environment;
  /** Puts the static client into its place; false: it cannot be. */
  provide(): boolean;
  say(text: string): Promise<unknown>;
  tell(line: string): void;
}

const flags = { ...helpFlag } as const satisfies Flags;

const usage = `Usage: foretell enter [status]
       foretell enter bash|zsh|fish      (what that shell evaluates in its start file)

Predicts what you type when you press Enter, in any terminal. A line that loses nothing runs as ever. One in which the prediction
finds danger is held: two lines say what would be lost and the way back; Enter again runs it, Esc goes back, and an edited line is
predicted again. It is off until you put one line into the start file of your shell; status says which. An answer that takes longer than
0.3 s is not waited for (FORETELL_ENTER_WITHIN: milliseconds); then a line is held only where its words alone are dangerous.
FORETELL_ENTER_HINT=on above that line lets zsh say what a line would do while it is typed, after a pause.

${optionsText({ Options: flags })}
Exit status
  0 done   3 it could not be done   64 wrong usage
`;

/** Whether the arguments of the command line ask for lines at Enter, not for a program that is called so. */
export function asksForEnter([first, second, ...more]: readonly string[]): boolean {
  if (first !== 'enter' || more.length > 0) return false;
  return (
    second === undefined || second.startsWith('-') || second === 'status' || enterShells.some((one) => one === second)
  );
}

/** Runs `foretell enter …`; `args` come after `enter`. Gives the exit status. */
export async function runEnter(args: string[], around: EnterProcess): Promise<number> {
  const { env, say, tell } = around;
  const parsed = await readWord(args, flags, { word: 'foretell enter', usage }, { say, tell });
  if ('status' in parsed) return parsed.status;
  const shell = enterShells.find((one) => one === parsed.positionals[0]);
  if (!around.provide()) {
    tell(
      `foretell: The program that shells ask cannot be put into ${inSentence(clientFolder(env))}; lines run as ever.`,
    );
    return 3;
  }
  await say(shell === undefined ? statusText(env) : startText(shell, around));
  return 0;
}

/** What a shell evaluates; the static client says the same to it (`src/native/client/start.c`). */
function startText(shell: EnterShell, { distFolder, env }: EnterProcess): string {
  const program = quoteWord(path.join(clientFolder(env), 'foretell-enter'), shell === 'fish' ? 'fish' : undefined);
  const sets = shell === 'fish' ? `set -g __foretell_client ${program}` : `__foretell_client=${program}`;
  return `${sets}\n${fs.readFileSync(path.join(distFolder, 'enter', `enter.${shell}`), 'utf8')}`;
}

function statusText(env: Environment): string {
  return enterShells
    .map((shell) => {
      const { file, line, isOn } = enterStart(shell, env);
      const named = inSentence(file);
      return isOn
        ? `${shell}: on (${named}). To switch it off, take its line out of that file.\n`
        : `${shell}: off. To switch it on, put this line at the end of ${named}:\n  ${line}\n`;
    })
    .join('');
}
