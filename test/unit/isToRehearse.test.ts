import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isToRehearse } from '../../src/core/facts/onlyLooks.ts';
import { inSentence } from '../../src/core/view/quantity.ts';

test('a full rehearsal is offered where it would tell more, not for a program that may not be let in', () => {
  const curl = { argv: ['curl', 'https://example.com'], gatedBecause: 'it is not known to be inert' };
  assert.equal(isToRehearse(curl, []), true);
  assert.equal(isToRehearse({ argv: curl.argv }, []), false);
  assert.equal(isToRehearse(curl, [{ argv: curl.argv }]), true);
  assert.equal(isToRehearse(curl, [{ argv: curl.argv, ways: ['rehearse', 'connectModel'] }]), true);
  assert.equal(isToRehearse(curl, [{ argv: curl.argv, ways: ['connectModel'] }]), false);
  assert.equal(isToRehearse(curl, [{ argv: ['node'], ways: ['connectModel'] }]), true);
  assert.equal(isToRehearse(curl, [{ argv: curl.argv, cause: 'looked-at', ways: ['rehearse'] }]), false);
});

test('a name in a sentence is no other one than it is', () => {
  assert.equal(inSentence('\u202egpj.exe'), '⟨U+202E⟩gpj.exe');
  assert.equal(inSentence('a\nb\u2066c\u007f'), 'a␊b⟨U+2066⟩c␡');
  assert.equal(inSentence('שלום.txt'), 'שלום.txt');
});
