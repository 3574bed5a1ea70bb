import * as vscode from 'vscode';
import { estimateTokens } from '../../core/context/estimateTokens.ts';
import { grouped } from './countWords.ts';
import type { TemplateFile } from './templateFile.ts';

/** What stands above a prompt file. */
export function createTemplateLenses(of: {
  file: (document: vscode.TextDocument) => TemplateFile | undefined;
  /** What the edits cost of the prefix cache. */
  prefix: (document: vscode.TextDocument) => { sentence: string; place: vscode.Position } | undefined;
  changed: vscode.Event<void>;
}): vscode.CodeLensProvider {
  const top = new vscode.Range(0, 0, 0, 0);
  const lens = (title: string, tooltip: string, command: string, ...args: unknown[]) =>
    new vscode.CodeLens(top, { title, tooltip, command, arguments: args });
  return {
    onDidChangeCodeLenses: of.changed,
    provideCodeLenses(document) {
      const file = of.file(document);
      if (!file) return [];
      const { uri } = document;
      const lenses: vscode.CodeLens[] = [];
      if (file.kind === 'system') {
        if (file.domain === 'terminal' || file.domain === 'swe') {
          const how =
            'Predict the command that is selected beside this editor, or was predicted last, with this text, saved or not';
          lenses.push(lens('$(play) Run on Selection', how, 'foretell.templates.runOnSelection', uri));
        }
        const scored = 'Predict the steps of a trajectory or a benchmark with this text, and score them';
        lenses.push(lens('$(list-ordered) Run on Trajectory…', scored, 'foretell.templates.runOnTrajectory', uri));
      }
      const compare = 'Compare with the saved, committed or shipped version, or another file: as text, or by results';
      lenses.push(lens('$(diff) Compare…', compare, 'foretell.templates.compare', uri));
      const preview = 'The whole prompt as it would be sent, updated as you type';
      lenses.push(lens('$(open-preview) Preview', preview, 'foretell.templates.preview', uri));
      const tokens = `≈ ${grouped(estimateTokens(document.getText()))} tokens`;
      lenses.push(lens(tokens, 'Estimated, without what is filled in', ''));
      const prefix = of.prefix(document);
      if (prefix) {
        const why = 'A server keeps the beginning of a prompt only as far as it stays the same. Go to the first change';
        lenses.push(lens(`$(info) ${prefix.sentence}`, why, 'foretell.templates.showPrefix', uri, prefix.place));
      }
      return lenses;
    },
  };
}
