import type { ArithmeticExpression } from 'unbash';

/** The variables that an expression reads and sets. */
export interface ArithmeticVariables {
  /** `undefined`: its value is not known. */
  textOf(name: string): string | undefined;
  /** `undefined`: it gets a value that is not known. */
  set(name: string, value: bigint | undefined): void;
}

type Binary = Extract<ArithmeticExpression, { type: 'ArithmeticBinary' }>;
type Unary = Extract<ArithmeticExpression, { type: 'ArithmeticUnary' }>;

/** The value of an arithmetic expression of 64-bit integers, as bash evaluates and assigns; `undefined` where it is not known. */
export function arithmeticValue(expression: ArithmeticExpression, variables: ArithmeticVariables): bigint | undefined {
  switch (expression.type) {
    case 'ArithmeticGroup':
      return arithmeticValue(expression.expression, variables);
    case 'ArithmeticWord':
      return wordValue(expression.value, variables);
    case 'ArithmeticUnary':
      return unaryValue(expression, variables);
    case 'ArithmeticTernary': {
      const test = arithmeticValue(expression.test, variables);
      const { consequent, alternate } = expression;
      if (test !== undefined) return arithmeticValue(test ? consequent : alternate, variables);
      forget([consequent, alternate], variables);
      return undefined;
    }
    case 'ArithmeticBinary':
      return assignedBy(expression) ? assignedValue(expression, variables) : combinedValue(expression, variables);
    case 'ArithmeticCommandExpansion':
      return undefined;
  }
}

/** The names of all variables that an expression may set. */
export function assignedNames(expression: ArithmeticExpression): string[] {
  switch (expression.type) {
    case 'ArithmeticGroup':
      return assignedNames(expression.expression);
    case 'ArithmeticUnary':
      return [...(isStep(expression) ? nameIn(expression.operand) : []), ...assignedNames(expression.operand)];
    case 'ArithmeticTernary':
      return [expression.test, expression.consequent, expression.alternate].flatMap(assignedNames);
    case 'ArithmeticBinary':
      return [
        ...(assignedBy(expression) ? nameIn(expression.left) : []),
        ...[expression.left, expression.right].flatMap(assignedNames),
      ];
    case 'ArithmeticWord':
    case 'ArithmeticCommandExpansion':
      return [];
  }
}

function forget(expressions: readonly ArithmeticExpression[], { set }: ArithmeticVariables): void {
  for (const name of expressions.flatMap(assignedNames)) set(name, undefined);
}

/** The operator in `x += 1`: the empty text for a plain assignment. */
function assignedBy({ operator }: Binary): { operator: string } | undefined {
  const operated = /^(|\*|\/|%|\+|-|<<|>>|&|\^|\|)=$/.exec(operator)?.[1];
  return operated === undefined ? undefined : { operator: operated };
}

function isStep({ operator }: Unary): boolean {
  return operator === '++' || operator === '--';
}

/** The variable that is set: of `a[1]`, `a`. */
function nameIn(target: ArithmeticExpression): string[] {
  if (target.type === 'ArithmeticGroup') return nameIn(target.expression);
  const name = target.type === 'ArithmeticWord' ? /^[A-Za-z_]\w*/.exec(target.value)?.[0] : undefined;
  return name === undefined ? [] : [name];
}

/** Sets it; of an element of an array nothing is known afterwards. */
function setTarget(target: ArithmeticExpression, value: bigint | undefined, variables: ArithmeticVariables): void {
  const isWhole = target.type === 'ArithmeticWord' && /^[A-Za-z_]\w*$/.test(target.value);
  for (const name of nameIn(target)) variables.set(name, isWhole ? value : undefined);
}

function assignedValue(expression: Binary, variables: ArithmeticVariables): bigint | undefined {
  const { left, right } = expression;
  const { operator = '' } = assignedBy(expression) ?? {};
  const given = arithmeticValue(right, variables);
  const before = operator === '' ? 0n : arithmeticValue(left, variables);
  const known = given !== undefined && before !== undefined;
  const value = known ? (operator === '' ? given : binaryValue(operator, before, given)) : undefined;
  const whole = value === undefined ? undefined : BigInt.asIntN(64, value);
  setTarget(left, whole, variables);
  return whole;
}

function unaryValue(expression: Unary, variables: ArithmeticVariables): bigint | undefined {
  const { operator, operand, prefix } = expression;
  const value = arithmeticValue(operand, variables);
  if (isStep(expression)) {
    const next = value === undefined ? undefined : BigInt.asIntN(64, operator === '++' ? value + 1n : value - 1n);
    setTarget(operand, next, variables);
    return prefix ? next : value;
  }
  if (value === undefined) return undefined;
  const results: Readonly<Record<string, bigint>> = { '-': -value, '+': value, '~': ~value, '!': value ? 0n : 1n };
  return results[operator];
}

function combinedValue({ operator, left, right }: Binary, variables: ArithmeticVariables): bigint | undefined {
  const first = arithmeticValue(left, variables);
  if (operator === '&&' || operator === '||') {
    const decides = operator === '&&' ? 0n : 1n;
    const isDecided = first !== undefined && (first === 0n) === (decides === 0n);
    if (isDecided) return decides;
    if (first === undefined) {
      forget([right], variables);
      return undefined;
    }
    const second = arithmeticValue(right, variables);
    return second === undefined ? undefined : second ? 1n : 0n;
  }
  const second = arithmeticValue(right, variables);
  if (operator === ',') return second;
  if (first === undefined || second === undefined) return undefined;
  const value = binaryValue(operator, first, second);
  return value === undefined ? undefined : BigInt.asIntN(64, value);
}

function wordValue(word: string, { textOf }: ArithmeticVariables): bigint | undefined {
  const name = /^\$?\{?([A-Za-z_]\w*)\}?$/.exec(word)?.[1];
  const text = name === undefined ? word : textOf(name);
  // A leading zero makes it octal; bases of its own (`16#ff`) are left out.
  if (text === undefined || !/^-?(?:0|[1-9]\d{0,17}|0x[0-9a-fA-F]{1,15})$/.test(text)) return undefined;
  return text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
}

function binaryValue(operator: string, left: bigint, right: bigint): bigint | undefined {
  const truth = (value: boolean) => (value ? 1n : 0n);
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0n ? undefined : left / right;
    case '%':
      return right === 0n ? undefined : left % right;
    case '**':
      return right < 0n || right > 64n ? undefined : left ** right;
    case '&':
      return left & right;
    case '|':
      return left | right;
    case '^':
      return left ^ right;
    case '<':
      return truth(left < right);
    case '<=':
      return truth(left <= right);
    case '>':
      return truth(left > right);
    case '>=':
      return truth(left >= right);
    case '==':
      return truth(left === right);
    case '!=':
      return truth(left !== right);
    default:
      return undefined;
  }
}
