import {
  alternatives,
  type CodeCall,
  type CodeValue,
  joinedText,
  memberOf,
  oneOf,
  textsOf,
  textValue,
  unknownValue,
} from './codeReading.ts';

/** What a call of Python gives, where its arguments tell: `getattr(os, 'system')` gives `os.system`. */
export function pythonResult(call: CodeCall): CodeValue {
  const name = call.callees[0] ?? '?';
  const [first, second] = call.args;
  const plain = name.replace(/^(builtins|__builtins__)\./, '');
  if ((plain === '__import__' || plain === 'importlib.import_module') && first) {
    return oneOf(textsOf(first).map(({ text, isOpen }) => ({ kind: 'name', name: isOpen ? '?' : text })));
  }
  if (plain === 'getattr' && first) {
    const members = textsOf(second).map(({ text, isOpen }) => memberOf(first, isOpen ? '?' : text));
    return members.length > 0 ? oneOf(members) : memberOf(first, '?');
  }
  if (plain === 'chr') {
    const code = Number(textsOf(first)[0]?.text ?? Number.NaN);
    return Number.isInteger(code) && code >= 0 && code < 0x110000
      ? textValue(String.fromCodePoint(code))
      : unknownValue;
  }
  if (/^(str|os\.fspath|os\.path\.(expanduser|abspath|realpath|normpath))$/.test(plain) && first) return first;
  if (plain === 'os.path.join') {
    return joinedText(call.args.flatMap((part, at) => (at === 0 ? [part] : [textValue('/'), part])));
  }
  const on = call.on && alternatives(call.on)[0];
  if (on?.kind === 'text') return textMethod(on.text, name.slice(name.lastIndexOf('.') + 1), call, on);
  return { kind: 'result', call };
}

function textMethod(text: string, method: string, call: CodeCall, on: CodeValue): CodeValue {
  const [first] = call.args;
  if (method === 'join' && first?.kind === 'list') {
    return joinedText(first.items.flatMap((part, at) => (at === 0 ? [part] : [textValue(text), part])));
  }
  if (method === 'format') {
    const values = [...call.args];
    const parts = text.split(/\{[^{}]*\}/);
    return joinedText(
      parts.flatMap((part, at) => (at === 0 ? [textValue(part)] : [values.shift() ?? unknownValue, textValue(part)])),
    );
  }
  if (method === 'split' && call.args.length === 0 && on.kind === 'text' && !on.isOpen) {
    return {
      kind: 'list',
      items: text
        .split(/\s+/)
        .filter((word) => word !== '')
        .map(textValue),
    };
  }
  if (/^(encode|decode|strip|rstrip|lstrip)$/.test(method)) return on;
  return { kind: 'result', call };
}
