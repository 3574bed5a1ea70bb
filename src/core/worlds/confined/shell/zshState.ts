import fs from 'node:fs';
import path from 'node:path';
import type { PromptShell } from '../../../prediction/rehearsal.ts';
import { quoteWord } from '../../../shell/quoteWord.ts';
import { startFile } from './startFile.ts';
import type { StartState } from './startState.ts';

/** zsh(1): one of them is read by every zsh, whatever it is told. */
const readAlways = ['/etc/zshenv', '/etc/zsh/zshenv'];

/** What may lead a zsh elsewhere than to our start file, or change how it reads that. */
const leadsAway = /zdotdir|rcs\b|\b(?:exit|exec|emulate)\b|\bset(?:opt)?\s+[-+]/i;

/** What decides which start files are read, and those are read by then. */
const ofStart = ['rcs', 'globalrcs'];

/** What shows or ends lines that it stands before. */
const ofLines = /^(?:xtrace|verbose|errexit|errreturn|exec|unset|warn\w+)$/;

/** What start files define besides aliases and options. */
export interface ZshDefinitions {
  functions: ReadonlySet<string>;
  /** Functions, variables and names of folders, as lines that define them. */
  text: string;
}

/** At a prompt zsh begins with no comments, and a script has them always; the sign that begins one is another then. */
const noComments = "histchars=$'!^\\x01'";

/**
 * What a zsh that runs one command has to have to understand it as the one at its prompt does: a folder whose `.zshenv` it reads in
 * place of the user's. zsh expands aliases itself. `env`: what the prompt exports. `undefined`: it has no aliases, options and
 * comments of its own, or nobody can say that the file would be read.
 */
export function zshState(
  storageFolder: string,
  { aliases, globalAliases, suffixAliases, options }: Omit<PromptShell, 'startedWith' | 'functions'>,
  env: Readonly<Record<string, string>>,
  also?: ZshDefinitions,
): StartState | undefined {
  const defined = [
    ...definitions('alias', aliases),
    ...definitions('alias -g', globalAliases),
    ...definitions('alias -s', suffixAliases),
  ];
  if (!aliases || (defined.length === 0 && !options && !also) || readAlways.some(mayLeadAway)) return undefined;
  const { ZDOTDIR: own } = env;
  const lines = [
    own === undefined ? 'unset ZDOTDIR' : `export ZDOTDIR=${quoteWord(own)}`,
    "unalias -m '*'",
    // How functions are read, before them; aliases would be expanded in them.
    ...(also && options ? setting(options, (name) => !ofLines.test(name)) : []),
    ...(also ? [also.text] : []),
    ...defined,
    // What is set last counts for nothing that stands here.
    ...(options ? [...setting(options), ...(options.get('interactivecomments') ? [] : [noComments])] : []),
  ];
  const start = () => {
    const file = startFile(storageFolder, 'zsh', '/.zshenv', `${lines.join('\n')}\n`);
    // Only one that would take commands from standard input goes into a folder that is named alone.
    return { options: options?.get('autocd') ? ['-s'] : [], env: { ZDOTDIR: path.dirname(file) }, file };
  };
  return { aliases, functions: also?.functions ?? new Set(), start };
}

/** In one line: the first may change how the next would be read. */
function setting(options: ReadonlyMap<string, boolean>, isMeant: (name: string) => boolean = () => true): string[] {
  const words = wordsOf(new Map([...options].filter(([name]) => isMeant(name))));
  return words.length === 0 ? [] : [`setopt ${words.join(' ')}`];
}

/** The same where no start file may be written: as words of its command line. */
export function zshFlags({ options }: Pick<PromptShell, 'options'>): string[] {
  return options ? wordsOf(options).flatMap((word) => ['-o', word]) : [];
}

function wordsOf(options: ReadonlyMap<string, boolean>): string[] {
  const counts = [...options].filter(([name]) => !ofStart.includes(name) && /^[a-z]+$/.test(name));
  return counts.sort().map(([name, isOn]) => (isOn ? name : `no${name}`));
}

function definitions(word: string, aliases: ReadonlyMap<string, string> = new Map()): string[] {
  return [...aliases].flatMap(([name, text]) =>
    name.includes('=') ? [] : [`${word} -- ${quoteWord(name)}=${quoteWord(text)}`],
  );
}

function mayLeadAway(file: string): boolean {
  if (!fs.existsSync(file)) return false;
  try {
    return leadsAway.test(fs.readFileSync(file, 'utf8').replaceAll(/^\s*#.*$/gm, ''));
  } catch {
    return true;
  }
}
