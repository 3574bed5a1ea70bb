import * as vscode from 'vscode';
import type { RemainingUse } from '../../protocol/editProtocol.ts';
import type { Run } from '../predict/run.ts';

/** Limits of what is asked, and how long in all. */
const mostFiles = 20;
const mostNames = 20;
const mostUses = 200;
const mostMs = 5_000;
const longestBytes = 2 * 1024 ** 2;

type Symbols = (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined;

/** Names that the edit takes out of a file, and where the language services find them used in what stays. */
export async function remainingUses(run: Run, isShown: () => boolean): Promise<RemainingUse[]> {
  const endMs = Date.now() + mostMs;
  const isOver = () => Date.now() > endMs || !isShown();
  const uses: RemainingUse[] = [];
  const files = run.prediction.files.filter(
    (file) => file.type === 'file' && (file.change === 'modified' || file.change === 'deleted'),
  );
  let names = 0;
  for (const file of files.slice(0, mostFiles)) {
    const address = vscode.Uri.file(file.path);
    const after = file.change === 'deleted' ? '' : await textAfter(run, file.path);
    const symbols = await bounded<Symbols>('vscode.executeDocumentSymbolProvider', endMs, address);
    for (const { name, at } of namesIn(symbols ?? [])) {
      if (isOver() || names >= mostNames || uses.length >= mostUses) return uses;
      if (hasWord(after, name)) continue;
      names += 1;
      const places = await bounded<vscode.Location[]>('vscode.executeReferenceProvider', endMs, address, at);
      for (const place of places ?? []) {
        const use = await stillThere(run, place, name);
        if (use) uses.push({ name, declaredIn: file.path, ...use });
      }
    }
  }
  return uses.slice(0, mostUses);
}

/** The names that a file declares for others: those at the top, and the members of what stands there. */
function namesIn(symbols: NonNullable<Symbols>): { name: string; at: vscode.Position }[] {
  return symbols.flatMap((symbol) => {
    const isPlain = /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(symbol.name);
    const at = 'selectionRange' in symbol ? symbol.selectionRange.start : symbol.location.range.start;
    const own = isPlain ? [{ name: symbol.name, at }] : [];
    if (!('children' in symbol) || symbol.kind === vscode.SymbolKind.Function) return own;
    const members = symbol.children.flatMap((child) =>
      /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(child.name) ? [{ name: child.name, at: child.selectionRange.start }] : [],
    );
    return [...own, ...members];
  });
}

/** A use in a text that the edit leaves as it is, or in which the name still stands. */
async function stillThere(
  run: Run,
  { uri, range }: vscode.Location,
  name: string,
): Promise<Omit<RemainingUse, 'name' | 'declaredIn'> | undefined> {
  if (uri.scheme !== 'file') return undefined;
  const { line, character } = range.start;
  const place = { path: uri.fsPath, line: line + 1, column: character + 1 };
  const changed = run.prediction.files.find((file) => file.path === uri.fsPath || file.from === uri.fsPath);
  if (!changed) {
    const document = await vscode.workspace.openTextDocument(uri);
    const text = line < document.lineCount ? document.lineAt(line).text.trim() : '';
    return hasWord(text, name) ? { ...place, text: text.slice(0, 200) } : undefined;
  }
  if (changed.change === 'deleted') return undefined;
  const lines = (await textAfter(run, changed.path)).split('\n');
  const at = lines.findIndex((one) => hasWord(one, name));
  if (at < 0) return undefined;
  const text = lines[at] ?? '';
  return { path: changed.path, line: at + 1, column: text.indexOf(name) + 1, text: text.trim().slice(0, 200) };
}

async function textAfter({ view }: Run, file: string): Promise<string> {
  return Buffer.from((await view?.read(file, 'after', longestBytes)) ?? []).toString('utf8');
}

function hasWord(text: string, name: string): boolean {
  const escaped = name.replace(/[$]/g, '\\$&');
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'u').test(text);
}

/** A language service that does not answer in time has said nothing. */
function bounded<T>(command: string, endMs: number, ...args: unknown[]): Promise<T | undefined> {
  const asked = Promise.resolve(vscode.commands.executeCommand<T>(command, ...args)).catch(() => undefined);
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, Math.max(endMs - Date.now(), 0), undefined));
  return Promise.race([asked, late]);
}
