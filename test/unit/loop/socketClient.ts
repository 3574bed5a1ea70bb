import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import net from 'node:net';
import type { TestContext } from 'node:test';
import type { Service } from '../../../src/core/loop/service.ts';

/** A client's frame: masked, as RFC 6455 wants it. */
export function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
  const mask = randomBytes(4);
  const size = payload.length < 126 ? 0 : payload.length < 65_536 ? 2 : 8;
  const head = Buffer.alloc(2 + size);
  head[0] = (isLast ? 0x80 : 0) | opcode;
  head[1] = 0x80 | (size === 0 ? payload.length : size === 2 ? 126 : 127);
  if (size === 2) head.writeUInt16BE(payload.length, 2);
  if (size === 8) head.writeBigUInt64BE(BigInt(payload.length), 2);
  return Buffer.concat([head, mask, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

/** A client that sees every byte, so that a test can be wrong in every way. */
export async function connect(
  context: TestContext,
  { url, token }: Service,
  path = `/${token}/ws`,
  headers: string[] = [],
) {
  const { port } = new URL(url);
  const socket = net.connect(Number(port), '127.0.0.1');
  context.after(() => socket.destroy());
  let bytes = Buffer.alloc(0);
  let isEnded = false;
  let wake = () => {};
  socket.on('data', (piece) => {
    bytes = Buffer.concat([bytes, piece]);
    wake();
  });
  socket.on('close', () => {
    isEnded = true;
    wake();
  });
  const until = async <T>(read: () => T | undefined): Promise<T | undefined> => {
    for (;;) {
      const found = read();
      if (found !== undefined || isEnded) return found;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const key = randomBytes(16).toString('base64');
  const asked = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Key: ${key}`, 'Sec-WebSocket-Version: 13'];
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n${[...asked, ...headers].join('\r\n')}\r\n\r\n`);
  const answer = await until(() => {
    const end = bytes.indexOf('\r\n\r\n');
    if (end < 0) return undefined;
    const text = bytes.subarray(0, end).toString();
    bytes = bytes.subarray(end + 4);
    return text;
  });
  /** The next frame: its opcode and content. */
  const next = () =>
    until(() => {
      const short = (bytes[1] ?? 0) & 0x7f;
      const size = short === 126 ? 2 : short === 127 ? 8 : 0;
      if (bytes.length < 2 + size) return undefined;
      const length = size === 0 ? short : size === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
      if (bytes.length < 2 + size + length) return undefined;
      const read = { opcode: (bytes[0] ?? 0) & 15, payload: bytes.subarray(2 + size, 2 + size + length) };
      bytes = bytes.subarray(2 + size + length);
      return read;
    });
  const say = async (message: unknown) => {
    const text = typeof message === 'string' ? message : JSON.stringify(message);
    socket.write(frame(1, Buffer.from(text)));
    const told = await next();
    return JSON.parse(told?.payload.toString() ?? 'null') as { type: string; data: Record<string, unknown> };
  };
  const closedWith = async () => {
    const told = await next();
    assert.equal(told?.opcode, 8);
    return told.payload.readUInt16BE(0);
  };
  return { answer, key, socket, next, say, closedWith };
}
