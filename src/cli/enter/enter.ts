import fs from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../../core/context/user.ts';
import { clientFolder } from '../../core/hooks/staticClient.ts';
import { quoteWord } from '../../core/shell/quoteWord.ts';
import { inSentence } from '../../core/view/quantity.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { complainTo, readArguments } from '../readArguments.ts';

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

/** Shells that hold a line, and their start files. */
const startFiles = {
  bash: (env: Environment) => path.join(homeFolder(env), '.bashrc'),
  zsh: (env: Environment) => path.join(env['ZDOTDIR'] || homeFolder(env), '.zshrc'),
  fish: (env: Environment) =>
    path.join(env['XDG_CONFIG_HOME'] || path.join(homeFolder(env), '.config'), 'fish/config.fish'),
} as const;
type EnterShell = keyof typeof startFiles;
const shells = Object.keys(startFiles) as EnterShell[];

const flags = { ...helpFlag } as const satisfies Flags;

const usage = `Usage: foretell enter [status]
       foretell enter bash|zsh|fish      (what that shell evaluates in its start file)

Predicts what you type when you press Enter, in any terminal. A line that loses nothing runs as ever. One in which the prediction
finds danger is held: two lines say what would be lost and the way back; Enter again runs it, Esc goes back, and an edited line is
asked anew. It is off until you put one line into the start file of your shell, which status tells. Whoever does not answer within
0.3 s is not waited for (FORETELL_ENTER_WITHIN: milliseconds); then a line is held only where its words alone are dangerous.

${optionsText({ Options: flags })}
Exit status
  0 done   3 it could not be done   64 wrong usage
`;

/** Whether the arguments of the command line ask for lines at Enter, not for a program that is called so. */
export function asksForEnter([first, second, ...more]: readonly string[]): boolean {
  if (first !== 'enter' || more.length > 0) return false;
  return second === undefined || second.startsWith('-') || second === 'status' || shells.some((one) => one === second);
}

/** Runs `foretell enter …`; `args` come after `enter`. Gives the exit status. */
export async function runEnter(args: string[], around: EnterProcess): Promise<number> {
  const { env, say, tell } = around;
  const parsed = readArguments(args, flags, { word: 'foretell enter' });
  if ('problem' in parsed) return complainTo(tell)(parsed.problem);
  if (parsed.values.help) {
    await say(usage);
    return 0;
  }
  const shell = shells.find((one) => one === parsed.positionals[0]);
  if (!around.provide()) {
    tell(`foretell: The program that shells ask cannot be put into ${inSentence(clientFolder(env))}; lines run as ever.`);
    return 3;
  }
  await say(shell === undefined ? statusText(env) : startText(shell, around));
  return 0;
}

/** What a shell evaluates; the static client writes the same (`src/native/client/start.c`). */
function startText(shell: EnterShell, { distFolder, env }: EnterProcess): string {
  const program = quoteWord(path.join(clientFolder(env), 'foretell-enter'), shell === 'fish' ? 'fish' : undefined);
  const sets = shell === 'fish' ? `set -g __foretell_client ${program}` : `__foretell_client=${program}`;
  return `${sets}\n${fs.readFileSync(path.join(distFolder, 'enter', `enter.${shell}`), 'utf8')}`;
}

/** The line for the start file of a shell. */
function startLine(shell: EnterShell, env: Environment): string {
  const call = `${quoteWord(path.join(clientFolder(env), 'foretell'))} enter ${shell}`;
  return shell === 'fish' ? `${call} | source` : `eval "$(${call})"`;
}

function statusText(env: Environment): string {
  return shells
    .map((shell) => {
      const file = startFiles[shell](env);
      const named = inSentence(file);
      return isOn(file, shell)
        ? `${shell}: on (${named}). To switch it off, take its line out of that file.\n`
        : `${shell}: off. To switch it on, put this line at the end of ${named}:\n  ${startLine(shell, env)}\n`;
    })
    .join('');
}

function isOn(file: string, shell: EnterShell): boolean {
  try {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    return lines.some((line) => line.includes(`enter ${shell}`) && line.includes('foretell') && !line.startsWith('#'));
  } catch {
    return false;
  }
}
