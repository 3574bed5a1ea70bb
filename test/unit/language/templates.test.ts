import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { domains } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import { unknownPrefix } from '../../../src/core/worlds/language/prompt/turns/turnTextUnknown.ts';
import { lintTemplate, templateWarningTokens } from '../../../src/core/worlds/language/template/templateLint.ts';
import {
  fillTemplate,
  loadTemplate,
  placeholdersOf,
  type TemplateFolder,
  templateFile,
} from '../../../src/core/worlds/language/template/templates.ts';
import { seeded } from './seeded.ts';

const scratch = mkdtempSync(path.join(tmpdir(), 'foretell-templates-'));
after(() => rmSync(scratch, { recursive: true, force: true }));
const shipped: TemplateFolder = { source: 'shipped', path: path.join(process.cwd(), 'prompts') };

function folder(name: string, files: Record<string, string>): string {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(scratch, name, file)), { recursive: true });
    writeFileSync(path.join(scratch, name, file), text);
  }
  return path.join(scratch, name);
}

for (const domain of domains) {
  test(`the shipped templates of ${domain} load, have the right placeholders and give no warning`, async () => {
    const system = await loadTemplate(domain, 'system', [shipped]);
    assert.ok(system.ok);
    assert.deepEqual(lintTemplate(system.text, domain), []);
    assert.deepEqual(
      new Set(system.text.match(/\{[a-z_]+\}/g) ?? []),
      new Set(placeholdersOf[domain].map((name) => `{${name}}`)),
    );
    assert.ok(system.text.includes(unknownPrefix), 'explains how to say that it cannot be known');
    assert.ok(!system.text.includes('predicted_observation'), 'the tag belongs to the last turn');
    const judge = await loadTemplate(domain, 'judge', [shipped]);
    assert.ok(judge.ok);
    assert.deepEqual(lintTemplate(judge.text, domain, 'judge'), []);
    for (const dimension of ['format', 'factuality', 'consistency', 'realism', 'quality']) {
      const anchors = new RegExp(
        `\\*\\*${dimension}\\*\\*[^\\n]*\\n(?:- [5-1]: [^\\n]+\\n){5}`.replace('[5-1]', '[1-5]'),
      );
      assert.match(judge.text, anchors);
    }
    const example = /<final_evaluation>\n([\s\S]*?)\n<\/final_evaluation>/.exec(judge.text)?.[1] ?? '';
    assert.deepEqual(Object.keys(JSON.parse(example).scores), [
      'format',
      'factuality',
      'consistency',
      'realism',
      'quality',
    ]);
  });
}

test('every folder of prompts is a domain with exactly two templates', () => {
  // What a benchmark is judged with is for all of them.
  assert.deepEqual(readdirSync(shipped.path).sort(), [...domains, 'judging'].sort());
  for (const domain of domains) {
    assert.deepEqual(readdirSync(path.join(shipped.path, domain)).sort(), [
      'judge_system_prompt.txt',
      'system_prompt.txt',
    ]);
  }
});

test('the first folder that has the template wins, verbatim, and a change counts at once', async () => {
  const text = '\uFEFFYou are {x} $& a\u001bterminal\r\n  \n';
  const mine = folder('mine', { [templateFile('terminal', 'system')]: text });
  const checkout = folder('checkout', { 'prompts/os/system_prompt.txt': 'a checkout' });
  const folders: TemplateFolder[] = [
    { source: 'workspace', path: mine },
    { source: 'configured', path: checkout },
    { source: 'configured', path: path.join(scratch, 'nowhere') },
    shipped,
  ];
  const first = await loadTemplate('terminal', 'system', folders);
  assert.ok(first.ok && first.text === text && first.source === 'workspace' && first.notes.length === 0);
  const second = await loadTemplate('os', 'system', folders);
  assert.ok(second.ok && second.text === 'a checkout' && second.source === 'configured');
  assert.equal(second.notes.length, 1);
  const third = await loadTemplate('swe', 'system', folders);
  assert.ok(third.ok && third.source === 'shipped');
  assert.equal(third.notes.length, 3);
  writeFileSync(path.join(mine, templateFile('terminal', 'system')), 'changed');
  const changed = await loadTemplate('terminal', 'system', folders);
  assert.ok(changed.ok && changed.text === 'changed');
});

test('a template that is not there, empty, too large or no file is a failure in one sentence', async () => {
  const failing = folder('failing', {
    'swe/system_prompt.txt': ' \n',
    'mcp/system_prompt.txt': 'a'.repeat(1_000_001),
    'web/system_prompt.txt/file': '',
  });
  const folders: TemplateFolder[] = [{ source: 'workspace', path: failing }];
  const code = async (domain: (typeof domains)[number]) => {
    const loaded = await loadTemplate(domain, 'system', folders);
    assert.ok(!loaded.ok);
    assert.match(loaded.message, /^[A-Z].*\.$/);
    return loaded.code;
  };
  assert.equal(await code('swe'), 'template-empty');
  assert.equal(await code('mcp'), 'template-too-large');
  assert.equal(await code('web'), 'template-unreadable');
  assert.equal(await code('os'), 'template-missing');
});

test('placeholders are replaced literally, other braces are text', () => {
  const filled = fillTemplate('a {tool_definitions} {other} {{x}} {"a": 1} {demonstrations} {tool_definitions}', {
    tool_definitions: "$& $1 $` {demonstrations} $'",
    demonstrations: '$$',
  });
  assert.ok(filled.ok);
  const tools = "$& $1 $` {demonstrations} $'";
  assert.equal(filled.text, `a ${tools} {other} {{x}} {"a": 1} $$ ${tools}`);
  assert.deepEqual(
    filled.parts.map((part) => [part.name, filled.text.slice(part.start, part.end)]),
    [
      ['tool_definitions', tools],
      ['demonstrations', '$$'],
      ['tool_definitions', tools],
    ],
  );
  const unfilled = fillTemplate('{demonstrations}', {});
  assert.ok(!unfilled.ok && unfilled.code === 'unfilled-placeholder');
  assert.match(unfilled.message, /^The template has \{demonstrations\}.*\.$/);
  assert.ok(fillTemplate('{demonstrations}', { demonstrations: '' }).ok);
});

test('filling any template leaves everything but the placeholders as it was', () => {
  const { text } = seeded(3);
  const parts = [
    '{',
    '}',
    '$',
    '$&',
    'tool_definitions',
    '{tool_definitions}',
    '{demonstrations}',
    '\n',
    'ü',
    '\\',
    '{}',
  ];
  for (let round = 0; round < 3000; round++) {
    const template = text(parts, 12);
    const values = { tool_definitions: text(parts, 3), demonstrations: text(parts, 3) };
    const filled = fillTemplate(template, values);
    assert.ok(filled.ok);
    let back = '';
    let from = 0;
    for (const part of filled.parts) {
      assert.equal(filled.text.slice(part.start, part.end), values[part.name]);
      back += `${filled.text.slice(from, part.start)}{${part.name}}`;
      from = part.end;
    }
    assert.equal(back + filled.text.slice(from), template);
  }
});

const codes = (text: string, domain: (typeof domains)[number] = 'terminal') =>
  lintTemplate(text, domain).map((warning) => [warning.code, text.slice(warning.start, warning.end)]);

test('the linter says what is doubtful, and where', () => {
  assert.deepEqual(codes('\uFEFFa\r\nb'), [
    ['byte-order-mark', '\uFEFF'],
    ['carriage-return', '\r\n'],
  ]);
  assert.deepEqual(codes(' \n '), [['empty', ' \n ']]);
  assert.deepEqual(codes('a {tool_defintions} b {cwd} {}', 'swe'), [
    ['unknown-placeholder', '{tool_defintions}'],
    ['missing-placeholder', ''],
    ['missing-placeholder', ''],
  ]);
  assert.deepEqual(codes('{toolDefinitions}'), [['unknown-placeholder', '{toolDefinitions}']]);
  assert.deepEqual(codes('{demonstrations}'), [['misplaced-placeholder', '{demonstrations}']]);
  assert.deepEqual(codes('{tool_definitions} {tool_definitions}', 'search'), [
    ['repeated-placeholder', '{tool_definitions}'],
  ]);
  assert.deepEqual(codes('${some_name} {{some_name}} \\{some_name}'), []);
  const long = 'word '.repeat(2 * templateWarningTokens);
  assert.deepEqual(
    lintTemplate(long, 'os').map((warning) => warning.code),
    ['too-long'],
  );
});

test('escapes that a template lost on its way are found', () => {
  // What the official terminal template looks like: `\n` and `\x1b` were carried out instead of shown.
  assert.deepEqual(codes('Type "ls\n" to run.'), [['broken-escape', '\n']]);
  assert.deepEqual(codes('needs `\n` to run'), [['broken-escape', '\n']]);
  assert.deepEqual(codes('{\n  "keystrokes": "ls -la\n",\n  "duration": 0.1\n}'), [['broken-escape', '\n']]);
  assert.deepEqual(codes('arrow up is "\u001b[A"'), [['control-character', '\u001b']]);
  assert.deepEqual(codes('say "a"\n"b"\n```json\n[]\n```\n`x`\n`y`'), []);
  assert.deepEqual(codes('  "keystrokes": "ls\\n",\n  "duration": 0.1'), []);
});

test('the linter takes any text, without throwing and with offsets inside of it', () => {
  const { text } = seeded(11);
  const parts = [
    '{',
    '}',
    '"',
    '`',
    '```',
    '\n',
    '\r\n',
    '\u001b',
    '\uFEFF',
    'a',
    '{tool_definitions}',
    '"keystrokes": "',
    '\\',
  ];
  for (let round = 0; round < 3000; round++) {
    const template = text(parts, 20);
    for (const warning of lintTemplate(template, 'swe')) {
      assert.ok(0 <= warning.start && warning.start <= warning.end && warning.end <= template.length);
    }
  }
});

test('the swe template shows its tools once', () => {
  const template = readFileSync(path.join(shipped.path, 'swe/system_prompt.txt'), 'utf8');
  assert.equal(template.split('{tool_definitions}').length, 2);
  assert.equal(template.split('{demonstrations}').length, 2);
});
