import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClientReader, type FromClient, frameFor } from '../../src/cli/service/wire.ts';

function field(bytes: Uint8Array | string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(Buffer.byteLength(bytes), 0);
  return Buffer.concat([length, Buffer.from(bytes)]);
}

function requestBytes(fields: readonly (Uint8Array | string)[]): Buffer {
  return Buffer.concat([Buffer.from('FTELL2'), field(Buffer.concat(fields.map(field)))]);
}

const fields = ['token', 'hook', '/w/ö', '42', 't-t', 'A=1\0B=x=y\0A=2\0=odd\0__proto__=p\0', 'claude\0--within\0\0'];
const whole = Buffer.concat([requestBytes(fields), Buffer.from('I'), field('{"a":"ö"}'), Buffer.from('C'), field('')]);

function readIn(pieces: Iterable<Uint8Array>): FromClient[] {
  const said: FromClient[] = [];
  const read = createClientReader((one) => said.push(one));
  for (const piece of pieces) read(piece);
  return said;
}

test('a request and its frames are read alike in one piece, byte by byte, and cut anywhere', () => {
  const [request, input, cancel, ...more] = readIn([whole]);
  assert.deepEqual(more, []);
  assert.ok(request?.kind === 'request');
  const { env, ...asked } = request.request;
  assert.deepEqual(asked, {
    ...{ token: 'token', role: 'hook', cwd: '/w/ö', processId: 42 },
    ...{ terminals: { input: true, output: false, error: true }, args: ['claude', '--within', ''] },
  });
  assert.deepEqual(Object.entries(env), [
    ['A', '1'],
    ['B', 'x=y'],
    ['__proto__', 'p'],
  ]);
  assert.deepEqual(input, { kind: 'input', bytes: Buffer.from('{"a":"ö"}') });
  assert.deepEqual(cancel, { kind: 'cancel' });
  const bytes = Array.from(whole, (byte) => Buffer.from([byte]));
  assert.deepEqual(readIn(bytes), readIn([whole]));
  for (let cut = 0; cut < whole.length; cut++)
    assert.deepEqual(readIn([whole.subarray(0, cut), whole.subarray(cut)]), readIn([whole]), `${cut}`);
});

test('what no client sends is refused, and never waited for', () => {
  for (const [name, bytes] of Object.entries({
    'a client of before': Buffer.concat([Buffer.from('FTELL1'), requestBytes(fields).subarray(6)]),
    'another protocol': Buffer.from('GET / HTTP/1.1\r\n'),
    'too large a request': Buffer.concat([Buffer.from('FTELL2'), Buffer.from([255, 255, 255, 255])]),
    'a field that is cut': requestBytes(fields.slice(0, 4)),
    'a role that is not known': requestBytes(['token', 'root', ...fields.slice(2)]),
    'a frame that is not known': Buffer.concat([requestBytes(fields), Buffer.from('Z'), field('')]),
    'too large a frame': Buffer.concat([requestBytes(fields), Buffer.from('I'), Buffer.from([255, 255, 255, 255])]),
  }))
    assert.throws(() => readIn([bytes]), Error, name);
});

test('what a client is told', () => {
  assert.deepEqual(frameFor({ kind: 'alive' }), Buffer.from('A\0\0\0\0', 'latin1'));
  assert.deepEqual(frameFor({ kind: 'output', text: 'ö' }), Buffer.from([79, 2, 0, 0, 0, 0xc3, 0xb6]));
  assert.deepEqual(frameFor({ kind: 'late', text: 'a' }), Buffer.from([76, 1, 0, 0, 0, 97]));
  assert.deepEqual(frameFor({ kind: 'exit', code: 64 }), Buffer.from([88, 1, 0, 0, 0, 64]));
});
