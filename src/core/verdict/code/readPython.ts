import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/python';
import {
  type CodeCall,
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

/** What a Python text calls, with the values of the arguments as far as the text tells them. */
export function readPython(code: string): CodeReading {
  const names = codeNames();
  const calls: CodeCall[] = [];
  const read = new Set<string>();
  const modules = new Set<string>();
  let isWhole = true;
  let isEndless = false;
  let assignsMembers = false;
  const text = (node: SyntaxNode) => code.slice(node.from, node.to);
  // A call stands once in the text, but its value may be asked for often.
  const known = new Map<number, CodeValue>();

  function visit(node: SyntaxNode): void {
    if (node.type.isError) isWhole = false;
    if (node.name === 'ImportStatement') {
      importNames(node);
      return;
    }
    if (node.name === 'ParamList') for (const name of parameters(node)) names.assign(text(name), unknownValue);
    if (node.name === 'FunctionDefinition' || node.name === 'ClassDefinition') {
      const name = node.getChild('VariableName');
      if (name) names.assign(text(name), unknownValue);
    }
    if (node.name === 'WhileStatement' && isForever(node)) isEndless = true;
    for (let child = node.firstChild; child; child = child.nextSibling) visit(child);
    if (node.name === 'AssignStatement') assign(node);
    if (node.name === 'UpdateStatement') update(node);
    if (node.name === 'NamedExpression') assign(node);
    if (node.name === 'WithStatement') openedNames(node);
    if (node.name === 'ForStatement' || node.name.endsWith('ComprehensionExpression')) loopNames(node);
    if (node.name === 'CallExpression' || node.name === 'MemberExpression') evaluate(node);
    if (node.name === 'VariableName' && !names.valueOf(text(node))) read.add(text(node));
    if (node.name === 'Decorator') calls.push({ callees: ['?'], args: [], named: new Map() });
  }

  function isForever(node: SyntaxNode): boolean {
    const condition = node.firstChild?.nextSibling;
    if (!condition || !/^\(*\s*(True|1)\s*\)*$/.test(text(condition))) return false;
    return !has(node, /^(Break|Return|Raise)Statement$/) && !/\b(exit|quit)\s*\(/.test(text(node));
  }

  function importNames(node: SyntaxNode): void {
    const words: string[] = [];
    for (let child = node.firstChild; child; child = child.nextSibling) {
      // `a.b` stands as three nodes.
      const last = words.length - 1;
      if (text(child) === '.' && /[\w.]$/.test(words[last] ?? '') && words[last] !== 'from') words[last] += '.';
      else if (words[last]?.endsWith('.') && child.name === 'VariableName') words[last] += text(child);
      else words.push(text(child));
    }
    const from = words[0] === 'from' ? (words[1] ?? '?') : undefined;
    const list = from === undefined ? words.slice(1) : words.slice(words.indexOf('import') + 1);
    if (from !== undefined) modules.add(from);
    for (let at = 0; at < list.length; at++) {
      const word = list[at] ?? '';
      if (!/^[\w.]+$/.test(word)) {
        if (word === '*') isWhole = false;
        continue;
      }
      const alias = list[at + 1] === 'as' ? list[at + 2] : undefined;
      if (from === undefined) modules.add(word);
      const full = from === undefined ? (alias === undefined ? (word.split('.')[0] ?? word) : word) : `${from}.${word}`;
      names.assign(alias ?? (from === undefined ? full : word), { kind: 'name', name: full });
      if (alias !== undefined) at += 2;
    }
  }

  function assign(node: SyntaxNode): void {
    // `a = b = value` and `a, b = value`: all targets stand before the last `=`.
    const parts: SyntaxNode[][] = [[]];
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.name === 'AssignOp') parts.push([]);
      else if (child.name !== 'TypeDef') parts.at(-1)?.push(child);
    }
    const source = parts.pop() ?? [];
    const value = source.length === 1 && source[0] ? evaluate(source[0]) : listOf(source);
    for (const targets of parts) bind(targets, value);
  }

  function listOf(nodes: readonly SyntaxNode[]): CodeValue {
    return { kind: 'list', items: nodes.filter((node) => node.name !== ',').map(evaluate) };
  }

  function bind(targets: readonly SyntaxNode[], value: CodeValue): void {
    const plain = targets.filter((node) => node.name !== ',');
    const [first] = plain;
    if (plain.length === 1 && first?.name === 'VariableName') {
      names.assign(text(first), value);
      return;
    }
    if (plain.some((node) => node.name === 'MemberExpression')) assignsMembers = true;
    const inner =
      plain.length === 1 && first && /^(Tuple|Array|Parenthesized)/.test(first.name) ? children(first) : plain;
    for (const [index, target] of inner.entries()) {
      if (target.name !== 'VariableName') continue;
      // What a call gives in parts comes from that call: `fd, path = tempfile.mkstemp()`.
      names.assign(text(target), value.kind === 'list' ? (value.items[index] ?? unknownValue) : value);
    }
  }

  function update(node: SyntaxNode): void {
    const [target, , value] = all(node);
    if (target?.name !== 'VariableName' || !value) return;
    const before = names.valueOf(text(target)) ?? unknownValue;
    names.assign(text(target), joinedText([before, evaluate(value)]));
  }

  function openedNames(node: SyntaxNode): void {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      const target = child.nextSibling?.name === 'as' ? child.nextSibling.nextSibling : undefined;
      if (target?.name === 'VariableName') names.assign(text(target), evaluate(child));
    }
  }

  function loopNames(node: SyntaxNode): void {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (child.name !== 'for') continue;
      const source = siblingAfter(child, 'in')?.nextSibling;
      const list = source ? evaluate(source) : unknownValue;
      for (let target = child.nextSibling; target && target.name !== 'in'; target = target.nextSibling) {
        if (target.name === 'VariableName') names.assign(text(target), list.kind === 'list' ? oneOf(list.items) : list);
      }
    }
  }

  function evaluate(node: SyntaxNode): CodeValue {
    switch (node.name) {
      case 'String':
        return textValue(unquoted(text(node)));
      case 'FormatString':
        return formatted(node);
      case 'ContinuedString':
        return joinedText(all(node).map(evaluate));
      case 'VariableName':
        return names.valueOf(text(node)) ?? { kind: 'name', name: text(node) };
      case 'MemberExpression':
        return member(node);
      case 'CallExpression':
        return call(node);
      case 'BinaryExpression':
        return binary(node);
      case 'ParenthesizedExpression':
      case 'AwaitExpression': {
        const inner = children(node).at(-1);
        return inner ? evaluate(inner) : unknownValue;
      }
      case 'NamedExpression': {
        const inner = children(node).at(-1);
        return inner ? evaluate(inner) : unknownValue;
      }
      case 'ArrayExpression':
      case 'TupleExpression':
      case 'SetExpression':
        return listOf(children(node));
      case 'Number':
        return textValue(text(node));
      case 'ConditionalExpression': {
        const [then, , , , otherwise] = all(node);
        return oneOf([then, otherwise].flatMap((one) => (one ? [evaluate(one)] : [])));
      }
      default:
        return unknownValue;
    }
  }

  function formatted(node: SyntaxNode): CodeValue {
    const parts: CodeValue[] = [];
    let from = node.from;
    const whole = text(node);
    const opening = /^[a-zA-Z]*("""|'''|"|')/.exec(whole)?.[0] ?? '"';
    const quote = opening.replace(/^[a-zA-Z]+/, '');
    const prefix = opening.slice(0, opening.length - quote.length);
    const literal = (to: number) => {
      const start = from === node.from ? from + opening.length : from;
      const end = to === node.to ? to - quote.length : to;
      if (end > start) parts.push(textValue(unquoted(`${prefix}${quote}${code.slice(start, end)}${quote}`)));
    };
    for (const part of node.getChildren('FormatReplacement')) {
      literal(part.from);
      const inner = children(part)[0];
      parts.push(inner ? evaluate(inner) : unknownValue);
      from = part.to;
    }
    literal(node.to);
    return joinedText(parts);
  }

  function member(node: SyntaxNode): CodeValue {
    const [object, ...rest] = all(node);
    const property = node.getChild('PropertyName');
    if (!object) return unknownValue;
    const of = evaluate(object);
    if (property) {
      const value = memberOf(of, text(property));
      for (const name of calleeNames(value)) read.add(name);
      return value;
    }
    const index = rest.find((one) => one.name === 'String');
    if (of.kind === 'name')
      return index ? memberOf(of, unquoted(text(index))) : { kind: 'name', name: `${of.name}.?`, of };
    const at = rest.find((one) => one.name === 'Number');
    if (of.kind === 'list' && at && rest.length <= 3) return of.items[Number(text(at))] ?? unknownValue;
    // A part of what a call gives comes from that call.
    return of.kind === 'result' ? of : unknownValue;
  }

  function call(node: SyntaxNode): CodeValue {
    const before = known.get(node.from * 100_003 + node.to);
    if (before) return before;
    const callee = node.firstChild;
    const list = node.getChild('ArgList');
    if (!callee || !list) return unknownValue;
    const called = evaluate(callee);
    const args: CodeValue[] = [];
    const named = new Map<string, CodeValue>();
    const parts = all(list).slice(1, -1);
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at];
      const isNamed = parts[at + 1]?.name === 'AssignOp';
      const value = parts[at + 2];
      if (!part || part.name === ',' || part.name === 'Comment') continue;
      if (isNamed && value) {
        named.set(text(part), evaluate(value));
        at += 2;
      } else if (part.name === '*' || part.name === '**') {
        args.push(unknownValue);
        at++;
      } else args.push(evaluate(part));
    }
    const made: CodeCall = { callees: calleeNames(called), args, named };
    const on = ownerOf(called);
    if (on) made.on = on;
    const module = /^(__import__|importlib\.import_module|builtins\.__import__)$/.test(made.callees[0] ?? '');
    const wanted = module ? textsOf(args[0]) : [];
    if (module) for (const { text: name, isOpen } of wanted) modules.add(isOpen ? '?' : name);
    if (module && wanted.length === 0) modules.add('?');
    calls.push(made);
    const value = pythonResult(made);
    known.set(node.from * 100_003 + node.to, value);
    return value;
  }

  function binary(node: SyntaxNode): CodeValue {
    const [left, operator, right] = all(node);
    if (!left || !operator || !right) return unknownValue;
    const [a, b] = [evaluate(left), evaluate(right)];
    if (text(operator) === '/') {
      // A path below another one.
      return /Path\(\)/.test(calleeNames(a)[0] ?? '') || a.kind === 'result' ? a : joinedText([a, textValue('/'), b]);
    }
    if (text(operator) === '+' && a.kind === 'list' && b.kind === 'list') {
      return { kind: 'list', items: [...a.items, ...b.items] };
    }
    if (text(operator) === '%' && a.kind === 'text') {
      const values = b.kind === 'list' ? [...b.items] : [b];
      return joinedText(
        a.text
          .split(/%[-\d.]*[sdr]/)
          .flatMap((part, at) => (at === 0 ? [textValue(part)] : [values.shift() ?? unknownValue, textValue(part)])),
      );
    }
    return text(operator) === '+' ? joinedText([a, b]) : unknownValue;
  }

  // Names are read in the order of the text, but functions are called later: a second look knows them all.
  const tree = parser.parse(code).topNode;
  visit(tree);
  calls.length = 0;
  known.clear();
  read.clear();
  names.freeze();
  visit(tree);
  return { calls, names: read, modules, assignsMembers, isEndless, isWhole };
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

/** The characters of a literal: without quotes, with its escapes read. */
function unquoted(literal: string): string {
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
