import path from 'node:path';
import { type CodeEdits, contentOf, type KnownContents, stop } from './codeEdits.ts';
import { timedReplace, timedTest } from './timedReplace.ts';

/** Something with a name that the text did not make: a module of Node, or a function of one. */
export class Native {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** A regular expression. */
export class Pattern {
  readonly source: string;
  readonly flags: string;
  constructor(source: string, flags: string) {
    this.source = source;
    this.flags = flags;
  }
}

/** What is read without an encoding. */
class Bytes {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** What has to be waited for. */
export class Later {
  readonly value: unknown;
  constructor(value: unknown) {
    this.value = value;
  }
}

/** What a text is followed with. */
export interface JavaScriptEdits extends CodeEdits {
  files: KnownContents;
}

const longestText = 4 * 1024 ** 2;

/** A text that is not too long to go on with. */
export function bounded(text: string): string {
  return text.length > longestText ? stop() : text;
}

/** An object or an array as JSON has them: nothing in it but what it was given. */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype;
}

/** A member of a value, as far as the value itself has it. */
export function memberOf(on: unknown, key: string | number): unknown {
  if (on instanceof Native) {
    const name = `${on.name}.${key}`;
    return name === 'fs.promises' ? new Native('fs/promises') : new Native(name);
  }
  if (typeof on === 'string' || Array.isArray(on)) {
    if (key === 'length') return on.length;
    return typeof key === 'number' ? on[key] : stop();
  }
  if (!isPlain(on) || String(key) in Object.prototype) return stop();
  return Object.hasOwn(on, key) ? on[String(key)] : undefined;
}

/** Calls a function of Node with values. */
export function callNative(edits: JavaScriptEdits, { name }: Native, args: readonly unknown[]): unknown {
  const [first, second, third] = args;
  const isCalled = (called: string, least: number, most = least) =>
    name === called && args.length >= least && args.length <= most;
  if (/^console\.(?:log|error|info|warn)$/.test(name)) {
    edits.prints = true;
    return undefined;
  }
  if (isCalled('JSON.parse', 1)) return parsedJson(first instanceof Bytes ? first.text : text(first));
  if (isCalled('JSON.stringify', 1, 3) && (second === null || second === undefined)) {
    if (!isPlain(first) && typeof first !== 'string') return stop();
    const indent = typeof third === 'number' || typeof third === 'string' ? third : undefined;
    return third !== undefined && indent === undefined ? stop() : bounded(JSON.stringify(first, null, indent));
  }
  if (name === 'path.join' && args.length > 0) return path.posix.join(...args.map(text));
  if (isCalled('Object.keys', 1) && isPlain(first)) return Object.keys(first);
  if (isCalled('fs.existsSync', 1)) return contentOf(edits, edits.files, text(first)) !== undefined;
  return callFileSystem(edits, name, args);
}

function callFileSystem(edits: JavaScriptEdits, name: string, args: readonly unknown[]): unknown {
  const [first, second, third] = args;
  const isLater = name.startsWith('fs/promises.');
  const given = (value: unknown) => (isLater ? new Later(value) : value);
  const method = isLater ? `${name.slice('fs/promises.'.length)}Sync` : name.replace(/^fs\./, '');
  if (method === name) return stop();
  if (method === 'readFileSync' && args.length >= 1 && args.length <= 2) {
    const content = contentOf(edits, edits.files, text(first));
    return given(second === undefined ? new Bytes(content) : isUtf8(second) ? content : stop());
  }
  if (args.length < 2 || args.length > 3 || (third !== undefined && !isUtf8(third))) return stop();
  const file = text(first);
  if (method === 'writeFileSync') edits.written.set(file, text(second));
  else if (method === 'appendFileSync')
    edits.written.set(file, bounded(contentOf(edits, edits.files, file) + text(second)));
  else return stop();
  return given(undefined);
}

function isUtf8(value: unknown): boolean {
  if (typeof value === 'string') return /^utf-?8$/i.test(value);
  return isPlain(value) && Object.keys(value).join() === 'encoding' && isUtf8(value['encoding']);
}

function parsedJson(json: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return stop();
  }
  return value;
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : stop();
}

const plainMethods = new Set(['trim', 'trimEnd', 'trimStart', 'toUpperCase', 'toLowerCase', 'toString']);

/** Calls a method of a value that the text has. */
export function callMethod(on: unknown, method: string, args: readonly unknown[]): unknown {
  const [first, second] = args;
  if (on instanceof Bytes)
    return method === 'toString' && args.length < 2 && (first === undefined || isUtf8(first)) ? on.text : stop();
  if (on instanceof Pattern)
    return method === 'test' && args.length === 1 && !/[gy]/.test(on.flags)
      ? timedTest(text(first), on.source, on.flags)
      : stop();
  if (Array.isArray(on)) return callArray(on, method, args);
  if (typeof on !== 'string') return stop();
  if (plainMethods.has(method) && args.length === 0) return (on as unknown as Record<string, () => string>)[method]?.();
  if ((method === 'replace' || method === 'replaceAll') && args.length === 2) {
    if (first instanceof Pattern) {
      const { source: pattern, flags } = first;
      return bounded(timedReplace({ texts: [on], pattern, flags, to: text(second), method }).join(''));
    }
    return replacedText(on, text(first), text(second), method);
  }
  if (args.length === 1 && typeof first === 'string') {
    if (method === 'includes') return on.includes(first);
    if (method === 'startsWith') return on.startsWith(first);
    if (method === 'endsWith') return on.endsWith(first);
    if (method === 'indexOf') return on.indexOf(first);
    if (method === 'lastIndexOf') return on.lastIndexOf(first);
    if (method === 'split') return on.split(first);
    if (method === 'concat') return bounded(on + first);
  }
  if (method === 'slice' && args.length <= 2 && args.every((one) => typeof one === 'number'))
    return on.slice(...(args as number[]));
  return stop();
}

function replacedText(on: string, from: string, to: string, method: 'replace' | 'replaceAll'): string {
  if (method === 'replace') return bounded(on.replace(from, to));
  const count = on.split(from).length;
  // A dollar may stand for all that is before or behind.
  if (on.length + count * to.length > longestText || (to.includes('$') && count > 100)) return stop();
  return on.replaceAll(from, to);
}

function callArray(on: unknown[], method: string, args: readonly unknown[]): unknown {
  const [first] = args;
  if (method === 'push' || method === 'unshift') {
    if (args.some((one) => !isData(one)) || on.length > 10_000) return stop();
    return method === 'push' ? on.push(...args) : on.unshift(...args);
  }
  if (method === 'splice' && args.length >= 2 && typeof first === 'number' && typeof args[1] === 'number')
    return args.every(isData) ? on.splice(first, args[1], ...args.slice(2)) : stop();
  if (args.length !== 1) return stop();
  if (method === 'includes' && typeof first === 'string') return on.includes(first);
  if (method === 'join' && typeof first === 'string' && on.every((one) => typeof one === 'string'))
    return bounded(on.join(first));
  return stop();
}

/** What JSON can hold. */
export function isData(value: unknown): boolean {
  return value === null || /^(?:string|number|boolean)$/.test(typeof value) || isPlain(value);
}
