import type { ServerAddress } from './clientAddress.ts';
import {
  type Complaint,
  connectionComplaint,
  quote,
  refusalComplaint,
  servedModels,
  withoutKey,
} from './clientErrors.ts';
import { type Answer, ask, type Fetch } from './clientHttp.ts';
import { countAt, listAt, textAt, valueAt } from './clientJson.ts';
import { type ServerKind, serverKindNames, serverRow } from './serverKinds.ts';

/** What one round of questions found out about a server. */
export interface ServerTraits {
  kind: ServerKind;
  /** For example `vLLM at 127.0.0.1:8000`. */
  name: string;
  model: string;
  models: readonly string[];
  /** Size of the context in tokens; absent where the server does not tell. */
  contextTokens?: number;
  /** Who counts tokens: `/tokenize` with messages or with a prompt only, llama.cpp's two steps, or nobody. */
  counter: 'messages' | 'prompt' | 'template' | 'none';
  /** Names of the parameters that a gateway says it takes for this model. */
  supported?: ReadonlySet<string>;
  warnings: readonly string[];
}

/** What is asked about. */
export interface Probing {
  address: ServerAddress;
  fetch: Fetch;
  key: string | undefined;
  /** The model that the user chose; without one, the first that looks like a world model. */
  model: string | undefined;
  signal: AbortSignal;
  /** Time limit of each question, in milliseconds. */
  limitMs: number;
}

/**
 * What a probe ends with. `waits`: the server may be ready soon. `isModelServer`: it failed as a server of models does, in
 * JSON, so that it is one, for example one that wants a key.
 */
export type Probed =
  | { ok: true; traits: ServerTraits }
  | ({ ok: false; waits: boolean; isModelServer: boolean } & Complaint);

/**
 * Asks a server what it is, which models it serves, how large its context is and whether it counts tokens: the list of
 * models first, then what only this kind of server knows. Never rejects; an abort gives the code `cancelled`.
 */
export async function probe(probing: Probing): Promise<Probed> {
  const { address, signal, key } = probing;
  const get = (url: string, body?: unknown) => ask(probing.fetch, { url, body, key, signal, limitMs: probing.limitMs });
  const list = await get(`${address.baseUrl}/models`);
  const asked = { name: `The server at ${address.place}`, model: probing.model ?? '', models: [] };
  if (!list.ok) return fail(probing, connectionComplaint(list.error, asked.name, address.place));
  const hasNoList = list.status === 404 || list.status === 405 || list.status === 501;
  if (list.status !== 200 && !hasNoList) {
    const complaint = refusalComplaint({ ...asked, status: list.status, body: list.text, headers: list.headers });
    const waits = list.status === 429 || list.status === 502 || list.status === 503;
    return fail(probing, complaint, { waits, isModelServer: valueAt(list.json, 'error') !== undefined });
  }
  const entries = listAt(list.json, 'data');
  const isList = Array.isArray(valueAt(list.json, 'data'));
  if ((hasNoList || !isList) && probing.model === undefined) {
    return fail(
      probing,
      hasNoList
        ? {
            code: 'no-models',
            message: `${asked.name} does not list its models; set the name of the model, and check that the base URL ends with /v1.`,
          }
        : {
            code: 'not-a-model-server',
            message: `What answers at ${address.place} does not speak the OpenAI API; correct the base URL.`,
          },
    );
  }
  const kind = await kindOf(address, entries, list.headers, get);
  const name = kind === 'unknown' ? asked.name : `${serverRow(kind).title} at ${address.place}`;
  const models = entries.flatMap((entry) => textAt(entry, 'id') ?? []);
  const chosen = chooseModel(kind, name, probing.model, models);
  if (!chosen.ok) return fail(probing, chosen, { isModelServer: true });
  const entry = entries.find((candidate) => textAt(candidate, 'id') === chosen.model);
  const details = await detailsOf[kind]({ address, model: chosen.model, entry, get });
  if (signal.aborted) return cancelledProbe;
  const warnings = [...chosen.warnings, ...(details.warnings ?? [])];
  return { ok: true, traits: { counter: 'none', ...details, kind, name, model: chosen.model, models, warnings } };
}

function fail(probing: Probing, { code, message }: Complaint, { waits = false, isModelServer = false } = {}): Probed {
  if (probing.signal.aborted) return cancelledProbe;
  return { ok: false, code, message: withoutKey(message, probing.key), waits, isModelServer };
}

/** A probe that was aborted. */
export const cancelledProbe: Probed = {
  ok: false,
  code: 'cancelled',
  message: 'It was cancelled.',
  waits: false,
  isModelServer: false,
};

type Get = (url: string, body?: unknown) => Promise<Answer>;

async function kindOf(
  address: ServerAddress,
  entries: readonly unknown[],
  headers: Headers,
  get: Get,
): Promise<ServerKind> {
  const host = address.place.replace(/:\d+$/, '');
  if (host === 'api.openai.com') return 'openai';
  if (host === 'openrouter.ai') return 'openrouter';
  if (/llama\.cpp/i.test(headers.get('server') ?? '')) return 'llama.cpp';
  // Every server writes its own name as the owner of a model; Ollama and LM Studio have fixed words.
  const owner = textAt(entries[0], 'owned_by');
  const known = serverKindNames.find((kind) => owner !== undefined && serverRow(kind).owner === owner);
  if (known) return known;
  // Gateways in the manner of OpenRouter say of each model what it takes.
  if (entries.some((entry) => listAt(entry, 'supported_parameters').length > 0)) return 'openrouter';
  if (!address.isPrivate) return 'unknown';
  // Models of one's own have one's own name as their owner, in Ollama for example.
  const [ollama, sglang, llama, lmstudio] = await Promise.all([
    get(`${address.rootUrl}/api/version`),
    get(`${address.rootUrl}/get_model_info`),
    get(`${address.rootUrl}/props`),
    get(`${address.rootUrl}/api/v0/models`),
  ]);
  if (sglang.ok && textAt(sglang.json, 'model_path')) return 'sglang';
  if (llama.ok && valueAt(llama.json, 'default_generation_settings') !== undefined) return 'llama.cpp';
  if (lmstudio.ok && listAt(lmstudio.json, 'data').some((entry) => textAt(entry, 'compatibility_type'))) {
    return 'lmstudio';
  }
  if (ollama.ok && textAt(ollama.json, 'version')) return 'ollama';
  return 'unknown';
}

type Choice = { ok: true; model: string; warnings: string[] } | ({ ok: false } & Complaint);

function chooseModel(kind: ServerKind, name: string, wanted: string | undefined, models: readonly string[]): Choice {
  if (wanted === undefined) {
    const chats = models.filter((model) => !/embed|rerank|whisper|tts/i.test(model));
    const model = chats.find((candidate) => /agent-?world/i.test(candidate)) ?? chats[0];
    if (model === undefined) {
      return { ok: false, code: 'no-models', message: `${name} serves no model; load one there and try again.` };
    }
    const warnings =
      chats.length > 1 && !/agent-?world/i.test(model)
        ? [`No model is chosen, so the first of ${chats.length} is used: ${quote(model)}.`]
        : [];
    return { ok: true, model, warnings };
  }
  if (models.includes(wanted) || models.length === 0) return { ok: true, model: wanted, warnings: [] };
  if (kind === 'ollama' && models.includes(`${wanted}:latest`)) {
    return { ok: true, model: `${wanted}:latest`, warnings: [] };
  }
  if (kind === 'llama.cpp' && models.length === 1) {
    const serves = `llama.cpp answers with ${quote(models[0])}, whatever name it is asked for.`;
    return { ok: true, model: models[0] ?? wanted, warnings: [serves] };
  }
  if (serverRow(kind).listsAll) {
    return {
      ok: false,
      code: 'model-unknown',
      message: `${name} does not serve ${quote(wanted)}; ${servedModels(models)}.`,
    };
  }
  return { ok: true, model: wanted, warnings: [`${name} does not list ${quote(wanted)} among its models.`] };
}

type Details = Partial<Pick<ServerTraits, 'contextTokens' | 'counter' | 'supported' | 'warnings'>>;
interface Asked {
  address: ServerAddress;
  model: string;
  entry: unknown;
  get: Get;
}

const sized = (contextTokens: number | undefined): Details => (contextTokens ? { contextTokens } : {});
const probeMessages = [{ role: 'user', content: '.' }];

/** vLLM and SGLang: the list of models holds the context; `/tokenize` takes messages, or in older SGLang only a prompt. */
async function askTokenize({ address, model, entry, get }: Asked): Promise<Details> {
  const url = `${address.rootUrl}/tokenize`;
  const [messages, prompt] = await Promise.all([
    get(url, { model, messages: probeMessages }),
    get(url, { model, prompt: '.' }),
  ]);
  const counts = (answer: Answer) => answer.ok && answer.status === 200 && countAt(answer.json, 'count') !== undefined;
  const counter = counts(messages) ? 'messages' : counts(prompt) ? 'prompt' : 'none';
  return { ...sized(countAt(entry, 'max_model_len')), counter };
}

const detailsOf: Readonly<Record<ServerKind, (asked: Asked) => Promise<Details>>> = {
  vllm: askTokenize,
  sglang: askTokenize,
  async 'llama.cpp'({ address, entry, get }) {
    const [props, template] = await Promise.all([
      get(`${address.rootUrl}/props`),
      get(`${address.rootUrl}/apply-template`, { messages: probeMessages }),
    ]);
    const contextTokens = props.ok ? countAt(props.json, 'default_generation_settings', 'n_ctx') : undefined;
    const counter = template.ok && textAt(template.json, 'prompt') ? 'template' : 'none';
    return { ...sized(contextTokens ?? countAt(entry, 'meta', 'n_ctx')), counter };
  },
  async ollama({ address, model, get }) {
    const [running, shown] = await Promise.all([
      get(`${address.rootUrl}/api/ps`),
      get(`${address.rootUrl}/api/show`, { model }),
    ]);
    const loaded = running.ok
      ? listAt(running.json, 'models').find(
          (entry) => textAt(entry, 'model') === model || textAt(entry, 'name') === model,
        )
      : undefined;
    const parameters = shown.ok ? (textAt(shown.json, 'parameters') ?? '') : '';
    const written = /^num_ctx\s+(\d+)/m.exec(parameters)?.[1];
    const contextTokens = countAt(loaded, 'context_length') ?? (written ? Number(written) : undefined);
    if (contextTokens) return { contextTokens };
    return {
      warnings: [
        'Ollama does not tell its context size and cuts longer prompts silently; start it with OLLAMA_CONTEXT_LENGTH=65536 or more.',
      ],
    };
  },
  async lmstudio({ address, model, get }) {
    const [current, older] = await Promise.all([
      get(`${address.rootUrl}/api/v1/models`),
      get(`${address.rootUrl}/api/v0/models`),
    ]);
    const entry = current.ok
      ? listAt(current.json, 'models').find(
          (candidate) =>
            textAt(candidate, 'key') === model ||
            listAt(candidate, 'loaded_instances').some((instance) => textAt(instance, 'id') === model),
        )
      : undefined;
    const instances = listAt(entry, 'loaded_instances');
    const instance = instances.find((candidate) => textAt(candidate, 'id') === model) ?? instances[0];
    const before = older.ok
      ? listAt(older.json, 'data').find((candidate) => textAt(candidate, 'id') === model)
      : undefined;
    // What is not loaded yet is loaded with a size that nobody tells, so the largest possible one says nothing.
    return sized(countAt(instance, 'config', 'context_length') ?? countAt(before, 'loaded_context_length'));
  },
  docker: async ({ entry }) => sized(countAt(entry, 'dmr', 'context_window') ?? countAt(entry, 'context_window')),
  openai: async () => ({}),
  async openrouter({ entry }) {
    const supported = listAt(entry, 'supported_parameters').filter((name) => typeof name === 'string');
    return {
      ...sized(countAt(entry, 'top_provider', 'context_length') ?? countAt(entry, 'context_length')),
      ...(supported.length > 0 ? { supported: new Set(supported) } : {}),
    };
  },
  // Gateways and servers that are like others often say the size in one of these words.
  unknown: async ({ entry }) =>
    sized(
      countAt(entry, 'max_model_len') ??
        countAt(entry, 'context_length') ??
        countAt(entry, 'context_window') ??
        countAt(entry, 'max_context_length'),
    ),
};
