import fs from 'node:fs';
import path from 'node:path';
import { homeFolder } from '../context/user.ts';
import { quoteWord } from '../shell/quoteWord.ts';
import { clientFolder } from './staticClient.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Shells that can hold a line at Enter, and their start files. */
const startFiles = {
  bash: (env: Environment) => path.join(homeFolder(env), '.bashrc'),
  zsh: (env: Environment) => path.join(env['ZDOTDIR'] || homeFolder(env), '.zshrc'),
  fish: (env: Environment) =>
    path.join(env['XDG_CONFIG_HOME'] || path.join(homeFolder(env), '.config'), 'fish/config.fish'),
} as const;

/** A shell that can hold a line at Enter. */
export type EnterShell = keyof typeof startFiles;

/** All of them. */
export const enterShells = Object.keys(startFiles) as EnterShell[];

/** How lines at Enter are switched on in a shell. */
export interface EnterStart {
  shell: EnterShell;
  /** Its start file, absolute. */
  file: string;
  /** The line that belongs at the end of that. */
  line: string;
  /** It stands there. */
  isOn: boolean;
}

/** How it is switched on for this user, and whether it is. Looks at the start file. */
export function enterStart(shell: EnterShell, env: Environment): EnterStart {
  const file = startFiles[shell](env);
  const call = `${quoteWord(path.join(clientFolder(env), 'foretell'))} enter ${shell}`;
  return { shell, file, line: shell === 'fish' ? `${call} | source` : `eval "$(${call})"`, isOn: isOn(file, shell) };
}

function isOn(file: string, shell: EnterShell): boolean {
  try {
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    return lines.some((line) => line.includes(`enter ${shell}`) && line.includes('foretell') && !line.startsWith('#'));
  } catch {
    return false;
  }
}
