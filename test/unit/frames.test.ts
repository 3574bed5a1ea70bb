import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodePath, encodePath } from '../../src/core/worlds/confined/wire/bytePath.ts';
import {
  codeOf,
  effectKinds,
  endings,
  errorCode,
  errorName,
  gateReasons,
  nameOf,
  nodeTypes,
  streams,
} from '../../src/core/worlds/confined/wire/codes.ts';
import { createFrameParser, type LauncherEvent, maxFrameBytes } from '../../src/core/worlds/confined/wire/frames.ts';
import { answerFrame, runFrame, writeFrame } from '../../src/core/worlds/confined/wire/requestFrames.ts';

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
    assert.deepEqual(events[2], { type: 'programExit', pid: 7, exitCode: 128 + 9 });
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

const i64 = (value: number) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(value));
  return bytes;
};
const zeros = (count: number) => Buffer.alloc(count);

function decoded(...frames: Buffer[]): LauncherEvent[] {
  const events: LauncherEvent[] = [];
  createFrameParser((event) => events.push(event))(Buffer.concat(frames));
  return events;
}

test('numbers that stand for something become its name', () => {
  const effect = (kind: number, number: number) => frame(71, Buffer.of(kind), u32(7), text('x'), i64(number));
  const finished = (how: number, code: number) =>
    frame(73, Buffer.of(how), u32(code), text('/w'), zeros(4 + 4 + 8 + 1), text(''), u32(0));
  const named = decoded(
    frame(66, text('unshare'), u32(1), text('No.')),
    frame(69, Buffer.of(2), text('e')),
    effect(1, 101),
    effect(2, 12 * 256 + 9),
    effect(2, -256 + 15),
    effect(3, 500),
    effect(8, 2),
    effect(19, 3),
    finished(1, 3),
    finished(2, 15),
    finished(6, 2),
    frame(78, u32(1), u32(0)),
    frame(78, u32(1), u32(122)),
    frame(78, u32(1), u32(4095)),
  ).map(({ type: _, ...event }) => event as Record<string, unknown>);
  const common = { pid: 7, detail: 'x' };
  assert.deepEqual(named.slice(0, 8), [
    { step: 'unshare', error: 'EPERM', sentence: 'No.' },
    { stream: 'stderr', bytes: Buffer.from('e') },
    { ...common, kind: 'connects' },
    { ...common, kind: 'signals', target: 12, signal: 'SIGKILL' },
    { ...common, kind: 'signals', signal: 'SIGTERM' },
    { ...common, kind: 'waitSkipped', durationMs: 500 },
    { ...common, kind: 'hardLinked', names: 2 },
    { ...common, kind: 'door', door: 'writesKernel' },
  ]);
  assert.deepEqual(
    named.slice(8, 11).map(({ how, exitCode, error }) => [how, exitCode, error]),
    [
      ['exited', 3, undefined],
      ['signalled', 143, undefined],
      ['notStarted', 0, 'ENOENT'],
    ],
  );
  assert.deepEqual(
    named.slice(11).map(({ error }) => error),
    [undefined, 'EDQUOT', 'E4095'],
  );
});

test('a number that is not of this version is refused, not guessed', () => {
  assert.throws(() => decoded(frame(69, Buffer.of(3), text('x'))), /unknown number 3/);
  assert.throws(() => decoded(frame(71, Buffer.of(255), u32(1), text('x'), i64(0))), /unknown number 255/);
  assert.throws(() => decoded(frame(71, Buffer.of(19), u32(1), text('x'), i64(99))), /unknown number 99/);
});

test('names become numbers again', () => {
  const fails = answerFrame(5, { kind: 'fails', error: 'EACCES' });
  assert.deepEqual(fails.subarray(9, 14), Buffer.concat([Buffer.of(2), u32(13)]));
  assert.equal(writeFrame(5, 'stderr', Buffer.of())[9], 2);
  for (const errno of [1, 2, 11, 13, 95, 122, 4095]) {
    const name = errorName(errno);
    assert.ok(name !== undefined && errorCode(name) === errno, `${errno} ${name}`);
  }
  for (const table of [streams, effectKinds, endings, gateReasons, nodeTypes]) {
    const codes = Object.keys(table).map(Number);
    assert.deepEqual(
      codes.map((code) => codeOf(table as Readonly<Record<number, string>>, nameOf(table, code))),
      codes,
    );
  }
});
