import { parse } from '@babel/parser';
import { type EditsOrNeed, followed, type KnownContents, stop } from './codeEdits.ts';
import {
  bounded,
  callMethod,
  callNative,
  isData,
  isPlain,
  type JavaScriptEdits,
  Later,
  memberOf,
  Native,
  Pattern,
} from './javascriptCalls.ts';
import { childOf, listOf, type SyntaxNode } from './readJavaScript.ts';

/** How Node is given a text. */
export interface JavaScriptForm {
  isModule: boolean;
  /** By `-e`: modules of Node have their names without being asked for. */
  isEvaluated: boolean;
  /** What it comes to is printed. */
  isPrinted: boolean;
}

interface Name {
  /** What declares it. */
  by: SyntaxNode;
  value: unknown;
  isFixed: boolean;
}

interface Follower extends JavaScriptEdits {
  form: JavaScriptForm;
  names: Map<string, Name>;
}

const longest = 20_000;
const modules = /^(?:node:)?(fs|path|fs\/promises)$/;

/**
 * Follows a text of statements one behind the other that reads files, changes texts or JSON and writes them back:
 * `fs.readFileSync`, `s.replace(old, new)`, `JSON.parse`, `p.version = '2'`, `fs.writeFileSync`. Nothing is guessed: any
 * function of its own, any exception, any value that is not known makes it no plain edit.
 */
export function javascriptEdits(code: string, form: JavaScriptForm, files: KnownContents): EditsOrNeed {
  if (code.length > longest) return undefined;
  let program: SyntaxNode;
  try {
    program = parse(code, { sourceType: form.isModule ? 'module' : 'script' }).program as unknown as SyntaxNode;
  } catch {
    return undefined;
  }
  const follower: Follower = { files, form, names: new Map(), written: new Map(), prints: form.isPrinted };
  return followed(follower, () => {
    for (const statement of listOf(program, 'body')) follow(follower, statement);
  });
}

function follow(follower: Follower, node: SyntaxNode): void {
  switch (node.type) {
    case 'VariableDeclaration':
      for (const one of listOf(node, 'declarations')) {
        const init = childOf(one, 'init');
        declare(follower, childOf(one, 'id') ?? stop(), init ? resultOf(follower, init) : undefined, node);
      }
      return;
    case 'ImportDeclaration':
      imported(follower, node);
      return;
    case 'ExpressionStatement':
      if (resultOf(follower, childOf(node, 'expression') ?? stop()) instanceof Later) stop();
      return;
    case 'IfStatement': {
      const branch = childOf(node, isTrue(follower, childOf(node, 'test')) ? 'consequent' : 'alternate');
      if (branch) follow(follower, branch);
      return;
    }
    case 'ForOfStatement':
      loop(follower, node);
      return;
    case 'BlockStatement':
      for (const statement of listOf(node, 'body')) follow(follower, statement);
      return;
    case 'EmptyStatement':
      return;
    default:
      stop();
  }
}

function loop(follower: Follower, node: SyntaxNode): void {
  const left = childOf(node, 'left');
  const items = resultOf(follower, childOf(node, 'right') ?? stop());
  const body = childOf(node, 'body');
  if (left?.type !== 'VariableDeclaration' || !body || !Array.isArray(items) || items.length > 100) stop();
  for (const item of items as unknown[]) {
    declare(follower, childOf(listOf(left, 'declarations')[0], 'id') ?? stop(), item, left);
    follow(follower, body);
  }
}

/** A name stands for one thing in the whole text: where it is declared twice, nobody looks which one is meant. */
function declare(follower: Follower, target: SyntaxNode, value: unknown, declaration: SyntaxNode): void {
  if (target.type === 'ObjectPattern') {
    for (const property of listOf(target, 'properties')) {
      const inner = childOf(property, 'value');
      if (property.type !== 'ObjectProperty' || inner?.type !== 'Identifier') stop();
      declare(follower, inner, memberOf(value, keyOf(follower, property)), declaration);
    }
    return;
  }
  if (target.type !== 'Identifier') stop();
  const name = String(target['name']);
  const before = follower.names.get(name);
  if ((before && before.by !== target) || globals.has(name)) stop();
  follower.names.set(name, { by: target, value, isFixed: declaration['kind'] === 'const' });
}

function imported(follower: Follower, node: SyntaxNode): void {
  const module = moduleOf(String(childOf(node, 'source')?.['value']));
  if (!module) stop();
  for (const one of listOf(node, 'specifiers')) {
    const from = childOf(one, 'imported');
    const value = one.type === 'ImportSpecifier' ? memberOf(module, String(from?.['name'])) : module;
    declare(follower, childOf(one, 'local') ?? stop(), value, node);
  }
}

function moduleOf(name: string): Native | undefined {
  const known = modules.exec(name)?.[1];
  return known === undefined ? undefined : new Native(known);
}

const globals = new Set(['require', 'console', 'JSON', 'Object', 'undefined', 'process', 'module', 'exports']);

function nameOf(follower: Follower, name: string): unknown {
  const known = follower.names.get(name);
  if (known) return known.value;
  if (name === 'undefined') return undefined;
  if (name === 'require') return follower.form.isModule ? stop() : new Native('require');
  if (/^(?:console|JSON|Object)$/.test(name)) return new Native(name);
  if (/^(?:fs|path)$/.test(name) && follower.form.isEvaluated && !follower.form.isModule) return new Native(name);
  return stop();
}

function isTrue(follower: Follower, node: SyntaxNode | undefined): boolean {
  const value = resultOf(follower, node ?? stop());
  return value instanceof Later ? stop() : Boolean(value);
}

function resultOf(follower: Follower, node: SyntaxNode): unknown {
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
      return node['value'];
    case 'NullLiteral':
      return null;
    case 'RegExpLiteral':
      return new Pattern(String(node['pattern']), String(node['flags']));
    case 'Identifier':
      return nameOf(follower, String(node['name']));
    case 'TemplateLiteral':
      return template(follower, node);
    case 'ArrayExpression':
      return array(follower, node);
    case 'ObjectExpression':
      return record(follower, node);
    case 'MemberExpression':
      return memberOf(resultOf(follower, childOf(node, 'object') ?? stop()), keyOf(follower, node));
    case 'CallExpression':
      return call(follower, node);
    case 'AwaitExpression': {
      const value = resultOf(follower, childOf(node, 'argument') ?? stop());
      return follower.form.isModule && value instanceof Later ? value.value : stop();
    }
    case 'AssignmentExpression':
      return assign(follower, node);
    default:
      return computed(follower, node);
  }
}

/** What comes of operators. */
function computed(follower: Follower, node: SyntaxNode): unknown {
  const part = (field: string) => resultOf(follower, childOf(node, field) ?? stop());
  const operator = String(node['operator']);
  if (node.type === 'ConditionalExpression')
    return isTrue(follower, childOf(node, 'test')) ? part('consequent') : part('alternate');
  if (node.type === 'UnaryExpression') {
    if (operator === '!') return !isTrue(follower, childOf(node, 'argument'));
    if (operator === 'delete') return remove(follower, childOf(node, 'argument') ?? stop());
    const value = part('argument');
    return operator === '-' && typeof value === 'number' ? -value : stop();
  }
  if (node.type === 'LogicalExpression') {
    const left = part('left');
    if (left instanceof Later) return stop();
    if (operator === '&&') return left ? part('right') : left;
    if (operator === '||') return left || part('right');
    return left ?? part('right');
  }
  if (node.type !== 'BinaryExpression') return stop();
  const [left, right] = [part('left'), part('right')];
  if (operator === '===' || operator === '!==') {
    if (![left, right].every((one) => one === undefined || (isData(one) && !isPlain(one)))) return stop();
    return (left === right) === (operator === '===');
  }
  if (operator === '+') return added(left, right);
  if (typeof left !== 'number' || typeof right !== 'number') return stop();
  if (operator === '-') return left - right;
  if (operator === '<') return left < right;
  return operator === '>' ? left > right : stop();
}

function added(left: unknown, right: unknown): string | number {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  return bounded(shown(left) + shown(right));
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : stop();
}

function template(follower: Follower, node: SyntaxNode): string {
  const values = listOf(node, 'expressions').map((one) => shown(resultOf(follower, one)));
  const texts = listOf(node, 'quasis').map((quasi) => (quasi['value'] as { cooked?: string }).cooked ?? stop());
  return bounded(texts.map((text, at) => text + (values[at] ?? '')).join(''));
}

function array(follower: Follower, node: SyntaxNode): unknown[] {
  const elements = listOf(node, 'elements');
  // A place may be left empty.
  if (elements.length !== (node['elements'] as unknown[]).length) stop();
  return elements.map((one) => dataOf(follower, one));
}

function dataOf(follower: Follower, node: SyntaxNode): unknown {
  const value = resultOf(follower, node);
  return isData(value) ? value : stop();
}

function record(follower: Follower, node: SyntaxNode): Record<string, unknown> {
  const made: Record<string, unknown> = {};
  for (const property of listOf(node, 'properties')) {
    if (property.type === 'SpreadElement') {
      const from = dataOf(follower, childOf(property, 'argument') ?? stop());
      if (!isPlain(from) || Array.isArray(from) || Object.hasOwn(from, '__proto__')) stop();
      Object.assign(made, from);
      continue;
    }
    if (property.type !== 'ObjectProperty') stop();
    made[ownKey(keyOf(follower, property))] = dataOf(follower, childOf(property, 'value') ?? stop());
  }
  return made;
}

/** The name of a property or a member. */
function keyOf(follower: Follower, node: SyntaxNode): string | number {
  const key = childOf(node, 'key') ?? childOf(node, 'property') ?? stop();
  if (node['computed'] !== true && key.type === 'Identifier') return String(key['name']);
  const value = resultOf(follower, key);
  return typeof value === 'string' || typeof value === 'number' ? value : stop();
}

/** A name that an object may be given: not one that means something to every object. */
function ownKey(key: string | number): string {
  return String(key) in Object.prototype ? stop() : String(key);
}

function assign(follower: Follower, node: SyntaxNode): unknown {
  const left = childOf(node, 'left') ?? stop();
  const operator = String(node['operator']);
  const given = resultOf(follower, childOf(node, 'right') ?? stop());
  const value = operator === '=' ? given : operator === '+=' ? added(resultOf(follower, left), given) : stop();
  if (left.type === 'Identifier') {
    const known = follower.names.get(String(left['name'])) ?? stop();
    if (known.isFixed) stop();
    known.value = value;
    return value;
  }
  if (left.type !== 'MemberExpression' || !isData(value)) return stop();
  const [on, key] = ownerOf(follower, left);
  on[key] = value;
  return value;
}

function remove(follower: Follower, node: SyntaxNode): boolean {
  if (node.type !== 'MemberExpression') return stop();
  const [on, key] = ownerOf(follower, node);
  return delete on[key];
}

function ownerOf(follower: Follower, node: SyntaxNode): [on: Record<string, unknown>, key: string] {
  const on = resultOf(follower, childOf(node, 'object') ?? stop());
  if (!isPlain(on) || Array.isArray(on)) return stop();
  return [on, ownKey(keyOf(follower, node))];
}

function call(follower: Follower, node: SyntaxNode): unknown {
  const callee = childOf(node, 'callee') ?? stop();
  const given = listOf(node, 'arguments');
  if (given.some(({ type }) => type === 'SpreadElement')) return stop();
  const args = () => given.map((one) => resultOf(follower, one));
  if (callee.type === 'MemberExpression') {
    const on = resultOf(follower, childOf(callee, 'object') ?? stop());
    const key = keyOf(follower, callee);
    if (!(on instanceof Native)) return callMethod(on, String(key), args());
    return callNative(follower, memberOf(on, key) as Native, args());
  }
  const called = resultOf(follower, callee);
  if (!(called instanceof Native)) return stop();
  if (called.name !== 'require') return callNative(follower, called, args());
  const [name] = args();
  if (typeof name !== 'string') return stop();
  // A file of JSON is asked for by its name.
  if (/^\.\.?\/.*\.json$/.test(name) && !/\\/.test(name)) {
    const json = callNative(follower, new Native('fs.readFileSync'), [name, 'utf8']);
    return callNative(follower, new Native('JSON.parse'), [json]);
  }
  return moduleOf(name) ?? stop();
}
