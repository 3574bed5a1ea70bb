import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyCut, takeText } from '../../media/shared/pieces.ts';
import { partRuns, partShares, sentMessages } from '../../media/shared/promptParts.ts';
import { visibleText } from '../../media/shared/visibleText.ts';
import type { AskedQuestion } from '../../src/core/prediction/question.ts';
import { diffRows } from '../../src/core/view/lineDiff.ts';

function question(more: Partial<AskedQuestion>): AskedQuestion {
  return {
    ...{ id: 1, purpose: 'output', title: 't', domain: 'swe', messages: [], blocks: [], leftOut: [], redacted: [] },
    ...{ tokens: { count: 0, exact: true }, conditions: [], thoughts: '', said: '', ...more },
  };
}

test('nothing hides in a text', () => {
  assert.equal(visibleText('a\tb\r\nc\n'), 'a\tb\nc\n');
  assert.equal(visibleText('\u001b[31mred\u0007\u0000\u007f\r'), '␛[31mred␇␀␡␍');
  assert.equal(visibleText('a\u202egnp.exe\u2066\u200b\ufeff'), 'a⟨U+202E⟩gnp.exe⟨U+2066⟩⟨U+200B⟩⟨U+FEFF⟩');
  assert.equal(visibleText('👩\u200d🚀 é 日本 עברית'), '👩\u200d🚀 é 日本 עברית');
});

test('a long text is cut into pieces that hold all of it, and only its end changes while it grows', () => {
  const cut = emptyCut();
  let text = '';
  let first: unknown;
  for (let round = 0; round < 200; round++) {
    text += `${round} ${'😀 word '.repeat(round % 40)}${round % 3 === 0 ? '\n' : ''}`;
    takeText(cut, text);
    first ??= cut.pieces[0];
    if (first) assert.equal(cut.pieces[0], first);
    assert.equal(cut.pieces.map(({ shown }) => shown).join('') + text.slice(cut.length), text);
  }
  assert.ok(cut.pieces.length > 3);
  for (const { shown } of cut.pieces)
    assert.doesNotMatch(shown, /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  // Another text instead of a longer one begins anew.
  takeText(cut, 'other');
  assert.deepEqual([cut.length, cut.pieces.length], [0, 0]);
});

test('messages are those of the questions before, with blocks and what was cached', () => {
  const block = (message: number, start: number, end: number, tokens: number, part: 'template' | 'action') => ({
    ...{ part, title: '', message, start, end, tokens },
  });
  const usage = { promptTokens: 200, cachedTokens: 120, completionTokens: 1, exact: true };
  const first = question({ messages: [{ role: 'system', content: 'abcdef' }] });
  const second = question({
    id: 2,
    begins: { question: 1, count: 1 },
    messages: [
      { role: 'user', content: 'gh' },
      { role: 'assistant', content: 'ij' },
    ],
    blocks: [
      { ...block(0, 0, 4, 50, 'template'), exact: true },
      block(0, 4, 6, 40, 'action'),
      block(1, 0, 2, 110, 'action'),
    ],
    reply: {
      ...{ question: 2, raw: '', reasoning: '', finish: 'stop', model: '', url: '', body: {}, dropped: [] },
      ...{ warnings: [], usage, durationMs: 1 },
    },
  });
  const messages = sentMessages([first, second], second);
  assert.deepEqual(
    messages.map(({ role, content, tokens, cached, blocks }) => [role, content, tokens, cached, blocks.length]),
    [
      ['system', 'abcdef', 90, 'whole', 2],
      ['user', 'gh', 110, 'part', 1],
      ['assistant', 'ij', 1, 'none', 1],
    ],
  );
  assert.deepEqual(partShares(second), [
    { part: 'template', tokens: 50, exact: true, share: 0.25 },
    { part: 'action', tokens: 150, exact: false, share: 0.75 },
  ]);
  assert.deepEqual(partRuns(second), [
    { part: 'template', tokens: 50 },
    { part: 'action', tokens: 150 },
  ]);
});

const signs = { same: ' ', predicted: '-', truth: '+', gap: '…' };
const diff = (a: string, b: string, around?: number) =>
  diffRows(a.split(''), b.split(''), around).map(({ kind, text }) => `${signs[kind]}${text}`);

test('the difference of two texts is the shortest, with what stands around', () => {
  assert.deepEqual(diff('', ''), []);
  assert.deepEqual(diff('abc', 'abc'), ['…3']);
  assert.deepEqual(diff('abc', ''), ['-a', '-b', '-c']);
  assert.deepEqual(diff('', 'abc'), ['+a', '+b', '+c']);
  assert.deepEqual(diff('abcdefgh', 'abcdXfgh', 1), ['…3', ' d', '-e', '+X', ' f', '…2']);
  // The example of Myers' paper: five changes.
  const rows = diff('abcabba', 'cbabac', 9);
  assert.equal(rows.filter((row) => !row.startsWith(' ')).length, 5);
});

test('both texts can be read out of a difference', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return seed % below;
  };
  for (let round = 0; round < 500; round++) {
    const lines = () => Array.from({ length: random(12) }, () => 'abcd'.charAt(random(4)));
    const [a, b] = [lines(), lines()];
    const rows = diffRows(a, b, 1000).filter(({ kind }) => kind !== 'gap');
    const without = (kind: string) => rows.filter((row) => row.kind !== kind).map(({ text }) => text);
    if (rows.length > 0) assert.deepEqual([without('truth'), without('predicted')], [a, b]);
    else assert.deepEqual(a, b);
  }
  const long = Array.from({ length: 20_000 }, (_, index) => `a ${index}`);
  const other = Array.from({ length: 20_000 }, (_, index) => `b ${index}`);
  assert.equal(diffRows(long, other).length, 40_000);
});
