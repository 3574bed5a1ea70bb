import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import {
  type CodeCall,
  type CodeNames,
  type CodeReading,
  type CodeValue,
  calleeNames,
  codeNames,
  joinedText,
  memberOf,
  oneOf,
  ownerOf,
  textsOf,
  textValue,
  unknownValue,
} from './codeReading.ts';
import { pythonResult } from './pythonResult.ts';

interface Reader {
  code: string;
  names: CodeNames;
  calls: CodeCall[];
  read: Set<string>;
  modules: Set<string>;
  /** A call stands once in the text, but its value may be asked for often. */
  known: Map<string, CodeValue>;
  isWhole: boolean;
  isEndless: boolean;
  assignsMembers: boolean;
}

/** What a Python text calls, with the values of the arguments as far as the text tells them. */
export function readPython(code: string): CodeReading {
  const tree = parser.parse(code).topNode;
  const first = newReader(code, codeNames());
  visit(first, tree);
  // Names are read in the order of the text, but functions are called later: a second look knows them all.
  first.names.freeze();
  const reader = newReader(code, first.names);
  visit(reader, tree);
  const { calls, read, modules, assignsMembers, isEndless, isWhole } = reader;
  return { calls, names: read, modules, assignsMembers, isEndless, isWhole };
}

function newReader(code: string, names: CodeNames): Reader {
  return {
    code,
    names,
    calls: [],
    read: new Set(),
    modules: new Set(),
    known: new Map(),
    isWhole: true,
    isEndless: false,
    assignsMembers: false,
  };
}

function textOf(reader: Reader, node: SyntaxNode): string {
  return reader.code.slice(node.from, node.to);
}

function visit(reader: Reader, node: SyntaxNode): void {
  if (node.type.isError) reader.isWhole = false;
  if (node.name === 'ImportStatement') {
    importNames(reader, node);
    return;
  }
  if (node.name === 'ParamList')
    for (const name of parameters(node)) reader.names.assign(textOf(reader, name), unknownValue);
  if (node.name === 'FunctionDefinition' || node.name === 'ClassDefinition') {
    const name = node.getChild('VariableName');
    if (name) reader.names.assign(textOf(reader, name), unknownValue);
  }
  if (node.name === 'WhileStatement' && isForever(reader, node)) reader.isEndless = true;
  for (let child = node.firstChild; child; child = child.nextSibling) visit(reader, child);
  if (node.name === 'AssignStatement') assign(reader, node);
  if (node.name === 'UpdateStatement') update(reader, node);
  if (node.name === 'NamedExpression') assign(reader, node);
  if (node.name === 'WithStatement') openedNames(reader, node);
  if (node.name === 'ForStatement' || node.name.endsWith('ComprehensionExpression')) loopNames(reader, node);
  if (node.name === 'CallExpression' || node.name === 'MemberExpression') evaluate(reader, node);
  if (node.name === 'VariableName' && !reader.names.valueOf(textOf(reader, node)))
    reader.read.add(textOf(reader, node));
  if (node.name === 'Decorator') reader.calls.push({ callees: ['?'], args: [], named: new Map() });
}

function isForever(reader: Reader, node: SyntaxNode): boolean {
  const condition = node.firstChild?.nextSibling;
  if (!condition || !/^\(*\s*(True|1)\s*\)*$/.test(textOf(reader, condition))) return false;
  return !has(node, /^(Break|Return|Raise)Statement$/) && !/\b(exit|quit)\s*\(/.test(textOf(reader, node));
}

function importNames(reader: Reader, node: SyntaxNode): void {
  const words: string[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    // `a.b` stands as three nodes.
    const last = words.length - 1;
    if (textOf(reader, child) === '.' && /[\w.]$/.test(words[last] ?? '') && words[last] !== 'from') words[last] += '.';
    else if (words[last]?.endsWith('.') && child.name === 'VariableName') words[last] += textOf(reader, child);
    else words.push(textOf(reader, child));
  }
  const from = words[0] === 'from' ? (words[1] ?? '?') : undefined;
  const list = from === undefined ? words.slice(1) : words.slice(words.indexOf('import') + 1);
  if (from !== undefined) reader.modules.add(from);
  for (let at = 0; at < list.length; at++) {
    const word = list[at] ?? '';
    if (!/^[\w.]+$/.test(word)) {
      if (word === '*') reader.isWhole = false;
      continue;
    }
    const alias = list[at + 1] === 'as' ? list[at + 2] : undefined;
    if (from === undefined) reader.modules.add(word);
    const full = from === undefined ? (alias === undefined ? (word.split('.')[0] ?? word) : word) : `${from}.${word}`;
    reader.names.assign(alias ?? (from === undefined ? full : word), { kind: 'name', name: full });
    if (alias !== undefined) at += 2;
  }
}

function assign(reader: Reader, node: SyntaxNode): void {
  // `a = b = value` and `a, b = value`: all targets stand before the last `=`.
  const parts: SyntaxNode[][] = [[]];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name === 'AssignOp') parts.push([]);
    else if (child.name !== 'TypeDef') parts.at(-1)?.push(child);
  }
  const source = parts.pop() ?? [];
  const value = source.length === 1 && source[0] ? evaluate(reader, source[0]) : listOf(reader, source);
  for (const targets of parts) bind(reader, targets, value);
}

function listOf(reader: Reader, nodes: readonly SyntaxNode[]): CodeValue {
  return { kind: 'list', items: nodes.filter((node) => node.name !== ',').map((node) => evaluate(reader, node)) };
}

function bind(reader: Reader, targets: readonly SyntaxNode[], value: CodeValue): void {
  const plain = targets.filter((node) => node.name !== ',');
  const [first] = plain;
  if (plain.length === 1 && first?.name === 'VariableName') {
    reader.names.assign(textOf(reader, first), value);
    return;
  }
  if (plain.some((node) => node.name === 'MemberExpression')) reader.assignsMembers = true;
  const inner =
    plain.length === 1 && first && /^(Tuple|Array|Parenthesized)/.test(first.name) ? children(first) : plain;
  for (const [index, target] of inner.entries()) {
    if (target.name !== 'VariableName') continue;
    // What a call gives in parts comes from that call: `fd, path = tempfile.mkstemp()`.
    reader.names.assign(textOf(reader, target), value.kind === 'list' ? (value.items[index] ?? unknownValue) : value);
  }
}

function update(reader: Reader, node: SyntaxNode): void {
  const [target, , value] = all(node);
  if (target?.name !== 'VariableName' || !value) return;
  const before = reader.names.valueOf(textOf(reader, target)) ?? unknownValue;
  reader.names.assign(textOf(reader, target), joinedText([before, evaluate(reader, value)]));
}

function openedNames(reader: Reader, node: SyntaxNode): void {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    const target = child.nextSibling?.name === 'as' ? child.nextSibling.nextSibling : undefined;
    if (target?.name === 'VariableName') reader.names.assign(textOf(reader, target), evaluate(reader, child));
  }
}

function loopNames(reader: Reader, node: SyntaxNode): void {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.name !== 'for') continue;
    const source = siblingAfter(child, 'in')?.nextSibling;
    const list = source ? evaluate(reader, source) : unknownValue;
    for (let target = child.nextSibling; target && target.name !== 'in'; target = target.nextSibling) {
      if (target.name === 'VariableName')
        reader.names.assign(textOf(reader, target), list.kind === 'list' ? oneOf(list.items) : list);
    }
  }
}

function evaluate(reader: Reader, node: SyntaxNode): CodeValue {
  switch (node.name) {
    case 'String':
      return textValue(unquoted(textOf(reader, node)));
    case 'FormatString':
      return formatted(reader, node);
    case 'ContinuedString':
      return joinedText(all(node).map((node) => evaluate(reader, node)));
    case 'VariableName':
      return reader.names.valueOf(textOf(reader, node)) ?? { kind: 'name', name: textOf(reader, node) };
    case 'MemberExpression':
      return knownMember(reader, node);
    case 'CallExpression':
      return call(reader, node);
    case 'BinaryExpression':
      return binary(reader, node);
    case 'ParenthesizedExpression':
    case 'AwaitExpression': {
      const inner = children(node).at(-1);
      return inner ? evaluate(reader, inner) : unknownValue;
    }
    case 'NamedExpression': {
      const inner = children(node).at(-1);
      return inner ? evaluate(reader, inner) : unknownValue;
    }
    case 'ArrayExpression':
    case 'TupleExpression':
    case 'SetExpression':
      return listOf(reader, children(node));
    case 'Number':
      return textValue(textOf(reader, node));
    case 'ConditionalExpression': {
      const [then, , , , otherwise] = all(node);
      return oneOf([then, otherwise].flatMap((one) => (one ? [evaluate(reader, one)] : [])));
    }
    default:
      return unknownValue;
  }
}

function formatted(reader: Reader, node: SyntaxNode): CodeValue {
  const parts: CodeValue[] = [];
  let from = node.from;
  const whole = textOf(reader, node);
  const opening = /^[a-zA-Z]*("""|'''|"|')/.exec(whole)?.[0] ?? '"';
  const quote = opening.replace(/^[a-zA-Z]+/, '');
  const prefix = opening.slice(0, opening.length - quote.length);
  const literal = (to: number) => {
    const start = from === node.from ? from + opening.length : from;
    const end = to === node.to ? to - quote.length : to;
    if (end > start) parts.push(textValue(unquoted(`${prefix}${quote}${reader.code.slice(start, end)}${quote}`)));
  };
  for (const part of node.getChildren('FormatReplacement')) {
    literal(part.from);
    const inner = children(part)[0];
    parts.push(inner ? evaluate(reader, inner) : unknownValue);
    from = part.to;
  }
  literal(node.to);
  return joinedText(parts);
}

/** A chain of members is asked for at each of its parts. */
function knownMember(reader: Reader, node: SyntaxNode): CodeValue {
  const place = `${node.from} ${node.to}`;
  const value = reader.known.get(place) ?? member(reader, node);
  reader.known.set(place, value);
  return value;
}

function member(reader: Reader, node: SyntaxNode): CodeValue {
  const [object, ...rest] = all(node);
  const property = node.getChild('PropertyName');
  if (!object) return unknownValue;
  const of = evaluate(reader, object);
  if (property) {
    const value = memberOf(of, textOf(reader, property));
    for (const name of calleeNames(value)) reader.read.add(name);
    return value;
  }
  const index = rest.find((one) => one.name === 'String');
  if (of.kind === 'name')
    return index ? memberOf(of, unquoted(textOf(reader, index))) : { kind: 'name', name: `${of.name}.?`, of };
  const at = rest.find((one) => one.name === 'Number');
  if (of.kind === 'list' && at && rest.length <= 3) return of.items[Number(textOf(reader, at))] ?? unknownValue;
  // A part of what a call gives comes from that call.
  return of.kind === 'result' ? of : unknownValue;
}

function call(reader: Reader, node: SyntaxNode): CodeValue {
  const before = reader.known.get(`${node.from} ${node.to}`);
  if (before) return before;
  const callee = node.firstChild;
  const list = node.getChild('ArgList');
  if (!callee || !list) return unknownValue;
  const called = evaluate(reader, callee);
  const args: CodeValue[] = [];
  const named = new Map<string, CodeValue>();
  const parts = all(list).slice(1, -1);
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at];
    const isNamed = parts[at + 1]?.name === 'AssignOp';
    const value = parts[at + 2];
    if (!part || part.name === ',' || part.name === 'Comment') continue;
    if (isNamed && value) {
      named.set(textOf(reader, part), evaluate(reader, value));
      at += 2;
    } else if (part.name === '*' || part.name === '**') {
      args.push(unknownValue);
      at++;
    } else args.push(evaluate(reader, part));
  }
  const made: CodeCall = { callees: calleeNames(called), args, named };
  const on = ownerOf(called);
  if (on) made.on = on;
  const module = /^(__import__|importlib\.import_module|builtins\.__import__)$/.test(made.callees[0] ?? '');
  const wanted = module ? textsOf(args[0]) : [];
  if (module) for (const { text: name, isOpen } of wanted) reader.modules.add(isOpen ? '?' : name);
  if (module && wanted.length === 0) reader.modules.add('?');
  reader.calls.push(made);
  const value = pythonResult(made);
  reader.known.set(`${node.from} ${node.to}`, value);
  return value;
}

function binary(reader: Reader, node: SyntaxNode): CodeValue {
  const [left, operator, right] = all(node);
  if (!left || !operator || !right) return unknownValue;
  const [a, b] = [evaluate(reader, left), evaluate(reader, right)];
  if (textOf(reader, operator) === '/') {
    // A path below another one.
    return /Path\(\)/.test(calleeNames(a)[0] ?? '') || a.kind === 'result' ? a : joinedText([a, textValue('/'), b]);
  }
  if (textOf(reader, operator) === '+' && a.kind === 'list' && b.kind === 'list') {
    return { kind: 'list', items: [...a.items, ...b.items] };
  }
  if (textOf(reader, operator) === '%' && a.kind === 'text') {
    const values = b.kind === 'list' ? [...b.items] : [b];
    return joinedText(
      a.text
        .split(/%[-\d.]*[sdr]/)
        .flatMap((part, at) => (at === 0 ? [textValue(part)] : [values.shift() ?? unknownValue, textValue(part)])),
    );
  }
  return textOf(reader, operator) === '+' ? joinedText([a, b]) : unknownValue;
}

function all(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

/** The children that are values: no brackets, commas or words of the language. */
function children(node: SyntaxNode): SyntaxNode[] {
  return all(node).filter(
    (child) =>
      /^[A-Z]/.test(child.name) && child.name !== 'Comment' && !/^(FormatConversion|FormatSpec)$/.test(child.name),
  );
}

/** The parameters of a function, without the values that they have by default. */
function parameters(node: SyntaxNode): SyntaxNode[] {
  return all(node).filter((child) => child.name === 'VariableName' && child.prevSibling?.name !== 'AssignOp');
}

function siblingAfter(node: SyntaxNode, name: string): SyntaxNode | undefined {
  for (let next = node.nextSibling; next; next = next.nextSibling) if (next.name === name) return next;
  return undefined;
}

function has(node: SyntaxNode, names: RegExp): boolean {
  const cursor = node.cursor();
  do if (cursor.to <= node.to && names.test(cursor.name)) return true;
  while (cursor.next() && cursor.from < node.to);
  return false;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** The characters of a literal of Python: without quotes, with its escapes read. */
export function unquoted(literal: string): string {
  const [, prefix = '', quote = '', inner = ''] = /^([a-zA-Z]*)("""|'''|"|')([\s\S]*)\2$/.exec(literal) ?? [];
  if (quote === '') return literal;
  if (/r/i.test(prefix)) return inner;
  return inner.replace(
    /\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-7]{1,3}|\n|.)/gs,
    (_, sequence: string) => {
      const first = sequence.charAt(0);
      if (/[xuU]/.test(first) && sequence.length > 1)
        return String.fromCodePoint(Math.min(Number.parseInt(sequence.slice(1), 16), 0x10ffff));
      if (/[0-7]/.test(first)) return String.fromCharCode(Number.parseInt(sequence, 8));
      if (first === '\n') return '';
      return escapes[first] ?? (/[\\'"]/.test(first) ? first : `\\${first}`);
    },
  );
}
