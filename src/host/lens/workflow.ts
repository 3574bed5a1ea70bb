import type { ShellName } from '../../core/action/action.ts';
import type { Runnable } from './runnable.ts';

interface Key {
  /** Column of the key, behind the dash of a list. */
  column: number;
  name: string;
  value: string;
}

/**
 * The `run:` steps of a GitHub workflow or composite action, as if they ran here.
 * Read line by line: whole YAML would be a large dependency for three keys of a known layout.
 */
export function workflowRunnables(text: string): Runnable[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const found: Runnable[] = [];
  for (let line = 0; line < lines.length; line++) {
    const key = readKey(lines[line] ?? '');
    if (key?.name !== 'run') continue;
    const script = readScalar(lines, line, key);
    // `run:` with nothing behind it is the mapping below `defaults:`.
    if (script.text.trim() === '') continue;
    const siblings = siblingsOf(lines, line, key.column);
    const shell = siblings.get('shell')?.split(/\s/)[0];
    if (shell !== undefined && shell !== 'bash' && shell !== 'sh') continue;
    const folder = siblings.get('working-directory');
    found.push({
      line,
      text: script.text,
      source: 'editor',
      start: 'workspace',
      title: 'Predict as if run here',
      shell: (shell ?? 'bash') as ShellName,
      ...(folder && !folder.includes('${{') ? { folder } : {}),
    });
    line = script.lastLine;
  }
  return found;
}

function readKey(line: string): Key | undefined {
  const match = /^([ ]*(?:- +)*)([\w-]+):(?: +(.*))?$/.exec(line);
  if (!match) return undefined;
  const [, before = '', name = '', value = ''] = match;
  return { column: before.length, name, value: value.trim() };
}

function readScalar(lines: readonly string[], line: number, key: Key): { text: string; lastLine: number } {
  const block = /^([|>])(?:[+-]?\d?|\d?[+-]?)(?:\s+#.*)?$/.exec(key.value);
  if (!block) return { text: unquote(key.value), lastLine: line };
  const body: string[] = [];
  let lastLine = line;
  for (let next = line + 1; next < lines.length; next++) {
    const content = lines[next] ?? '';
    if (content.trim() !== '' && indentOf(content) <= indentOf(lines[line] ?? '')) break;
    // Behind a dash the body may not stand left of the key.
    if (content.trim() !== '' && indentOf(content) < key.column) break;
    body.push(content);
    lastLine = next;
  }
  const indent = Math.min(...body.filter((content) => content.trim() !== '').map(indentOf));
  const text = body.map((content) => content.slice(indent));
  return { text: block[1] === '|' ? text.join('\n').trimEnd() : fold(text), lastLine };
}

/** YAML's `>`: single line ends are spaces, blank lines are line ends. */
function fold(lines: readonly string[]): string {
  return lines
    .join('\n')
    .trimEnd()
    .split(/\n(?:[ \t]*\n)+/)
    .map((paragraph) => paragraph.replaceAll('\n', ' '))
    .join('\n');
}

function unquote(value: string): string {
  if (/^'.*'$/.test(value)) return value.slice(1, -1).replaceAll("''", "'");
  if (/^".*"$/.test(value)) {
    try {
      return String(JSON.parse(value));
    } catch {
      return value.slice(1, -1);
    }
  }
  return value.replace(/\s+#.*$/, '');
}

/** The other keys of the same step. */
function siblingsOf(lines: readonly string[], line: number, column: number): Map<string, string> {
  const keys = new Map<string, string>();
  const isOwn = (content: string) => content.trim() === '' || indentOf(content) >= column;
  const take = (content: string) => {
    const key = readKey(content);
    if (key?.column === column) keys.set(key.name, unquote(key.value));
  };
  for (let above = line; above >= 0; above--) {
    const content = lines[above] ?? '';
    if (above !== line && !isOwn(content) && !/^ *- /.test(content)) break;
    take(content);
    // The dash begins the step.
    if (/^ *- /.test(content) && readKey(content)?.column === column) break;
  }
  for (let below = line + 1; below < lines.length; below++) {
    const content = lines[below] ?? '';
    if (!isOwn(content)) break;
    take(content);
  }
  return keys;
}

function indentOf(line: string): number {
  return /^ */.exec(line)?.[0].length ?? 0;
}
