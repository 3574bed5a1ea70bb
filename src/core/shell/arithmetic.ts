import type { ArithmeticExpression } from 'unbash';

/** The value of an arithmetic expression of 64-bit integers; `undefined` where it depends on what is not known, or assigns. */
export function arithmeticValue(
  expression: ArithmeticExpression,
  textOf: (name: string) => string | undefined,
): bigint | undefined {
  switch (expression.type) {
    case 'ArithmeticGroup':
      return arithmeticValue(expression.expression, textOf);
    case 'ArithmeticWord':
      return wordValue(expression.value, textOf);
    case 'ArithmeticUnary': {
      const value = arithmeticValue(expression.operand, textOf);
      if (value === undefined) return undefined;
      const results: Readonly<Record<string, bigint>> = { '-': -value, '+': value, '~': ~value, '!': value ? 0n : 1n };
      return results[expression.operator];
    }
    case 'ArithmeticTernary': {
      const test = arithmeticValue(expression.test, textOf);
      if (test === undefined) return undefined;
      return arithmeticValue(test ? expression.consequent : expression.alternate, textOf);
    }
    case 'ArithmeticBinary': {
      const left = arithmeticValue(expression.left, textOf);
      const right = arithmeticValue(expression.right, textOf);
      if (left === undefined || right === undefined) return undefined;
      const value = binaryValue(expression.operator, left, right);
      return value === undefined ? undefined : BigInt.asIntN(64, value);
    }
    case 'ArithmeticCommandExpansion':
      return undefined;
  }
}

function wordValue(word: string, textOf: (name: string) => string | undefined): bigint | undefined {
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
    case '&&':
      return truth(left !== 0n && right !== 0n);
    case '||':
      return truth(left !== 0n || right !== 0n);
    default:
      return undefined;
  }
}
