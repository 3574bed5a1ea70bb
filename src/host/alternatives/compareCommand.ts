import * as vscode from 'vscode';
import type { CommandAction } from '../../core/action/action.ts';
import type { CompareMessage } from '../../protocol/compareProtocol.ts';
import type { EditorParts } from '../editorParts.ts';
import type { EditorRequest } from '../predict/run.ts';
import { pointedInEditor, usualFolder, usualShell } from '../predict/selection.ts';
import { readSettings } from '../settings.ts';
import { createComparePage } from './comparePage.ts';

export interface CompareOptions extends EditorParts {
  /** What the window says now, and the consent that counts in a folder. */
  requestIn(folder: string): EditorRequest;
  log: vscode.LogOutputChannel;
}

const nothingYet: CompareMessage = { type: 'compared', running: true, headline: 'Predicting …', alternatives: [] };

/** Registers *Rehearse Alternatives*: the selected lines or paragraphs, or what is typed, side by side. */
export function registerCompare(options: CompareOptions): vscode.Disposable {
  let shown = nothingYet;
  let actions: CommandAction[] = [];
  let abort = new AbortController();
  const page = createComparePage(options.context, options.log, {
    message: () => shown,
    predict: (index) => options.predictPointed.script(actions[index]?.script ?? ''),
    copy: (index) => vscode.env.clipboard.writeText(actions[index]?.script ?? ''),
    closed: () => abort.abort(),
  });

  async function compare(given: unknown): Promise<void> {
    const { alternativesIn, compareAlternatives, mostAlternatives } = await import(
      '../../core/alternatives/compareAlternatives.ts'
    );
    const settings = readSettings();
    const pointed = hasSelection() ? pointedInEditor(settings) : undefined;
    const text =
      typeof given === 'string' ? given : (pointed?.text ?? (await askFor(options.predictions.current()?.action)));
    if (text === undefined) return;
    const scripts = alternativesIn(text);
    if (scripts.length < 2 || scripts.length > mostAlternatives) {
      void vscode.window.showWarningMessage(
        `Foretell compares 2 to ${mostAlternatives} commands, not ${scripts.length}. Select as many lines, or paragraphs with blank lines between them.`,
      );
      return;
    }
    const { shell = usualShell(settings), cwd = usualFolder() } = pointed?.options ?? {};
    actions = scripts.map((script) => ({ kind: 'command', script, shell, cwd }));
    abort.abort();
    abort = new AbortController();
    const { signal } = abort;
    shown = nothingYet;
    page.show();
    page.refresh();
    const { memory: _, ...request } = options.requestIn(cwd);
    const shared = { ...request, signal };
    const comparison = await compareAlternatives(await options.engine.load(), actions, shared);
    if (signal.aborted) return;
    const { comparisonMessage } = await import('./comparisonMessage.ts');
    shown = comparisonMessage(comparison, cwd);
    page.refresh();
  }

  return vscode.Disposable.from(
    page,
    vscode.commands.registerCommand('foretell.compareAlternatives', (given: unknown) => compare(given)),
    { dispose: () => abort.abort() },
  );
}

function hasSelection(): boolean {
  return vscode.window.activeTextEditor?.selections.some((selection) => !selection.isEmpty) ?? false;
}

/** Nothing is selected: the shown command against others that are typed. */
async function askFor(action: { kind: string; script?: string } | undefined): Promise<string | undefined> {
  const script = action?.kind === 'command' ? action.script : undefined;
  const first = script !== undefined && !script.includes('\n') ? script : undefined;
  const typed = await vscode.window.showInputBox({
    title: 'Rehearse Alternatives',
    prompt: `Commands to compare, with | | between them${first === undefined ? '' : '; the first one is what is shown now'}`,
    value: first === undefined ? '' : `${first} | | `,
    valueSelection: first === undefined ? undefined : [first.length + 5, first.length + 5],
  });
  return typed?.split('| |').join('\n');
}
