import type http from 'node:http';

/** What is answered: a status and JSON. */
export interface Answer {
  status: number;
  body: Readonly<Record<string, unknown>>;
  retryAfterSeconds?: number;
}

/** A failure: `message` is one sentence with a next step. */
export function failed(status: number, code: string, message: string, cause?: string): Answer {
  return { status, body: { ok: false, error: { code, message, ...(cause === undefined ? {} : { cause }) } } };
}

/** The body of a request, or why it was not read. */
export async function readBody(
  request: http.IncomingMessage,
  most: number,
  limitMs: number,
): Promise<{ text: string } | Answer> {
  const tooLarge = failed(413, 'too-large', `The body is larger than ${most} bytes; send less.`);
  if (Number(request.headers['content-length'] ?? 0) > most) return tooLarge;
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const timer = setTimeout(
      () => resolve(failed(408, 'too-slow', 'The body did not come in time; send it again.')),
      limitMs,
    );
    const finish = (result: { text: string } | Answer) => {
      clearTimeout(timer);
      resolve(result);
    };
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length > most) {
        request.pause();
        finish(tooLarge);
      } else pieces.push(piece);
    });
    request.on('end', () => finish({ text: Buffer.concat(pieces).toString('utf8') }));
    request.on('close', () => finish(failed(400, 'cut-off', 'The request was cut off; send it again.')));
    request.on('error', () => finish(failed(400, 'cut-off', 'The request was cut off; send it again.')));
  });
}
