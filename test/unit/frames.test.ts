import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePath, encodePath } from '../../src/core/worlds/confined/wire/bytePath.ts';
import { createFrameParser, type LauncherEvent, maxFrameBytes } from '../../src/core/worlds/confined/wire/frames.ts';
import { answerFrame, runFrame } from '../../src/core/worlds/confined/wire/requestFrames.ts';

function frame(type: number, ...parts: Buffer[]): Buffer {
  const payload = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.writeUInt32LE(payload.length);
  head[4] = type;
  return Buffer.concat([head, payload]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(value);
  return bytes;
}

const text = (value: string) => Buffer.concat([u32(Buffer.byteLength(value)), Buffer.from(value)]);

test('frames are found however the bytes are cut', () => {
  const stream = Buffer.concat([
    frame(72),
    frame(69, Buffer.of(1), text('hello')),
    frame(70, u32(7), u32(256 + 9)),
    frame(66, text('unshare'), u32(1), text('It is not allowed here.')),
  ]);
  for (const size of [1, 2, 3, 5, 7, 11, stream.length]) {
    const events: LauncherEvent[] = [];
    const parse = createFrameParser((event) => events.push(event));
    for (let at = 0; at < stream.length; at += size) parse(Buffer.from(stream.subarray(at, at + size)));
    assert.deepEqual(
      events.map((event) => event.type),
      ['asks', 'output', 'programExit', 'refused'],
      `pieces of ${size} bytes`,
    );
    assert.deepEqual(events[2], { type: 'programExit', pid: 7, code: 265 });
  }
});

test('a frame that is too long, too short or of an unknown type is refused', () => {
  const parse = () => createFrameParser(() => {});
  const huge = Buffer.alloc(5);
  huge.writeUInt32LE(maxFrameBytes + 1);
  assert.throws(() => parse()(huge), /frame of/);
  assert.throws(() => parse()(frame(70, u32(1))), RangeError);
  assert.throws(() => parse()(frame(69, Buffer.of(1), u32(99))), /too short/);
  assert.throws(() => parse()(frame(200)), /unknown event 200/);
});

test('paths survive as bytes, whatever they are', () => {
  for (const bytes of [
    Buffer.from('plain/ünïcode/🙂'),
    Buffer.from([0x66, 0xff, 0x6f]),
    Buffer.from([0xc3, 0x28, 0xe2, 0x82]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from('\uFFFD is a character too'),
    Buffer.from([0xef, 0xbf, 0xbd, 0xfe]),
  ]) {
    assert.deepEqual(encodePath(decodePath(bytes)), bytes);
  }
  let seed = 1;
  for (let round = 0; round < 2000; round += 1) {
    const bytes = Buffer.alloc(8).map(() => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed >> 16;
    });
    assert.deepEqual(encodePath(decodePath(Buffer.from(bytes))), Buffer.from(bytes));
  }
});

test('requests have the layout of the protocol', () => {
  const answer = answerFrame(5, { kind: 'exit', code: 3 });
  assert.deepEqual(answer.subarray(0, 5), Buffer.from([4 + 1 + 4 + 4 + 4 + 4, 0, 0, 0, 4]));
  assert.deepEqual(answer.subarray(5, 14), Buffer.concat([u32(5), Buffer.of(0), u32(3)]));
  const run = runFrame({ argv: ['a'], env: [], cwd: '/', columns: 80, rows: 24, stdin: 'input', newLayer: true });
  assert.equal(run[4], 2);
  assert.equal(run.at(-1), 1);
  assert.equal(run.readUInt16LE(run.length - 3), 0xffff);
});
