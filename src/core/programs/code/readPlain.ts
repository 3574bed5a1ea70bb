import { type CodeCall, type CodeReading, type CodeValue, unknownValue } from './codeReading.ts';

interface Syntax {
  /** What begins a comment that goes to the end of the line. */
  comment: RegExp;
  /** Between slashes with stars stands a comment. */
  blockComments?: true;
  /** A text in back quotes is run by a shell. */
  backQuotesRun?: true;
  /** `q{…}`, `qx(…)` or `%x{…}`: texts between brackets of one's choice. */
  chosenQuotes?: RegExp;
  /** What stands between slashes is a pattern. */
  patterns?: true;
}

const syntaxes: Readonly<Record<string, Syntax>> = {
  perl: { comment: /#/y, backQuotesRun: true, chosenQuotes: /(qx|qq|qw|q)(?=\s*[^\s\w,;=)>])/y, patterns: true },
  ruby: { comment: /#(?!\{)/y, backQuotesRun: true, chosenQuotes: /%([xqQwWi]?)(?=[{([<|!])/y, patterns: true },
  php: { comment: /#(?!\[)|\/\//y, blockComments: true, backQuotesRun: true },
  lua: { comment: /--/y },
  osascript: { comment: /--/y },
  groovy: { comment: /\/\//y, blockComments: true },
  scala: { comment: /\/\//y, blockComments: true },
};
const otherSyntax: Syntax = { comment: /#/y };

type Token =
  | { kind: 'word'; text: string }
  | { kind: 'text'; text: string; isOpen: boolean; runs: boolean }
  | { kind: 'sign'; text: string };

const closing: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']', '<': '>' };

/**
 * What a text of a language without a parser here calls, by its words alone: texts and comments are told from code, and
 * every word of the code counts as a call of that name.
 */
export function readPlain(language: string, code: string): CodeReading {
  const { tokens, isWhole } = tokenize(syntaxes[language] ?? otherSyntax, code);
  const calls: CodeCall[] = [];
  const names = new Set<string>();
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind === 'text' && token.runs) calls.push(plainCall('`', [evaluate(token)]));
    if (token?.kind !== 'word' || isSign(tokens[at - 1], /^(\.|::|->)$/)) continue;
    let name = token.text;
    let next = at + 1;
    for (; isSign(tokens[next], /^(\.|::|->)$/) && tokens[next + 1]?.kind === 'word'; next += 2) {
      name += `.${(tokens[next + 1] as { text: string }).text}`;
    }
    // `$unlink` is a variable, `$file->unlink` a method.
    if (isSign(tokens[at - 1], /^[$@%]$/)) {
      if (!name.includes('.')) continue;
      name = `?${name.slice(name.indexOf('.'))}`;
    }
    names.add(name);
    const args = argumentsAt(tokens, next);
    calls.push(plainCall(name, args));
    for (const called of calledByName(language, name, tokens, next)) {
      names.add(called);
      calls.push(plainCall(called, callsWith.test(name) ? args.slice(1) : [unknownValue]));
    }
  }
  const isEndless = /\b(while\s*\(?\s*(true|1)\b|loop\s+do\b|for\s*\(\s*;\s*;\s*\))/.test(
    tokens.map((token) => (token.kind === 'text' ? '""' : token.text)).join(' '),
  );
  return { calls, names, modules: new Set(['?']), assignsMembers: true, isEndless, isWhole };
}

/** Functions of PHP that call another one, whose name is among their texts. */
const takesFunction =
  /^(array_(map|walk|walk_recursive|filter|reduce|diff_\w+|intersect_\w+)|call_user_func(_array)?|forward_static_call(_array)?|u[ak]?sort|iterator_apply|preg_replace_callback|register_\w+_function|set_\w+_handler|is_callable|ob_start|Closure\.fromCallable)$/;
/** What stands behind the name are its arguments. */
const callsWith = /(^|\.)(call_user_func|send|public_send|__send__)$/;

/** What is called by its name in a text or a symbol: `array_map("unlink", $files)`, `File.method(:delete)`. */
function calledByName(language: string, name: string, tokens: readonly Token[], from: number): string[] {
  if (language === 'php' && takesFunction.test(name))
    return argumentsAt(tokens, from).flatMap((value) =>
      value.kind === 'text' && !value.isOpen && /^\\?\w+(::\w+)?$/.test(value.text)
        ? value.text.replace(/^\\/, '').replace('::', '.')
        : [],
    );
  const [, on] = /^(?:(.*)\.)?(?:method|public_method|instance_method|send|public_send|__send__)$/.exec(name) ?? [];
  if (language !== 'ruby' || name === on) return [];
  const at = isSign(tokens[from], /^\($/) ? from + 1 : from;
  const [sign, word] = [tokens[at], tokens[at + 1]];
  const isCalling = /(^|\.)(method|public_method|instance_method|send|public_send|__send__)$/.test(name);
  const called =
    sign?.kind === 'text' ? sign.text : isSign(sign, /^:$/) && word?.kind === 'word' ? word.text : undefined;
  return isCalling && called !== undefined ? [on === undefined ? called : `${on}.${called}`] : [];
}

function plainCall(name: string, args: readonly CodeValue[]): CodeCall {
  return { callees: [name], args, named: new Map() };
}

function evaluate({ text, isOpen }: { text: string; isOpen: boolean }): CodeValue {
  return { kind: 'text', text, isOpen };
}

function isSign(token: Token | undefined, wanted: RegExp): boolean {
  return token?.kind === 'sign' && wanted.test(token.text);
}

/** The texts behind a name, to the end of its brackets or of the statement. */
function argumentsAt(tokens: readonly Token[], from: number): CodeValue[] {
  const found: CodeValue[] = [];
  let depth = 0;
  for (let at = from; at < Math.min(tokens.length, from + 60); at++) {
    const token = tokens[at];
    if (!token) break;
    if (isSign(token, /^[([]$/)) depth++;
    else if (isSign(token, /^[)\]]$/)) {
      depth--;
      if (depth <= 0) break;
    } else if (isSign(token, /^[;\n{}]$/)) break;
    else if (token.kind === 'text') found.push(evaluate(token));
    else if (token.kind === 'word') found.push(unknownValue);
  }
  return found;
}

function tokenize(syntax: Syntax, code: string): { tokens: Token[]; isWhole: boolean } {
  const tokens: Token[] = [];
  let isWhole = true;
  let at = 0;
  const matches = (pattern: RegExp | undefined): RegExpExecArray | null => {
    if (!pattern) return null;
    pattern.lastIndex = at;
    return pattern.exec(code);
  };
  const mayBegin = () => {
    const before = tokens.at(-1);
    return (
      !before ||
      (before.kind === 'sign' && /^[(,=~|&!{;\n?:]$/.test(before.text)) ||
      /^(if|unless|and|or|not|split|grep|when|return|x)$/.test(before.text)
    );
  };
  const take = (opening: string): string | undefined => {
    const end = endOfText(code, at, opening);
    if (end === undefined) return undefined;
    const inner = code.slice(at + 1, end);
    at = end + 1;
    return inner;
  };
  while (at < code.length) {
    const character = code.charAt(at);
    const blockEnd = syntax.blockComments && code.startsWith('/*', at) ? code.indexOf('*/', at) : undefined;
    const chosen = matches(syntax.chosenQuotes);
    const substitution = syntax.patterns ? matches(/(s|tr|y|m|qr)(?=[/{(|!,#])/y) : null;
    if (blockEnd !== undefined) at = blockEnd < 0 ? code.length : blockEnd + 2;
    else if (matches(syntax.comment) && isCommentStart(syntax, code, at)) {
      const end = code.indexOf('\n', at);
      at = end < 0 ? code.length : end;
    } else if (/['"`]/.test(character)) {
      const inner = take(character);
      if (inner === undefined) {
        isWhole = false;
        at++;
      } else addText(tokens, syntax, character, inner, character === '`' && syntax.backQuotesRun === true);
    } else if (chosen && !isNamePart(code, at)) {
      at += chosen[0].length;
      while (/\s/.test(code.charAt(at))) at++;
      const inner = take(code.charAt(at));
      if (inner === undefined) isWhole = false;
      else
        addText(
          tokens,
          syntax,
          chosen[1] === 'q' || chosen[1] === 'qw' || chosen[1] === 'w' ? "'" : '"',
          inner,
          /^(qx|x)$/.test(chosen[1] ?? ''),
        );
    } else if (substitution && !isNamePart(code, at) && mayBegin()) {
      at += substitution[0].length;
      isWhole =
        takePattern(code, substitution[1] ?? 'm', { take, at: () => at, move: (to) => (at = to) }, tokens, syntax) &&
        isWhole;
    } else if (character === '/' && syntax.patterns && mayBegin()) {
      if (take('/') === undefined) at++;
    } else if (/[A-Za-z_]/.test(character)) {
      const word = matches(/[A-Za-z_][\w]*[?!]?/y)?.[0] ?? character;
      tokens.push({ kind: 'word', text: word });
      at += word.length;
    } else {
      const sign = matches(/::|->|\n|[^\s]/y)?.[0];
      if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
      at += sign?.length ?? 1;
    }
  }
  return { tokens, isWhole };
}

// `$#list` and `#{…}` are no comments; in Perl only what stands behind a blank or at the beginning is one.
function isCommentStart(syntax: Syntax, code: string, at: number): boolean {
  return !syntax.patterns || at === 0 || /[\s;{}()]/.test(code.charAt(at - 1));
}

function isNamePart(code: string, at: number): boolean {
  return at > 0 && /[\w$@%>.:]/.test(code.charAt(at - 1));
}

/** Where a text ends that begins with this sign. */
function endOfText(code: string, from: number, opening: string): number | undefined {
  const close = closing[opening] ?? opening;
  let depth = 0;
  for (let at = from + 1; at < code.length; at++) {
    const character = code.charAt(at);
    if (character === '\\') at++;
    else if (character === close) {
      if (depth === 0) return at;
      depth--;
    } else if (character === opening) depth++;
  }
  return undefined;
}

function addText(tokens: Token[], syntax: Syntax, quote: string, inner: string, runs: boolean): void {
  if (quote === "'") {
    tokens.push({ kind: 'text', text: inner.replace(/\\(['\\])/g, '$1'), isOpen: false, runs });
    return;
  }
  // What stands in `#{…}` is code of its own.
  const code: string[] = [];
  const filled = inner
    .replace(/#\{([^{}]*)\}|\$\{([^{}]*)\}/g, (_, one?: string, two?: string) => {
      code.push(one ?? two ?? '');
      return '$unknown';
    })
    .replace(/\$\w+(->)?(\{\w+\}|\[\w+\])?/g, '$unknown')
    .replace(/\\x\{?([0-9a-fA-F]{2})\}?/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\n/g, '\n')
    .replace(/\\(.)/g, '$1');
  tokens.push({ kind: 'text', text: filled, isOpen: filled.includes('$unknown'), runs });
  for (const one of code)
    tokens.push({ kind: 'sign', text: ';' }, ...tokenize(syntax, one).tokens, { kind: 'sign', text: ';' });
}

interface Reader {
  take(opening: string): string | undefined;
  at(): number;
  move(to: number): void;
}

/** `m/…/`, `s/…/…/` and their like; with the letter `e` the second part is code. */
function takePattern(code: string, kind: string, reader: Reader, tokens: Token[], syntax: Syntax): boolean {
  const opening = code.charAt(reader.at());
  if (reader.take(opening) === undefined) {
    reader.move(reader.at() + 1);
    return false;
  }
  let replacement = '';
  if (/^(s|tr|y)$/.test(kind)) {
    // `s/a/b/` has one sign between its parts, `s{a}{b}` two brackets.
    if (closing[opening] === undefined) reader.move(reader.at() - 1);
    const inner = reader.take(code.charAt(reader.at()));
    if (inner === undefined) return false;
    replacement = inner;
  }
  const flags = /^[a-z]*/.exec(code.slice(reader.at()))?.[0] ?? '';
  reader.move(reader.at() + flags.length);
  if (kind === 's' && flags.includes('e'))
    tokens.push({ kind: 'sign', text: ';' }, ...tokenize(syntax, replacement).tokens);
  tokens.push({ kind: 'sign', text: ')' });
  return true;
}
