import * as vscode from 'vscode';
import { printable } from '../core/prediction/text/printable.ts';
import type { WorkspaceState } from '../protocol/panelProtocol.ts';
import type { Run } from './predict/run.ts';
import { stepTitle } from './predict/run.ts';

/** What decides how far a prediction reaches in this window. */
export interface Reach {
  workspace: Pick<WorkspaceState, 'trusted' | 'engine'>;
  /** Name of the language model that is connected. */
  model: string | undefined;
  /** The user lets programs of this folder be rehearsed. */
  hasConsent: boolean;
}

const longestTitle = 200;

/** What is limited in this window, one sentence each. */
function limitsOf({ workspace: { trusted, engine }, model, hasConsent }: Reach): string[] {
  const limits: string[] = [];
  if (!engine.available) limits.push(engine.sentence);
  if (!trusted) {
    limits.push('The workspace is not trusted: nothing is run for real, and no language model is asked.');
    return limits;
  }
  if (!hasConsent && engine.available) {
    limits.push(
      'Programs that are not known to be harmless stay stopped: nobody has agreed to rehearse those of this folder.',
    );
  }
  if (model === undefined) limits.push('No language model is connected: what stopped programs do is assumed.');
  return limits;
}

/** Markdown that is nothing but this text; unlike `appendText` of VS Code its lines can be broken. */
export function plain(text: string): string {
  return printable(text)
    .replace(/\s+/g, ' ')
    .replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** A sentence of ours, in which code stands between backticks. */
export function withCode(sentence: string): string {
  const parts = sentence.split('`');
  const isOurs = parts.length % 2 === 1 && parts.every((part, at) => at % 2 === 0 || part.trim() !== '');
  if (!isOurs) return plain(sentence);
  return parts.map((part, at) => (at % 2 ? `\`${printable(part)}\`` : plain(part))).join('');
}

/** What the status item tells when somebody points at it. All of it is text: neither a link nor a picture is made of it. */
export function statusHover(
  { word, sentence, run }: { word: string; sentence: string; run?: Run | undefined },
  reach: Reach,
): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(`**Foretell: ${plain(word)}**\n\n`);
  if (run) {
    const title = printable(stepTitle(run));
    hover.appendCodeblock(title.length > longestTitle ? `${title.slice(0, longestTitle)}…` : title, 'shellscript');
  }
  hover.appendMarkdown(withCode(sentence));
  const limits = limitsOf(reach);
  if (limits.length > 0) {
    hover.appendMarkdown('\n\n---\n\nLimited here:\n\n');
    for (const limit of limits) hover.appendMarkdown(`- ${plain(limit)}\n`);
  }
  return hover;
}
