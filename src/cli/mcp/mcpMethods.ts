import { inputSchemaOf } from '../../core/toolbox/readInput.ts';
import type { BadArguments, Tool, ToolReply } from '../../core/toolbox/tool.ts';
import { inSentence } from '../../core/view/quantity.ts';
import {
  errorCodes,
  legacyVersions,
  type McpError,
  Meta,
  modernVersions,
  type Outgoing,
  type RequestId,
} from './mcpMessages.ts';

/** What a server of the Model Context Protocol needs. */
export interface McpServerOptions {
  version: string;
  tools: readonly Tool[];
  call(
    tool: Tool,
    input: unknown,
    around: { signal: AbortSignal; progress(text: string): void },
  ): Promise<ToolReply | BadArguments>;
  /** Sends one message, or the answers of a batch. */
  write(message: Outgoing | Outgoing[]): void;
}

/** When to use it and when not: given to every model that is connected. */
const instructions =
  'Foretell shows what a shell command or a file edit would do on this machine before it is done: output, exit code, diffs, and what would be lost for good. Nothing is touched by any of its tools. Ask predict_command before a command that deletes, overwrites, moves, resets or rewrites; predict_plan before several steps; compare_commands to choose among ways; explain_loss before something is deleted. Facts marked [rehearsed] or [computed] are exact; [assumed], [imagined] and [unknown] are not. A danger that cannot be brought back is to be shown to the user before it is done.';

/** What an answer may be kept for, in milliseconds: tools are the same as long as the server runs. */
const cacheMs = 3_600_000;

/** A request while it is answered. */
interface Asked {
  params: Record<string, unknown>;
  meta: ReturnType<typeof Meta.parse>;
  isModern: boolean;
  signal: AbortSignal;
}

/** A result, or why there is none. */
export type Answer = { result: Record<string, unknown> } | { error: McpError };

/** What the requests of a connection are answered with. */
export interface McpMethods {
  answer(method: string, params: Record<string, unknown>, signal: AbortSignal): Promise<Answer>;
  /** One version of the protocol has several messages in a line. */
  takesBatches(): boolean;
}

/** The methods of a server for tools, of both eras. */
export function createMcpMethods(options: McpServerOptions): McpMethods {
  const { tools, version, write } = options;
  const listed = tools.map((tool) => describe(tool));
  const info = { name: 'foretell', title: 'Foretell', version };
  /** Of the legacy era; absent before `initialize`. */
  let agreed: string | undefined;

  async function answer(method: string, params: Asked['params'], signal: AbortSignal): Promise<Answer> {
    const meta = Meta.safeParse(params['_meta'] ?? {});
    if (!meta.success) return wrong(errorCodes.invalidParams, 'The _meta of a request is an object; see the protocol.');
    const named = meta.data['io.modelcontextprotocol/protocolVersion'];
    if (named !== undefined && !modernVersions.some((one) => one === named)) {
      const data = { supported: [...modernVersions], requested: named };
      const message = `The protocol version ${inSentence(named)} is not known here; ask with ${modernVersions.join(' or ')}, or begin with initialize.`;
      return { error: { code: errorCodes.unsupportedVersion, message, data } };
    }
    const asked: Asked = { params, meta: meta.data, isModern: named !== undefined, signal };
    const found = await resultOf(method, asked);
    if ('error' in found || !(asked.isModern || method === 'server/discover')) return found;
    return { result: { resultType: 'complete', ...found.result } };
  }

  async function resultOf(method: string, asked: Asked): Promise<Answer> {
    const { params, isModern } = asked;
    const cached = { ttlMs: cacheMs, cacheScope: 'public' };
    switch (method) {
      case 'server/discover': {
        const _meta = { 'io.modelcontextprotocol/serverInfo': info };
        const capabilities = { tools: {} };
        return { result: { supportedVersions: [...modernVersions], capabilities, _meta, instructions, ...cached } };
      }
      case 'tools/list':
        if (params['cursor'] !== undefined)
          return wrong(errorCodes.invalidParams, 'All tools are on the first page; ask without a cursor.');
        return { result: { tools: listed, ...(isModern ? cached : {}) } };
      case 'tools/call':
        return callTool(asked);
    }
    if (!isModern && method === 'ping') return { result: {} };
    if (!isModern && method === 'initialize') return initialize(params);
    return wrong(errorCodes.unknownMethod, `There is no method ${inSentence(method)} here.`);
  }

  function initialize({ protocolVersion: wanted }: Asked['params']): Answer {
    if (typeof wanted !== 'string')
      return wrong(errorCodes.invalidParams, 'initialize needs protocolVersion, a text such as 2025-11-25.');
    agreed = legacyVersions.find((one) => one === wanted) ?? legacyVersions[0];
    const capabilities = { tools: { listChanged: false } };
    return { result: { protocolVersion: agreed, capabilities, serverInfo: info, instructions } };
  }

  async function callTool({ params, meta, isModern, signal }: Asked): Promise<Answer> {
    const { name, arguments: input } = params;
    const tool = tools.find((one) => one.name === name);
    if (!tool) {
      const names = tools.map((one) => one.name).join(', ');
      return wrong(errorCodes.invalidParams, `There is no tool ${inSentence(String(name))}; there are ${names}.`);
    }
    const reply = await options.call(tool, input, { signal, progress: progressOf(meta.progressToken, signal, write) });
    if ('problem' in reply) return wrong(errorCodes.invalidParams, reply.problem);
    const { text, structured, isError = false } = reply;
    // The first versions had no place for it.
    const hasData = structured !== undefined && (isModern || agreed === undefined || agreed >= '2025-06-18');
    const content = [{ type: 'text', text }];
    return { result: { content, ...(hasData ? { structuredContent: structured } : {}), isError } };
  }

  return { answer, takesBatches: () => agreed === undefined || agreed === '2025-03-26' };
}

/** Tells how far a call is, where that was asked for. */
function progressOf(
  token: RequestId | undefined,
  signal: AbortSignal,
  write: McpServerOptions['write'],
): (text: string) => void {
  let progress = 0;
  return (message) => {
    if (token === undefined || signal.aborted) return;
    progress += 1;
    write({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: token, progress, message } });
  };
}

/** A tool as it is listed. None of them touches anything. */
function describe(tool: Tool): Record<string, unknown> {
  const { name, title, description } = tool;
  const annotations = { title, readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
  return { name, title, description, inputSchema: inputSchemaOf(tool), annotations };
}

function wrong(code: number, message: string): { error: McpError } {
  return { error: { code, message } };
}
