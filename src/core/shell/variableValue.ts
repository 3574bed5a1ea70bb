import { knownField, type Scope, type StaticField, type StaticPlace } from './evaluated.ts';
import { escapePattern, patternExpression } from './glob.ts';
import type { ScriptWord, WordPiece } from './scriptReading.ts';

type Variable = Extract<WordPiece, { kind: 'variable' }>;

interface Around {
  scope: Scope;
  place: StaticPlace;
  expandOperand(word: ScriptWord): StaticField[];
  expandWhole(word: ScriptWord): StaticField;
}

/** What `$name` stands for. `isList`: words of their own; `each`: also between quotes (`"$@"`). */
interface Value {
  fields: StaticField[];
  isList?: true | 'each';
}

/** The value of a variable, with what its operator makes of it. What is not known stays as it is written. */
export function variableValue(piece: Variable, around: Around): Value {
  const { name, operator, index } = piece;
  if (name === '@' || name === '*' || index === '@' || index === '*') return listValue(piece, around);
  const { scope } = around;
  if (name === '#' && operator === undefined)
    return { fields: [scope.positional ? knownField(String(scope.positional.length)) : open(piece)] };
  const value = index === undefined ? lookUp(name, around) : elementOf(name, index, scope);
  if (operator === undefined) return { fields: [value ?? open(piece)] };
  return operated(piece, operator, value, around);
}

function open({ text }: Variable): StaticField {
  return { text, pattern: '*', isOpen: true, why: 'variable' };
}

function listValue(piece: Variable, { scope }: Around): Value {
  const { name, operator, index } = piece;
  const isEach = name === '@' || index === '@';
  const all = index === undefined ? scope.positional : scope.variables.get(name);
  if (!all || (operator !== undefined && operator !== 'length')) return { fields: [open(piece)] };
  if (operator === 'length') {
    const isKnown = all.every((field) => field.pattern === undefined);
    return { fields: [isKnown ? knownField(String(all.length)) : open(piece)] };
  }
  return { fields: all, isList: isEach ? 'each' : true };
}

function elementOf(name: string, index: string, scope: Scope): StaticField | undefined {
  const all = scope.variables.get(name);
  if (!all || !/^\d+$/.test(index) || all.some((field) => field.pattern !== undefined)) return undefined;
  return all[Number(index)] ?? knownField('');
}

// `undefined`: nothing sets it.
function lookUp(name: string, { scope, place }: Around): StaticField | undefined {
  if (/^[1-9]\d*$/.test(name)) {
    const all = scope.positional;
    if (!all || all.some((field) => field.pattern !== undefined && !field.isEach && !field.isOpen)) return undefined;
    return all[Number(name) - 1] ?? knownField('');
  }
  const assigned = scope.variables.get(name);
  if (assigned) return assigned[0] ?? knownField('');
  const fromEnvironment = place.env[name];
  if (name === 'PWD') return scope.isLost ? undefined : knownField(scope.cwd);
  if (name === 'OLDPWD' && scope.before !== undefined) return knownField(scope.before);
  if (fromEnvironment !== undefined) return knownField(fromEnvironment);
  if (name === 'HOME') return knownField(place.home);
  if (name === 'SHELL') return knownField('/bin/sh');
  return undefined;
}

function operated(piece: Variable, operator: string, value: StaticField | undefined, around: Around): Value {
  const { operand, name } = piece;
  const unset = value === undefined;
  const isEmpty = unset || (operator.startsWith(':') && !value.isOpen && value.text === '');
  const other = (): Value => (operand ? { fields: around.expandOperand(operand), isList: true } : { fields: [] });
  switch (operator) {
    case '-':
    case ':-':
    case '=':
    case ':=': {
      if (!isEmpty) return { fields: [value] };
      const found = other();
      if (operator.endsWith('=') && operand) around.scope.variables.set(name, [around.expandWhole(operand)]);
      return found;
    }
    case '?':
    case ':?':
      return { fields: [value ?? open(piece)] };
    case '+':
    case ':+':
      if (value?.isOpen) return { fields: other().fields.map((field) => ({ ...open(piece), text: field.text })) };
      return isEmpty ? { fields: [knownField('')] } : other();
    default: {
      const text = unset || value.isOpen || value.isEach ? undefined : changed(value.text, operator, piece, around);
      return { fields: [text === undefined ? open(piece) : knownField(text)] };
    }
  }
}

function changed(text: string, operator: string, piece: Variable, around: Around): string | undefined {
  const operand = piece.operand && around.expandWhole(piece.operand);
  const second = piece.second && around.expandWhole(piece.second);
  if (operand?.isOpen || second?.isOpen) return undefined;
  const pattern = operand && (operand.pattern ?? escapePattern(operand.text));
  switch (operator) {
    case 'length':
      return String([...text].length);
    case '#':
    case '##':
    case '%':
    case '%%':
      return pattern === undefined ? text : withoutEnd(text, pattern, operator);
    case '/':
    case '//':
    case '/#':
    case '/%':
      return pattern === undefined ? text : replaced(text, pattern, second?.text ?? '', operator);
    case ':':
      return sliced(text, operand?.text, second?.text);
    case '^^':
      return operand === undefined || operand.text === '' ? text.toUpperCase() : undefined;
    case ',,':
      return operand === undefined || operand.text === '' ? text.toLowerCase() : undefined;
    case '^':
      return operand === undefined || operand.text === '' ? text.slice(0, 1).toUpperCase() + text.slice(1) : undefined;
    case ',':
      return operand === undefined || operand.text === '' ? text.slice(0, 1).toLowerCase() + text.slice(1) : undefined;
    default:
      return undefined;
  }
}

function withoutEnd(text: string, pattern: string, operator: '#' | '##' | '%' | '%%'): string | undefined {
  const expression = patternExpression(pattern);
  if (!expression) return undefined;
  const atStart = operator.startsWith('#');
  const lengths = Array.from({ length: text.length + 1 }, (_, length) => length);
  for (const length of operator.length === 1 ? lengths : lengths.reverse()) {
    const end = atStart ? text.slice(0, length) : text.slice(text.length - length);
    if (expression.test(end)) return atStart ? text.slice(length) : text.slice(0, text.length - length);
  }
  return text;
}

function replaced(text: string, pattern: string, by: string, operator: string): string | undefined {
  const expression = patternExpression(pattern);
  // An unquoted `&` in the replacement is what was matched, in newer versions only.
  if (!expression || pattern === '' || by.includes('&')) return pattern === '' ? text : undefined;
  let result = '';
  for (let at = 0; at <= text.length; ) {
    const mayStart = operator !== '/#' || at === 0;
    let end = mayStart ? longestMatch(text, at, expression) : -1;
    if (operator === '/%' && end !== text.length) end = expression.test(text.slice(at)) ? text.length : -1;
    if (end > at) {
      result += by;
      if (operator !== '//') return result + text.slice(end);
      at = end;
    } else {
      result += text[at] ?? '';
      at++;
    }
  }
  return result;
}

function longestMatch(text: string, at: number, expression: RegExp): number {
  for (let end = text.length; end > at; end--) if (expression.test(text.slice(at, end))) return end;
  return -1;
}

function sliced(text: string, offset: string | undefined, length: string | undefined): string | undefined {
  const [from, count] = [Number((offset ?? '0').trim()), length === undefined ? undefined : Number(length.trim())];
  if (!Number.isInteger(from) || (count !== undefined && !Number.isInteger(count))) return undefined;
  const characters = [...text];
  const start = from < 0 ? characters.length + from : from;
  if (start < 0) return '';
  const end = count === undefined ? characters.length : count < 0 ? characters.length + count : start + count;
  return characters.slice(start, Math.max(start, end)).join('');
}
