import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import { type CodeEdits, contentOf, type EditsOrNeed, followed, type KnownContents, stop } from './codeEdits.ts';
import { unquoted } from './readPython.ts';

type Value = string | { path: string } | { opened: string; mode: string };

interface Edits extends CodeEdits {
  code: string;
  /** Contents, with the line ends that Python gives to who reads text; `null`: it is not there, or is no text. */
  files: KnownContents;
  values: Map<string, Value>;
}

const longest = 20_000;

/**
 * Follows a text of statements one behind the other that reads files, replaces texts and writes them back: `p.read_text()`,
 * `s.replace(old, new)`, `assert old in s`, `p.write_text(s)`, `open(p, 'w').write(s)`. Nothing is guessed: any other form, any
 * branch, any exception makes it no plain edit.
 */
export function pythonEdits(code: string, files: KnownContents): EditsOrNeed {
  if (code.length > longest) return undefined;
  const edits: Edits = { code, files, values: new Map(), written: new Map(), prints: false };
  return followed(edits, () => {
    for (const node of childrenOf(parser.parse(code).topNode)) follow(edits, node);
  });
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) if (child.name !== 'Comment') found.push(child);
  return found;
}

function textOf({ code }: Edits, node: SyntaxNode): string {
  return code.slice(node.from, node.to);
}

function follow(edits: Edits, node: SyntaxNode): void {
  const parts = childrenOf(node);
  const [first, second, third] = parts;
  if (node.name === 'ImportStatement') {
    if (
      !/^(?:import (?:pathlib|re|sys|os)(?:, ?(?:pathlib|re|sys|os))*|from pathlib import Path)$/.test(
        textOf(edits, node),
      )
    )
      stop();
  } else if (node.name === 'StatementGroup')
    for (const part of parts.filter(({ name }) => name !== ';')) follow(edits, part);
  else if (node.name === 'AssignStatement') {
    if (parts.length !== 3 || first?.name !== 'VariableName' || !third) stop();
    const name = textOf(edits, first);
    if (/^(?:open|print|Path|pathlib)$/.test(name)) stop();
    edits.values.set(name, resultOf(edits, third));
  } else if (node.name === 'AssertStatement') {
    const condition = parts[1];
    if (!condition || !holds(edits, condition)) stop();
  } else if (node.name === 'ExpressionStatement' && first?.name === 'CallExpression' && !second) {
    if (/^print\(/.test(textOf(edits, first))) print(edits, first);
    else callOf(edits, first);
  } else stop();
}

/** `old in text` and `text.count(old) == 1`, and nothing else. */
function holds(edits: Edits, node: SyntaxNode): boolean {
  const parts = childrenOf(node);
  const [left, operator, right] = parts;
  if (node.name !== 'BinaryExpression' || parts.length !== 3 || !left || !operator || !right) stop();
  if (textOf(edits, operator) === 'in') return textAt(edits, right).includes(textAt(edits, left));
  if (textOf(edits, operator) !== '==' || left.name !== 'CallExpression' || right.name !== 'Number') stop();
  const { on, method, args } = called(edits, left);
  if (typeof on !== 'string' || method !== 'count' || args.length !== 1 || args[0] === '') stop();
  return on.split(args[0] as string).length - 1 === Number(textOf(edits, right));
}

/** What it prints is not followed, but that nothing goes wrong before: texts, and names that have a value. */
function print(edits: Edits, node: SyntaxNode): void {
  const list = childrenOf(node)[1];
  for (const part of list ? childrenOf(list) : []) if (!/^[(),]$/.test(part.name)) resultOf(edits, part);
  edits.prints = true;
}

function textAt(edits: Edits, node: SyntaxNode): string {
  const value = resultOf(edits, node);
  if (typeof value !== 'string') stop();
  return value;
}

function resultOf(edits: Edits, node: SyntaxNode): Value {
  const parts = childrenOf(node);
  const text = textOf(edits, node);
  switch (node.name) {
    case 'String':
      return literal(text);
    case 'ContinuedString':
      return parts.map((part) => (part.name === 'String' ? literal(textOf(edits, part)) : stop())).join('');
    case 'VariableName':
      return edits.values.get(text) ?? stop();
    case 'ParenthesizedExpression':
      return parts[1] && parts.length === 3 ? resultOf(edits, parts[1]) : stop();
    case 'BinaryExpression':
      return parts[0] && parts[2] && parts[1] && textOf(edits, parts[1]) === '+'
        ? textAt(edits, parts[0]) + textAt(edits, parts[2])
        : stop();
    case 'CallExpression':
      return callOf(edits, node) ?? stop();
    default:
      return stop();
  }
}

/** A name for a character is not looked up, and a text with bytes is none. */
function literal(text: string): string {
  if (!/^[rRuU]?['"]/.test(text) || /\\N\{|\\[0-7xuU]/.test(text)) return stop();
  return unquoted(text.replace(/^[uU]/, ''));
}

interface Called {
  on: Value | undefined;
  method: string;
  args: Value[];
  count: number | undefined;
}

/** What is called, with texts and values as arguments; `count`: the number at the end of `replace(old, new, 1)`. */
function called(edits: Edits, node: SyntaxNode): Called {
  const [callee, list, ...others] = childrenOf(node);
  if (!callee || list?.name !== 'ArgList' || others.length > 0) return stop();
  const args: Value[] = [];
  let count: number | undefined;
  const given = childrenOf(list).filter(({ name }) => !/^[(),]$/.test(name));
  for (let at = 0; at < given.length; at++) {
    const one = given[at] as SyntaxNode;
    if (given[at + 1]?.name === 'AssignOp') {
      // How text is encoded: in UTF-8, as it would be anyway where this is asked.
      const value = given[at + 2];
      if (textOf(edits, one) !== 'encoding' || !value || !/^['"]utf-?8['"]$/i.test(textOf(edits, value))) return stop();
      at += 2;
    } else if (one.name === 'Number' && /^\d+$/.test(textOf(edits, one)) && at === given.length - 1)
      count = Number(textOf(edits, one));
    else args.push(resultOf(edits, one));
  }
  if (callee.name === 'VariableName') return { on: undefined, method: textOf(edits, callee), args, count };
  const [object, dot, member, ...rest] = childrenOf(callee);
  if (callee.name !== 'MemberExpression' || !object || dot?.name !== '.' || !member || rest.length > 0) return stop();
  const method = textOf(edits, member);
  if (textOf(edits, object) === 'pathlib' && method === 'Path') return { on: undefined, method, args, count };
  return { on: resultOf(edits, object), method, args, count };
}

function callOf(edits: Edits, node: SyntaxNode): Value | undefined {
  const { on, method, args, count } = called(edits, node);
  const [first, second] = args;
  const isCalled = (name: string, least: number, most = least) =>
    method === name && args.length >= least && args.length <= most;
  if (on === undefined) {
    if (count !== undefined) return stop();
    if (isCalled('Path', 1) && typeof first === 'string') return { path: first };
    const name = typeof first === 'object' && 'path' in first ? first.path : first;
    if (isCalled('open', 1, 2) && typeof name === 'string' && /^(?:r|w|rt|wt)$/.test(String(second ?? 'r')))
      return { opened: name, mode: String(second ?? 'r').charAt(0) };
    return stop();
  }
  if (typeof on === 'string') {
    if (!isCalled('replace', 2) || typeof first !== 'string' || typeof second !== 'string' || first === '')
      return stop();
    return replaced(on, first, second, count);
  }
  if (count !== undefined) return stop();
  if ('path' in on) {
    if (isCalled('read_text', 0)) return contentOf(edits, edits.files, on.path);
    if (isCalled('write_text', 1) && typeof first === 'string') return void edits.written.set(on.path, first);
    return stop();
  }
  if (on.mode === 'r' && isCalled('read', 0)) return contentOf(edits, edits.files, on.opened);
  // What is written through a name is not in the file before that is closed.
  const isAtOnce = childrenOf(childrenOf(node)[0] as SyntaxNode)[0]?.name === 'CallExpression';
  if (on.mode === 'w' && isAtOnce && isCalled('write', 1) && typeof first === 'string')
    return void edits.written.set(on.opened, first);
  return stop();
}

function replaced(text: string, from: string, to: string, most: number | undefined): string {
  const parts = text.split(from);
  const kept = most === undefined ? parts.length - 1 : Math.min(most, parts.length - 1);
  return [parts.slice(0, kept + 1).join(to), ...parts.slice(kept + 1)].join(from);
}
