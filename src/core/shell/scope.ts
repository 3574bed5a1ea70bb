import { posix } from 'node:path';
import type { Scope, StaticField, StaticPlace } from './evaluated.ts';
import { shellOf } from './shells.ts';

/** What a shell knows when it starts. */
export function firstScope({ cwd, shell }: StaticPlace): Scope {
  const scope: Scope = {
    variables: new Map(),
    exported: new Set(),
    functions: new Map(),
    locals: new Set(),
    cwd,
    isLost: false,
    stack: [],
    isUncertain: false,
    isUnlikely: false,
  };
  if (shell !== undefined) setBraces(scope, shell);
  return scope;
}

/** The same, to be gone on with apart. */
export function copyScope(scope: Scope): Scope {
  return {
    ...scope,
    variables: new Map(scope.variables),
    exported: new Set(scope.exported),
    functions: new Map(scope.functions),
    locals: new Set(scope.locals),
    stack: [...scope.stack],
  };
}

/** Another shell reads what comes. */
export function setBraces(scope: Scope, shell: string): void {
  const { braces } = shellOf(shell) ?? {};
  if (braces) scope.braces = braces;
  else delete scope.braces;
}

/** What holds after one of two ways: what differs is not known. A way that nobody assumes does not count. */
export function mergeScopes(one: Scope | undefined, other: Scope | undefined): Scope | undefined {
  if (!one || !other || one === other) return one ?? other;
  if (one.isUnlikely !== other.isUnlikely) return one.isUnlikely ? other : one;
  const merged = copyScope(other);
  for (const name of new Set([...one.variables.keys(), ...other.variables.keys()])) {
    const values = other.variables.get(name) ?? one.variables.get(name) ?? [];
    if (!isSame(one.variables.get(name), other.variables.get(name))) merged.variables.set(name, values.map(inDoubt));
  }
  for (const [name, body] of one.functions) if (!merged.functions.has(name)) merged.functions.set(name, body);
  for (const name of one.locals) merged.locals.add(name);
  if (one.patterns !== other.patterns) merged.patterns = 'changed';
  merged.isLost = one.isLost || other.isLost || one.cwd !== other.cwd;
  merged.isUncertain = one.isUncertain || other.isUncertain;
  return merged;
}

function isSame(one: readonly StaticField[] | undefined, other: readonly StaticField[] | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** A value of which nobody knows whether it is this one. */
export function inDoubt(field: StaticField): StaticField {
  return { text: field.text, pattern: '*', isOpen: true, why: field.why ?? 'branch' };
}

/** `cd`: where the shell is then. */
export function changeFolder(fields: readonly StaticField[], scope: Scope, place: StaticPlace): void {
  const at = fields.findIndex(({ text }, index) => index > 0 && !/^-[LPe@]+$|^--$/.test(text));
  const field = fields[at];
  const home = scope.variables.get('HOME')?.[0]?.text ?? place.home;
  const target = at < 0 ? home : field?.text === '-' ? scope.before : field?.text;
  const { cwd } = scope;
  // CDPATH is searched before the folder itself; what is there, only the disk knows.
  const searches = scope.variables.has('CDPATH') || place.env['CDPATH'] !== undefined;
  const isSearched = searches && target !== undefined && !/^\.{0,2}(\/|$)/.test(target);
  if (target === undefined || field?.isOpen || field?.pattern !== undefined || isSearched) {
    scope.isLost = true;
    delete scope.before;
    return;
  }
  scope.before = cwd;
  if (target === '') return;
  if (scope.isLost) delete scope.before;
  if (posix.isAbsolute(target)) scope.isLost = false;
  scope.cwd = posix.resolve(cwd, target);
}

/** `pushd` and `popd`: the folders that are kept. */
export function changeStack(fields: readonly StaticField[], scope: Scope, place: StaticPlace): void {
  const words = fields.slice(1).filter(({ text }) => text !== '--');
  const [first] = words;
  const { cwd } = scope;
  if (words.some(({ text }) => /^[-+]\d+$|^-n$/.test(text))) {
    scope.isLost = true;
    scope.stack = [];
  } else if (fields[0]?.text === 'pushd' && first) {
    changeFolder(fields, scope, place);
    scope.stack.push(cwd);
  } else {
    const target = scope.stack.pop();
    if (target === undefined) {
      scope.isLost = true;
      return;
    }
    scope.before = cwd;
    scope.cwd = target;
    if (fields[0]?.text === 'pushd') scope.stack.push(cwd);
  }
}
