import * as vscode from 'vscode';
import { LabMessage } from '../../protocol/labProtocol.ts';
import { createDocumentReading } from './documentReading.ts';
import { answerLab, editorState, type LabParts } from './labAnswers.ts';
import type { LabCore } from './labCore.ts';
import type { LabOptions } from './labOptions.ts';
import { createLabPage } from './labPage.ts';
import { createLabRuns } from './labRuns.ts';
import { createLabSearch } from './labSearch.ts';
import { createTrajectoryEdits } from './trajectoryEdits.ts';

/** One trajectory in one editor, until the editor is closed. */
export interface LabSession extends vscode.Disposable {
  /** Takes what the webview says. */
  receive(raw: unknown): void;
}

export function openLabSession(
  options: LabOptions,
  core: LabCore,
  document: vscode.TextDocument,
  panel: vscode.WebviewPanel,
): LabSession {
  const { language, log, engine, editorRequest } = options;
  const page = createLabPage(panel.webview);
  const { post, say } = page;
  const reading = createDocumentReading(document, core, (changes) => {
    const splices = changes.map(({ start, removed, lines }) => ({ start, removed, lines }));
    post({ type: 'lines', revision: reading.revision(), total: reading.total(), splices });
    search.again();
  });
  const search = createLabSearch(reading, post);
  const edits = createTrajectoryEdits(document, reading, core);
  const runs = createLabRuns({
    ...{ core, reading, edits, post, engine, editorRequest },
    language: () => language.request(),
    say: (kind, sentence) => say({ kind, sentence }),
  });
  const parts: LabParts = { options, core, document, reading, edits, runs, page, search };

  function receive(raw: unknown): void {
    const parsed = LabMessage.safeParse(raw);
    if (!parsed.success) {
      log.error('The trajectory editor sent a message that is not in the protocol.');
      return;
    }
    answerLab(parts, parsed.data).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      log.error(`The trajectory editor could not answer ${parsed.data.type}: ${reason}`);
      say({ kind: 'error', sentence: `Foretell has a fault: ${reason}` });
    });
  }

  reading.refresh();
  const listeners = vscode.Disposable.from(
    reading,
    runs,
    panel.onDidChangeViewState(() => {
      if (!panel.visible) page.hidden();
    }),
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0) reading.refresh();
    }),
    language.onChanged(() => post({ type: 'editor', editor: editorState(parts) })),
    vscode.workspace.onDidGrantWorkspaceTrust(() => say(null)),
  );
  return { receive, dispose: () => listeners.dispose() };
}
