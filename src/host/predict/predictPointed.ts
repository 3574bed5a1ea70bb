import type * as vscode from 'vscode';
import { editInText, titleOfText } from '../edit/editText.ts';
import type { Panel } from '../panel/panel.ts';
import type { Refuse } from '../panel/refuse.ts';
import { readSettings } from '../settings.ts';
import type { Prompt } from '../terminal/prompt.ts';
import type { CommandInput } from './commandInput.ts';
import type { Predictions } from './predictions.ts';
import type { Run, Way } from './run.ts';
import { type Pointed, usualFolder, usualShell } from './selection.ts';

/** Predicts what the user pointed at, or says in the panel why not. */
export interface PredictPointed {
  (pointed: Pointed | { sentence: string } | undefined, way?: Partial<Way>): Promise<Run | undefined>;
  /** A script that is known to be one, in the folder and shell of the prediction before it. */
  script(text: string, way?: Partial<Way>): Promise<Run | undefined>;
  /** The terminal that a prediction's command came from. */
  terminalOf(run: Run): vscode.Terminal | undefined;
}

export interface PredictPointedOptions {
  predictions: Predictions;
  panel: Panel;
  input: CommandInput;
  refuse: Refuse;
  promptOf(terminal: vscode.Terminal): Prompt;
}

export function createPredictPointed({
  predictions,
  panel,
  input,
  refuse,
  promptOf,
}: PredictPointedOptions): PredictPointed {
  const terminals = new WeakMap<Run, vscode.Terminal>();

  function say(sentences: readonly string[]): void {
    if (sentences.length > 0) panel.banner({ kind: 'information', sentence: sentences.join(' ') });
  }

  async function predict(
    pointed: Pointed | { sentence: string } | undefined,
    way?: Partial<Way>,
    asked?: string,
  ): Promise<Run | undefined> {
    void panel.reveal();
    if (!pointed) return refuse('Open a file first, or type a command here.');
    if ('sentence' in pointed) return refuse(pointed.sentence);
    // Whoever points at a command in an editor or a terminal means the real files, and not what was predicted elsewhere.
    const leaves = pointed.continues !== true && predictions.leaveSequence();
    const left = leaves ? ['This starts from the real files: the sequence was left.'] : [];
    const sequence = predictions.position().at(-1);
    const cwd = sequence?.leavesIn ?? pointed.options.cwd;
    const read = await editInText(pointed.text, cwd, pointed.isEdit, pointed.maker);
    if (read && 'problem' in read) return refuse(read.problem, asked);
    if (read) {
      const { action, notices } = read.edit;
      const run = predictions.predict(
        action,
        {},
        {
          title: titleOfText(read.edit),
          text: pointed.text,
          applies: 'edit',
        },
      );
      say([...left, ...notices]);
      return run;
    }
    const { parseSelection } = await import('../../core/action/parseSelection.ts');
    const parsed = parseSelection(pointed.text, {
      ...pointed.options,
      // In a sequence the next command starts where the one before would have left the shell.
      ...(sequence ? { cwd: sequence.leavesIn } : {}),
    });
    if (!parsed.ok) return refuse(parsed.message, asked);
    input.remember(parsed.action.script);
    const { terminal } = pointed;
    const run = predictions.predict(parsed.action, { ...(terminal ? { prompt: promptOf(terminal) } : {}), ...way });
    if (terminal) terminals.set(run, terminal);
    say([...left, ...parsed.notes]);
    return run;
  }

  return Object.assign(predict, {
    script(text: string, way?: Partial<Way>) {
      const before = predictions.latest();
      const usual = usualShell(readSettings());
      const { action } = before ?? {};
      const shell = action?.kind === 'command' ? action.shell : usual;
      const terminal = before && terminals.get(before);
      const options = { shell, cwd: action?.cwd ?? usualFolder(), source: 'input' as const };
      return predict({ text, options, continues: true, ...(terminal ? { terminal } : {}) }, way, text);
    },
    terminalOf: (run: Run) => terminals.get(run),
  });
}
