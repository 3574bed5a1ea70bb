import { open } from 'node:fs/promises';
import * as vscode from 'vscode';
import { lintTemplate, type TemplateWarning } from '../../core/worlds/language/template/templateLint.ts';
import { promptLanguage } from './promptLanguage.ts';
import { templateFileOf } from './templateFile.ts';

/** Doubts about prompt files, as they are typed. */
export interface TemplateDiagnostics extends vscode.Disposable {
  /** Those of a document as it stands now. */
  warnings(document: vscode.TextDocument): TemplateWarning[];
}

const severities: Readonly<Partial<Record<TemplateWarning['code'], vscode.DiagnosticSeverity>>> = {
  'misplaced-placeholder': vscode.DiagnosticSeverity.Error,
  empty: vscode.DiagnosticSeverity.Error,
  'repeated-placeholder': vscode.DiagnosticSeverity.Information,
  'changing-text': vscode.DiagnosticSeverity.Information,
  'too-long': vscode.DiagnosticSeverity.Information,
};

const pauseMs = 200;

/** `isMeant`: the file is among prompts, not only called like one. */
export function createTemplateDiagnostics(isMeant: (document: vscode.TextDocument) => boolean): TemplateDiagnostics {
  const collection = vscode.languages.createDiagnosticCollection('foretell-prompt');
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const withMark = new Set<string>();
  const linted = new WeakMap<vscode.TextDocument, { version: number; warnings: TemplateWarning[] }>();

  function warnings(document: vscode.TextDocument): TemplateWarning[] {
    const file = templateFileOf(document);
    if (!file || !isMeant(document)) return [];
    const known = linted.get(document);
    if (known?.version === document.version) return known.warnings;
    const found = lintTemplate(document.getText(), file.domain, file.kind);
    linted.set(document, { version: document.version, warnings: found });
    return found;
  }

  function show(document: vscode.TextDocument): void {
    if (document.isClosed) return;
    const diagnostics = warnings(document).map(({ code, message, start, end }): vscode.Diagnostic => {
      const range = new vscode.Range(document.positionAt(start), document.positionAt(end));
      const one = new vscode.Diagnostic(range, message, severities[code] ?? vscode.DiagnosticSeverity.Warning);
      one.source = 'Foretell';
      one.code = code;
      return one;
    });
    if (withMark.has(document.uri.toString())) {
      // The editor keeps the mark from the text, but it stands in the file, which is sent.
      const message = 'The file begins with a byte order mark, and it is sent; save it with the encoding UTF-8.';
      const one = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), message, vscode.DiagnosticSeverity.Warning);
      one.source = 'Foretell';
      one.code = 'byte-order-mark';
      diagnostics.unshift(one);
    }
    collection.set(document.uri, diagnostics);
  }

  async function look(document: vscode.TextDocument): Promise<void> {
    if (document.languageId !== promptLanguage || !templateFileOf(document)) return;
    if (await beginsWithMark(document.uri.fsPath)) withMark.add(document.uri.toString());
    else withMark.delete(document.uri.toString());
    show(document);
  }

  const listeners = vscode.Disposable.from(
    vscode.workspace.onDidOpenTextDocument((document) => void look(document)),
    vscode.workspace.onDidSaveTextDocument((document) => void look(document)),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId !== promptLanguage) return;
      const key = document.uri.toString();
      clearTimeout(timers.get(key));
      timers.set(
        key,
        setTimeout(() => show(document), pauseMs),
      );
    }),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      clearTimeout(timers.get(uri.toString()));
      collection.delete(uri);
    }),
  );
  for (const document of vscode.workspace.textDocuments) void look(document);
  return {
    warnings,
    dispose() {
      for (const timer of timers.values()) clearTimeout(timer);
      listeners.dispose();
      collection.dispose();
    },
  };
}

async function beginsWithMark(file: string): Promise<boolean> {
  const handle = await open(file).catch(() => undefined);
  try {
    const { buffer, bytesRead } = (await handle?.read(Buffer.alloc(3), 0, 3, 0)) ?? { bytesRead: 0 };
    return bytesRead === 3 && buffer?.equals(Buffer.from([0xef, 0xbb, 0xbf])) === true;
  } catch {
    return false;
  } finally {
    await handle?.close();
  }
}
