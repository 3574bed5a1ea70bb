import { type ParserPlugin, parse as parseJavaScript } from '@babel/parser';
import { parser as css } from '@lezer/css';
import { parser as go } from '@lezer/go';
import { parser as java } from '@lezer/java';
import type { LRParser } from '@lezer/lr';
import { parser as php } from '@lezer/php';
import { parser as python } from '@lezer/python';
import { parser as rust } from '@lezer/rust';
import { parser as xml } from '@lezer/xml';
import { type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import { parse as parseShell } from 'unbash';
import { parseAllDocuments } from 'yaml';

/** Something wrong at an offset of a text. */
export interface SyntaxProblem {
  /** In UTF-16 code units. */
  offset: number;
  message: string;
  /** It may be wrong only to this parser. */
  isDoubtful?: boolean;
}

/** Finds what is wrong with texts of one language. */
export interface SyntaxParser {
  name: string;
  /** It accepts and rejects what the language does; else it only points out. */
  isExact: boolean;
  /** It says nothing of what comes behind the first problem. */
  stopsAtFirst: boolean;
  check(text: string): SyntaxProblem[];
}

// Chosen by measuring on some hundred files each that are known to be right: Babel, yaml, jsonc-parser and smol-toml reject
// none of them. The small error-tolerant grammars of lezer reject 0.4 % (Python) to 5 % (PHP), so they only point out; for Go,
// Rust and Java there were too few files to tell. Those for C, C++, HTML and TypeScript reject so much that is right (4 % to
// 60 %) that they are not used.

/** The parser for a file, by its name and its first line; undefined where there is none. */
export function parserFor(path: string, text: string): SyntaxParser | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  const known = byExtension.get(extension) ?? byName(name);
  if (known) return known;
  const interpreter = /^#!.*\b(bash|sh|python3?|node)\b/.exec(text)?.[1] ?? '';
  if (interpreter === 'bash' || interpreter === 'sh') return shell;
  if (interpreter.startsWith('python')) return pythonParser;
  return interpreter === 'node' ? javaScript([['jsx']]) : undefined;
}

function byName(name: string): SyntaxParser | undefined {
  if (/^\.(babelrc|eslintrc|swcrc|prettierrc)$/.test(name)) return undefined;
  return /^(Pipfile|Cargo\.lock|poetry\.lock|uv\.lock)$/.test(name) ? toml : undefined;
}

/** Every set of plugins is a dialect; only what all of them reject is a problem. */
function javaScript(dialects: readonly ParserPlugin[][]): SyntaxParser {
  const check = (text: string, plugins: ParserPlugin[]): SyntaxProblem[] => {
    try {
      parseJavaScript(text, {
        sourceType: 'unambiguous',
        allowAwaitOutsideFunction: true,
        allowImportExportEverywhere: false,
        allowReturnOutsideFunction: true,
        allowSuperOutsideMethod: true,
        allowUndeclaredExports: true,
        plugins,
      });
      return [];
    } catch (error) {
      const { message, pos } = error as { message: string; pos?: number };
      // A second declaration may be meant by what reads the file (type and value, overloads).
      if (/has already been declared/.test(message)) return [];
      return [{ offset: pos ?? 0, message: message.replace(/\s*\(\d+:\d+\)$/, '') }];
    }
  };
  return {
    name: 'babel',
    isExact: true,
    stopsAtFirst: true,
    check(text) {
      let first: SyntaxProblem[] = [];
      for (const [index, plugins] of dialects.entries()) {
        const found = check(text, plugins);
        if (found.length === 0) return [];
        if (index === 0) first = found;
      }
      return first;
    },
  };
}

function lezer(name: string, parser: LRParser, prepare: (text: string) => string = (text) => text): SyntaxParser {
  return {
    name: `lezer-${name}`,
    isExact: false,
    stopsAtFirst: false,
    check(text) {
      const problems: SyntaxProblem[] = [];
      const prepared = prepare(text);
      parser.parse(prepared).iterate({
        enter(node) {
          const isUnclosed = node.name === 'MissingCloseTag' || node.name === 'MismatchedCloseTag';
          if (!(node.type.isError || isUnclosed) || problems.length >= 50) return;
          const near = /^[^\n]{1,30}/.exec(prepared.slice(node.from).trimStart())?.[0].trim() ?? '';
          const what = node.to > node.from ? 'Unexpected' : 'Something is missing before';
          const where = near === '' ? 'the end of the file' : `“${near}”`;
          const last = problems.at(-1);
          // One mistake makes several marks in a row.
          if (last && node.from - last.offset < 2) return;
          problems.push({ offset: node.from, message: `${what} ${where}` });
        },
      });
      return problems;
    },
  };
}

// The grammar takes a bare `yield` only with a value behind it.
const bareYield = /^([ \t]*)yield[ \t]*$/gm;
const pythonParser = lezer('python', python, (text) =>
  text.replace(bareYield, (line, blanks: string) => `${blanks}pass `.padEnd(line.length)),
);

function json(allowsMore: boolean): SyntaxParser {
  return {
    name: allowsMore ? 'jsonc-parser (JSON with comments)' : 'jsonc-parser',
    isExact: true,
    stopsAtFirst: false,
    check(text) {
      const errors: ParseError[] = [];
      const options = { disallowComments: !allowsMore, allowTrailingComma: allowsMore, allowEmptyContent: allowsMore };
      const mark = text.startsWith('\ufeff') ? 1 : 0;
      parseJson(text.slice(mark), errors, options);
      // Behind one mistake several things are missing.
      const first = errors.filter(({ offset }, index) => offset !== errors[index - 1]?.offset);
      return first.map(({ error, offset }) => ({ offset: offset + mark, message: words(printParseErrorCode(error)) }));
    },
  };
}

/** `CommaExpected` as `Comma expected`. */
function words(code: string): string {
  return code.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

const yaml: SyntaxParser = {
  name: 'yaml',
  isExact: true,
  stopsAtFirst: false,
  check(text) {
    // Templates of Helm, Jinja and others become YAML later.
    if (/\{\{|\{%/.test(text.replace(/\$\{\{.*?\}\}/g, ''))) return [];
    return parseAllDocuments(text, { logLevel: 'silent', prettyErrors: false }).flatMap((document) =>
      document.errors.map(({ pos, message, code }) => ({
        offset: pos[0],
        message,
        isDoubtful: code === 'DUPLICATE_KEY',
      })),
    );
  },
};

const toml: SyntaxParser = {
  name: 'smol-toml',
  isExact: true,
  stopsAtFirst: true,
  check(text) {
    try {
      parseToml(text);
      return [];
    } catch (error) {
      if (!(error instanceof TomlError)) return [];
      const lines = text.split('\n').slice(0, error.line - 1);
      const offset = lines.reduce((sum, line) => sum + line.length + 1, 0) + error.column - 1;
      const message = (error.message.split('\n')[0] ?? '').replace(/^Invalid TOML document: /, '');
      return [{ offset, message: message.charAt(0).toUpperCase() + message.slice(1) }];
    }
  },
};

const shell: SyntaxParser = {
  name: 'unbash',
  isExact: false,
  stopsAtFirst: false,
  check: (text) => (parseShell(text).errors ?? []).map(({ message, pos }) => ({ offset: pos, message })),
};

const typeScript: ParserPlugin[][] = [
  ['typescript', 'decorators'],
  ['typescript', 'decorators-legacy'],
];
const typeScriptWithTags: ParserPlugin[][] = [
  ['typescript', 'jsx', 'decorators'],
  ['typescript', 'jsx', 'decorators-legacy'],
];
const plain: ParserPlugin[][] = [
  ['jsx', 'decorators'],
  ['jsx', ['flow', { all: true }], 'decorators-legacy'],
];

/** JSON in which comments and trailing commas are fine, for files that have them already. */
export const lenientJson = json(true);

const byExtension: ReadonlyMap<string, SyntaxParser> = new Map<string, SyntaxParser>([
  ...['js', 'mjs', 'cjs', 'jsx'].map((one) => [one, javaScript(plain)] as const),
  ...['ts', 'mts', 'cts'].map((one) => [one, javaScript(typeScript)] as const),
  ['tsx', javaScript(typeScriptWithTags)],
  ['json', json(false)],
  ...['jsonc', 'code-workspace'].map((one) => [one, lenientJson] as const),
  ...['yaml', 'yml'].map((one) => [one, yaml] as const),
  ['toml', toml],
  ...['py', 'pyi'].map((one) => [one, pythonParser] as const),
  ['css', lezer('css', css)],
  ['go', lezer('go', go)],
  ['rs', lezer('rust', rust)],
  ['java', lezer('java', java)],
  ['php', lezer('php', php)],
  ...['xml', 'svg', 'xsd', 'plist', 'csproj'].map((one) => [one, lezer('xml', xml)] as const),
  ...['sh', 'bash'].map((one) => [one, shell] as const),
]);
