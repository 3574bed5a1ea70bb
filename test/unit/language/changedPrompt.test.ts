import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedPrompt } from '../../../src/core/worlds/language/imagine/changedPrompt.ts';

/** A prompt whose messages say this, each one block. */
const promptOf = (...contents: string[]) => ({
  messages: contents.map((content, index) => ({
    role: index === 0 ? ('system' as const) : ('user' as const),
    content,
  })),
  blocks: contents.map((content, message) => ({
    ...{ part: 'action' as const, title: content, message, start: 0, end: content.length },
  })),
});
const contentsOf = (prompt: { messages: readonly { content: string }[] }) =>
  prompt.messages.map(({ content }) => content);
const mine = { question: 1, message: 2, content: 'mine' };

test('a changed message takes the place of the one at its position', () => {
  const changed = changedPrompt(promptOf('system', 'ls', 'run'), [mine]);
  assert.deepEqual(contentsOf(changed), ['system', 'ls', 'mine']);
  assert.deepEqual(
    changed.blocks.map(({ title, end }) => `${title} ${end}`),
    ['system 6', 'ls 2', 'Edited by you 4'],
  );
});

test('where there are more or fewer messages by now, the one that says the same is meant', () => {
  const was = { content: 'run', count: 3 };
  assert.deepEqual(contentsOf(changedPrompt(promptOf('system', 'ls', 'status', 'run'), [{ ...mine, was }])), [
    ...['system', 'ls', 'status', 'mine'],
  ]);
  assert.deepEqual(contentsOf(changedPrompt(promptOf('system', 'run'), [{ ...mine, was }])), ['system', 'mine']);
});

test('where none says the same, the one that stands as far from the end is meant; the system message stays the first', () => {
  const was = { content: 'run', count: 3 };
  assert.deepEqual(contentsOf(changedPrompt(promptOf('system', 'ls', 'status', 'run it'), [{ ...mine, was }])), [
    ...['system', 'ls', 'status', 'mine'],
  ]);
  const system = { question: 1, message: 0, content: 'mine', was: { content: 'old', count: 2 } };
  assert.deepEqual(contentsOf(changedPrompt(promptOf('system', 'ls', 'run'), [system])), ['mine', 'ls', 'run']);
  const early = { question: 1, message: 1, content: 'mine', was: { content: 'gone', count: 9 } };
  assert.deepEqual(contentsOf(changedPrompt(promptOf('system', 'run'), [early])), ['system', 'mine']);
});
