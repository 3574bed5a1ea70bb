import type { Runnable } from './runnable.ts';

/** Info strings that say for certain that a block is for a shell. */
const languages =
  /^\{?\.?(?:sh|bash|zsh|fish|shell|shellscript|shell-?session|sh-session|bash-session|console|terminal)\b/i;

/** Code blocks for a shell. Prompts and output in them are left to `parseSelection`. */
export function markdownRunnables(text: string): Runnable[] {
  const found: Runnable[] = [];
  const lines = text.split('\n');
  let open: { line: number; mark: string; isShell: boolean } | undefined;
  lines.forEach((content, line) => {
    const match = /^(?:[ \t]|> ?|[-*+] |\d+[.)] )*(`{3,}|~{3,})[ \t]*([^`\r\n]*)\r?$/.exec(content);
    if (!match) return;
    const [, mark = '', info = ''] = match;
    if (!open) {
      open = { line, mark, isShell: languages.test(info.trim()) };
      return;
    }
    if (!mark.startsWith(open.mark) || info.trim() !== '') return;
    const body = lines.slice(open.line + 1, line);
    if (open.isShell && body.some((one) => one.trim() !== '')) {
      // A block in a list begins behind the bullet; without it the fence is read as in the open.
      const fence = (lines[open.line] ?? '').replace(/^(?:[ \t]*(?:[-*+]|\d+[.)]) )+/, (bullet) =>
        ' '.repeat(bullet.length),
      );
      const block = [fence, ...body, content].join('\n');
      found.push({ line: open.line, text: block, source: 'markdown', start: 'file', title: 'Predict' });
    }
    open = undefined;
  });
  return found;
}
