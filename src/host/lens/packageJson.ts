import { programNamed } from '../../core/programs/programOf.ts';
import { quoteWord } from '../../core/shell/quoteWord.ts';
import { lineOf, readJson } from './jsonText.ts';
import type { Runnable } from './runnable.ts';

/** The scripts of a package.json, run as the package manager that it names would be asked to. */
export function packageJsonRunnables(text: string): Runnable[] {
  const root = readJson(text);
  const named = root?.members?.get('packageManager')?.node.value;
  const manager = typeof named === 'string' ? named.replace(/@.*/s, '') : '';
  const program = programNamed(manager)?.runsScripts ? manager : 'npm';
  const scripts = root?.members?.get('scripts')?.node.members ?? new Map();
  return [...scripts]
    .filter(([, { node }]) => typeof node.value === 'string')
    .map(([name, { offset }]) => ({
      line: lineOf(text, offset),
      text: `${program} run ${quoteWord(name)}`,
      source: 'editor',
      start: 'file',
      title: 'Predict',
    }));
}
