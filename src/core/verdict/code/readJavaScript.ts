import { parse } from '@babel/parser';
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

/** A node of Babel's tree, as far as it is looked at here. */
interface Node {
  type: string;
  [field: string]: unknown;
}

/** What a JavaScript or TypeScript text calls; `undefined` when it is not understood. */
export function readJavaScript(code: string): CodeReading | undefined {
  const program = parsed(code);
  if (!program) return undefined;
  const names = codeNames();
  let calls: CodeCall[] = [];
  const read = new Set<string>();
  const modules = new Set<string>();
  let isEndless = false;
  let assignsMembers = false;
  let known = new Map<Node, CodeValue>();

  function visit(node: Node): void {
    if (/^(While|DoWhile|For)Statement$/.test(node.type) && isForever(node)) isEndless = true;
    if (node.type === 'ImportDeclaration') {
      imported(node);
      return;
    }
    for (const parameter of list(node, 'params')) bind(parameter, unknownValue);
    if (/^(Function|Class)Declaration$/.test(node.type)) bind(child(node, 'id'), unknownValue);
    for (const inner of childrenOf(node)) visit(inner);
    const init = child(node, 'init');
    if (node.type === 'VariableDeclarator' && init) bind(child(node, 'id'), evaluate(init));
    const right = child(node, 'right');
    if (node.type === 'AssignmentExpression' && right) assigned(node, right);
    if (/^For(Of|In)Statement$/.test(node.type) && right) looped(node, right);
    evaluate(node);
  }

  function assigned(node: Node, right: Node): void {
    const left = child(node, 'left');
    if (left?.type !== 'Identifier') assignsMembers = true;
    if (node['operator'] === '+=' && left) bind(left, joinedText([evaluate(left), evaluate(right)]));
    else bind(left, evaluate(right));
  }

  function looped(node: Node, right: Node): void {
    const source = evaluate(right);
    const items = source.kind === 'list' ? oneOf(source.items) : unknownValue;
    const left = child(node, 'left');
    bind(left?.type === 'VariableDeclaration' ? child(list(left, 'declarations')[0], 'id') : left, items);
  }

  function imported(node: Node): void {
    const source = String(child(node, 'source')?.['value'] ?? '?').replace(/^node:/, '');
    modules.add(source);
    const module: CodeValue = { kind: 'name', name: source };
    for (const one of list(node, 'specifiers')) {
      const from = child(one, 'imported');
      bind(child(one, 'local'), one.type === 'ImportSpecifier' ? memberOf(module, nameOf(from) ?? '?') : module);
    }
  }

  function bind(target: Node | undefined, value: CodeValue): void {
    if (!target) return;
    if (target.type === 'Identifier') names.assign(String(target['name']), value);
    if (target.type === 'AssignmentPattern') bind(child(target, 'left'), value);
    if (target.type === 'RestElement') bind(child(target, 'argument'), unknownValue);
    if (target.type === 'ArrayPattern') {
      for (const [at, one] of list(target, 'elements').entries())
        bind(one, value.kind === 'list' ? (value.items[at] ?? unknownValue) : unknownValue);
    }
    if (target.type !== 'ObjectPattern') return;
    for (const property of list(target, 'properties')) {
      const key = nameOf(child(property, 'key'));
      const inner = child(property, 'value') ?? child(property, 'argument');
      bind(inner, key === undefined ? unknownValue : memberOf(value, key));
    }
  }

  function evaluate(node: Node): CodeValue {
    const before = known.get(node);
    if (before) return before;
    const value = compute(node);
    known.set(node, value);
    return value;
  }

  function compute(node: Node): CodeValue {
    switch (node.type) {
      case 'StringLiteral':
      case 'NumericLiteral':
        return textValue(String(node['value']));
      case 'TemplateLiteral':
        return template(node);
      case 'Identifier':
        return identifier(String(node['name']));
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        return member(node);
      case 'CallExpression':
      case 'OptionalCallExpression':
      case 'NewExpression':
        return call(node);
      case 'ImportExpression':
        return loaded(child(node, 'source'));
      case 'TaggedTemplateExpression':
        return tagged(node);
      case 'ArrayExpression':
        return { kind: 'list', items: list(node, 'elements').map(evaluate) };
      case 'ObjectExpression':
        return record(node);
      case 'BinaryExpression':
        return node['operator'] === '+' ? joinedText(both(node, 'left', 'right')) : unknownValue;
      case 'ConditionalExpression':
        return oneOf(both(node, 'consequent', 'alternate'));
      case 'LogicalExpression':
        return oneOf(both(node, 'left', 'right'));
      case 'SequenceExpression':
        return last(list(node, 'expressions'));
      case 'AwaitExpression':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'ParenthesizedExpression':
        return last([child(node, 'argument') ?? child(node, 'expression')]);
      case 'AssignmentExpression':
        return last([child(node, 'right')]);
      default:
        return unknownValue;
    }
  }

  function last(nodes: readonly (Node | undefined)[]): CodeValue {
    const node = nodes.at(-1);
    return node ? evaluate(node) : unknownValue;
  }

  function both(node: Node, ...fields: string[]): CodeValue[] {
    return fields.map((field) => last([child(node, field)]));
  }

  function identifier(name: string): CodeValue {
    const value = names.valueOf(name);
    if (value) return value;
    read.add(name);
    return { kind: 'name', name };
  }

  function template(node: Node): CodeValue {
    const texts = list(node, 'quasis').map(
      (quasi) => (quasi['value'] as { cooked?: string } | undefined)?.cooked ?? '',
    );
    const values = list(node, 'expressions').map(evaluate);
    const parts = texts.flatMap((text, at) => [textValue(text), ...(values[at] ? [values[at]] : [])]);
    return joinedText(parts[0]?.kind === 'text' && parts[0].text === '' && parts.length > 1 ? parts.slice(1) : parts);
  }

  function record(node: Node): CodeValue {
    const fields = new Map<string, CodeValue>();
    for (const property of list(node, 'properties')) {
      const key = nameOf(child(property, 'key'));
      const value = child(property, 'value');
      if (key !== undefined && value)
        fields.set(key, value.type === 'BooleanLiteral' ? textValue(String(value['value'])) : evaluate(value));
    }
    return { kind: 'record', fields };
  }

  function member(node: Node): CodeValue {
    const [object, property] = [child(node, 'object'), child(node, 'property')];
    if (!object || !property) return unknownValue;
    const of = evaluate(object);
    const key = node['computed'] === true ? undefined : nameOf(property);
    const names =
      key === undefined ? textsOf(evaluate(property)).map(({ text, isOpen }) => (isOpen ? '?' : text)) : [key];
    if (of.kind === 'list' && /^\d+$/.test(names[0] ?? '')) return of.items[Number(names[0])] ?? unknownValue;
    const value = oneOf((names.length > 0 ? names : ['?']).map((name) => memberOf(of, name)));
    for (const name of calleeNames(value)) read.add(name);
    return value;
  }

  function loaded(source: Node | undefined): CodeValue {
    const wanted = source ? textsOf(evaluate(source)) : [];
    const found = wanted.map(({ text, isOpen }) => (isOpen ? '?' : text.replace(/^node:/, '')));
    for (const name of found.length > 0 ? found : ['?']) modules.add(name);
    return oneOf((found.length > 0 ? found : ['?']).map((name) => ({ kind: 'name', name })));
  }

  function tagged(node: Node): CodeValue {
    const [tag, quasi] = [child(node, 'tag'), child(node, 'quasi')];
    if (!tag || !quasi) return unknownValue;
    const made: CodeCall = { callees: calleeNames(evaluate(tag)), args: [evaluate(quasi)], named: new Map() };
    calls.push(made);
    return { kind: 'result', call: made };
  }

  function call(node: Node): CodeValue {
    const callee = child(node, 'callee');
    if (!callee) return unknownValue;
    const parts = list(node, 'arguments');
    if (callee.type === 'Import') return loaded(parts[0]);
    const called = evaluate(callee);
    const args = parts.map((part) => (part.type === 'SpreadElement' ? unknownValue : evaluate(part)));
    if (
      called.kind === 'name' &&
      /^(require|module\.require|process\.getBuiltinModule|globalThis\.require|process\.mainModule\.require)$/.test(
        called.name,
      )
    )
      return loaded(parts[0]);
    const options = args.at(-1);
    const made: CodeCall = {
      callees: calleeNames(called),
      args,
      named: options?.kind === 'record' ? options.fields : new Map(),
    };
    const on = ownerOf(called);
    if (on) made.on = on;
    calls.push(made);
    return resultOf(made);
  }

  // What is declared below is called above: a second look knows all names.
  visit(program);
  calls = [];
  known = new Map();
  read.clear();
  names.freeze();
  visit(program);
  return { calls, names: read, modules, assignsMembers, isEndless, isWhole: true };
}

function parsed(code: string): Node | undefined {
  for (const plugins of [['jsx'], ['typescript']] as const) {
    try {
      const file = parse(code, {
        sourceType: 'unambiguous',
        allowAwaitOutsideFunction: true,
        allowReturnOutsideFunction: true,
        plugins: [...plugins],
      });
      return file.program as unknown as Node;
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

function isForever(node: Node): boolean {
  const test = child(node, 'test');
  const always = test
    ? (test.type === 'BooleanLiteral' && test['value'] === true) ||
      (test.type === 'NumericLiteral' && test['value'] !== 0)
    : node.type === 'ForStatement';
  return always && !contains(node, /^(Break|Return|Throw)Statement$/);
}

function contains(node: Node, types: RegExp): boolean {
  return types.test(node.type) || childrenOf(node).some((one) => contains(one, types));
}

function nameOf(node: Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return String(node['name']);
  return node?.type === 'StringLiteral' ? String(node['value']) : undefined;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

function child(node: Node | undefined, field: string): Node | undefined {
  const value = node?.[field];
  return isNode(value) ? value : undefined;
}

function list(node: Node | undefined, field: string): Node[] {
  const value = node?.[field];
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function childrenOf(node: Node): Node[] {
  return Object.entries(node).flatMap(([field, value]) => {
    // Names of members are no names of values.
    if (/^(property|key)$/.test(field) && node['computed'] !== true) return [];
    if (/^(loc|extra|leadingComments|trailingComments|innerComments)$/.test(field)) return [];
    if (Array.isArray(value)) return value.filter(isNode);
    return isNode(value) ? [value] : [];
  });
}
