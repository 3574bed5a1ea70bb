import type { ShellName } from './action.ts';

/** A fenced code block, or the selection's part of one. */
export interface Fence {
  /** First word of the info string, lower-case; empty when there is none. */
  language: string;
  text: string;
}

/**
 * Code blocks of a Markdown text; fences may be indented (in lists) or stand in a quotation.
 * A selection can begin or end inside a block: what stands before a lone closing fence belongs to a block too.
 * `undefined` when there is no fence.
 */
export function readFences(text: string): Fence[] | undefined {
  const lines = text.split('\n');
  const fences: Fence[] = [];
  let open: { mark: string; indent: string; language: string; lines: string[] } | undefined;
  let before: string[] = [];
  for (const line of lines) {
    const match = /^((?:[ \t]|> ?)*)(`{3,}|~{3,})[ \t]*([^`\n]*)$/.exec(line);
    if (open) {
      if (match?.[2]?.startsWith(open.mark) && match[3]?.trim() === '') {
        fences.push({ language: open.language, text: open.lines.join('\n') });
        open = undefined;
        before = [];
      } else open.lines.push(withoutIndent(line, open.indent));
    } else if (match) {
      const language = languageOf(match[3] ?? '');
      const closesUnseen = language === '' && fences.length === 0 && before.some((other) => other.trim() !== '');
      if (closesUnseen && !restHasFence(lines, line)) {
        fences.push({ language: '', text: before.join('\n') });
        before = [];
      } else open = { mark: match[2] ?? '```', indent: match[1] ?? '', language, lines: [] };
    } else before.push(line);
  }
  if (open) fences.push({ language: open.language, text: open.lines.join('\n') });
  return fences.length > 0 ? fences : undefined;
}

function restHasFence(lines: readonly string[], line: string): boolean {
  return lines.slice(lines.indexOf(line) + 1).some((other) => /^(?:[ \t]|> ?)*(?:`{3,}|~{3,})/.test(other));
}

function withoutIndent(line: string, indent: string): string {
  if (line.startsWith(indent)) return line.slice(indent.length);
  if (indent.includes('>') && line.trim() === '>') return '';
  // A line that is indented less than its fence loses what it has.
  return line.replace(/^[ \t]+/, (blank) => blank.slice(Math.min(blank.length, indent.length)));
}

function languageOf(info: string): string {
  return (/^\{?\.?([\w+-]+)/.exec(info.trim())?.[1] ?? '').toLowerCase();
}

/** Info strings of code blocks that show commands. `transcript`: lines without prompt are output. */
export const shellLanguages: Readonly<Record<string, { shell?: ShellName; transcript?: true }>> = {
  '': {},
  sh: { shell: 'sh' },
  bash: { shell: 'bash' },
  zsh: { shell: 'zsh' },
  fish: { shell: 'fish' },
  shell: {},
  shellscript: {},
  terminal: {},
  cli: {},
  text: {},
  txt: {},
  plaintext: {},
  none: {},
  console: { transcript: true },
  'shell-session': { transcript: true },
  shellsession: { transcript: true },
  'sh-session': { transcript: true },
  'bash-session': { shell: 'bash', transcript: true },
  powershell: { shell: 'pwsh' },
  pwsh: { shell: 'pwsh' },
  ps1: { shell: 'pwsh' },
  ps: { shell: 'pwsh' },
  cmd: { shell: 'cmd' },
  bat: { shell: 'cmd' },
  batch: { shell: 'cmd' },
};
