import * as vscode from 'vscode';
import { isNewError } from '../core/consequences/isNewError.ts';
import type { HeadlineKind } from '../core/facts/headline.ts';
import type { PredictionEvent } from '../core/prediction/event.ts';
import { headlineOf } from '../core/verdict/headlineOf.ts';
import { countOf } from '../core/view/quantity.ts';
import { headlineWord } from '../core/words/headlineText.ts';
import type { Checked, Observed } from '../protocol/panelProtocol.ts';
import { headlineIcons as icons } from './headlineIcons.ts';
import { panelView } from './panel/panelPage.ts';
import type { Run } from './predict/run.ts';
import { type Reach, statusHover } from './statusHover.ts';

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

/** Colours that themes have for it; the rest has none. */
const colours: Partial<Record<HeadlineKind, 'error' | 'warning'>> = {
  danger: 'error',
  fails: 'warning',
  caution: 'warning',
  newErrors: 'warning',
};

interface Shown {
  icon: string;
  word: string;
  sentence: string;
  command?: string;
  colour?: 'error' | 'warning' | undefined;
}

/** `reach` is asked whenever something is shown. */
export function createStatusBar(reach: () => Reach): StatusBar {
  const item = vscode.window.createStatusBarItem('foretell.verdict', vscode.StatusBarAlignment.Left, 0);
  item.name = 'Foretell';
  let timer: ReturnType<typeof setTimeout> | undefined;
  let shownRun: Run | undefined;
  const show = ({ icon, word, sentence, command = `${panelView}.focus`, colour }: Shown) => {
    item.text = `$(${icon}) Foretell: ${word}`;
    item.command = command;
    item.backgroundColor = colour && new vscode.ThemeColor(`statusBarItem.${colour}Background`);
    // While it works that changes often, and nobody needs to know more.
    item.tooltip = command === 'foretell.cancel' ? sentence : statusHover({ word, sentence, run: shownRun }, reach());
    item.accessibilityInformation = { label: `Foretell: ${word}. ${sentence}` };
    item.show();
  };
  const working = (word: string) =>
    show({ icon: 'loading~spin', word, sentence: 'Cancel the prediction', command: 'foretell.cancel' });
  /** Questions that wait for their reply. */
  let asked = 0;
  const progress = (text: string) => {
    clearTimeout(timer);
    working(text);
  };
  return {
    started(run) {
      asked = 0;
      shownRun = run;
      clearTimeout(timer);
      timer = setTimeout(() => working('Predicting'), patienceMs);
    },
    event(event) {
      if (event.type === 'progress') return progress(asked > 0 ? 'Imagining…' : event.text);
      if (event.type === 'asks') {
        clearTimeout(timer);
        const word = 'Waits for your answer';
        return show({ icon: 'question', word, sentence: `A program asks: ${event.prompt.trim()}` });
      }
      if (event.type === 'question') asked += 1;
      else if (event.type === 'reply') asked -= 1;
      else return;
      progress(asked > 0 ? 'Imagining…' : 'Predicting');
    },
    ended(run) {
      clearTimeout(timer);
      shownRun = run;
      const { ending, endingReason, verdict, diagnostics } = run.prediction;
      const sentence = verdict.reasons[0]?.text ?? endingReason ?? 'Show the prediction';
      // Who was stopped can have lost something before.
      const isDanger = verdict.level === 'danger';
      if (ending === 'cancelled' && !isDanger) item.hide();
      else if (ending === 'failed' && !isDanger) show({ icon: 'circle-slash', word: 'Not predicted', sentence });
      else {
        const kind = headlineOf(verdict, diagnostics);
        const word = headlineWord(kind, (diagnostics ?? []).filter(isNewError).length).toLowerCase();
        const first = word.charAt(0).toUpperCase();
        show({ icon: icons[kind], word: `${first}${word.slice(1)}`, sentence, colour: colours[kind] });
      }
    },
    checked({ prediction }, { newErrors, isOpen }) {
      const kind = headlineOf(prediction.verdict, prediction.diagnostics);
      if (kind === 'danger' || kind === 'fails') return;
      if (newErrors > 0) {
        const word = countOf(newErrors, 'new error');
        show({ icon: 'bug', word, sentence: 'The edit would bring new errors', colour: 'warning' });
      } else if (kind === 'safe' && isOpen) {
        show({ icon: 'loading~spin', word: 'Checking', sentence: 'Language services look at the edit' });
      } else if (kind === 'safe') show({ icon: 'pass', word: 'Safe', sentence: 'The edit brings no new error' });
    },
    compared({ differs = [], isApplied }) {
      const sentence = differs.length > 0 ? 'It came out otherwise than predicted' : 'It came out as predicted';
      if (differs.length > 0) show({ icon: 'diff-multiple', word: 'Differs', sentence, colour: 'warning' });
      else show({ icon: 'check', word: isApplied ? 'Applied' : 'Done', sentence });
    },
    refused(sentence) {
      clearTimeout(timer);
      shownRun = undefined;
      show({ icon: 'circle-slash', word: 'Not predicted', sentence });
    },
    clear() {
      clearTimeout(timer);
      shownRun = undefined;
      item.hide();
    },
    dispose() {
      clearTimeout(timer);
      item.dispose();
    },
  };
}
