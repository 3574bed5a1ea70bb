import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/**
 * Lines of a stream of JSON, a message each. `readline` would also end a line at U+2028 and U+2029, which stand in the texts of
 * JSON as they are. What comes behind the last line end is a line too. An aborted `signal` ends it and the stream.
 */
export async function* jsonLines(input: Readable, signal: AbortSignal): AsyncGenerator<string> {
  const stop = () => input.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    yield* linesOf(input);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  // A long line comes in many pieces: they are put together once.
  let pieces: string[] = [];
  for await (const chunk of input) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk);
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      pieces.push(text.slice(start, end));
      yield withoutReturn(pieces.join(''));
      pieces = [];
      start = end + 1;
    }
    if (start < text.length) pieces.push(text.slice(start));
  }
  const last = withoutReturn(pieces.join('') + decoder.end());
  if (last !== '') yield last;
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}
