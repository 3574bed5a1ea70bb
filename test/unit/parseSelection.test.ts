import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ShellName } from '../../src/core/action/action.ts';
import { parseSelection, type SelectionOptions, selectionLimit } from '../../src/core/action/parseSelection.ts';
import { cpuMs } from '../cpuMs.ts';

const golden = join(process.cwd(), 'test/golden/selection');
const defaults: SelectionOptions = { shell: 'bash', cwd: '/w' };

for (const file of readdirSync(golden)) {
  test(`selection: ${file}`, () => {
    const wanted = readFileSync(join(golden, file), 'utf8');
    const [, given = '', selection = ''] = /^# selection([^\n]*)\n([\s\S]*?)\n# (?:script|message)/.exec(wanted) ?? [];
    const options = { ...defaults };
    for (const word of given.trim().split(' ')) {
      const [name, value] = word.split('=');
      if (name === 'shell') options.shell = value as ShellName;
      if (name === 'source') options.source = value as SelectionOptions['source'] & string;
    }
    const parsed = parseSelection(selection, options);
    let actual = `# selection${given}\n${selection}\n`;
    if (!parsed.ok) actual += `# message\n${parsed.message}\n`;
    else {
      actual += `# script ${parsed.action.shell}\n${parsed.action.script}\n`;
      if (parsed.notes.length > 0) actual += `# notes\n${parsed.notes.join('\n')}\n`;
    }
    assert.equal(actual, wanted);
  });
}

test('a selection that is binary or larger than the limit is refused in one sentence', () => {
  const binary = parseSelection('ELF\0\u0001', defaults);
  assert.ok(!binary.ok && /not text/.test(binary.message));
  const huge = parseSelection('a'.repeat(selectionLimit + 1), defaults);
  assert.ok(!huge.ok && /1 MB/.test(huge.message));
  assert.ok(parseSelection(`# ${'a'.repeat(100_000)}\nls`, defaults).ok);
});

test('a selection of almost 1 MB is read in a moment, whatever its lines begin with', () => {
  for (const line of ['# a comment', '> a b', '$ echo "', '- item', '```']) {
    const begin = cpuMs();
    parseSelection(`${line}\n`.repeat(Math.floor(1_000_000 / (line.length + 1))), defaults);
    const tookMs = cpuMs() - begin;
    assert.ok(tookMs < 30_000, `${line}: ${tookMs} ms`);
  }
});

test('what is already a command comes out as it went in', () => {
  const commands = [
    'rm -rf "$HOME/x y"',
    "awk '{ print $1 }' f",
    'a | b && c; d',
    'x=$(ls) ; echo `date`',
    '! true',
    '(cd a; ls)',
  ];
  for (const script of commands) {
    for (const source of ['editor', 'terminal', 'markdown', 'input'] as const) {
      const parsed = parseSelection(script, { ...defaults, source });
      assert.deepEqual(parsed, { ok: true, action: { kind: 'command', script, shell: 'bash', cwd: '/w' }, notes: [] });
    }
  }
});

test('reading a selection never throws, whatever is in it', () => {
  let seed = 7;
  const random = (n: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % n;
  };
  const parts = [
    '$ ',
    '# ',
    '> ',
    'ls',
    '\n',
    '"',
    "'",
    '<<E',
    'E',
    '```',
    '\\',
    '`',
    '(',
    ')',
    ' ',
    '{',
    '}',
    'é',
    '\u00a0',
    '“',
    '|',
    'PS C:\\> ',
  ];
  for (let round = 0; round < 3000; round++) {
    let text = '';
    for (let length = random(14); length >= 0; length--) text += parts[random(parts.length)];
    const parsed = parseSelection(text, defaults);
    if (parsed.ok) assert.ok(parsed.action.script.trim() !== '', JSON.stringify(text));
    else assert.match(parsed.message, /^[A-Z].*\.$/s);
  }
});
