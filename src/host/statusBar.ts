import * as vscode from 'vscode';
import { isNewError } from '../core/consequences/isNewError.ts';
import type { HeadlineKind } from '../core/facts/headline.ts';
import type { PredictionEvent } from '../core/prediction/event.ts';
import { headlineOf } from '../core/verdict/headlineOf.ts';
import { countOf } from '../core/view/quantity.ts';
import { headlineWord } from '../core/words/headlineText.ts';
import type { Checked, Observed } from '../protocol/panelProtocol.ts';
import { panelView } from './panel/panelPage.ts';
import type { Run } from './predict/run.ts';

/** Longer than this it says that it works; shorter it would only flicker. */
const patienceMs = 300;

/** Progress of a prediction and its verdict, in the status bar. */
export interface StatusBar extends vscode.Disposable {
  started(run: Run): void;
  /** What happens in a prediction, as far as it is told here. */
  event(event: PredictionEvent): void;
  ended(run: Run): void;
  /** What language services say of an edit. */
  checked(run: Run, checked: Checked): void;
  /** It was run for real. */
  compared(observed: Observed): void;
  /** A question has no answer, and why. */
  refused(sentence: string): void;
  /** Nothing is shown. */
  clear(): void;
}

const icons: Record<HeadlineKind, string> = {
  safe: 'pass',
  caution: 'warning',
  danger: 'error',
  fails: 'close',
  newErrors: 'bug',
  unknown: 'question',
};

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
  /** Questions that wait for their reply. */
  let asked = 0;
  const progress = (text: string) => {
    clearTimeout(timer);
    working(text);
  };
  return {
    started() {
      asked = 0;
      clearTimeout(timer);
      timer = setTimeout(() => working('Predicting'), patienceMs);
    },
    event(event) {
      if (event.type === 'progress') return progress(asked > 0 ? 'Imagining…' : event.text);
      if (event.type === 'question') asked += 1;
      else if (event.type === 'reply') asked -= 1;
      else return;
      progress(asked > 0 ? 'Imagining…' : 'Predicting');
    },
    ended({ prediction }) {
      clearTimeout(timer);
      const { ending, endingReason, verdict, diagnostics } = prediction;
      const reason = verdict.reasons[0]?.text ?? endingReason ?? 'Show the prediction';
      const focus = `${panelView}.focus`;
      if (ending === 'cancelled') item.hide();
      else if (ending === 'failed') show('$(circle-slash) Not predicted', focus, reason);
      else {
        const kind = headlineOf(verdict, diagnostics);
        const word = headlineWord(kind, (diagnostics ?? []).filter(isNewError).length).toLowerCase();
        show(`$(${icons[kind]}) ${word.charAt(0).toUpperCase()}${word.slice(1)}`, focus, reason);
      }
    },
    checked({ prediction }, { newErrors, isOpen }) {
      const kind = headlineOf(prediction.verdict, prediction.diagnostics);
      if (kind === 'danger' || kind === 'fails') return;
      const focus = `${panelView}.focus`;
      if (newErrors > 0) show(`$(bug) ${countOf(newErrors, 'new error')}`, focus, 'The edit would bring new errors');
      else if (kind === 'safe' && isOpen) show('$(loading~spin) Checking', focus, 'Language services look at the edit');
      else if (kind === 'safe') show('$(pass) Safe', focus, 'The edit brings no new error');
    },
    compared({ differs = [] }) {
      if (differs.length > 0)
        show('$(diff-multiple) Differs', `${panelView}.focus`, 'It came out otherwise than predicted');
    },
    refused(sentence) {
      clearTimeout(timer);
      show('$(circle-slash) Not predicted', `${panelView}.focus`, sentence);
    },
    clear() {
      clearTimeout(timer);
      item.hide();
    },
    dispose() {
      clearTimeout(timer);
      item.dispose();
    },
  };
}
