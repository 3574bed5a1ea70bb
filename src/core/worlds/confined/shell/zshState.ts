import fs from 'node:fs';
import path from 'node:path';
import type { PromptShell } from '../../../prediction/rehearsal.ts';
import { quoteWord } from '../../../shell/quoteWord.ts';
import type { StartState } from './shellState.ts';
import { startFile } from './startFile.ts';

/** zsh(1): one of them is read by every zsh, whatever it is told. */
const readAlways = ['/etc/zshenv', '/etc/zsh/zshenv'];

/** What may lead a zsh elsewhere than to our start file, or change how it reads that. */
const leadsAway = /zdotdir|rcs\b|\b(?:exit|exec|emulate)\b|\bset(?:opt)?\s+[-+]/i;

/**
 * What a zsh that runs one command has to have to call things as the one at its prompt does: a folder whose `.zshenv` it reads in
 * place of the user's. zsh expands aliases itself. `env`: what the prompt exports. `undefined`: it has no aliases, or nobody can
 * say that the file would be read.
 */
export function zshState(
  storageFolder: string,
  { aliases, globalAliases, suffixAliases }: PromptShell,
  env: Readonly<Record<string, string>>,
): StartState | undefined {
  const defined = [
    ...definitions('alias', aliases),
    ...definitions('alias -g', globalAliases),
    ...definitions('alias -s', suffixAliases),
  ];
  if (!aliases || defined.length === 0 || readAlways.some(mayLeadAway)) return undefined;
  const { ZDOTDIR: own } = env;
  const lines = [
    own === undefined ? 'unset ZDOTDIR' : `export ZDOTDIR=${quoteWord(own)}`,
    "unalias -m '*'",
    ...defined,
  ];
  const file = startFile(storageFolder, 'zsh', '/.zshenv', `${lines.join('\n')}\n`);
  const start = { options: [], env: { ZDOTDIR: path.dirname(file) }, file };
  return { aliases, functions: new Set(), start: () => start };
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
