import type { FileChange } from '../view/fileChange.ts';
import type { View } from '../view/view.ts';
import type { Diagnostic } from './diagnostic.ts';
import type { SyntaxParser, SyntaxProblem } from './parsers.ts';

const mostFiles = 200;
const longestText = 512 * 1024;
const mostInFile = 20;
const limitMs = 2_000;

/**
 * Syntax errors of the files that an edit writes, beside those that they had before. Files up to 512 KiB, at most 200 of them
 * and for about two seconds; what is not looked at is not spoken of. The parsers are loaded when they are first needed.
 */
export async function* syntaxDiagnostics(
  files: readonly FileChange[],
  view: View,
  signal: AbortSignal,
): AsyncGenerator<Diagnostic> {
  const until = performance.now() + limitMs;
  const written = files.filter(
    ({ type, change, sizeBytes }) =>
      type === 'file' && change !== 'deleted' && change !== 'mode' && sizeBytes <= longestText,
  );
  for (const file of written.slice(0, mostFiles)) {
    if (signal.aborted || performance.now() > until) return;
    if (!isProgramText(file.path)) continue;
    const before = file.change === 'created' ? undefined : await readText(view, file.from ?? file.path, 'before');
    const after = await readText(view, file.path, 'after');
    if (after !== undefined && after !== before) yield* await diagnosticsOf(file.path, before, after);
  }
}

// Binary and prose are not worth loading the parsers for.
function isProgramText(path: string): boolean {
  return !/\.(md|txt|png|jpe?g|gif|ico|pdf|zip|gz|lock|rej|orig|log|csv|html?|c|h|cc|cpp|hpp|sql)$/i.test(path);
}

async function readText(view: View, path: string, moment: 'before' | 'after'): Promise<string | undefined> {
  const bytes = await view.read(path, moment, longestText);
  if (!bytes) return undefined;
  const text = Buffer.from(bytes).toString('utf8');
  return text.includes('\0') || text.includes('\ufffd') ? undefined : text;
}

/** What is new, fixed and still wrong in one text; `before` is absent where the file is new. */
export async function diagnosticsOf(path: string, before: string | undefined, after: string): Promise<Diagnostic[]> {
  const { lenientJson, parserFor } = await import('./parsers.ts');
  let parser = parserFor(path, after);
  if (!parser) return [];
  if (parser.name === 'jsonc-parser' && isLenient(path, before, parser, lenientJson)) parser = lenientJson;
  const now = placed(after, checked(parser, after));
  const then = before === undefined ? [] : placed(before, checked(parser, before));
  const told = compare(path, parser, { then, now, before: before ?? '' });
  return told.slice(0, mostInFile);
}

/** A parser that gives up has found nothing. */
function checked(parser: SyntaxParser, text: string): SyntaxProblem[] {
  try {
    return parser.check(text);
  } catch (error) {
    if (error instanceof RangeError) return [];
    throw error;
  }
}

// Names of files that are read with comments by their tools; and every file that has comments already.
function isLenient(path: string, before: string | undefined, strict: SyntaxParser, lenient: SyntaxParser): boolean {
  if (/(^|\/)(tsconfig|jsconfig)[^/]*\.json$|\/\.vscode\/|devcontainer[^/]*\.json$|\.eslintrc\.json$/.test(path))
    return true;
  return before !== undefined && checked(strict, before).length > 0 && checked(lenient, before).length === 0;
}

interface PlacedProblem extends SyntaxProblem {
  line: number;
  column: number;
  /** What tells it apart when lines move. */
  key: string;
  lineText: string;
}

function placed(text: string, problems: readonly SyntaxProblem[]): PlacedProblem[] {
  return problems.map((problem) => {
    const start = text.lastIndexOf('\n', problem.offset - 1) + 1;
    const line = text.slice(0, start).split('\n').length;
    const end = text.indexOf('\n', start);
    const lineText = text.slice(start, end < 0 ? undefined : end).trim();
    return { ...problem, line, column: problem.offset - start + 1, lineText, key: `${problem.message}\n${lineText}` };
  });
}

interface Compared {
  then: readonly PlacedProblem[];
  now: readonly PlacedProblem[];
  before: string;
}

function compare(path: string, parser: SyntaxParser, { then, now, before }: Compared): Diagnostic[] {
  const open = new Map<string, PlacedProblem[]>();
  for (const problem of then) open.set(problem.key, [...(open.get(problem.key) ?? []), problem]);
  const oldLines = new Set(before.split('\n').map((line) => line.trim()));
  const tell = (problem: PlacedProblem, status: Diagnostic['status']): Diagnostic => ({
    path,
    line: problem.line,
    column: problem.column,
    message: problem.message,
    source: parser.name,
    status,
    severity: parser.isExact && then.length === 0 && !problem.isDoubtful ? 'error' : 'warning',
  });
  const told = now.map((problem) => {
    const known = open.get(problem.key)?.shift() !== undefined;
    // What the parser did not come to before, because it stopped at an earlier mistake, is not new.
    const wasHidden = then.length > 0 && parser.stopsAtFirst && oldLines.has(problem.lineText);
    return tell(problem, known || wasHidden ? 'remains' : 'new');
  });
  const fixed = [...open.values()].flat().map((problem) => tell(problem, 'fixed'));
  const rank = { new: 0, fixed: 1, remains: 2 };
  return [...told, ...fixed].sort((a, b) => rank[a.status] - rank[b.status]);
}
