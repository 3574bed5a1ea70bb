import * as vscode from 'vscode';
import { estimateTokens } from '../../core/context/estimateTokens.ts';
import type { LanguageProvider } from '../../core/worlds/language/client/provider.ts';
import { describePlaceholder, knownValues } from '../../core/worlds/language/prompt/placeholderValues.ts';
import type { Dialect, Domain } from '../../core/worlds/language/prompt/turns/turn.ts';
import { templateSections } from '../../core/worlds/language/template/templateSections.ts';
import { type Placeholder, placeholders, placeholdersOf } from '../../core/worlds/language/template/templates.ts';
import { countWords, grouped } from './countWords.ts';
import { type TemplateFile, templateFileOf } from './templateFile.ts';

/** Where values of placeholders come from, as it is now. */
export interface TemplateValues {
  dialect(): Dialect;
  provider(): LanguageProvider | undefined;
  /** What a placeholder was filled with in the last prompt of a domain; absent: not known. */
  lastValue(name: Placeholder, domain: Domain): string | undefined;
}

/** Longest value that a hover shows, in characters. */
const longestShown = 1_200;
/** Completion of placeholders, with what they stand for in the domain. */
export function createTemplateCompletion(values: TemplateValues): vscode.CompletionItemProvider {
  return {
    provideCompletionItems(document, position) {
      const file = templateFileOf(document);
      if (!file || file.kind === 'judge') return [];
      const line = document.lineAt(position.line).text;
      const before = /\{?[A-Za-z_]*$/.exec(line.slice(0, position.character))?.[0] ?? '';
      const after = /^[A-Za-z_]*\}?/.exec(line.slice(position.character))?.[0] ?? '';
      // Plain words are typed all the time; only what begins like a placeholder is completed.
      if (!before.startsWith('{') && before.length < 3) return [];
      const range = new vscode.Range(
        position.translate(0, -before.length),
        position.translate(0, before.startsWith('{') ? after.length : 0),
      );
      if (placeholdersOf[file.domain].length === 0) return [noPlaceholders(file.domain, range, before)];
      return placeholdersOf[file.domain].map((name) => {
        const item = new vscode.CompletionItem(`{${name}}`, vscode.CompletionItemKind.Variable);
        const value = filledWith(values, name, file.domain);
        item.range = range;
        item.filterText = before.startsWith('{') ? `{${name}` : name;
        item.detail =
          value === undefined ? 'filled in by the trajectory' : `≈ ${grouped(estimateTokens(value))} tokens`;
        item.documentation = new vscode.MarkdownString(describePlaceholder(name, file.domain));
        return item;
      });
    },
  };
}

/** Says in the list that there is nothing to complete, and where the model is told the rest; choosing it changes nothing. */
function noPlaceholders(domain: Domain, range: vscode.Range, typed: string): vscode.CompletionItem {
  const item = new vscode.CompletionItem(`The domain ${domain} has no placeholders`, vscode.CompletionItemKind.Text);
  item.range = range;
  item.insertText = typed;
  item.filterText = typed;
  item.detail = 'the whole text is sent as it stands';
  item.documentation = new vscode.MarkdownString(
    'What the model is shown of the machine stands in the turns behind this prompt: *Preview Prompt to the Side* shows them.',
  );
  return item;
}

/** What a placeholder stands for, its value and size; of a heading, the size of its part. */
export function createTemplateHover(values: TemplateValues): vscode.HoverProvider {
  return {
    async provideHover(document, position) {
      const file = templateFileOf(document);
      if (!file) return undefined;
      const range = document.getWordRangeAtPosition(position, /\{[A-Za-z_]+\}/);
      const name = range && placeholders.find((one) => `{${one}}` === document.getText(range));
      if (name && file.kind === 'system')
        return new vscode.Hover(await placeholderHover(values, name, file, document.getText()), range);
      const offset = document.offsetAt(position);
      const text = document.getText();
      const section = templateSections(text).find(
        ({ kind, start, titleEnd }) => kind === 'heading' && offset >= start && offset <= titleEnd,
      );
      if (!section) return undefined;
      const size = await countWords(values.provider(), text.slice(section.start, section.end));
      return new vscode.Hover(new vscode.MarkdownString(`This part has ${size}.`));
    },
  };
}

async function placeholderHover(
  values: TemplateValues,
  name: Placeholder,
  { domain }: TemplateFile,
  text: string,
): Promise<vscode.MarkdownString[]> {
  const about = new vscode.MarkdownString(describePlaceholder(name, domain));
  if (!placeholdersOf[domain].includes(name)) {
    const none = `There is no value for it in the domain ${domain}: a prediction with this template fails.`;
    return [new vscode.MarkdownString(none), about];
  }
  const value = filledWith(values, name, domain);
  if (domain !== 'swe') about.appendMarkdown(` ${behindWords(text, name)}`);
  if (value === undefined) return [about];
  const size = await countWords(values.provider(), value);
  const cut =
    value.length > longestShown
      ? `${value.slice(0, longestShown)}\n… ${grouped(value.length - longestShown)} more characters`
      : value;
  return [
    about,
    new vscode.MarkdownString(`Its value now has ${size}:`),
    new vscode.MarkdownString().appendCodeblock(cut, 'plaintext'),
  ];
}

/** The value is another one for each agent, and a server reads everything behind it anew then. */
function behindWords(text: string, name: Placeholder): string {
  const behind = text.slice(text.indexOf(`{${name}}`) + name.length + 2);
  return `Where it changes, the ≈ ${grouped(estimateTokens(behind))} tokens behind it are read again.`;
}

function filledWith(values: TemplateValues, name: Placeholder, domain: Domain): string | undefined {
  return knownValues(domain, values.dialect())[name] ?? values.lastValue(name, domain);
}
