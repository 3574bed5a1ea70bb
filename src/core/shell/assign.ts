import type { ArithmeticExpression } from 'unbash';
import { assignedNames } from './arithmetic.ts';
import { knownField, type Scope, type StaticField } from './evaluated.ts';
import { type Expansion, expandWhole, expandWord } from './expandWord.ts';
import { inDoubt } from './scope.ts';
import { declaringBuiltins } from './script.ts';
import type { ScriptCommand, ScriptNode, ScriptWord, WordPiece } from './scriptReading.ts';

/** The parts of a part of a script, in their order. */
export function partsOf(node: ScriptNode): readonly ScriptNode[] {
  switch (node.kind) {
    case 'list':
    case 'choice':
    case 'pipeline':
      return node.items;
    case 'if':
      return [node.test, node.body, ...(node.otherwise ? [node.otherwise] : [])];
    case 'while':
      return [node.test, node.body];
    case 'case':
      return node.bodies;
    case 'apart':
    case 'for':
    case 'count':
    case 'function':
      return [node.body];
    case 'command':
    case 'arithmetic':
      return [];
  }
}

/** All commands in a part of a script, substitutions left out. */
export function commandsIn(node: ScriptNode): ScriptCommand[] {
  return node.kind === 'command' ? [node.command] : partsOf(node).flatMap(commandsIn);
}

/** Variables that arithmetic in a part of a script may set. */
function setByArithmetic(node: ScriptNode): string[] {
  return [...setHere(node), ...partsOf(node).flatMap(setByArithmetic)];
}

function setHere(node: ScriptNode): string[] {
  const namesIn = (...all: (ArithmeticExpression | undefined)[]) =>
    all.flatMap((one) => (one ? assignedNames(one) : []));
  if (node.kind === 'command') return wordsOf(node.command).flatMap(({ pieces }) => pieces.flatMap(setByPiece));
  if (node.kind === 'arithmetic') return namesIn(node.expression);
  return node.kind === 'count' ? namesIn(node.first, node.test, node.next) : [];
}

function wordsOf({ words, assignments, redirects }: ScriptCommand): ScriptWord[] {
  const given = assignments.flatMap(({ value, elements = [] }) => (value ? [value, ...elements] : elements));
  return [...words, ...given, ...redirects.flatMap(({ target }) => target ?? [])];
}

function setByPiece(piece: WordPiece): string[] {
  if (piece.kind === 'arithmetic') return piece.expression ? assignedNames(piece.expression) : [];
  return piece.kind === 'variable' && /^:?=$/.test(piece.operator ?? '') ? [piece.name] : [];
}

/** In a second round of a loop a variable has another value than in the first, and the shell may be elsewhere. */
export function forgetAssigned(nodes: readonly ScriptNode[], scope: Scope): void {
  for (const name of nodes.flatMap(setByArithmetic)) forgetOne(name, scope);
  for (const { assignments, words } of nodes.flatMap(commandsIn)) {
    if (words.length > 0 && !declaringBuiltins.has(words[0]?.text ?? '')) {
      const target = words[1]?.text ?? '';
      if (/^(cd|pushd|popd)$/.test(words[0]?.text ?? '') && !target.startsWith('/')) scope.isLost = true;
      continue;
    }
    for (const { name } of assignments) forgetOne(name, scope);
  }
}

function forgetOne(name: string, scope: Scope): void {
  const before = scope.variables.get(name) ?? [knownField(`$${name}`)];
  scope.variables.set(name, before.map(inDoubt));
}

/** A script that doubles a variable again and again must not take all memory. */
const longestValue = 128 * 1024;
const mostElements = 4096;

/** Sets variables; gives those that are set for the program alone. */
export function assign(
  command: ScriptCommand,
  fields: readonly StaticField[],
  expansion: Expansion,
): Record<string, string> {
  const { scope } = expansion;
  const name = fields[0]?.text ?? '';
  const env: Record<string, string> = {};
  const keeps = command.words.length === 0 || declaringBuiltins.has(name);
  if (scope.isInFunction) keepLocals(fields, scope);
  for (const assignment of command.assignments) {
    const { value, elements, append } = assignment;
    const before = scope.variables.get(assignment.name);
    if (elements) {
      const all = elements.flatMap((word) => expandWord(word, expansion)).slice(0, mostElements);
      scope.variables.set(assignment.name, append ? [...(before ?? []), ...all] : all);
      continue;
    }
    if (!value) continue;
    const whole = expandWhole(value.pieces, expansion);
    const field: StaticField =
      whole.text.length > longestValue ? { text: value.text, pattern: '*', isOpen: true, why: 'many' } : whole;
    env[assignment.name] = field.text;
    if (!keeps) continue;
    if (assignment.name === 'GLOBIGNORE') scope.patterns = 'changed';
    if (assignment.isElement) scope.variables.set(assignment.name, [inDoubt(field)]);
    else scope.variables.set(assignment.name, [append && before ? appended(before, field) : plain(field)]);
  }
  if (name === 'export' || (name === 'declare' && fields.some(({ text }) => /^-[a-z]*x/.test(text)))) {
    for (const { text } of fields.slice(1)) scope.exported.add(text.replace(/=.*$/s, ''));
  }
  forgetRead(fields, scope);
  return env;
}

/** `local x`, `declare x=1`: in a function it is a variable of its own, and without a value it has none that is known here. */
function keepLocals([first, ...words]: readonly StaticField[], scope: Scope): void {
  if (!/^(?:local|declare|typeset)$/.test(first?.text ?? '')) return;
  if (words.some(({ text }) => /^-[A-Za-z]*g/.test(text))) return;
  for (const { text } of words) {
    const [, name, rest] = /^([A-Za-z_]\w*)(.*)$/s.exec(text) ?? [];
    if (name === undefined) continue;
    scope.locals.add(name);
    if (rest === '') scope.variables.set(name, [{ text: `$${name}`, pattern: '*', isOpen: true, why: 'variable' }]);
  }
}

// A pattern that is assigned is a text; it is expanded where the variable stands outside of quotes.
function plain(field: StaticField): StaticField {
  return field.isOpen || field.isEach ? field : knownField(field.text);
}

function appended(before: readonly StaticField[], field: StaticField): StaticField {
  const [first = knownField('')] = before;
  const open = first.isOpen ? first : field.isOpen ? field : undefined;
  const text = first.text + field.text;
  return open ? { ...inDoubt(open), text } : knownField(text);
}

/** What `read` and its like put into variables is not known. */
function forgetRead(fields: readonly StaticField[], scope: Scope): void {
  const [first, ...words] = fields;
  const name = first?.text ?? '';
  const isPrinted = name === 'printf' && words[0]?.text === '-v';
  if (!isPrinted && !/^(read|mapfile|readarray|getopts|unset|let)$/.test(name)) return;
  for (const { text } of isPrinted ? words.slice(1, 2) : words) {
    const variable = /^([A-Za-z_]\w*)/.exec(text)?.[1];
    if (variable === undefined) continue;
    scope.variables.set(variable, [{ text: `$${variable}`, pattern: '*', isOpen: true, why: 'variable' }]);
  }
}
