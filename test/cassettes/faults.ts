/** What can go wrong with one request for a completion. `afterChunks` counts the pieces that are still sent. */
export type Fault =
  /** Refuses; the body in the server's own form, or in one of those that others use. */
  | {
      kind: 'status';
      status: number;
      body?: 'own' | 'flat' | 'plain' | 'text' | 'html' | 'empty' | { raw: string };
      message?: string;
      /** Seconds, or a date in the form of HTTP. */
      retryAfter?: string;
    }
  /** Refuses with a message that holds the key that was sent. */
  | { kind: 'echo-key'; status: number }
  /** Refuses `stream_options`, and only that. */
  | { kind: 'no-stream-options' }
  | { kind: 'redirect'; to: string }
  /** Closes the connection before the first byte. */
  | { kind: 'reset' }
  /** Breaks the connection in the middle. */
  | { kind: 'cut'; afterChunks: number }
  /** Ends the stream in good order, but without an ending. */
  | { kind: 'end'; afterChunks: number }
  /** Sends lines that are no part of the protocol. */
  | { kind: 'garbage'; afterChunks: number; lines: string }
  /** Sends an error as a piece of the stream. */
  | { kind: 'stream-error'; afterChunks: number; status: number; message: string }
  | { kind: 'slow'; firstByteMs: number }
  | { kind: 'hang'; at: 'headers' | 'body' | 'middle' }
  /** Every piece without a choice. */
  | { kind: 'empty-choices' }
  /** Ends while the model thinks: what it thought is in the content where the server has no parser. */
  | { kind: 'truncated-thinking' }
  /** Begins to call a tool that nobody offered, and ends. */
  | { kind: 'tool-call' }
  /** A web page. */
  | { kind: 'html' }
  /** Does not stream: one JSON object. */
  | { kind: 'whole' };
