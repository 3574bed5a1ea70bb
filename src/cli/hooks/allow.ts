import { calledByAgent } from '../../core/hooks/calledByAgent.ts';
import { hookFolder } from '../../core/hooks/hookFolder.ts';
import { createReleases } from '../../core/hooks/release.ts';
import { inSentence } from '../../core/view/quantity.ts';
import { type Flags, helpFlag, optionsText } from '../helpText.ts';
import { readArguments } from '../readArguments.ts';

/** What `foretell allow` needs of the process around it. */
export interface AllowProcess {
  env: Readonly<Record<string, string | undefined>>;
  /** A person types here. */
  isAtTerminal: boolean;
  say(text: string): Promise<unknown>;
  tell(line: string): void;
  /** Default: looks at the variables and at the processes above. */
  calledByAgent?: typeof calledByAgent;
}

const flags = { ...helpFlag } as const satisfies Flags;

const usage = `Usage: foretell allow CODE

Lets one call of an agent through that foretell hook has denied: exactly the effect that was predicted, in its folder, once,
within ten minutes. The denial tells the code. Only you can do it, at a terminal of your own: it is refused to agents.

${optionsText({ Options: flags })}
Exit status
  0 done   1 refused   3 there is no such code   64 wrong usage
`;

/** Whether the arguments of the command line ask for a release, not for a program that is called so. */
export function asksForAllow([first, second, ...more]: readonly string[]): boolean {
  return first === 'allow' && more.length === 0 && (second === undefined || /^(?:-.*|[0-9a-f]{6})$/i.test(second));
}

/** Runs `foretell allow CODE`; `args` come after `allow`. Gives the exit status. */
export async function runAllow(args: string[], around: AllowProcess): Promise<number> {
  const { env, isAtTerminal, say, tell } = around;
  const parsed = readArguments(args, flags, { word: 'foretell allow' });
  if (!('problem' in parsed) && parsed.values.help) {
    await say(usage);
    return 0;
  }
  const [code] = 'problem' in parsed ? [] : parsed.positionals;
  if ('problem' in parsed || code === undefined) {
    tell(
      `foretell: ${'problem' in parsed ? parsed.problem : 'allow takes the CODE that a denial tells; see foretell allow --help.'}`,
    );
    return 64;
  }
  const agent = (around.calledByAgent ?? calledByAgent)(env);
  if (agent !== undefined || !isAtTerminal) {
    tell(
      `foretell: Only the user may let a denied call through (${agent ?? 'this is no terminal'}); type it in a terminal of your own.`,
    );
    return 1;
  }
  const released = createReleases(hookFolder(env)).release(code.toLowerCase(), Date.now());
  if (!released) {
    tell(
      `foretell: There is no denied call with the code ${inSentence(code)}, or it is an hour old; let the agent make the call again.`,
    );
    return 3;
  }
  const { title, folder, verdict } = released;
  await say(
    `Let through once, for ten minutes, in ${inSentence(folder)}: ${inSentence(title)}\n${inSentence(verdict, 400)}\nNow let the agent make the same call again.\n`,
  );
  return 0;
}
