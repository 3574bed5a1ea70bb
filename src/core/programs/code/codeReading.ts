/** A value in a program text, as far as the text tells it. */
export type CodeValue =
  /** A text; what is not known of it stands in it as `$unknown`. `begins`: the value that it starts with. */
  | { kind: 'text'; text: string; isOpen: boolean; begins?: CodeValue }
  | { kind: 'list'; items: readonly CodeValue[] }
  | { kind: 'record'; fields: ReadonlyMap<string, CodeValue> }
  /** Something with a name: a module, or a member of one (`os.environ`). `of`: what it is a member of. */
  | { kind: 'name'; name: string; of?: CodeValue }
  /** What a call gives. */
  | { kind: 'result'; call: CodeCall }
  /** One of several; which one is decided when it runs. */
  | { kind: 'either'; values: readonly CodeValue[] }
  | { kind: 'unknown' };

/** One call in a program text. */
export interface CodeCall {
  /** Full names of what may be called: `shutil.rmtree`, `pathlib.Path().unlink`; `?` stands for what is not known. */
  callees: readonly string[];
  args: readonly CodeValue[];
  named: ReadonlyMap<string, CodeValue>;
  /** What a method is called on. */
  on?: CodeValue;
}

/** What a parser finds in a program text. */
export interface CodeReading {
  calls: readonly CodeCall[];
  /** Full names of what is only read: `os.environ`, `process.env.HOME`. */
  names: ReadonlySet<string>;
  /** Modules that are loaded, by their full names; `?` for one whose name is not known. */
  modules: ReadonlySet<string>;
  /** It puts something in the place of a member of something else, so that names may mean other things. */
  assignsMembers: boolean;
  /** It has a loop that nothing in it ends. */
  isEndless: boolean;
  /** The parser understood all of it. */
  isWhole: boolean;
}

/** What nothing is known about. */
export const unknownValue: CodeValue = { kind: 'unknown' };

/** What stands in a text for a part that is not known; to a shell it is a variable without value. */
const openPart = '$unknown';

/** A text that is put together is known as far as this: a few lines can double it again and again. */
const longestText = 10_000;

/** A longer name is none that is looked for. */
const longestName = 300;

/** More values of one thing are not followed. */
const mostValues = 8;

/** The value of a literal. */
export function textValue(text: string): CodeValue {
  return { kind: 'text', text, isOpen: false };
}

/** Values one behind the other, as one text, or several where a part may be one of several. */
export function joinedText(parts: readonly CodeValue[]): CodeValue {
  let ways: CodeValue[][] = [[]];
  for (const part of parts) {
    const each = alternatives(part);
    ways = ways.flatMap((way) => each.map((one) => [...way, one])).slice(0, mostValues);
  }
  return oneOf(ways.map(joined));
}

function joined(parts: readonly CodeValue[]): CodeValue {
  let text = '';
  let isOpen = false;
  for (const part of parts) {
    const known = part.kind === 'text' ? part : undefined;
    text += known?.text ?? openPart;
    isOpen ||= known?.isOpen ?? true;
  }
  if (text.length > longestText) {
    text = text.slice(0, longestText);
    isOpen = true;
  }
  const [first] = parts;
  const begins = first?.kind === 'text' ? first.begins : first;
  return begins ? { kind: 'text', text, isOpen, begins } : { kind: 'text', text, isOpen };
}

/** The values that a value may be. */
export function alternatives(value: CodeValue): readonly CodeValue[] {
  return value.kind === 'either' ? value.values.flatMap(alternatives).slice(0, mostValues) : [value];
}

/** One of several values, or the only one. */
export function oneOf(values: readonly CodeValue[]): CodeValue {
  const [first] = values;
  if (first === undefined) return unknownValue;
  return values.length === 1 ? first : { kind: 'either', values };
}

/** Full names that a value may have as something that is called. */
export function calleeNames(value: CodeValue): string[] {
  const names = alternatives(value).map((one) => {
    if (one.kind === 'name') return one.name;
    if (one.kind === 'result') return `${(one.call.callees[0] ?? '?').slice(0, longestName)}()`;
    return one.kind === 'unknown' ? '?' : one.kind === 'text' ? "''" : '[]';
  });
  return [...new Set(names)];
}

/** What the value is a member of: what a method is called on. */
export function ownerOf(value: CodeValue): CodeValue | undefined {
  const owners = alternatives(value).flatMap((one) => (one.kind === 'name' && one.of ? [one.of] : []));
  return owners.length > 0 ? oneOf(owners) : undefined;
}

/** A member of a value: `os.path` of `os`. */
export function memberOf(value: CodeValue, name: string): CodeValue {
  const members = alternatives(value).map((one): CodeValue => {
    if (one.kind === 'record') return one.fields.get(name) ?? unknownValue;
    const full = `${calleeNames(one)[0] ?? '?'}.${name}`;
    return full.length > longestName ? unknownValue : { kind: 'name', name: full, of: one };
  });
  return oneOf(members);
}

/** The texts that a value may be. Names and results give none. */
export function textsOf(value: CodeValue | undefined): { text: string; isOpen: boolean }[] {
  if (!value) return [];
  return alternatives(value).flatMap((one) => (one.kind === 'text' ? [{ text: one.text, isOpen: one.isOpen }] : []));
}

function isSame(one: CodeValue, other: CodeValue): boolean {
  if (one.kind === 'text' && other.kind === 'text') return one.text === other.text && one.isOpen === other.isOpen;
  return one === other || (one.kind === 'unknown' && other.kind === 'unknown');
}

/** What names stand for in one text: everything that is ever assigned to them. */
export interface CodeNames {
  assign(name: string, value: CodeValue): void;
  /** `undefined`: nothing in the text says what it is. */
  valueOf(name: string): CodeValue | undefined;
  /** From now on nothing is added. */
  freeze(): void;
}

/** Makes an empty table of names. */
export function codeNames(): CodeNames {
  const values = new Map<string, CodeValue[]>();
  let isFrozen = false;
  return {
    freeze() {
      isFrozen = true;
    },
    assign(name, value) {
      if (isFrozen) return;
      const known = values.get(name);
      // What it is already adds nothing: `x = x`.
      const news = known && alternatives(value).filter((one) => !known.some((other) => isSame(one, other)));
      if (news?.length === 0) return;
      if (!known) values.set(name, [...alternatives(value)]);
      else if (known.length < mostValues) known.push(value);
      else known[mostValues - 1] = unknownValue;
    },
    valueOf(name) {
      const known = values.get(name);
      return known && oneOf(known);
    },
  };
}
