import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesOverlayNode } from '../../src/core/worlds/confined/certainty/overlayNodes.ts';

test('an inode with the number of an overlay above it is known in each way in which programs print it', () => {
  const lines = [
    'ino 9223372036857340000 size 4096',
    '9223372036857339906',
    '-9223372036852211710n',
    '"ino": 4611686018430017604,',
    '[18446744073709551615]'.replace('18446744073709551615', String((3n << 62n) + 2_564_098n)),
  ];
  for (const line of lines) assert.ok(namesOverlayNode(line), line);
  const others = [
    '2564098 4096',
    '9223372036854775807',
    '18446744073709551615',
    '14695981039346656037',
    '1234567890123456789',
    '1e+19',
    '0.9223372036857340000',
    '1732800000000000000',
  ];
  for (const line of others) assert.ok(!namesOverlayNode(line), line);
});
