import type { TokenUsage } from '../../../prediction/question.ts';
import type { ToolDefinition } from '../prompt/toolDefinitions.ts';

/** One message of a chat, as servers take it. There is at most one `system` message, and it is the first. */
export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
  /** Of an assistant: the tools that it called. */
  calls?: readonly CalledTool[];
  /** Of a user: this is the result of the call with that id, and goes out under the role `tool`. */
  answers?: string;
}

/** A call of a tool as a model wrote it. `arguments` should be a JSON object, and need not be. */
export interface CalledTool {
  id: string;
  name: string;
  arguments: string;
}

/** How a reply is to be sampled. What is absent is the provider's default; what the server does not take is dropped. */
export interface SamplingParameters {
  temperature?: number;
  topP?: number;
  topK?: number;
  seed?: number;
  /** Budget of the whole reply with its reasoning, in tokens; clipped to what the context leaves. */
  maxOutputTokens?: number;
  /** Budget of the reasoning alone, in tokens, where the server can hold one. */
  thinkingBudgetTokens?: number;
  thinking?: 'on' | 'off';
}

/** A reply that is asked for. */
export interface CompletionRequest {
  messages: readonly ChatMessage[];
  parameters?: SamplingParameters;
  /** Tools that the model may call; calls come as `call` events. A provider that cannot fails with the code `no-tools`. */
  tools?: readonly ToolDefinition[];
  /** The form of the answer in GBNF, for servers that hold a model to it; the others are asked in words alone. */
  grammar?: string;
  signal: AbortSignal;
}

/**
 * One step of a reply. `sent` comes first, once for every try; exactly one of `finished`, `failed` and `cancelled` comes
 * last. Nothing is thrown once iteration began.
 */
export type CompletionEvent =
  /** What went out: `body` is the JSON as sent (never the key); `dropped` says what the server does not take, and why. */
  | {
      type: 'sent';
      url: string;
      body: Readonly<Record<string, unknown>>;
      dropped: readonly { name: string; why: string }[];
      /** For example a small context, or a budget that was clipped. Whole sentences. */
      warnings: readonly string[];
    }
  /** It is tried again: `why` is one sentence. Everything that came before counts no more. */
  | { type: 'retry'; why: string; waitMs: number }
  | { type: 'reasoning'; text: string }
  | { type: 'content'; text: string }
  /** A whole call of a tool; only where the request has tools. */
  | ({ type: 'call' } & CalledTool)
  | { type: 'usage'; usage: TokenUsage }
  /** `length`: the budget ended it. */
  | { type: 'finished'; reason: 'stop' | 'length' | 'other'; model: string }
  /** `message`: one plain sentence with a next step. `isToolCall`: an empty reply that called a tool which nobody offered. */
  | { type: 'failed'; code: string; message: string; isToolCall?: boolean }
  | { type: 'cancelled' };

/** What is known of a server after it was asked once. */
export type ProviderStatus =
  | {
      ok: true;
      /** For example `vLLM at 127.0.0.1:8000`. */
      name: string;
      model: string;
      models: readonly string[];
      /** Context size in tokens; absent where the server does not tell. */
      contextTokens?: number;
      /** The server counts tokens itself. */
      countsExactly: boolean;
      warnings: readonly string[];
    }
  | { ok: false; code: string; message: string };

/** Somebody who continues chats: a server that speaks the OpenAI API, or the chat models of the user's editor. */
export interface LanguageProvider {
  /** Asks the server what it is; once, unless it failed. Never rejects. */
  status(signal: AbortSignal): Promise<ProviderStatus>;
  complete(request: CompletionRequest): AsyncIterable<CompletionEvent>;
  /** Tokens that the messages take as a prompt; estimated (`exact: false`) where the server cannot count. Never rejects. */
  countTokens(messages: readonly ChatMessage[], signal: AbortSignal): Promise<{ tokens: number; exact: boolean }>;
  /**
   * Tokens of each text by itself, as the model's own tokenizer counts; undefined for one that was not counted (nobody can,
   * or too many new ones at once). A text is counted once and remembered. Absent: as if nothing was counted. Never rejects.
   */
  countTexts?(texts: readonly string[], signal: AbortSignal): Promise<(number | undefined)[]>;
}
