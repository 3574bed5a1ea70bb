import fs from 'node:fs';
import path from 'node:path';
import { countOf, formatBytes, inSentence } from '../core/view/quantity.ts';
import { clearKept, listKept, memoryFolder } from '../core/worlds/remembered/memoryStore.ts';
import { type Flags, helpFlag, optionsText } from './helpText.ts';
import { readWord } from './readArguments.ts';

/** What `foretell memory` needs of the process around it. */
export interface MemoryProcess {
  /** The working directory; empty where there is none. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Writes to standard output. */
  say(text: string): Promise<unknown>;
  /** Writes one line to standard error. */
  tell(line: string): void;
}

const words = ['list', 'clear'];

const flags = {
  json: { type: 'boolean', help: 'one JSON object instead of text' },
  ...helpFlag,
} as const satisfies Flags;

const usage = `Usage: foretell memory [list]             (lists the rehearsals that are remembered)
       foretell memory clear [FOLDER]     (forgets them all, or those of one workspace)

A rehearsal of programs that you let run is remembered for a day, with everything that it read. The same command with the
same inputs is then answered at once, and nothing is run; --fresh rehearses it again. What shows a secret is not kept. It is
kept with your own state (XDG_STATE_HOME, else ~/.local/state), never in the folder. A real run that comes out the same is noted with
it; one that comes out otherwise makes it forgotten, and the command is rehearsed each time for a day.

${optionsText({ Options: flags })}
Exit status
  0 done   64 wrong usage
`;

/** Whether the arguments of the command line ask for what is remembered, not for a program that is called so. */
export function asksForMemory([first, ...rest]: readonly string[]): boolean {
  return first === 'memory' && rest.every((one, at) => one.startsWith('-') || (at === 0 ? words.includes(one) : true));
}

/** Runs `foretell memory …`; `args` come after `memory`. Gives the exit status. */
export async function runMemory(args: string[], { cwd, env, say, tell }: MemoryProcess): Promise<number> {
  const read = await readWord(args, flags, { word: 'foretell memory', usage }, { say, tell });
  if ('status' in read) return read.status;
  const { values, positionals, wrong } = read;
  const isJson = values.json === true;
  const [word = 'list', named, ...more] = positionals;
  if (more.length > 0 || (word === 'list' && named !== undefined))
    return wrong(`memory ${word} takes ${word === 'list' ? 'no' : 'one'} FOLDER; see foretell memory --help.`);
  const folder = memoryFolder(env);
  if (word === 'clear') {
    const count = clearKept(folder, named === undefined ? undefined : realFolder(path.resolve(cwd, named)));
    await say(
      isJson ? `${JSON.stringify({ version: 1, forgotten: count })}\n` : `Forgot ${countOf(count, 'rehearsal')}.\n`,
    );
    return 0;
  }
  const kept = listKept(folder);
  if (isJson) await say(`${JSON.stringify({ version: 1, folder, remembered: kept })}\n`);
  else if (kept.length === 0) await say('No rehearsal is remembered.\n');
  else {
    const lines = kept.map(({ madeAt, script, cwd: place, inputs, bytes, reallyAt }) => {
      const [line = ''] = script.split('\n');
      const really =
        reallyAt === undefined ? '' : `, came out so for real at ${reallyAt.slice(0, 16).replace('T', ' ')}`;
      return `${madeAt.slice(0, 16).replace('T', ' ')}  ${inSentence(place)}  ${line}  (${countOf(inputs, 'input')}, ${formatBytes(bytes)}${really})`;
    });
    await say(`${lines.join('\n')}\n`);
  }
  return 0;
}

function realFolder(folder: string): string {
  try {
    return fs.realpathSync(folder);
  } catch {
    return folder;
  }
}
