/** What is known of a program or service that speaks the OpenAI API, but for what only asking it tells (`clientProbe.ts`). */
interface ServerRow {
  /** How it is called in a sentence. */
  title: string;
  /** The port that it takes on one's own machine when nobody names another. */
  port?: number;
  /** The path below which it speaks the OpenAI API; default `/v1`. */
  path?: string;
  /** What it writes as the owner of its models, where that tells it from others. */
  owner?: string;
  /** It knows no other models than those it lists. */
  listsAll?: true;
  /** It drops the beginning of a prompt that is too long without saying so. */
  cutsSilently?: true;
  /** What a user does for a longer context. */
  longerContext: string;
  /** Why a parameter is not sent to it. */
  refuses?: { topK?: string; seed?: string };
  /** How thinking is turned on and off. */
  thinking: 'chat-template' | 'effort' | 'openai' | 'openrouter' | 'unknown';
  /** The parameter that bounds the thinking alone. */
  thinkingBudget?: string;
  /**
   * The parameter that takes a grammar in GBNF, and how it stands there. vLLM: docs/features/structured_outputs.md (older ones ignore
   * it); SGLang: structured outputs, `ebnf`; llama.cpp: tools/server/README.md.
   */
  grammar?: { parameter: string; isInside?: true };
}

const notThere = (title: string) => `${title} has no such parameter`;
/** Why a parameter outside of the OpenAI API is not sent to a server that is not known. */
export const notKnown = 'it is no part of the OpenAI API, and this server is not known to take it';

/** The programs and services whose ways are known; `unknown` is spoken to as the OpenAI API is documented. */
const serverKinds = {
  vllm: {
    title: 'vLLM',
    port: 8000,
    owner: 'vllm',
    listsAll: true,
    longerContext: 'serve the model with a larger --max-model-len',
    thinking: 'chat-template',
    thinkingBudget: 'thinking_token_budget',
    grammar: { parameter: 'structured_outputs', isInside: true },
  },
  sglang: {
    title: 'SGLang',
    port: 30_000,
    owner: 'sglang',
    listsAll: true,
    longerContext: 'serve the model with a larger --context-length',
    refuses: { seed: 'SGLang takes it only in its deterministic mode' },
    thinking: 'chat-template',
    grammar: { parameter: 'ebnf' },
  },
  'llama.cpp': {
    title: 'llama.cpp',
    port: 8080,
    owner: 'llamacpp',
    longerContext: 'start llama-server with a larger --ctx-size',
    thinking: 'chat-template',
    thinkingBudget: 'thinking_budget_tokens',
    grammar: { parameter: 'grammar' },
  },
  ollama: {
    title: 'Ollama',
    port: 11_434,
    owner: 'library',
    listsAll: true,
    cutsSilently: true,
    longerContext: 'start Ollama with a larger OLLAMA_CONTEXT_LENGTH, or set num_ctx in the Modelfile',
    refuses: { topK: `${notThere('Ollama')} in its OpenAI interface; set it in the Modelfile` },
    thinking: 'effort',
  },
  lmstudio: {
    title: 'LM Studio',
    port: 1234,
    owner: 'organization_owner',
    listsAll: true,
    cutsSilently: true,
    longerContext: 'load the model in LM Studio with a larger context',
    thinking: 'effort',
  },
  // docs.docker.com/ai/model-runner/api-reference: the path is /engines/v1, and models belong to `docker`.
  docker: {
    title: 'Docker Model Runner',
    port: 12_434,
    path: '/engines/v1',
    owner: 'docker',
    listsAll: true,
    longerContext: 'give the model a larger context with docker model configure --context-size',
    thinking: 'unknown',
  },
  openai: {
    title: 'OpenAI',
    longerContext: 'choose a model with a larger context',
    refuses: { topK: notThere('OpenAI') },
    thinking: 'openai',
  },
  openrouter: {
    title: 'OpenRouter',
    longerContext: 'choose a model with a larger context',
    thinking: 'openrouter',
  },
  unknown: {
    title: 'The server',
    cutsSilently: true,
    longerContext: 'serve the model with a larger context',
    refuses: { topK: notKnown },
    thinking: 'unknown',
  },
} as const satisfies Record<string, ServerRow>;

/** One of them. */
export type ServerKind = keyof typeof serverKinds;

/** All of them, in the order in which they are looked for. */
export const serverKindNames = Object.keys(serverKinds) as ServerKind[];

/** What is known of one of them. */
export function serverRow(kind: ServerKind): ServerRow {
  return serverKinds[kind];
}
