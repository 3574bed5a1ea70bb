import * as vscode from 'vscode';
import { estimateTokens } from '../../core/context/estimateTokens.ts';
import { type TemplateSection, templateSections } from '../../core/worlds/language/template/templateSections.ts';
import { grouped } from './countWords.ts';

/** Headings and tags of a prompt file, each with its size. */
export const templateSymbols: vscode.DocumentSymbolProvider = {
  provideDocumentSymbols(document) {
    const text = document.getText();
    const roots: vscode.DocumentSymbol[] = [];
    const open: { section: TemplateSection; symbol: vscode.DocumentSymbol }[] = [];
    for (const section of templateSections(text)) {
      if (section.kind === 'fence') continue;
      const { kind, title, start, end, titleEnd } = section;
      const symbol = new vscode.DocumentSymbol(
        kind === 'tag' ? `<${title}>` : title,
        `≈ ${grouped(estimateTokens(text.slice(start, end)))} tokens`,
        kind === 'tag' ? vscode.SymbolKind.Struct : vscode.SymbolKind.String,
        new vscode.Range(document.positionAt(start), document.positionAt(end)),
        new vscode.Range(document.positionAt(start), document.positionAt(titleEnd)),
      );
      while (open.length > 0 && (open.at(-1)?.section.end ?? 0) < end) open.pop();
      const parent = open.at(-1)?.symbol;
      (parent?.children ?? roots).push(symbol);
      open.push({ section, symbol });
    }
    return roots;
  },
};

/** What can be folded: parts below headings, tags, fences. */
export const templateFolding: vscode.FoldingRangeProvider = {
  provideFoldingRanges(document) {
    return templateSections(document.getText()).flatMap(({ start, end }) => {
      const first = document.positionAt(start).line;
      let last = document.positionAt(end).line;
      // Blank lines before the next heading stay.
      while (last > first && document.lineAt(last).isEmptyOrWhitespace) last -= 1;
      return last > first ? [new vscode.FoldingRange(first, last)] : [];
    });
  },
};
