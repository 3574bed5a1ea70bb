/**
 * What the static client (`src/native/client`) and the service say to each other, over a socket of their own. Numbers are four
 * bytes, the least first. The client begins: `FTELL2`, and a field (its length, then its bytes) that holds the fields of the
 * request: token, role, working directory, process number, which of the descriptors 0 to 2 are terminals (`t` or `-`),
 * environment and arguments (each piece with a NUL behind it). Then both send frames: a letter and a field.
 */

const magic = Buffer.from('FTELL2');
const headBytes = 5;
/** A client sends no larger request; its frames are one byte longer than the largest event at most. */
const mostRequestBytes = 8 * 1024 ** 2;
const mostFrameBytes = 17 * 1024 ** 2;

/** As which program the client was called. */
export type ServedRole = (typeof roles)[number];
const roles = ['hook', 'foretell', 'enter'] as const;

/** What a client asks. */
export interface ServedRequest {
  token: string;
  role: ServedRole;
  /** Working directory, absolute; `undefined` where it is gone. */
  cwd: string | undefined;
  processId: number;
  terminals: { input: boolean; output: boolean; error: boolean };
  env: Readonly<Record<string, string>>;
  args: string[];
}

/** What comes from a client: its request first. */
export type FromClient =
  | { kind: 'request'; request: ServedRequest }
  /** Of its standard input, which was asked for; nothing: it is over. */
  | { kind: 'input'; bytes: Uint8Array }
  | { kind: 'cancel' };

/** What a client is told. */
export type ToClient =
  | { kind: 'alive' | 'wantsInput' }
  /** It has to do it itself. */
  | { kind: 'notServed' }
  /** `late`: what is told, with the exit status 1, if no answer comes in time. */
  | { kind: 'output' | 'error' | 'late'; text: string }
  | { kind: 'exit'; code: number };

const letters = { alive: 'A', wantsInput: 'I', notServed: 'N', output: 'O', error: 'E', late: 'L', exit: 'X' } as const;

/** A frame as it goes to a client. */
export function frameFor(said: ToClient): Buffer {
  const bytes = 'text' in said ? Buffer.from(said.text) : Buffer.from('code' in said ? [said.code & 0xff] : []);
  const head = Buffer.alloc(headBytes);
  head.write(letters[said.kind], 0, 'latin1');
  head.writeUInt32LE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Takes what a client sends, piece by piece. Throws where that is none of ours. */
export function createClientReader(take: (said: FromClient) => void): (piece: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let wanted = magic.length + 4;
  let had = 0;
  let isRequested = false;
  return (piece) => {
    pieces.push(piece);
    had += piece.length;
    while (had >= wanted) {
      const bytes = pieces.length === 1 ? Buffer.from(pieces[0] ?? []) : Buffer.concat(pieces);
      const read = isRequested ? readFrame(bytes) : readRequest(bytes);
      pieces = [bytes.subarray(read.used)];
      had -= read.used;
      wanted = read.wanted;
      if (!read.said) continue;
      isRequested = true;
      take(read.said);
    }
  };
}

interface Read {
  said?: FromClient;
  used: number;
  /** So many bytes are needed for more. */
  wanted: number;
}

function readRequest(bytes: Buffer): Read {
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new Error('no client of ours');
  const start = magic.length + 4;
  const end = start + bytes.readUInt32LE(magic.length);
  if (end > mostRequestBytes) throw new Error('the request is too large');
  if (bytes.length < end) return { used: 0, wanted: end };
  return { said: { kind: 'request', request: requestOf(bytes.subarray(start, end)) }, used: end, wanted: headBytes };
}

function requestOf(bytes: Buffer): ServedRequest {
  let at = 0;
  const field = () => {
    const start = at + 4;
    at = start + bytes.readUInt32LE(at);
    if (at > bytes.length) throw new Error('the request is cut');
    return bytes.subarray(start, at);
  };
  const text = () => field().toString('utf8');
  const pieces = () => text().split('\0').slice(0, -1);
  const [token, called, cwd, processId, terminals] = [text(), text(), text(), Number(text()), text()];
  const role = roles.find((one) => one === called);
  if (role === undefined) throw new Error('the role is not known');
  return {
    token,
    role,
    cwd: cwd.startsWith('/') ? cwd : undefined,
    processId,
    terminals: { input: terminals[0] === 't', output: terminals[1] === 't', error: terminals[2] === 't' },
    env: environmentOf(pieces()),
    args: pieces(),
  };
}

/** Of a name that stands there twice, the first counts, as for getenv(3). */
function environmentOf(pieces: readonly string[]): Record<string, string> {
  const env: Record<string, string> = Object.create(null);
  for (const piece of pieces) {
    const sign = piece.indexOf('=');
    if (sign > 0) env[piece.slice(0, sign)] ??= piece.slice(sign + 1);
  }
  return { ...env };
}

function readFrame(bytes: Buffer): Read {
  const end = headBytes + bytes.readUInt32LE(1);
  if (end > mostFrameBytes) throw new Error('the frame is too large');
  if (bytes.length < end) return { used: 0, wanted: end };
  const letter = String.fromCharCode(bytes[0] ?? 0);
  if (letter !== 'I' && letter !== 'C') throw new Error('the frame is not known');
  const said: FromClient =
    letter === 'C' ? { kind: 'cancel' } : { kind: 'input', bytes: Buffer.from(bytes.subarray(headBytes, end)) };
  return { said, used: end, wanted: headBytes };
}
