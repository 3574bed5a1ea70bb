import * as vscode from 'vscode';
import type { HeadlineKind } from '../../core/facts/headline.ts';
import type { TypedHint } from '../../core/hooks/typedHint.ts';
import { headlineIcons } from '../headlineIcons.ts';
import { plain, withCode } from '../statusHover.ts';

/** Where the hint about a typed line stands: in the status bar, where it neither moves nor covers what is typed. */
export interface HintItem extends vscode.Disposable {
  show(hint: ShownHint): void;
  hide(): void;
}

/** A hint as it is shown. */
export interface ShownHint extends Pick<TypedHint, 'headline' | 'reasons'> {
  line: string;
  /** `Danger`. */
  word: string;
  /** What would be lost, and what is known of the way back; empty where nothing is. */
  losses: readonly string[];
}

/** Only what may do harm has a colour besides its shape and its word. */
const colours: Partial<Record<HeadlineKind, 'error' | 'warning'>> = { danger: 'error', caution: 'warning' };

const longestLine = 200;
/** Sentences that the hover has room for. */
const mostReasons = 4;

export function createHintItem(): HintItem {
  const item = vscode.window.createStatusBarItem('foretell.hint', vscode.StatusBarAlignment.Left, -1);
  item.name = 'Foretell: What is typed';
  item.command = 'foretell.predictTypedLine';
  // VS Code shows an item that has the name of an earlier one as that was.
  item.hide();
  return {
    show(hint) {
      const { headline, reasons, word } = hint;
      const colour = colours[headline];
      item.text = `$(${headlineIcons[headline]}) Typed: ${word}`;
      item.backgroundColor = colour && new vscode.ThemeColor(`statusBarItem.${colour}Background`);
      item.accessibilityInformation = { label: `Foretell, typed line: ${[word, ...reasons.slice(0, 1)].join('. ')}` };
      item.tooltip = hoverOf(hint);
      item.show();
    },
    hide: () => item.hide(),
    dispose: () => item.dispose(),
  };
}

function hoverOf({ line, word, reasons, losses }: ShownHint): vscode.MarkdownString {
  const hover = new vscode.MarkdownString(`**Typed line: ${plain(word)}**\n\n`);
  hover.appendCodeblock(line.length > longestLine ? `${line.slice(0, longestLine)}…` : line, 'shellscript');
  for (const reason of reasons.slice(0, mostReasons)) hover.appendMarkdown(`${withCode(reason)}\n\n`);
  for (const sentence of losses) hover.appendMarkdown(`${plain(sentence)}\n\n`);
  hover.appendMarkdown('---\n\nA click predicts it in the panel.');
  return hover;
}
