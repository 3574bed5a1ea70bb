import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodedBytes, isReadable } from '../../src/core/prediction/decodedBytes.ts';

test('a name in Latin-1 among much text stays readable; bytes of a program do not', () => {
  const listing = Buffer.concat([
    Buffer.from('caf'),
    Buffer.from([0xe9]),
    Buffer.from('.txt\nreadme.md\nsrc/main.ts\n'),
  ]);
  const decoded = decodedBytes(listing.toString('base64'));
  assert.equal(decoded, 'caf\ufffd.txt\nreadme.md\nsrc/main.ts\n');
  assert.ok(isReadable(decoded));
  assert.ok(!isReadable(decodedBytes(Buffer.from([0xff, 0xfe]).toString('base64'))));
  assert.ok(!isReadable('text\0'));
  assert.equal(decodedBytes(undefined), '');
});
