import * as vscode from 'vscode';
import { panelView } from './panel.ts';
import type { Run } from './predictions.ts';

/** Longer than this it says that it works; shorter it would only flicker. */
const patienceMs = 300;

/** Progress of a prediction and its verdict, in the status bar. */
export interface StatusBar extends vscode.Disposable {
  started(run: Run): void;
  progress(text: string): void;
  ended(run: Run): void;
}

const verdicts = {
  safe: { icon: 'pass', word: 'Safe' },
  caution: { icon: 'warning', word: 'Caution' },
  danger: { icon: 'error', word: 'Danger' },
} as const;

export function createStatusBar(): StatusBar {
  const item = vscode.window.createStatusBarItem('foretell.verdict', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Foretell';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const show = (text: string, command: string, tooltip: string) => {
    item.text = text;
    item.command = command;
    item.tooltip = tooltip;
    item.accessibilityInformation = { label: `Foretell: ${tooltip}` };
    item.show();
  };
  const working = (text: string) => show(`$(loading~spin) ${text}`, 'foretell.cancel', 'Cancel the prediction');
  return {
    started() {
      clearTimeout(timer);
      timer = setTimeout(() => working('Predicting'), patienceMs);
    },
    progress(text) {
      clearTimeout(timer);
      working(text);
    },
    ended({ prediction }) {
      clearTimeout(timer);
      const { ending, endingReason, verdict } = prediction;
      const reason = verdict.reasons[0]?.text ?? endingReason ?? 'Show the prediction';
      const focus = `${panelView}.focus`;
      if (ending === 'cancelled') item.hide();
      else if (ending === 'failed') show('$(circle-slash) Not predicted', focus, reason);
      else {
        const { icon, word } = verdict.level ? verdicts[verdict.level] : { icon: 'question', word: 'Predicted' };
        show(`$(${icon}) ${word}`, focus, reason);
      }
    },
    dispose() {
      clearTimeout(timer);
      item.dispose();
    },
  };
}
