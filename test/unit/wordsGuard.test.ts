import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from '@babel/parser';

const root = process.cwd();

function* sources(folder: string): Generator<{ file: string; text: string }> {
  for (const entry of fs.readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(file);
    else if (file.endsWith('.ts')) yield { file, text: fs.readFileSync(path.join(root, file), 'utf8') };
  }
}

function found(folders: readonly string[], pattern: RegExp): string[] {
  return folders.flatMap((folder) =>
    [...sources(folder)].flatMap(({ file, text }) =>
      [...text.matchAll(pattern)].map((match) => `${file}: ${match[0].trim()}`),
    ),
  );
}

/** Fields that hold a sentence or a clause for people. */
const wordy = '(?:reason|detail|why|assumed|says|sentence|recoverable|endingReason|message)';
const readers = '(?:test|exec|match|matchAll|search|split|startsWith|endsWith|includes|indexOf|slice|replace)';

test('the rooms that make and judge facts use no words', () => {
  const imports = found(
    ['src/core/facts', 'src/core/programs', 'src/core/loss', 'src/core/context', 'src/core/verdict'],
    /from '[^']*\/words\/[^']*'/g,
  );
  assert.deepEqual(imports, []);
});

test('no sentence is searched, taken apart or compared where facts are judged', () => {
  const rooms = ['src/core/facts', 'src/core/verdict', 'src/core/prediction'];
  const method = new RegExp(`\\b${wordy}\\b(?:\\s*\\?\\?\\s*''\\))?\\??\\.${readers}\\(`, 'g');
  const argument = new RegExp(`\\.(?:test|exec)\\((?:[\\w.?]*\\.)?${wordy}\\b`, 'g');
  const comparison = new RegExp(`\\b${wordy} [!=]== (?:'[^']|[a-z]\\w*\\.)`, 'g');
  for (const pattern of [method, argument, comparison]) assert.deepEqual(found(rooms, pattern), []);
});

test('the verdict makes no sentence: it has no text with a full stop, and none that quotes code', () => {
  const sentence = /(['`])(?:(?!\1)[^\n\\]|\\.)*[a-z]{2}\.\1|\\`\$\{/g;
  assert.deepEqual(
    found(['src/core/verdict'], sentence).filter((line) => !line.includes(".ts'")),
    [],
  );
});

/** Two words of a sentence, one behind the other, in a regular expression or a text. */
const phrase = /[A-Za-z]{2,}[,:]?(?: |\\s[+*]?)[A-Za-z]{2,}/;

/** Whether a text of code has such words where they may be looked for: only then it is parsed. */
const mayRead = new RegExp(
  `/(?!/|\\*)[^\\n]*${phrase.source}[^\\n]*/|(?:${readers}(?:All)?\\(|[!=]==)\\s*['"][^'"\\n]*${phrase.source}`,
);

interface SyntaxNode {
  type: string;
  loc: { start: { line: number } };
  [field: string]: unknown;
}

const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string';

/** The words that an expression looks for. */
function wordsSought(node: SyntaxNode): unknown {
  const textOf = (value: unknown) => (isNode(value) && value.type === 'StringLiteral' ? value.value : undefined);
  if (node.type === 'RegExpLiteral') return node.pattern;
  if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(String(node.operator))) return textOf(node.right);
  if (node.type !== 'CallExpression' || !isNode(node.callee)) return undefined;
  const { property } = node.callee;
  const reads = isNode(property) && new RegExp(`^${readers}(?:All)?$`).test(String(property.name));
  return reads ? textOf((node.arguments as unknown[])[0]) : undefined;
}

function* nodesOf(program: unknown): Generator<SyntaxNode> {
  const left: unknown[] = [program];
  while (left.length > 0) {
    const one = left.pop();
    if (Array.isArray(one)) left.push(...one);
    if (!isNode(one)) continue;
    yield one;
    left.push(...Object.values(one).filter((value) => typeof value === 'object'));
  }
}

test('words are read only in the places that src/README.md names, each with its reason', () => {
  const guide = fs.readFileSync('src/README.md', 'utf8');
  const table = guide.slice(guide.indexOf('## Texts of others that are read')).split('\n## ')[0] ?? '';
  const named = [...table.matchAll(/^\|[^|]+\|([^|]+)\|/gm)].flatMap(([, places = '']) =>
    [...places.matchAll(/`([^`]+)`/g)].map(([, place = '']) =>
      path.posix.join('src', place.startsWith('../') || place.startsWith('host/') ? place : `core/${place}`),
    ),
  );
  assert.ok(named.length > 20, 'the table was not found');
  for (const place of named) assert.ok(fs.existsSync(path.join(root, place)), `${place} is not there`);
  const unnamed: string[] = [];
  for (const { file, text } of ['src/core', 'src/host', 'src/cli', 'src/protocol', 'media'].flatMap((one) => [
    ...sources(one),
  ])) {
    if (!mayRead.test(text)) continue;
    for (const node of nodesOf(parse(text, { sourceType: 'module', plugins: ['typescript'] }).program)) {
      const sought = wordsSought(node);
      if (typeof sought !== 'string' || !phrase.test(sought)) continue;
      const place = named.find((one) => file === one || file.startsWith(one.endsWith('/') ? one : `${one}/`));
      if (place === undefined) unnamed.push(`${file}:${node.loc.start.line}: ${sought}`);
    }
  }
  assert.deepEqual(unnamed, []);
});
