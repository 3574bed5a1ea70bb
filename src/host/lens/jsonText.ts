/** A value in a JSON text, with the offset at which it is written. */
export interface JsonNode {
  offset: number;
  value: unknown;
  /** Of an object: its members, and where their names are written. */
  members?: Map<string, { offset: number; node: JsonNode }>;
  items?: JsonNode[];
}

const tokenPattern = /[ \t\r\n]*(?:\/\/[^\n]*\s*|\/\*[\s\S]*?\*\/\s*)*("(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+)/gy;

/**
 * Reads JSON with comments and trailing commas, as VS Code writes its settings. `undefined` where it is neither.
 * Written here because what is needed is offsets, and the library for it cannot be bundled for Node as it is.
 */
export function readJson(text: string): JsonNode | undefined {
  const tokens = new RegExp(tokenPattern);
  const token: { word: string; offset: number } = { word: '', offset: 0 };

  function next(): void {
    const match = tokens.exec(text);
    token.word = match?.[1] ?? '';
    token.offset = match ? tokens.lastIndex - token.word.length : text.length;
  }

  /** A call, because the compiler takes a property for unchanged when `next` changes it. */
  const is = (text: string) => token.word === text;

  function value(depth: number): JsonNode | undefined {
    if (depth > 100) return undefined;
    const start = token.offset;
    if (is('{')) return object(start, depth);
    if (is('[')) return array(start, depth);
    try {
      const plain: unknown = JSON.parse(token.word);
      next();
      return { offset: start, value: plain };
    } catch {
      return undefined;
    }
  }

  function object(start: number, depth: number): JsonNode | undefined {
    const members = new Map<string, { offset: number; node: JsonNode }>();
    for (next(); !is('}'); ) {
      const name = token.word.startsWith('"') ? value(depth) : undefined;
      if (!name || !is(':')) return undefined;
      next();
      const node = value(depth + 1);
      if (!node) return undefined;
      members.set(String(name.value), { offset: name.offset, node });
      if (is(',')) next();
      else if (!is('}')) return undefined;
    }
    next();
    const plain = Object.fromEntries([...members].map(([name, member]) => [name, member.node.value]));
    return { offset: start, value: plain, members };
  }

  function array(start: number, depth: number): JsonNode | undefined {
    const items: JsonNode[] = [];
    for (next(); !is(']'); ) {
      const node = value(depth + 1);
      if (!node) return undefined;
      items.push(node);
      if (is(',')) next();
      else if (!is(']')) return undefined;
    }
    next();
    return { offset: start, value: items.map((item) => item.value), items };
  }

  next();
  return value(0);
}

/** Zero-based line of an offset. */
export function lineOf(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
