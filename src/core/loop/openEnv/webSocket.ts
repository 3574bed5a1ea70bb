import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** RFC 6455, section 1.3: what the key is joined with. */
const keySuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Why a connection is closed (RFC 6455, section 7.4.1). */
export const closeCodes = {
  normal: 1000,
  away: 1001,
  protocol: 1002,
  unsupported: 1003,
  notText: 1007,
  tooLarge: 1009,
};

/** The server's end of a WebSocket: texts come in, texts go out. */
export interface WebSocketEnd {
  send(text: string): void;
  close(code: number): void;
}

/** What is told of a connection. Texts come whole; nothing comes after `onClose`, which is told once. */
export interface WebSocketListener {
  onText(text: string): void;
  onClose(): void;
}

/** Whether a request asks for a WebSocket of the version that is spoken here. */
export function asksForWebSocket({ method, headers }: IncomingMessage): boolean {
  const key = headers['sec-websocket-key'];
  return (
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    typeof key === 'string' &&
    Buffer.from(key, 'base64').length === 16
  );
}

/**
 * Takes a connection over as a WebSocket (RFC 6455, without extensions). Broken frames, binary ones and messages of more
 * than `mostBytes` end it with the code for that. `head`: what came behind the request already.
 */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  {
    head,
    mostBytes,
    listener,
  }: { head: Buffer; mostBytes: number; listener: (end: WebSocketEnd) => WebSocketListener },
): WebSocketEnd {
  const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${keySuffix}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  let isClosing = false;
  let isOver = false;
  const end: WebSocketEnd = {
    send(text) {
      if (!isClosing && !socket.destroyed) socket.write(frameOf(opcodes.text, Buffer.from(text, 'utf8')));
    },
    close(code) {
      if (isClosing || socket.destroyed) return;
      isClosing = true;
      const reason = Buffer.alloc(2);
      reason.writeUInt16BE(code);
      socket.end(frameOf(opcodes.close, reason));
    },
  };
  const told = listener(end);
  const over = () => {
    if (isOver) return;
    isOver = true;
    isClosing = true;
    told.onClose();
  };
  const take = createFrameReader(mostBytes, {
    message: (text) => {
      if (!isClosing) told.onText(text);
    },
    ping(payload) {
      if (!isClosing) socket.write(frameOf(opcodes.pong, payload));
    },
    closed: (code) => end.close(code),
  });
  socket.on('data', take);
  socket.on('close', over);
  socket.on('end', () => socket.end());
  socket.on('error', () => socket.destroy());
  if (head.length > 0) take(head);
  return end;
}

/** A frame of the server: whole, and not masked. */
function frameOf(opcode: number, payload: Buffer): Buffer {
  const { length } = payload;
  const size = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const frame = Buffer.alloc(2 + size + length);
  frame[0] = 0x80 | opcode;
  frame[1] = size === 0 ? length : size === 2 ? 126 : 127;
  if (size === 2) frame.writeUInt16BE(length, 2);
  if (size === 8) frame.writeBigUInt64BE(BigInt(length), 2);
  payload.copy(frame, 2 + size);
  return frame;
}

interface Frame {
  isLast: boolean;
  opcode: number;
  payload: Buffer;
  /** Bytes of the whole frame. */
  length: number;
}

/** Reads frames out of what comes; calls back for whole messages. After `closed` nothing is read any more. */
function createFrameReader(
  mostBytes: number,
  on: { message(text: string): void; ping(payload: Buffer): void; closed(code: number): void },
): (bytes: Buffer) => void {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let waiting: Buffer[] = [];
  let waitingBytes = 0;
  let neededBytes = 2;
  let message: Buffer[] | undefined;
  let isOver = false;
  const stop = (code: number) => {
    isOver = true;
    waiting = [];
    on.closed(code);
  };

  function takeMessage(): number | undefined {
    const bytes = Buffer.concat(message ?? []);
    message = undefined;
    let text: string;
    try {
      text = decoder.decode(bytes);
    } catch {
      return closeCodes.notText;
    }
    on.message(text);
    return undefined;
  }

  function takeControl({ isLast, opcode, payload }: Frame): number | undefined {
    if (!isLast || payload.length > 125) return closeCodes.protocol;
    if (opcode === opcodes.close) return closeCodes.normal;
    if (opcode === opcodes.ping) on.ping(payload);
    return opcode === opcodes.ping || opcode === opcodes.pong ? undefined : closeCodes.protocol;
  }

  /** Why the connection ends with this frame; undefined: it does not. */
  function takeFrame(frame: Frame): number | undefined {
    const { isLast, opcode, payload } = frame;
    if (opcode >= opcodes.close) return takeControl(frame);
    if (opcode === opcodes.binary) return closeCodes.unsupported;
    const isContinued = opcode === opcodes.continuation;
    if (isContinued !== (message !== undefined) || opcode > opcodes.binary) return closeCodes.protocol;
    message = [...(message ?? []), payload];
    if (message.reduce((sum, { length }) => sum + length, 0) > mostBytes) return closeCodes.tooLarge;
    return isLast ? takeMessage() : undefined;
  }

  return (bytes) => {
    if (isOver) return;
    waiting.push(bytes);
    waitingBytes += bytes.length;
    while (!isOver && waitingBytes >= neededBytes) {
      const all = Buffer.concat(waiting);
      const frame = readFrame(all, mostBytes);
      if (typeof frame === 'number') {
        waiting = [all];
        neededBytes = frame;
        continue;
      }
      if ('code' in frame) {
        stop(frame.code);
        continue;
      }
      waiting = [all.subarray(frame.length)];
      waitingBytes = all.length - frame.length;
      neededBytes = 2;
      const code = takeFrame(frame);
      if (code !== undefined) stop(code);
    }
  };
}

/** The first frame in the bytes; how many it needs where they are too few; or why the connection ends. */
function readFrame(bytes: Buffer, mostBytes: number): Frame | number | { code: number } {
  const [first = 0, second = 0] = bytes;
  // No extension was agreed on, and a client masks what it sends (section 5.1).
  if ((first & 0x70) !== 0 || (second & 0x80) === 0) return { code: closeCodes.protocol };
  const short = second & 0x7f;
  const size = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (bytes.length < 2 + size) return 2 + size;
  const length = size === 0 ? short : size === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > mostBytes) return { code: closeCodes.tooLarge };
  const start = 2 + size + 4;
  if (bytes.length < start + length) return start + length;
  const mask = bytes.subarray(start - 4, start);
  const payload = Buffer.from(bytes.subarray(start, start + length));
  for (let index = 0; index < length; index += 1) payload[index] = (payload[index] ?? 0) ^ (mask[index % 4] ?? 0);
  return { isLast: (first & 0x80) !== 0, opcode: first & 0x0f, payload, length: start + length };
}
