import * as vscode from 'vscode';
import type { DiagnosticChange } from '../../protocol/editProtocol.ts';
import { predictedAddress } from '../panel/predictedDocuments.ts';
import type { Run } from '../predict/run.ts';
import { diffDiagnostics, type FoundDiagnostic } from './diffDiagnostics.ts';
import { bytesOf } from './textOf.ts';

/** More files, or longer ones, are not asked about. */
const mostFiles = 30;
const longestBytes = 1024 ** 2;
// Some services (JSON among them) look only at texts that have a tab; of these they say nothing here.
/** How long the language services get: until something came, until nothing comes any more, and in all. */
const patienceMs = 3_000;
const quietMs = 700;
const mostMs = 8_000;

/** What the services said about texts that stand alone. */
export interface DocumentDiagnostics {
  changes: DiagnosticChange[];
  /** Names of the services that answered. */
  sources: string[];
  /** Files that a service has spoken of, absolute. */
  answered: Set<string>;
  /** Files that were not asked about because there were too many or they are too long. */
  leftOut: number;
}

/**
 * Opens each changed text twice, as it is and as predicted, as a document that exists only in memory and in no editor,
 * and compares what the installed language services say. They see each file alone: what they say about other files is
 * left out. `isCovered`: files that somebody else looks at.
 */
export async function documentDiagnostics(
  run: Run,
  isCovered: (path: string) => boolean,
  isShown: () => boolean,
): Promise<DocumentDiagnostics> {
  const texts = run.prediction.files.filter(
    (file) => file.type === 'file' && file.change !== 'deleted' && file.change !== 'mode' && !isCovered(file.path),
  );
  const asked = texts
    .filter((file) => file.sizeBytes <= longestBytes && !file.path.includes('/.git/'))
    .slice(0, mostFiles);
  if (asked.length === 0) return { changes: [], sources: [], answered: new Set(), leftOut: texts.length };
  // A text that cannot be read now would look as if all its faults were fixed.
  const readable = await Promise.all(
    asked.map(async (file) => {
      const after = await bytesOf(run, file, 'after', longestBytes);
      return after && (file.change === 'created' || (await bytesOf(run, file, 'before', longestBytes))) ? [file] : [];
    }),
  );
  const sides = readable.flat().map((file) => ({
    path: file.path,
    before: file.change === 'created' ? undefined : predictedAddress(run, file.from ?? file.path, 'before'),
    after: predictedAddress(run, file.path, 'after'),
  }));
  const wanted = new Set(sides.flatMap(({ before, after }) => [before?.toString(), after.toString()]));
  wanted.delete(undefined);
  const answered = new Set<string>();
  let lastAtMs = 0;
  const listening = vscode.languages.onDidChangeDiagnostics(({ uris }) => {
    for (const uri of uris) {
      if (!wanted.has(uri.toString())) continue;
      answered.add(uri.toString());
      lastAtMs = Date.now();
    }
  });
  try {
    const addresses = sides.flatMap(({ before, after }) => (before ? [before, after] : [after]));
    // A text that is not one, or that is gone by now, has nothing to say.
    await Promise.all(addresses.map((one) => vscode.workspace.openTextDocument(one).then(undefined, () => undefined)));
    const openedAtMs = Date.now();
    const isWaiting = () => {
      const now = Date.now();
      if (now - openedAtMs > mostMs || !isShown()) return false;
      return lastAtMs === 0 ? now - openedAtMs < patienceMs : now - lastAtMs < quietMs;
    };
    while (isWaiting()) await new Promise((resolve) => setTimeout(resolve, 50));
  } finally {
    listening.dispose();
  }
  const changes: DiagnosticChange[] = [];
  const sources = new Set<string>();
  const spokenOf = new Set<string>();
  for (const { path, before, after } of sides) {
    // A service that has seen only one of the two texts would make all of it new or fixed.
    if (before && answered.has(before.toString()) !== answered.has(after.toString())) continue;
    const found = diagnosticsOf(after, path);
    for (const { source } of found) sources.add(source);
    changes.push(...diffDiagnostics(before ? diagnosticsOf(before, path) : [], found));
    if (answered.has(after.toString())) {
      spokenOf.add(path);
      const language = vscode.workspace.textDocuments.find(
        (one) => one.uri.toString() === after.toString(),
      )?.languageId;
      if (language) sources.add(language);
    }
  }
  return { changes, sources: [...sources].sort(), answered: spokenOf, leftOut: texts.length - sides.length };
}

function diagnosticsOf(address: vscode.Uri, path: string): FoundDiagnostic[] {
  return vscode.languages.getDiagnostics(address).flatMap((one): FoundDiagnostic[] => {
    if (one.severity > vscode.DiagnosticSeverity.Warning || !isAboutOneFile(one)) return [];
    return [
      {
        severity: one.severity === vscode.DiagnosticSeverity.Error ? 'error' : 'warning',
        path,
        line: one.range.start.line + 1,
        column: one.range.start.character + 1,
        text: one.message,
        source: one.source ?? 'editor',
      },
    ];
  });
}

/** TypeScript's codes below 2000 are about the text itself; all others may come from files that it cannot see here. */
function isAboutOneFile({ source, code }: vscode.Diagnostic): boolean {
  if (source !== 'ts' && source !== 'js' && source !== 'typescript') return true;
  const number = Number(typeof code === 'object' ? code.value : code);
  return number >= 1000 && number < 2000;
}
