import * as z from 'zod/mini';

/** Protocol versions that begin with `initialize`, newest first. */
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** Versions in which each request says for itself who asks and how. */
export const modernVersions = ['2026-07-28'] as const;

/** Codes of errors: those of JSON-RPC 2.0, and of MCP that of a version that is not known. */
export const errorCodes = {
  parse: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  unsupportedVersion: -32022,
} as const;

/** Who asked: the same in an answer. */
export const RequestId = z.union([z.string(), z.number()]);
export type RequestId = z.infer<typeof RequestId>;

/** A request, or without `id` a notification. */
export const Incoming = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.optional(RequestId),
  method: z.string(),
  params: z.optional(z.record(z.string(), z.unknown())),
});
export type Incoming = z.infer<typeof Incoming>;

/** What requests carry besides their own parameters. */
export const Meta = z.object({
  progressToken: z.optional(RequestId),
  'io.modelcontextprotocol/protocolVersion': z.optional(z.string()),
});

/** What is sent. `id` is null where it could not be read. */
export type Outgoing =
  | { jsonrpc: '2.0'; id: RequestId; result: Record<string, unknown> }
  | { jsonrpc: '2.0'; id: RequestId | null; error: McpError }
  | { jsonrpc: '2.0'; method: string; params: Record<string, unknown> };

/** Why a request has no result. */
export interface McpError {
  code: number;
  /** One sentence. */
  message: string;
  data?: unknown;
}
