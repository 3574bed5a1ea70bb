import { isTooDeep } from '../../core/action/edit/nesting.ts';
import { errorCodes, Incoming, type Outgoing, RequestId } from './mcpMessages.ts';
import { createMcpMethods, type McpServerOptions } from './mcpMethods.ts';

/** Takes messages, a line each. */
export interface McpServer {
  receive(line: string): void;
  /** When everything that was asked is answered or was called off. */
  settled(): Promise<void>;
  /** Calls everything off; nothing more is answered. */
  cancel(): void;
}

/**
 * A server for tools in both eras of the protocol: `initialize` and then requests (2024-11-05 to 2025-11-25), or requests that
 * each name their version (2026-07-28). Requests go on at the same time, and are answered as they are ready.
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { write } = options;
  const running = new Map<RequestId, AbortController>();
  const open = new Set<Promise<unknown>>();
  const methods = createMcpMethods(options);

  async function answerMessage(value: unknown): Promise<Outgoing | undefined> {
    const read = Incoming.safeParse(value);
    if (!read.success) {
      const { id, method } = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
      // We ask nothing, so an answer is to nothing.
      if (method === undefined && RequestId.safeParse(id).success) return undefined;
      return failure(
        RequestId.safeParse(id).data ?? null,
        errorCodes.invalidRequest,
        'This is no request of JSON-RPC 2.0.',
      );
    }
    const { id, method, params = {} } = read.data;
    if (id === undefined) {
      if (method === 'notifications/cancelled') callOff(params['requestId']);
      return undefined;
    }
    if (running.has(id)) return failure(id, errorCodes.invalidRequest, `The request ${id} is under way already.`);
    const abort = new AbortController();
    running.set(id, abort);
    try {
      const answer = await methods.answer(method, params, abort.signal);
      // What was called off is not answered.
      return abort.signal.aborted ? undefined : { jsonrpc: '2.0', id, ...answer };
    } catch (error) {
      if (abort.signal.aborted) return undefined;
      return failure(id, errorCodes.internal, error instanceof Error ? error.message : String(error));
    } finally {
      running.delete(id);
    }
  }

  function callOff(id: unknown): void {
    const known = RequestId.safeParse(id);
    if (known.success) running.get(known.data)?.abort();
  }

  async function answerBatch(messages: readonly unknown[]): Promise<void> {
    // One version of the protocol had them.
    if (messages.length === 0 || !methods.takesBatches()) {
      write(failure(null, errorCodes.invalidRequest, 'Batches are not taken; send each message in a line of its own.'));
      return;
    }
    const answers = (await Promise.all(messages.map(answerMessage))).filter((one) => one !== undefined);
    if (answers.length > 0) write(answers);
  }

  async function answerLine(line: string): Promise<void> {
    if (isTooDeep(line)) return write(failure(null, errorCodes.invalidRequest, 'The message is nested too deeply.'));
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return write(failure(null, errorCodes.parse, 'The line is not JSON; send one message of JSON-RPC 2.0 a line.'));
    }
    if (Array.isArray(value)) return answerBatch(value);
    const answer = await answerMessage(value);
    if (answer) write(answer);
  }

  return {
    receive(line) {
      if (line.trim() === '') return;
      const answered = answerLine(line).finally(() => open.delete(answered));
      open.add(answered);
    },
    async settled() {
      while (open.size > 0) await Promise.all(open);
    },
    cancel() {
      for (const abort of running.values()) abort.abort();
    },
  };
}

function failure(id: RequestId | null, code: number, message: string): Outgoing {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
