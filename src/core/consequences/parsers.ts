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

/** Deepest nesting of brackets that is looked at; parsers that call themselves do not come to their end with more. */
const deepest = 300;

function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    // ( [ {, and what closes them.
    if (code === 40 || code === 91 || code === 123) depth += 1;
    else if ((code === 41 || code === 93 || code === 125) && depth > 0) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** As many tags within each other, in a text that is one of tags. */
function hasDeepTags(text: string): boolean {
  if (!text.trimStart().startsWith('<')) return false;
  let depth = 0;
  for (const [tag] of text.matchAll(/<\/?[A-Za-z_][^<>]*>/g)) {
    if (tag.startsWith('</')) depth -= 1;
    else if (!tag.endsWith('/>')) depth += 1;
    if (depth > deepest) return true;
  }
  return false;
}

/** The parser for a file, by its name and its first line; undefined where there is none, or none that comes to an end. */
export function parserFor(path: string, text: string): SyntaxParser | undefined {
  if (isTooDeep(text) || hasDeepTags(text)) return undefined;
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
      // Too deep for it: that says nothing about the text.
      if (error instanceof RangeError) return [];
      const { message, pos, reasonCode } = error as { message: string; pos?: number; reasonCode?: string };
      // A second declaration may be meant by what reads the file (type and value, overloads).
      if (reasonCode === 'VarRedeclaration') return [];
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

/** What is to be minded about a grammar. */
interface GrammarLimits {
  /** Makes of the text one of the same length that the grammar understands. */
  prepare?(text: string): string;
  /** The text has something that the grammar does not know. */
  isBeyond?(text: string): boolean;
}

function lezer(name: string, parser: LRParser, { prepare, isBeyond }: GrammarLimits = {}): SyntaxParser {
  return {
    name: `lezer-${name}`,
    isExact: false,
    stopsAtFirst: false,
    check(text) {
      const problems: SyntaxProblem[] = [];
      if (isBeyond?.(text)) return problems;
      const prepared = prepare?.(text) ?? text;
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

/** What Python has and the grammar has not, as something of the same length that it has. */
function plainPython(text: string): string {
  return (
    text
      // A `yield` without a value.
      .replace(/\byield(?=[ \t]*(?:#.*)?(?:$|[)\]},]))/gm, 'None ')
      // Any expression as a decorator.
      .replace(
        /^([ \t]*@)(?![\w.]+[ \t]*(?:\(|#|$))(.+)$/gm,
        (_, at: string, rest: string) => at + 'x'.repeat(rest.length),
      )
      // Stars in subscripts, annotations, and lists without brackets.
      .replace(/\[\*(?=\w)/g, '[ ')
      .replace(/: \*(?=\w+\b[^\n]*\))/g, ':  ')
      .replace(
        /^([ \t]*(?:for\b.*\bin|return|yield)\b)([^\n]*)$/gm,
        (_, head: string, rest: string) =>
          head + rest.replace(/([ ,]) ?\*(?=[\w([])/g, (all, before: string) => before.padEnd(all.length)),
      )
      // Only positional arguments of a lambda.
      .replace(/(\blambda\b[^:\n]*?), ?\/(?=[,:])/g, (all, head: string) => head.padEnd(all.length))
      .replace(/^([ \t]*(?:async )?with )\(([\s\S]*?)\)(?=:)/gm, (all, head: string, items: string) =>
        / as \w/.test(items) && !items.includes('\n') ? `${head} ${items} ` : all,
      )
  );
}

const pythonParser = lezer('python', python, {
  prepare: plainPython,
  // Several managers in brackets over several lines.
  isBeyond: (text) => /^[ \t]*(?:async )?with \([^)\n]*\n/m.test(text),
});
// What these grammars do not know yet: of a text that has it, nothing is said.
const javaParser = lezer('java', java, {
  isBeyond: (text) =>
    /\bcase\b[^;{}"']*->|\bdefault\s*->|\breturn\s+switch\b|=\s*switch\b|\binstanceof\s+(?:final\s+)?\w+\s*\(/.test(
      text,
    ),
});
const phpParser = lezer('php', php, {
  isBeyond: (text) =>
    /\benum\s+\w+\s*(?::|implements)|\breadonly\s+(?:final\s+|abstract\s+)?class\b|\(set\)|\b(?:get|set)\s*(?:=>|\{)/.test(
      text,
    ),
});

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
      document.errors
        // Where the parser gives up, it says nothing about the text.
        .filter(({ code }) => code !== 'RESOURCE_EXHAUSTION')
        .map(({ pos, message, code }) => ({ offset: pos[0], message, isDoubtful: code === 'DUPLICATE_KEY' })),
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
      if (!(error instanceof TomlError) || /excessively nested/.test(error.message)) return [];
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

/** What the language has, or what its compilers take, beyond what Babel takes by itself. */
const recent: ParserPlugin[] = [
  'decoratorAutoAccessors',
  'explicitResourceManagement',
  'importAttributes',
  'sourcePhaseImports',
  'deferredImportEvaluation',
  'destructuringPrivate',
  'regexpUnicodeSets',
];
const typeScript: ParserPlugin[][] = [
  ['typescript', 'decorators', ...recent],
  ['typescript', 'decorators-legacy', ...recent],
];
const typeScriptWithTags: ParserPlugin[][] = typeScript.map((plugins) => ['jsx', ...plugins]);
const plain: ParserPlugin[][] = [
  ['jsx', 'decorators', ...recent],
  ['jsx', 'decorators-legacy', ...recent],
  ['jsx', ['flow', { all: true }], 'decorators-legacy', ...recent],
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
  ['java', javaParser],
  ['php', phpParser],
  ...['xml', 'svg', 'xsd', 'plist', 'csproj'].map((one) => [one, lezer('xml', xml)] as const),
  ...['sh', 'bash'].map((one) => [one, shell] as const),
]);
