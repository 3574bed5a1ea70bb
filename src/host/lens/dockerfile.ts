import { quoteCall } from '../../core/shell/quoteWord.ts';
import type { Runnable } from './runnable.ts';

/** The `RUN` instructions of a Dockerfile, as if they ran on this machine: it is the only one there is to rehearse on. */
export function dockerfileRunnables(text: string): Runnable[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  const escapeMark = /^#\s*escape\s*=\s*`/im.test(text.slice(0, 200)) ? '`' : '\\';
  const found: Runnable[] = [];
  for (let line = 0; line < lines.length; line++) {
    const first = /^\s*RUN\s+(.*)$/i.exec(lines[line] ?? '');
    if (!first) continue;
    const start = line;
    const parts = [first[1] ?? ''];
    while ((parts.at(-1) ?? '').trimEnd().endsWith(escapeMark) && line + 1 < lines.length) {
      line += 1;
      // Comments and blank lines inside a continued instruction are left out by docker.
      while (line + 1 < lines.length && /^\s*(?:#|$)/.test(lines[line] ?? '')) line += 1;
      parts[parts.length - 1] = (parts.at(-1) ?? '').trimEnd().slice(0, -1);
      parts.push(lines[line] ?? '');
    }
    let script = withoutFlags(parts.map((part) => part.trim()).join(' \\\n  '));
    const marker = /<<-?(["']?)(\w+)\1/.exec(script);
    if (marker) {
      const end = lines.findIndex((content, index) => index > line && content.trim() === marker[2]);
      if (end < 0) continue;
      const body = lines.slice(line + 1, end).join('\n');
      // Only `RUN <<EOF` runs its body; with a program before it the body is that program's input.
      script = script.startsWith('<<') ? body : `${script}\n${body}\n${marker[2]}`;
      line = end;
    }
    const words = readWords(script);
    found.push({
      line: start,
      text: words ? quoteCall(words) : script,
      source: 'editor',
      shell: 'sh',
      start: 'workspace',
      title: 'Predict as if run here',
    });
  }
  return found;
}

/** `--mount=…` and the like are for docker, not for the shell. */
function withoutFlags(script: string): string {
  return script.replace(/^(?:--[\w-]+(?:=\S+)?[\s\\]+)+/, '');
}

/** The words of the form `RUN ["program", "argument"]`. */
function readWords(script: string): string[] | undefined {
  if (!script.startsWith('[')) return undefined;
  try {
    const words: unknown = JSON.parse(script);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : undefined;
  } catch {
    return undefined;
  }
}
