import path from 'node:path';
import { quoteWord } from '../../core/shell/quoteWord.ts';
import { lineOf, readJson } from './jsonText.ts';
import type { LensFile, Runnable } from './runnable.ts';

/** Folders in which a task says it runs are written with VS Code's variables; only those that are known here. */
function substitute(text: string, file: LensFile): string | undefined {
  const folder = file.workspaceFolder ?? path.dirname(path.dirname(file.path));
  const replaced = text.replace(/\$\{([^}]+)\}/g, (whole, name: string) => {
    if (name === 'workspaceFolder' || name === 'workspaceRoot' || name === 'cwd') return folder;
    if (name === 'workspaceFolderBasename') return path.basename(folder);
    if (name === 'userHome') return file.home;
    if (name === 'pathSeparator' || name === '/') return path.sep;
    if (name.startsWith('env:')) return `$${name.slice(4)}`;
    return whole;
  });
  return /\$\{(?:input|config|command|file|relativeFile|line|select|default)/.test(replaced) ? undefined : replaced;
}

/** The tasks of a tasks.json that run a command. One that depends on the open file or asks is left out. */
export function tasksRunnables(file: LensFile): Runnable[] {
  const tasks = readJson(file.text)?.members?.get('tasks')?.node.items ?? [];
  return tasks.flatMap((node) => {
    const script = readTask(node.value, file);
    if (script === undefined) return [];
    const shown = node.members?.get('command') ?? node.members?.get('script') ?? node;
    return [
      {
        line: lineOf(file.text, shown.offset),
        text: script.text,
        source: 'editor',
        start: 'workspace',
        title: 'Predict',
        ...(script.folder === undefined ? {} : { folder: script.folder }),
      } satisfies Runnable,
    ];
  });
}

function readTask(task: unknown, file: LensFile): { text: string; folder?: string } | undefined {
  if (!isRecord(task)) return undefined;
  const settings = { ...task, ...(isRecord(task['linux']) ? task['linux'] : {}) };
  const options = isRecord(settings['options']) ? settings['options'] : {};
  const cwd = typeof options['cwd'] === 'string' ? substitute(options['cwd'], file) : '';
  const text = scriptOf(settings, file);
  if (text === undefined || cwd === undefined) return undefined;
  return cwd === '' ? { text } : { text, folder: cwd };
}

function scriptOf(task: Record<string, unknown>, file: LensFile): string | undefined {
  if (task['type'] === 'npm' && typeof task['script'] === 'string') return `npm run ${quoteWord(task['script'])}`;
  const command = readWord(task['command'], file);
  if (!command) return undefined;
  const isProcess = task['type'] === 'process';
  const words = [isProcess || command.quoted ? quoteWord(command.text) : command.text];
  const rest = Array.isArray(task['args']) ? task['args'] : [];
  for (const argument of rest) {
    const word = readWord(argument, file);
    if (!word) return undefined;
    // In a shell task VS Code quotes an argument only when it has a blank in it.
    const needsQuotes = isProcess || word.quoted || /\s/.test(word.text);
    words.push(needsQuotes ? quoteWord(word.text) : word.text);
  }
  return words.join(' ');
}

/** A word is a string, or `{ value, quoting }`. */
function readWord(word: unknown, file: LensFile): { text: string; quoted: boolean } | undefined {
  const value = isRecord(word) ? word['value'] : word;
  const line = Array.isArray(value) ? value.join(' ') : value;
  if (typeof line !== 'string') return undefined;
  const text = substitute(line, file);
  return text === undefined ? undefined : { text, quoted: isRecord(word) && word['quoting'] !== 'escape' };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
