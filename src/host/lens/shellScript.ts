import { parse, type SyntaxNode } from 'unbash';
import { countOf } from '../../core/view/quantity.ts';
import { lineOf } from './jsonText.ts';
import type { Runnable } from './runnable.ts';

/** Builtins that only set the scene for the lines below them. */
const settingTheScene = new Set(
  ['set', 'shopt', 'export', 'declare', 'typeset', 'readonly', 'local', 'alias', 'umask', 'cd', 'pushd'].concat([
    'source',
    '.',
    'trap',
    'unset',
  ]),
);

interface Statement {
  /** UTF-16 offsets in the script. */
  start: number;
  end: number;
  setsTheScene: boolean;
}

/**
 * Paragraphs of commands in a shell script: top-level statements with no blank line between them.
 *
 * What is predicted is the paragraph behind everything above it that sets the scene (variables, functions, `set -e`,
 * `cd`), because `rm -rf "$BUILD"` alone means something else.
 */
export function shellScriptRunnables(text: string, name: string): Runnable[] {
  if (/\.(?:fish|csh|tcsh)$/.test(name) || /^#!.*\b(?:fish|t?csh|python|node|perl|ruby)/.test(text)) return [];
  const statements = topLevelStatements(text);
  if (!statements) return [];
  const shebang = /^#![^\n]*\n/.exec(text)?.[0] ?? '';
  const found: Runnable[] = [];
  let scene = shebang;
  let paragraph: Statement[] = [];

  const finish = () => {
    const first = paragraph[0];
    const last = paragraph.at(-1);
    paragraph = [];
    if (!first || !last) return;
    const count = text.slice(first.start, last.end);
    const line = lineOf(text, first.start);
    const lines = count.split('\n').length;
    found.push({
      line,
      text: `${scene}${count}\n`,
      source: 'editor',
      start: 'workspace',
      title: lines === 1 ? 'Predict' : `Predict ${countOf(lines, 'line')}`,
    });
  };

  let end = 0;
  for (const statement of statements) {
    const isNewParagraph = /\n[ \t]*\n/.test(text.slice(end, statement.start));
    if (isNewParagraph || statement.setsTheScene) finish();
    if (statement.setsTheScene) scene += `${text.slice(statement.start, statement.end)}\n`;
    else paragraph.push(statement);
    end = statement.end;
  }
  finish();
  return found;
}

/** `undefined` where the script cannot be read to its end. */
function topLevelStatements(text: string): Statement[] | undefined {
  try {
    const script = parse(text);
    if (script.errors?.length) return undefined;
    return script.commands.map((statement) => ({
      start: statement.pos,
      end: endOf(text, statement.end),
      setsTheScene: setsTheScene(statement.command),
    }));
  } catch {
    return undefined;
  }
}

function setsTheScene(node: SyntaxNode): boolean {
  if (node.type === 'Function') return true;
  if (node.type === 'AndOr') return node.commands.every(setsTheScene);
  if (node.type !== 'Command') return false;
  if (!node.name) return node.prefix.length > 0;
  return settingTheScene.has(node.name.value);
}

/** The body of a here-document stands behind the statement that has it. */
function endOf(text: string, end: number): number {
  const marks = [...text.slice(0, end).matchAll(/(?<!<)<<-?[ \t]*(["']?)([A-Za-z_]\w*)\1/g)];
  const mark = marks.at(-1);
  if (!mark || text.slice(mark.index, end).includes('\n')) return end;
  const closing = new RegExp(`\\n[ \\t]*${mark[2]}(?=\\n|$)`).exec(text.slice(end));
  return closing ? end + closing.index + closing[0].length : end;
}
