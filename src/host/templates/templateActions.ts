import * as vscode from 'vscode';
import { restoreEscapes, type TemplateFix, templateFixes } from '../../core/worlds/language/template/templateFixes.ts';
import type { TemplateDiagnostics } from './templateDiagnostics.ts';

/** Quick fixes for what is doubtful in a prompt file. Nothing is changed before somebody chooses one. */
export function createTemplateActions({ warnings }: TemplateDiagnostics): vscode.CodeActionProvider {
  return {
    provideCodeActions(document, range, { diagnostics }) {
      const text = document.getText();
      const all = warnings(document);
      const actions: vscode.CodeAction[] = [];
      const add = (fix: TemplateFix, about: vscode.Diagnostic[], isPreferred: boolean) => {
        const action = new vscode.CodeAction(fix.title, vscode.CodeActionKind.QuickFix);
        action.edit = editOf(document, fix);
        action.diagnostics = about;
        action.isPreferred = isPreferred;
        actions.push(action);
      };
      const touched = all.filter(
        ({ start, end }) => document.offsetAt(range.start) <= end && document.offsetAt(range.end) >= start,
      );
      for (const warning of touched) {
        const about = diagnostics.filter(
          ({ code, range: place }) => code === warning.code && document.offsetAt(place.start) === warning.start,
        );
        for (const [index, fix] of templateFixes(text, warning).entries()) add(fix, about, index === 0);
      }
      const escapes = touched.some(({ code }) => code === 'control-character' || code === 'broken-escape');
      const restore = escapes ? restoreEscapes(text, all) : undefined;
      if (restore && restore.edits.length > 1) add(restore, [], false);
      return actions;
    },
  };
}

function editOf(document: vscode.TextDocument, { edits }: TemplateFix): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const isOnlyReturns = edits.length > 0 && edits.every(({ start, end, text }) => text === '' && end === start + 1);
  if (isOnlyReturns && edits.every(({ start }) => document.getText().charAt(start) === '\r')) {
    // An editor has one kind of line ends for the whole text.
    edit.set(document.uri, [vscode.TextEdit.setEndOfLine(vscode.EndOfLine.LF)]);
    return edit;
  }
  edit.set(
    document.uri,
    edits.map(({ start, end, text }) =>
      vscode.TextEdit.replace(new vscode.Range(document.positionAt(start), document.positionAt(end)), text),
    ),
  );
  return edit;
}
