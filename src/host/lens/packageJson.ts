import { quoteWord } from '../../core/shell/quoteWord.ts';
import { lineOf, readJson } from './jsonText.ts';
import type { Runnable } from './runnable.ts';

/** The scripts of a package.json, run as the package manager that it names would be asked to. */
export function packageJsonRunnables(text: string): Runnable[] {
  const root = readJson(text);
  const named = root?.members?.get('packageManager')?.node.value;
  const program = (typeof named === 'string' && /^(npm|yarn|pnpm|bun)@/.exec(named)?.[1]) || 'npm';
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
