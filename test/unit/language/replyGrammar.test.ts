import assert from 'node:assert/strict';
import { test } from 'node:test';
import { marksOf } from '../../../src/core/worlds/language/prompt/turns/compound.ts';
import type { Dialect } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import { programForm, shellForm } from '../../../src/core/worlds/language/reply/answerForms.ts';
import { readReply } from '../../../src/core/worlds/language/reply/readReply.ts';
import { type Grammar, gbnfOf } from '../../../src/core/worlds/language/reply/replyGrammar.ts';
import { shellFields, shellGrammar } from '../../../src/core/worlds/language/reply/shellGrammar.ts';
import { seeded } from './seeded.ts';

/** The grammar of replies, its words, and the reader: three faces of the same data. */

const { below, pick } = seeded(14);
const lines = ['', 'ok', 'a.js', 'src/b c.ts', '12 passed', '-', 'Ω', '{"a": 1}', '```'];

/** Some text that the grammar allows. */
function write(grammar: Grammar): string {
  return grammar
    .map((part) => {
      switch (part.kind) {
        case 'words':
          return part.text;
        case 'line':
          return pick(lines.slice(1, 6));
        case 'text':
          return Array.from({ length: below(4) }, () => pick(lines)).join('\n');
        case 'number':
          return String(part.least + below(Math.min(part.most, 400) - part.least + 1));
        case 'oneOf':
          return write(pick(part.of));
        case 'any':
          return Array.from({ length: below(3) }, () => write(part.of)).join('');
      }
      return '';
    })
    .join('');
}

const reply = (content: string) => ({
  ...{ raw: `<predicted_observation>\n${content}\n</predicted_observation>`, reasoning: '', body: {} },
  finish: 'stop' as const,
});

for (const dialect of ['qwen', 'claude'] as const satisfies Dialect[]) {
  test(`whatever the grammar allows is read as an answer: ${dialect}`, () => {
    const marker = '=== 0a1b2c';
    const wording = { dialect, style: 'benchmark' as const };
    const forms = [shellForm(wording), programForm(wording, marker)];
    const grammars = [shellGrammar(dialect), shellGrammar(dialect, marksOf(marker))];
    for (const [index, form] of forms.entries()) {
      for (let round = 0; round < 400; round += 1) {
        const text = write(grammars[index] ?? []);
        // What another tool would reply is no answer in the bare form, which has nothing to tell them apart.
        if (dialect === 'claude' && /^\s*(?:```|\{)/.test(text)) continue;
        const read = readReply(reply(text), form, { isTagged: true });
        if (!read.ok && read.fault.kind === 'empty') continue;
        // That two places name the same exit code, no grammar of this kind can say.
        if (!read.ok && read.fault.kind.startsWith('bad-') && / beside /.test(JSON.stringify(read.fault))) continue;
        assert.ok(read.ok, `${JSON.stringify(text)}: ${JSON.stringify(read)}`);
      }
    }
  });
}

test('every field of the form is in its words, and in the grammar for servers', () => {
  const form = shellForm({ dialect: 'qwen', style: 'benchmark' });
  const grammar = gbnfOf(form.grammar ?? [], { isTagged: true });
  for (const { name } of shellFields) {
    assert.ok(form.words.includes(`\`${name}:\``), name);
    assert.ok(grammar.includes(`${name}: "`), name);
  }
});

test('each rule of a grammar is defined once, and each that is used is defined', () => {
  for (const isTagged of [true, false]) {
    const text = gbnfOf(shellGrammar('qwen', marksOf('=== "q\\uote"')), { isTagged });
    const rules = text.split('\n').map((line) => line.split(' ::= '));
    const names = rules.map(([name]) => name);
    assert.equal(new Set(names).size, names.length);
    assert.equal(names[0], 'root');
    for (const [, body = ''] of rules) {
      const bare = body.replace(/"(?:\\.|[^"\\])*"|\[(?:\\.|[^\]\\])*\]/g, ' ');
      for (const name of bare.match(/[a-z][a-z0-9-]*/g) ?? []) assert.ok(names.includes(name), `${name} in ${body}`);
    }
  }
});

test('numbers are written digit by digit, and only those of the range', () => {
  const text = gbnfOf([{ kind: 'number', least: 0, most: 255 }], { isTagged: false });
  const [, body = ''] = /number-0-255 ::= (.*)/.exec(text) ?? [];
  const pattern = new RegExp(`^(?:${body.replaceAll('"', '').replaceAll(' ', '')})$`);
  for (const good of ['0', '7', '10', '99', '100', '255']) assert.match(good, pattern);
  for (const bad of ['', '00', '01', '256', '300', '-1', '1.0']) assert.doesNotMatch(bad, pattern);
});
