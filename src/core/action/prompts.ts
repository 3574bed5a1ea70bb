import type { ShellName } from './action.ts';

/** A line of a terminal transcript that begins with a shell's prompt. */
export interface PromptedLine {
  /** What stands behind the prompt. */
  command: string;
  /** The shell, where the prompt tells it. */
  shell?: ShellName;
}

// Each prompt ends where the command begins. Only prompts that cannot be shell syntax themselves.
const surePrompts: readonly (readonly [pattern: RegExp, shell?: ShellName])[] = [
  // PS C:\Users\me> Get-ChildItem
  [/^PS(?: [^\n>]*)?> ?/, 'pwsh'],
  // C:\Users\me>dir
  [/^[A-Z]:\\[^\n>|<"]*>/, 'cmd'],
  // (venv) user@host:~/x$ , [user@host x]$ , user@host ~ % , root@3f2a:/# , user@host ~/x> (fish)
  [/^(?:\([\w.-]+\) ?)?\[?[\w.-]+@[\w.-]+(?:[: ][^\n$#%>\]]*)?\]?\s?(?:\([^()\n]*\)\s?)?[$#%>] /],
  // bash-5.2$ , sh-5.1#
  [/^(?:\([\w.-]+\) ?)?(?:bash|sh|zsh|dash)(?:-[\d.]+)?[$#%] /],
  // ➜  project git:(main) ✗
  [/^➜ +\S+(?: git:\([^)\n]*\))?(?: [✗✔✖])? +/],
  // ~/project (main) $ , ~/x ❯ , main ❯
  [/^(?:\([\w.-]+\) ?)?~?[\w.~/-]*(?: \([^()\n]*\))? ?[❯❱»λ➤▶] ?/],
  [/^~[\w./-]*(?: \([^()\n]*\))? ?[$#%] /],
  // $ , (venv) $ , %
  [/^(?:\([\w.-]+\) ?)?\$ +/],
  [/^(?:\([\w.-]+\) ?)?% +(?=[^\d\s])/],
];

/** Reads a line as prompt and command; `undefined` when it does not surely begin with a prompt. */
export function readPrompt(line: string): PromptedLine | undefined {
  const text = line.trimStart();
  // A prompt alone, at the end of a transcript.
  if (text === '$' || text === '❯' || text === '%') return { command: '' };
  for (const [pattern, shell] of surePrompts) {
    const match = pattern.exec(text);
    if (!match || match[0] === '') continue;
    const command = text.slice(match[0].length);
    return shell ? { command, shell } : { command };
  }
  return undefined;
}

// The continuation prompts of bash, zsh (which names what is open) and PowerShell.
const continuationPrompt =
  /^\s*(?:(?:(?:quote|dquote|bquote|for|while|until|repeat|if|elif|then|else|do|heredoc|pipe|cmdand|cmdor|subsh|cursh|case|function|select|math|array) ?)+> ?|>>? |>>?$)/;

/** A further line of a command that is not complete yet, without the shell's continuation prompt. */
export function stripContinuationPrompt(line: string): string {
  return line.replace(continuationPrompt, '');
}

const administration =
  /^(?:sudo|apt|apt-get|aptitude|yum|dnf|apk|pacman|zypper|snap|systemctl|service|journalctl|docker|podman|kubectl|helm|npm|npx|yarn|pnpm|pip3?|python3?|node|git|curl|wget|rm|cp|mv|mkdir|chmod|chown|ln|cat|echo|tar|dd|mount|umount|useradd|usermod|passwd|ip|iptables|ufw|modprobe|sysctl|make|cargo|go|brew|ssh|scp|rsync|vi|vim|nano)$/;
const prose = /[.:!]$|(?:^|\s)(?:the|a|an|this|that|these|is|are|to|for|with|your|you|we|and|or|if|in)(?=\s)/i;

/**
 * Whether the rest of a line `# rest` reads as a command behind root's prompt rather than as a comment.
 * In doubt it is a comment: a comment does nothing.
 */
export function looksLikeRootCommand(rest: string): boolean {
  const first = rest.split(/\s/, 1)[0] ?? '';
  if (!/^[a-z0-9_./-]+$/.test(first) || /[.:!]$/.test(rest)) return false;
  if (first.startsWith('/') || first.startsWith('./')) return true;
  return administration.test(first) && !prose.test(rest.slice(first.length));
}

/**
 * Whether a line `> rest` is a command behind a prompt rather than a redirection that empties the file `rest`.
 * In doubt it is a redirection, which is the one that must not be overlooked.
 */
export function looksPrompted(rest: string): boolean {
  const [first = '', second] = rest.trim().split(/\s+/);
  return second !== undefined && /^[a-z][a-z0-9_-]*$/.test(first) && !/^[|;&<>]/.test(second);
}
