import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { findChangingText } from '../../../src/core/worlds/language/prompt/changingText.ts';
import {
  describePlaceholder,
  knownValues,
  valuesIn,
} from '../../../src/core/worlds/language/prompt/placeholderValues.ts';
import { prefixChange } from '../../../src/core/worlds/language/prompt/prefixChange.ts';
import { renderPrompt } from '../../../src/core/worlds/language/prompt/prompt.ts';
import { exampleTurns } from '../../../src/core/worlds/language/prompt/turns/exampleTurns.ts';
import { type Domain, domains } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import { previewParts } from '../../../src/core/worlds/language/template/previewParts.ts';
import {
  restoreEscapes,
  type TemplateEdit,
  templateFixes,
} from '../../../src/core/worlds/language/template/templateFixes.ts';
import { lintTemplate } from '../../../src/core/worlds/language/template/templateLint.ts';
import { templateSections } from '../../../src/core/worlds/language/template/templateSections.ts';
import { fillTemplate, placeholdersOf, templateFile } from '../../../src/core/worlds/language/template/templates.ts';
import { seeded } from './seeded.ts';

const shipped = (domain: Domain) =>
  readFileSync(path.join(process.cwd(), 'prompts', templateFile(domain, 'system')), 'utf8');

/** Applies edits as an editor does: none may overlap. */
function applied(text: string, edits: readonly TemplateEdit[]): string {
  let out = text;
  for (const { start, end, text: put } of [...edits].sort((a, b) => b.start - a.start))
    out = out.slice(0, start) + put + out.slice(end);
  return out;
}

test('the parts of a template are its headings, bold lines, tags and fences, nested as they are written', () => {
  const text = [
    'Preface',
    '# One #',
    'a',
    '**Bold:**',
    '## Two',
    '```json',
    '# no heading',
    '```',
    '<output>',
    'b',
    '</output>',
    '<never>',
    '# Three',
    '~~~',
    'open',
  ].join('\n');
  const sections = templateSections(text);
  assert.deepEqual(
    sections.map(({ kind, title, level, start, end }) => [
      ...[kind, title, level],
      ...[text.slice(start, end).split('\n').length, text.slice(start, end).split('\n').at(-1)],
    ]),
    [
      ['heading', 'One', 1, 11, '<never>'],
      ['heading', 'Bold:', 7, 1, '**Bold:**'],
      ['heading', 'Two', 2, 8, '<never>'],
      ['fence', 'json', 0, 3, '```'],
      ['tag', 'output', 0, 3, '</output>'],
      ['heading', 'Three', 1, 3, 'open'],
      ['fence', '', 0, 2, 'open'],
    ],
  );
  assert.deepEqual(templateSections(''), []);
  const windows = templateSections('# A\r\nb\r\n# C\r\n');
  assert.deepEqual(
    windows.map(({ title, titleEnd }) => [title, titleEnd]),
    [
      ['A', 3],
      ['C', 11],
    ],
  );
});

test('a name that is nearly a placeholder is understood, and a fix makes the warning go away', () => {
  const cases: [string, string][] = [
    ['{tool_definition}', 'tool_definitions'],
    ['{Tool_Definitions}', 'tool_definitions'],
    ['{tools}', 'tool_definitions'],
    ['{available_tools}', 'tool_definitions'],
    ['{demonstration}', 'demonstrations'],
    ['{few_shots}', 'demonstrations'],
    ['{examples}', 'demonstrations'],
  ];
  for (const [written, meant] of cases) {
    const text = `# Role\n\nx ${written} y\n`;
    const warning =
      lintTemplate(text, 'swe').find(({ code }) => code === 'unknown-placeholder') ?? assert.fail(written);
    assert.equal(warning.meant, meant);
    const [fix] = templateFixes(text, warning);
    const fixed = applied(text, fix?.edits ?? []);
    assert.equal(fixed, `# Role\n\nx {${meant}} y\n`);
    assert.ok(!lintTemplate(fixed, 'swe').some(({ code }) => code === 'unknown-placeholder'));
  }
  // In a domain without tools these are words in braces.
  assert.deepEqual(lintTemplate('# Role\n{tools} {examples}\n', 'web'), []);
  for (const name of ['date', 'now', 'session_id', 'UUID']) {
    const [changing] = lintTemplate(`It is {${name}}.`, 'web');
    assert.equal(changing?.code, 'unknown-placeholder');
    assert.match(changing?.message ?? '', /another one every time/);
  }
  const [other] = lintTemplate('{some_thing}', 'web');
  assert.deepEqual([other?.code, other && templateFixes('{some_thing}', other)], ['unknown-placeholder', []]);
});

test('every warning that has a fix is answered by it, in any text', () => {
  const { text } = seeded(11);
  const parts = [
    ...['# A\n', '\n\n', '{tool_definitions}', '{demonstrations}', '{tool_definition}', '\u001b[31m', '\u0000', '\r\n'],
    ...['"keystrokes": "ls\n"', '`a\n`', 'word ', '{x_y}', '\uFEFF', '```\n'],
  ];
  let answered = 0;
  for (let round = 0; round < 1_500; round++) {
    const template = text(parts, 12);
    for (const domain of ['swe', 'web'] as const) {
      for (const warning of lintTemplate(template, domain)) {
        for (const fix of templateFixes(template, warning)) {
          const after = applied(template, fix.edits);
          assert.notEqual(after, template);
          const same = lintTemplate(after, domain).filter(
            ({ code, start }) => code === warning.code && start === warning.start && code !== 'unknown-placeholder',
          );
          const isOneOfMany = [
            'control-character',
            'broken-escape',
            'repeated-placeholder',
            'byte-order-mark',
          ].includes(warning.code);
          if (!isOneOfMany)
            assert.deepEqual(
              same.filter(({ code }) => code !== 'misplaced-placeholder'),
              [],
              fix.title,
            );
          answered += 1;
        }
      }
      const warnings = lintTemplate(template, domain);
      const restored = applied(template, restoreEscapes(template, warnings)?.edits ?? []);
      assert.ok(!lintTemplate(restored, domain).some(({ code }) => code === 'control-character'));
    }
  }
  assert.ok(answered > 1_000);
});

test('what an escape was is written again: raw bytes and line breaks inside of quotes', () => {
  const text = 'Type {"keystrokes": "ls\n"} and see \u001b[0m and \u0007\u0000.\n';
  const warnings = lintTemplate(text, 'terminal');
  const fix = restoreEscapes(text, warnings) ?? assert.fail();
  assert.equal(fix.title, 'Restore all 3 escapes');
  assert.equal(applied(text, fix.edits), 'Type {"keystrokes": "ls\\n"} and see \\x1b[0m and \\x07\\0.\n');
  assert.equal(restoreEscapes('fine', []), undefined);
});

test('times and random ids are noticed, examples and the shipped prompts are not', () => {
  const words = (text: string) => findChangingText(text).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(words('Now it is 2026-03-01T09:00:00Z here.'), ['2026-03-01T09:00:00Z']);
  assert.deepEqual(words('Today is March 3, 2026.'), ['Today is March 3, 2026']);
  assert.deepEqual(words('Current time: 09:31'), ['Current time: 09:31']);
  assert.deepEqual(words('a 3f2504e0-4f89-41d3-9a0c-0305e82c3301 b'), ['3f2504e0-4f89-41d3-9a0c-0305e82c3301']);
  assert.deepEqual(words('Session ID: abc-12345'), ['Session ID: abc-12345']);
  assert.deepEqual(words('`2026-03-01 09:00:00` and "date: 2026-03-01"\n```\n2026-03-01 09:00\n```\n'), []);
  assert.deepEqual(words('released on 2024-05-01, version 12:30'), []);
  for (const domain of domains) assert.deepEqual(findChangingText(shipped(domain)), [], domain);
});

test('where a prompt begins to differ from the last one, and what is read again, is said in tokens', () => {
  const line = 'The model reads this line once more. ';
  const system = line.repeat(200);
  const sent = [{ content: system }, { content: line.repeat(100) }];
  assert.equal(prefixChange(sent, system), undefined);
  const early = prefixChange(sent, `X${system}`) ?? assert.fail();
  assert.deepEqual([early.at, early.offset, early.lost], [0, 0, early.sent]);
  const late = prefixChange(sent, `${system}more`) ?? assert.fail();
  assert.equal(late.offset, system.length);
  assert.ok(Math.abs(late.at / late.sent - 2 / 3) < 0.02);
  // The server's own count is what all is measured by.
  const scaled = prefixChange(sent, `${system}more`, 3_000) ?? assert.fail();
  assert.deepEqual([scaled.sent, scaled.at + scaled.lost], [3_000, 3_000]);
  const { text, below } = seeded(5);
  for (let round = 0; round < 500; round++) {
    const a = text(['ab', 'a', 'b', '\n', 'ü'], 30);
    const cut = below(a.length + 1);
    const b = `${a.slice(0, cut)}#${a.slice(cut)}`;
    let shared = 0;
    while (shared < a.length && a[shared] === b[shared]) shared += 1;
    assert.equal(prefixChange([{ content: a }], b)?.offset, shared);
  }
});

test('values are found again in a prompt that was made of a template', () => {
  for (const domain of domains) {
    const template = shipped(domain);
    const values = Object.fromEntries(placeholdersOf[domain].map((name) => [name, `a value\nof ${name} {x} $&`]));
    const filled = fillTemplate(template, values);
    assert.ok(filled.ok);
    assert.deepEqual(valuesIn(filled.text, template), values, domain);
    assert.deepEqual(valuesIn(filled.text.trimEnd(), template), values, domain);
    assert.equal(valuesIn(`x${filled.text}`, template), undefined);
    assert.equal(valuesIn(`${filled.text}x`, template), undefined);
    for (const name of placeholdersOf[domain]) assert.match(describePlaceholder(name, domain), /^[A-Z].*\.$/);
  }
  assert.ok(
    Object.keys(knownValues('swe', 'claude')).length === 2 && Object.keys(knownValues('web', 'qwen')).length === 0,
  );
});

test('a preview has every character of the prompt, and says where in the template it stands', () => {
  for (const domain of domains) {
    const template = shipped(domain);
    const { action, currentState, values } = exampleTurns[domain];
    const rendered = renderPrompt({
      ...{ domain, style: 'benchmark', dialect: 'qwen', template, values, turns: [{ action, part: 'action' }] },
      ...(currentState === undefined ? {} : { currentState }),
      conditions: { freeText: 'The disk is full.' },
    });
    assert.ok(rendered.ok, domain);
    const parts = previewParts(rendered.messages, rendered.blocks, template);
    assert.deepEqual(
      parts.map((message) => message.parts.map(({ text }) => text).join('')),
      rendered.messages.map(({ content }) => content),
    );
    const fromTemplate = parts.flatMap((message) => message.parts).filter(({ part }) => part === 'template');
    assert.ok(fromTemplate.length >= 5);
    for (const { text, source } of fromTemplate) assert.equal(template.slice(source?.start, source?.end), text);
    assert.equal(fromTemplate[0]?.title, 'Role');
  }
});
