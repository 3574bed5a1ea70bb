import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync } from 'node:zlib';
// @ts-expect-error A tool without types.
import { animated } from '../../src/tools/animatedPicture.mjs';

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** A grey picture of one row. */
function png(width: number, grey: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(1, 4);
  header[8] = 8;
  const data = deflateSync(Buffer.concat([Buffer.from([0]), Buffer.alloc(width, grey)]));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]);
}

test('pictures of one size become one that moves, with one that is shown where it does not', () => {
  const [a, b] = [png(3, 10), png(3, 200)];
  const moving: Buffer = animated(
    [
      { png: a, ms: 300 },
      { png: b, ms: 4_000 },
    ],
    b,
  );
  const types: string[] = [];
  for (let at = 8; at < moving.length; at += moving.readUInt32BE(at) + 12) {
    const length = moving.readUInt32BE(at);
    const named = moving.subarray(at + 4, at + 8 + length);
    assert.equal(moving.readUInt32BE(at + 8 + length), crc32(named));
    types.push(named.toString('latin1', 0, 4));
  }
  assert.deepEqual(types, ['IHDR', 'acTL', 'IDAT', 'fcTL', 'fdAT', 'fcTL', 'fdAT', 'IEND']);
  assert.throws(() => animated([{ png: png(4, 0), ms: 1 }], a), /not of the size/);
  assert.throws(() => animated([], Buffer.from('no')), /no PNG/);
});
