import { estimateTokens } from '../../src/core/context/estimateTokens.ts';

/** The servers whose wire forms are recorded here, from their sources and from what they send. */
export const dialects = ['vllm', 'sglang', 'llama.cpp', 'ollama', 'lmstudio'] as const;
export type Dialect = (typeof dialects)[number];

export type Json = Record<string, unknown>;

/** What a dialect is asked to write about. */
export interface Served {
  model: string;
  models: readonly string[];
  contextTokens: number;
  /** A completion was asked for before. */
  isLoaded: boolean;
}

/** Tokens of one reply. */
export interface Counted {
  prompt: number;
  cached: number;
  completion: number;
  reasoning: number;
}

/** How one server writes. */
export interface Wire {
  /** Where it listens when nobody says otherwise. */
  port: number;
  headers: Record<string, string>;
  /** Paths that only this server has, and the list of models; undefined: 404. */
  ask(path: string, body: Json | undefined, served: Served): Json | undefined;
  /** One piece of a stream; the delta holds `role`, `content` or `reasoning`. */
  chunk(model: string, delta: { role?: string; content?: string; reasoning?: string }, finish: string | null): Json;
  /** The piece with the tokens. */
  usage(model: string, counted: Counted): Json;
  error(status: number, message: string): Json;
  /** The error for a request that does not fit; undefined where the server cuts the prompt silently. */
  overflow(sizes: { prompt: number; context: number; output: number }): { status: number; body: Json } | undefined;
  /** Parameters that the server takes beside those of OpenAI. */
  takes: readonly string[];
}

const created = 1_767_973_590;
const id = 'chatcmpl-7b6e0a5d4c3f';

/** As the tokenizer of a model would count, near enough. */
export function countTokens(text: string): number {
  return Math.ceil(estimateTokens(text) * 1.03);
}

/** Tokens of messages with a template around them. */
export function countMessages(messages: unknown): number {
  let tokens = 3;
  for (const message of Array.isArray(messages) ? messages : []) {
    tokens += countTokens(String((message as Json)['content'] ?? '')) + 5;
  }
  return tokens;
}

const chatMl = (messages: unknown) =>
  `${(Array.isArray(messages) ? messages : [])
    .map((message: Json) => `<|im_start|>${message['role']}\n${message['content']}<|im_end|>\n`)
    .join('')}<|im_start|>assistant\n`;

const modelList = (served: Served, rest: (model: string) => Json): Json => ({
  object: 'list',
  data: served.models.map((model) => ({ id: model, object: 'model', created, ...rest(model) })),
});

const tokenIds = (count: number) => Array.from({ length: count }, (_, index) => index % 1000);

const tokenized = (body: Json | undefined, served: Served): Json => {
  const count = body?.['messages'] ? countMessages(body['messages']) : countTokens(String(body?.['prompt'] ?? ''));
  return { count, max_model_len: served.contextTokens, tokens: tokenIds(count), token_strs: null };
};

/** How a piece of a stream begins. */
const chunkOf = (model: string): Json => ({ id, object: 'chat.completion.chunk', created, model });

/** Tokens as the servers count that read many prompts beside each other. */
const tokensOf = ({ prompt, cached, completion }: Counted): Json => ({
  prompt_tokens: prompt,
  total_tokens: prompt + completion,
  completion_tokens: completion,
  prompt_tokens_details: cached > 0 ? { cached_tokens: cached } : null,
});

export const wires: Readonly<Record<Dialect, Wire>> = {
  vllm: {
    port: 8000,
    headers: { server: 'uvicorn' },
    takes: ['top_k', 'min_p', 'seed', 'chat_template_kwargs', 'thinking_token_budget'],
    ask(path, body, served) {
      if (path === '/v1/models') {
        return modelList(served, (model) => ({
          owned_by: 'vllm',
          root: model,
          parent: null,
          max_model_len: served.contextTokens,
          permission: [{ id: 'modelperm-1', object: 'model_permission', created, allow_sampling: true }],
        }));
      }
      if (path === '/version') return { version: '0.15.0' };
      return path === '/tokenize' ? tokenized(body, served) : undefined;
    },
    chunk: (model, { role, content, reasoning }, finish) => ({
      ...chunkOf(model),
      choices: [
        {
          index: 0,
          delta: {
            ...(role ? { role, content: '' } : {}),
            ...(content === undefined ? {} : { content }),
            ...(reasoning === undefined ? {} : { reasoning }),
          },
          logprobs: null,
          finish_reason: finish,
          ...(finish ? { stop_reason: null } : {}),
          token_ids: null,
        },
      ],
    }),
    usage: (model, counted) => ({ ...chunkOf(model), choices: [], usage: tokensOf(counted) }),
    error: (status, message) => ({ error: { message, type: errorType(status), param: null, code: status } }),
    overflow({ prompt, context, output }) {
      if (prompt + output <= context) return undefined;
      // It stops counting as soon as it knows that the prompt is too long.
      const counted = Math.min(prompt, Math.max(context - output, 0) + 1);
      const message = `This model's maximum context length is ${context} tokens. However, you requested ${output} output tokens and your prompt contains at least ${counted} input tokens, for a total of at least ${counted + output} tokens. Please reduce the length of the input prompt or the number of requested output tokens. (parameter=input_tokens, value=${counted})`;
      return { status: 400, body: { error: { message, type: 'BadRequestError', param: 'input_tokens', code: 400 } } };
    },
  },
  sglang: {
    port: 30_000,
    headers: { server: 'uvicorn' },
    takes: ['top_k', 'min_p', 'chat_template_kwargs'],
    ask(path, body, served) {
      if (path === '/v1/models') {
        return modelList(served, (model) => ({
          owned_by: 'sglang',
          root: model,
          parent: null,
          max_model_len: served.contextTokens,
        }));
      }
      if (path === '/get_model_info') return { model_path: served.model, is_generation: true };
      return path === '/tokenize' ? tokenized(body, served) : undefined;
    },
    chunk: (model, { role, content, reasoning }, finish) => ({
      ...chunkOf(model),
      choices: [
        {
          index: 0,
          delta: {
            role: role ?? null,
            content: role ? '' : (content ?? null),
            reasoning_content: reasoning ?? null,
            tool_calls: null,
          },
          logprobs: null,
          finish_reason: finish,
          matched_stop: finish === 'stop' ? 248_046 : null,
        },
      ],
      usage: null,
    }),
    usage: (model, counted) => ({
      ...chunkOf(model),
      choices: [],
      usage: { ...tokensOf(counted), reasoning_tokens: counted.reasoning },
    }),
    error: (status, message) => ({ object: 'error', message, type: errorType(status), param: null, code: status }),
    overflow({ prompt, context, output }) {
      if (prompt + output < context) return undefined;
      const message =
        prompt >= context
          ? `The input (${prompt} tokens) is longer than the model's context length (${context} tokens).`
          : `Requested token count exceeds the model's maximum context length of ${context} tokens. You requested a total of ${prompt + output} tokens: ${prompt} tokens from the input messages and ${output} tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.`;
      return { status: 400, body: { object: 'error', message, type: 'BadRequestError', param: null, code: 400 } };
    },
  },
  'llama.cpp': {
    port: 8080,
    headers: { server: 'llama.cpp' },
    takes: ['top_k', 'min_p', 'seed', 'cache_prompt', 'chat_template_kwargs', 'thinking_budget_tokens'],
    ask(path, body, served) {
      if (path === '/v1/models') {
        const meta = { vocab_type: 2, n_vocab: 248_320, n_ctx_train: 262_144, n_embd: 2048 };
        return modelList(served, () => ({ owned_by: 'llamacpp', meta }));
      }
      if (path === '/props') {
        return {
          default_generation_settings: { id: 0, id_task: -1, n_ctx: served.contextTokens, is_processing: false },
          total_slots: 1,
          model_path: served.model,
          build_info: 'b6510-703f9e32',
        };
      }
      if (path === '/apply-template') return { prompt: chatMl(body?.['messages']) };
      if (path === '/tokenize') return { tokens: tokenIds(countTokens(String(body?.['content'] ?? ''))) };
      return undefined;
    },
    chunk: (model, { role, content, reasoning }, finish) => ({
      choices: [
        {
          finish_reason: finish,
          index: 0,
          delta: role
            ? { role, content: null }
            : reasoning === undefined
              ? content === undefined
                ? {}
                : { content }
              : { reasoning_content: reasoning },
        },
      ],
      created,
      id,
      model,
      system_fingerprint: 'b6510-703f9e32',
      object: 'chat.completion.chunk',
    }),
    usage: (model, { prompt, cached, completion }) => ({
      choices: [],
      created,
      id,
      model,
      system_fingerprint: 'b6510-703f9e32',
      object: 'chat.completion.chunk',
      usage: { completion_tokens: completion, prompt_tokens: prompt, total_tokens: prompt + completion },
      timings: {
        cache_n: cached,
        prompt_n: prompt - cached,
        prompt_ms: 17.92,
        prompt_per_second: 55.8,
        predicted_n: completion,
        predicted_ms: 3084,
        predicted_per_second: 105.7,
      },
    }),
    error: (status, message) => ({
      error: {
        code: status,
        message,
        type: status === 503 ? 'unavailable_error' : status < 500 ? 'invalid_request_error' : 'server_error',
      },
    }),
    overflow({ prompt, context }) {
      if (prompt < context) return undefined;
      const message = `request (${prompt} tokens) exceeds the available context size (${context} tokens), try increasing it`;
      const type = 'exceed_context_size_error';
      return { status: 400, body: { error: { code: 400, message, type, n_prompt_tokens: prompt, n_ctx: context } } };
    },
  },
  ollama: {
    port: 11_434,
    headers: {},
    takes: ['seed', 'reasoning_effort'],
    ask(path, _body, served) {
      if (path === '/v1/models') return modelList(served, () => ({ owned_by: 'library' }));
      if (path === '/api/version') return { version: '0.12.6' };
      if (path === '/api/ps') {
        const { model, contextTokens } = served;
        return { models: served.isLoaded ? [{ name: model, model, context_length: contextTokens }] : [] };
      }
      if (path === '/api/show') return { parameters: 'temperature 0.6\ntop_k 20', details: { family: 'qwen3' } };
      return undefined;
    },
    chunk: (model, { content, reasoning }, finish) => ({
      id: 'chatcmpl-123',
      object: 'chat.completion.chunk',
      created,
      model,
      system_fingerprint: 'fp_ollama',
      choices: [
        {
          index: 0,
          delta: { role: 'assistant', content: content ?? '', ...(reasoning === undefined ? {} : { reasoning }) },
          finish_reason: finish,
        },
      ],
    }),
    usage: (model, { prompt, completion }) => ({
      id: 'chatcmpl-123',
      object: 'chat.completion.chunk',
      created,
      model,
      system_fingerprint: 'fp_ollama',
      choices: [],
      usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion },
    }),
    error: (status, message) => ({
      error: {
        message,
        type: status === 404 ? 'not_found_error' : status < 500 ? 'invalid_request_error' : 'api_error',
        param: null,
        code: null,
      },
    }),
    overflow: () => undefined,
  },
  lmstudio: {
    port: 1234,
    headers: { 'x-powered-by': 'Express' },
    takes: ['top_k', 'seed', 'reasoning_effort'],
    ask(path, _body, served) {
      if (path === '/v1/models') return modelList(served, () => ({ owned_by: 'organization_owner' }));
      if (path === '/api/v1/models') {
        return {
          models: served.models.map((key) => ({
            type: 'llm',
            key,
            loaded_instances:
              key === served.model ? [{ id: key, config: { context_length: served.contextTokens } }] : [],
            max_context_length: 262_144,
          })),
        };
      }
      return undefined;
    },
    chunk: (model, { role, content, reasoning }, finish) => ({
      ...chunkOf(model),
      system_fingerprint: model,
      choices: [
        {
          index: 0,
          delta: {
            ...(role ? { role } : {}),
            ...(content === undefined ? {} : { content }),
            ...(reasoning === undefined ? {} : { reasoning_content: reasoning }),
          },
          logprobs: null,
          finish_reason: finish,
        },
      ],
    }),
    usage: (model, { prompt, completion, reasoning }) => ({
      ...chunkOf(model),
      system_fingerprint: model,
      choices: [],
      usage: {
        prompt_tokens: prompt,
        completion_tokens: completion,
        total_tokens: prompt + completion,
        completion_tokens_details: { reasoning_tokens: reasoning },
      },
    }),
    error: (_status, message) => ({ error: message }),
    overflow({ prompt, context }) {
      if (prompt < context) return undefined;
      const error = `Trying to keep the first ${prompt} tokens when context the overflows. However, the model is loaded with context length of only ${context} tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input`;
      return { status: 400, body: { error } };
    },
  },
};

function errorType(status: number): string {
  if (status === 404) return 'NotFoundError';
  return status < 500 ? 'BadRequestError' : 'InternalServerError';
}
