import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from '@babel/parser';
import { programs } from '../../src/core/programs/programOf.ts';

/**
 * What is known of a program stands in its row. A list is three names of programs or more that are most of an alternation, of
 * the words of a text, of an array or of the keys of an object.
 */
const names = new Set(programs.flatMap((program) => program.names.split(' ')));

/** Files and folders that may have such a list, and why what they list is no knowledge of programs. */
const exceptions: Readonly<Record<string, string>> = {
  'src/core/shell/': 'the language of the shell, and the table of shells: how each is asked to run a script',
  'src/core/programs/startedBy.ts': 'how find and fd read their own command line',
  'src/core/context/gather/scriptPrograms.ts': 'how the words of a script are read for the context',
  'src/core/programs/packageRunners.ts': 'how each of them reads its own command line, by the key in its row',
  'src/core/programs/packageScripts.ts': 'words in the text of a script that show variables of npm',
  'src/core/programs/targets.ts': 'names of folders with keys',
  'src/core/programs/code/codeMeaning.ts': 'calls of programming languages',
  'src/core/programs/code/readPlain.ts': 'syntaxes of programming languages',
  'src/core/action/action.ts': 'the shells that an action may name: a part of the request',
  'src/core/action/prompts.ts': 'what tells a prompt from text, and the command of root from a comment',
  'src/core/bench/collect/typedCommand.ts': 'words that make what a terminal shows differ each time',
  'src/core/consequences/parsers.ts': 'the languages that there is a parser for',
  'src/core/context/secrets/findSecrets.ts': 'texts in which secrets stand',
  'src/core/hooks/enterStart.ts': 'where each shell has its start file',
  'src/core/loss/recovery/heldElsewhere.ts': 'formats, and the command that unpacks each',
  'src/core/verdict/programRisks.ts': 'files that projects carry with them; words of the shell',
  'src/core/worlds/confined/certainty/steady.ts': 'words of the shell that measure time or hand work on',
  'src/core/worlds/confined/planned/copyReaders.ts': 'the readers themselves, by their keys',
  'src/core/worlds/confined/planned/fileReaders.ts': 'the readers themselves, by their keys',
  'src/core/worlds/confined/planned/treeReaders.ts': 'the readers themselves, by their keys',
  'src/core/worlds/language/imagine/imaginedChanges.ts': 'how messages of errors begin',
  'src/core/worlds/language/prompt/turns/turnTextScreen.ts': 'what a prompt looks like',
  'src/host/engine/engineStatus.ts': 'programs whose version is told in a report',
  'src/host/lens/packageJson.ts':
    'what may stand in `packageManager`; the table is not loaded when the extension is activated',
  'src/host/lens/shellScript.ts': 'words of the shell that set the scene for the lines below',
  'src/host/typedLine/keepsKeys.ts': 'words of the shell that leave its keys as they are',
};

/** Keys of facts and messages that happen to be names of programs. */
const words = new Set(
  'type id kind command node name key open status request file path mode group host users copy index history fold tree as'.split(
    ' ',
  ),
);

interface Node {
  type: string;
  loc: { start: { line: number } };
  [key: string]: unknown;
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && 'loc' in value;
}

function* nodesOf(node: Node): Generator<Node> {
  yield node;
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) yield* nodesOf(child);
  }
}

function textOf(node: unknown): string {
  if (!isNode(node)) return '';
  if (node.type === 'ArrayExpression') return textOf((node['elements'] as unknown[])[0]);
  return node.type === 'StringLiteral' ? String(node['value']) : '';
}

/** The lists of words that a piece of a program holds. */
function listsOf(node: Node): string[][] {
  switch (node.type) {
    case 'RegExpLiteral':
      return [...String(node['pattern']).matchAll(/\((?:\?:)?([^()]*\|[^()]*)\)/g)].map(([, inner = '']) =>
        inner.split('|').map((word) => word.replace(/\[[^\]]*\][*+?]?$|(?<!\\)\?$/, '').replace(/\\(.)/g, '$1')),
      );
    case 'StringLiteral':
      return [String(node['value']).trim().split(/\s+/)];
    case 'TemplateElement':
      return [
        String((node['value'] as { cooked?: string }).cooked ?? '')
          .trim()
          .split(/\s+/),
      ];
    case 'ArrayExpression':
      return [(node['elements'] as unknown[]).map(textOf).filter((text) => text !== '')];
    case 'ObjectExpression':
      return [
        (node['properties'] as Node[]).map(({ key }) => {
          const { name, value } = (key ?? {}) as { name?: string; value?: unknown };
          return String(name ?? value ?? '');
        }),
      ];
    default:
      return [];
  }
}

function isList(list: readonly string[]): boolean {
  const unique = [...new Set(list)];
  const hits = unique.filter((word) => names.has(word) && !words.has(word));
  return hits.length >= 3 && hits.length >= unique.length * 0.6;
}

function listsIn(text: string): string[] {
  const { program } = parse(text, { sourceType: 'module', plugins: ['typescript', 'decorators'] });
  const found: string[] = [];
  for (const node of nodesOf(program as unknown as Node)) {
    for (const list of listsOf(node)) if (isList(list)) found.push(`${node.loc.start.line}: ${list.join(' ')}`);
  }
  return found;
}

test('a list of programs is found in each of its forms', () => {
  for (const list of ['/^(?:tar|zip|rsync)$/', "new Set(['tar', 'zip', 'rsync'])", "'tar zip rsync'.split(' ')"]) {
    assert.equal(listsIn(`const list = ${list};`).length, 1, list);
  }
  assert.equal(listsIn('const list = { tar: 1, zip: 2, rsync: 3 };').length, 1);
  assert.equal(listsIn("const list = new Map([['tar', 1], ['zip', 2], ['rsync', 3]]);").length, 1);
  assert.deepEqual(listsIn("const list = ['tar', 'zip', 'blue', 'green', 'red'];"), []);
});

test('what is known of a program stands in its row, and nowhere else', () => {
  const found: string[] = [];
  for (const entry of fs.readdirSync('src', { withFileTypes: true, recursive: true })) {
    const file = path.posix.join(entry.parentPath ?? entry.path, entry.name);
    if (!entry.isFile() || !/\.ts$/.test(file) || file.startsWith('src/core/programs/table/')) continue;
    const isException = Object.keys(exceptions).some(
      (place) => file === place || (place.endsWith('/') && file.startsWith(place)),
    );
    if (isException) continue;
    for (const list of listsIn(fs.readFileSync(file, 'utf8'))) found.push(`${file}:${list}`);
  }
  assert.deepEqual(found, []);
});
