import { parse } from '@babel/parser';
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

/** A node of Babel's tree, as far as it is looked at here. */
export interface SyntaxNode {
  type: string;
  [field: string]: unknown;
}

interface Reader {
  names: CodeNames;
  calls: CodeCall[];
  read: Set<string>;
  modules: Set<string>;
  /** What stands in several places of the tree is asked for often. */
  known: Map<SyntaxNode, CodeValue>;
  isEndless: boolean;
  assignsMembers: boolean;
}

/** What a JavaScript or TypeScript text calls; `undefined` when it is not understood. */
export function readJavaScript(code: string): CodeReading | undefined {
  const program = parsed(code);
  if (!program) return undefined;
  const first = newReader(codeNames());
  visit(first, program);
  // What is declared below is called above: a second look knows all names.
  first.names.freeze();
  const reader = newReader(first.names);
  visit(reader, program);
  const { calls, read, modules, assignsMembers, isEndless } = reader;
  return { calls, names: read, modules, assignsMembers, isEndless, isWhole: true };
}

function newReader(names: CodeNames): Reader {
  return {
    names,
    calls: [],
    read: new Set(),
    modules: new Set(),
    known: new Map(),
    isEndless: false,
    assignsMembers: false,
  };
}

function visit(reader: Reader, node: SyntaxNode): void {
  if (/^(While|DoWhile|For)Statement$/.test(node.type) && isForever(node)) reader.isEndless = true;
  if (node.type === 'ImportDeclaration') {
    imported(reader, node);
    return;
  }
  for (const parameter of listOf(node, 'params')) bind(reader, parameter, unknownValue);
  if (/^(Function|Class)Declaration$/.test(node.type)) bind(reader, childOf(node, 'id'), unknownValue);
  for (const inner of childrenOf(node)) visit(reader, inner);
  const init = childOf(node, 'init');
  if (node.type === 'VariableDeclarator' && init) bind(reader, childOf(node, 'id'), evaluate(reader, init));
  const right = childOf(node, 'right');
  if (node.type === 'AssignmentExpression' && right) assigned(reader, node, right);
  if (/^For(Of|In)Statement$/.test(node.type) && right) looped(reader, node, right);
  evaluate(reader, node);
}

function assigned(reader: Reader, node: SyntaxNode, right: SyntaxNode): void {
  const left = childOf(node, 'left');
  if (left?.type !== 'Identifier') reader.assignsMembers = true;
  if (node['operator'] === '+=' && left)
    bind(reader, left, joinedText([evaluate(reader, left), evaluate(reader, right)]));
  else bind(reader, left, evaluate(reader, right));
}

function looped(reader: Reader, node: SyntaxNode, right: SyntaxNode): void {
  const source = evaluate(reader, right);
  const items = source.kind === 'list' ? oneOf(source.items) : unknownValue;
  const left = childOf(node, 'left');
  bind(reader, left?.type === 'VariableDeclaration' ? childOf(listOf(left, 'declarations')[0], 'id') : left, items);
}

function imported(reader: Reader, node: SyntaxNode): void {
  const source = String(childOf(node, 'source')?.['value'] ?? '?').replace(/^node:/, '');
  reader.modules.add(source);
  const module: CodeValue = { kind: 'name', name: source };
  for (const one of listOf(node, 'specifiers')) {
    const from = childOf(one, 'imported');
    bind(
      reader,
      childOf(one, 'local'),
      one.type === 'ImportSpecifier' ? memberOf(module, nameOf(from) ?? '?') : module,
    );
  }
}

function bind(reader: Reader, target: SyntaxNode | undefined, value: CodeValue): void {
  if (!target) return;
  if (target.type === 'Identifier') reader.names.assign(String(target['name']), value);
  if (target.type === 'AssignmentPattern') bind(reader, childOf(target, 'left'), value);
  if (target.type === 'RestElement') bind(reader, childOf(target, 'argument'), unknownValue);
  if (target.type === 'ArrayPattern') {
    for (const [at, one] of listOf(target, 'elements').entries())
      bind(reader, one, value.kind === 'list' ? (value.items[at] ?? unknownValue) : unknownValue);
  }
  if (target.type !== 'ObjectPattern') return;
  for (const property of listOf(target, 'properties')) {
    const key = nameOf(childOf(property, 'key'));
    const inner = childOf(property, 'value') ?? childOf(property, 'argument');
    bind(reader, inner, key === undefined ? unknownValue : memberOf(value, key));
  }
}

function evaluate(reader: Reader, node: SyntaxNode): CodeValue {
  const before = reader.known.get(node);
  if (before) return before;
  const value = compute(reader, node);
  reader.known.set(node, value);
  return value;
}

function compute(reader: Reader, node: SyntaxNode): CodeValue {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
      return textValue(String(node['value']));
    case 'TemplateLiteral':
      return template(reader, node);
    case 'Identifier':
      return identifier(reader, String(node['name']));
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return member(reader, node);
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return call(reader, node);
    case 'ImportExpression':
      return loaded(reader, childOf(node, 'source'));
    case 'TaggedTemplateExpression':
      return tagged(reader, node);
    case 'ArrayExpression':
      return { kind: 'list', items: listOf(node, 'elements').map((node) => evaluate(reader, node)) };
    case 'ObjectExpression':
      return record(reader, node);
    case 'BinaryExpression':
      return node['operator'] === '+' ? joinedText(both(reader, node, 'left', 'right')) : unknownValue;
    case 'ConditionalExpression':
      return oneOf(both(reader, node, 'consequent', 'alternate'));
    case 'LogicalExpression':
      return oneOf(both(reader, node, 'left', 'right'));
    case 'SequenceExpression':
      return last(reader, listOf(node, 'expressions'));
    case 'AwaitExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
    case 'ParenthesizedExpression':
      return last(reader, [childOf(node, 'argument') ?? childOf(node, 'expression')]);
    case 'AssignmentExpression':
      return last(reader, [childOf(node, 'right')]);
    default:
      return unknownValue;
  }
}

function last(reader: Reader, nodes: readonly (SyntaxNode | undefined)[]): CodeValue {
  const node = nodes.at(-1);
  return node ? evaluate(reader, node) : unknownValue;
}

function both(reader: Reader, node: SyntaxNode, ...fields: string[]): CodeValue[] {
  return fields.map((field) => last(reader, [childOf(node, field)]));
}

function identifier(reader: Reader, name: string): CodeValue {
  const value = reader.names.valueOf(name);
  if (value) return value;
  reader.read.add(name);
  return { kind: 'name', name };
}

function template(reader: Reader, node: SyntaxNode): CodeValue {
  const texts = listOf(node, 'quasis').map(
    (quasi) => (quasi['value'] as { cooked?: string } | undefined)?.cooked ?? '',
  );
  const values = listOf(node, 'expressions').map((node) => evaluate(reader, node));
  const parts = texts.flatMap((text, at) => [textValue(text), ...(values[at] ? [values[at]] : [])]);
  return joinedText(parts[0]?.kind === 'text' && parts[0].text === '' && parts.length > 1 ? parts.slice(1) : parts);
}

function record(reader: Reader, node: SyntaxNode): CodeValue {
  const fields = new Map<string, CodeValue>();
  for (const property of listOf(node, 'properties')) {
    const key = nameOf(childOf(property, 'key'));
    const value = childOf(property, 'value');
    if (key !== undefined && value)
      fields.set(key, value.type === 'BooleanLiteral' ? textValue(String(value['value'])) : evaluate(reader, value));
  }
  return { kind: 'record', fields };
}

function member(reader: Reader, node: SyntaxNode): CodeValue {
  const [object, property] = [childOf(node, 'object'), childOf(node, 'property')];
  if (!object || !property) return unknownValue;
  const of = evaluate(reader, object);
  const key = node['computed'] === true ? undefined : nameOf(property);
  const names =
    key === undefined ? textsOf(evaluate(reader, property)).map(({ text, isOpen }) => (isOpen ? '?' : text)) : [key];
  if (of.kind === 'list' && /^\d+$/.test(names[0] ?? '')) return of.items[Number(names[0])] ?? unknownValue;
  const value = oneOf((names.length > 0 ? names : ['?']).map((name) => memberOf(of, name)));
  for (const name of calleeNames(value)) reader.read.add(name);
  return value;
}

function loaded(reader: Reader, source: SyntaxNode | undefined): CodeValue {
  const wanted = source ? textsOf(evaluate(reader, source)) : [];
  const found = wanted.map(({ text, isOpen }) => (isOpen ? '?' : text.replace(/^node:/, '')));
  for (const name of found.length > 0 ? found : ['?']) reader.modules.add(name);
  return oneOf((found.length > 0 ? found : ['?']).map((name) => ({ kind: 'name', name })));
}

function tagged(reader: Reader, node: SyntaxNode): CodeValue {
  const [tag, quasi] = [childOf(node, 'tag'), childOf(node, 'quasi')];
  if (!tag || !quasi) return unknownValue;
  const made: CodeCall = {
    callees: calleeNames(evaluate(reader, tag)),
    args: [evaluate(reader, quasi)],
    named: new Map(),
  };
  reader.calls.push(made);
  return { kind: 'result', call: made };
}

function call(reader: Reader, node: SyntaxNode): CodeValue {
  const callee = childOf(node, 'callee');
  if (!callee) return unknownValue;
  const parts = listOf(node, 'arguments');
  if (callee.type === 'Import') return loaded(reader, parts[0]);
  const called = evaluate(reader, callee);
  const args = parts.map((part) => (part.type === 'SpreadElement' ? unknownValue : evaluate(reader, part)));
  if (
    called.kind === 'name' &&
    /^(require|module\.require|process\.getBuiltinModule|globalThis\.require|process\.mainModule\.require)$/.test(
      called.name,
    )
  )
    return loaded(reader, parts[0]);
  const options = args.at(-1);
  const made: CodeCall = {
    callees: calleeNames(called),
    args,
    named: options?.kind === 'record' ? options.fields : new Map(),
  };
  const on = ownerOf(called);
  if (on) made.on = on;
  reader.calls.push(made);
  return resultOf(made);
}

function parsed(code: string): SyntaxNode | undefined {
  for (const plugins of [['jsx'], ['typescript']] as const) {
    try {
      const file = parse(code, {
        sourceType: 'unambiguous',
        allowAwaitOutsideFunction: true,
        allowReturnOutsideFunction: true,
        plugins: [...plugins],
      });
      return file.program as unknown as SyntaxNode;
    } catch {
      // The next dialect is tried; what none understands is not read.
    }
  }
  return undefined;
}

/** What a call gives, where its arguments tell. */
function resultOf(call: CodeCall): CodeValue {
  const name = call.callees[0] ?? '?';
  if (/^(path|path\.posix)\.(join|resolve)$/.test(name)) {
    return joinedText(call.args.flatMap((part, at) => (at === 0 ? [part] : [textValue('/'), part])));
  }
  if (name === 'util.promisify') return call.args[0] ?? unknownValue;
  if (/^''\.(concat)$/.test(name) && call.on) return joinedText([call.on, ...call.args]);
  if (/^\[\]\.join$/.test(name) && call.on?.kind === 'list') {
    const between = call.args[0] ?? textValue(',');
    return joinedText(call.on.items.flatMap((part, at) => (at === 0 ? [part] : [between, part])));
  }
  return { kind: 'result', call };
}

function isForever(node: SyntaxNode): boolean {
  const test = childOf(node, 'test');
  const always = test
    ? (test.type === 'BooleanLiteral' && test['value'] === true) ||
      (test.type === 'NumericLiteral' && test['value'] !== 0)
    : node.type === 'ForStatement';
  return always && !contains(node, /^(Break|Return|Throw)Statement$/);
}

function contains(node: SyntaxNode, types: RegExp): boolean {
  return types.test(node.type) || childrenOf(node).some((one) => contains(one, types));
}

function nameOf(node: SyntaxNode | undefined): string | undefined {
  if (node?.type === 'Identifier') return String(node['name']);
  return node?.type === 'StringLiteral' ? String(node['value']) : undefined;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';
}

/** What stands in a field of a node. */
export function childOf(node: SyntaxNode | undefined, field: string): SyntaxNode | undefined {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
}

/** The nodes that stand in a field of a node. */
export function listOf(node: SyntaxNode | undefined, field: string): SyntaxNode[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  return Object.entries(node).flatMap(([field, value]) => {
    // Names of members are no names of values.
    if (/^(property|key)$/.test(field) && node['computed'] !== true) return [];
    if (/^(loc|extra|leadingComments|trailingComments|innerComments)$/.test(field)) return [];
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });
}
