import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type * as vscode from 'vscode';
import type { AskedQuestion } from '../../src/core/prediction/question.ts';
import type { CompletionEvent, LanguageProvider } from '../../src/core/worlds/language/client/provider.ts';
import { createApiKeys } from '../../src/host/model/apiKeys.ts';
import { createEditorProvider, type EditorAccess } from '../../src/host/model/editorModel.ts';
import { editorComplaint, toEditorMessages, toEditorOptions } from '../../src/host/model/editorPrompt.ts';
import { createImagining } from '../../src/host/model/imagining.ts';
import { createLazyProvider } from '../../src/host/model/lazyProvider.ts';
import { questionText } from '../../src/host/model/questionText.ts';
import { templateFolders } from '../../src/host/model/templateFolders.ts';
import { besideOf } from '../../src/host/panel/besideOf.ts';
import type { Run } from '../../src/host/predict/run.ts';
import { createCommandRing, isTold } from '../../src/host/terminal/commandRing.ts';

/** A memento and a secret storage that keep everything in maps. */
function storage() {
  const secrets = new Map<string, string>();
  const state = new Map<string, unknown>();
  return {
    kept: { secrets, state },
    secrets: {
      get: async (name: string) => secrets.get(name),
      store: async (name: string, value: string) => void secrets.set(name, value),
      delete: async (name: string) => void secrets.delete(name),
    },
    globalState: {
      get: <T>(name: string, otherwise?: T) => (state.has(name) ? state.get(name) : otherwise) as T,
      update: async (name: string, value: unknown) => void state.set(name, value),
    },
  };
}

test('a key belongs to one address, however it is written, and is kept nowhere but with the secrets', async () => {
  const place = storage();
  const keys = createApiKeys(place);
  await keys.store('https://api.example.com/v1/', 'sk-planted-key');
  assert.equal(await keys.read('https://api.example.com'), 'sk-planted-key');
  for (const other of [
    'https://api.example.org',
    'https://api.example.com:8443/v1',
    'http://127.0.0.1:8000',
    'nonsense',
  ]) {
    assert.equal(await keys.read(other), undefined, other);
  }
  assert.deepEqual(keys.places(), ['https://api.example.com/v1']);
  assert.doesNotMatch(JSON.stringify([...place.kept.state]), /planted/);
  await keys.forget('api.example.com');
  assert.equal(await keys.read('https://api.example.com'), undefined);
  assert.deepEqual(keys.places(), []);
  assert.equal(place.kept.secrets.size, 0);
});

test('what is chosen in the panel is kept, and what nobody knows is not', async () => {
  const { globalState } = storage();
  const imagining = createImagining(globalState, () => 2);
  assert.deepEqual(imagining.read(), { conditions: [], text: '', samples: 2 });
  await imagining.choose({ conditions: ['disk-full', 'no-such', 'disk-full'], text: 'It rains.', samples: 99 });
  assert.deepEqual(imagining.read(), { conditions: ['disk-full'], text: 'It rains.', samples: 8 });
  await imagining.choose({ conditions: [], text: '', samples: 2 });
  assert.equal(createImagining(globalState, () => 4).read().samples, 4, 'the usual number follows the setting');
  assert.ok(imagining.settings().presets.some(({ id }) => id === 'no-network'));

  await globalState.update('foretell.imagining', { perturbations: ['disk-full'] });
  assert.deepEqual(imagining.read().conditions, ['disk-full'], 'what an earlier version kept');
});

test('of a terminal command what a person would have read is kept, and no more than ten', () => {
  const ring = createCommandRing();
  for (let count = 0; count < 12; count++) {
    const recorded = ring.begin();
    recorded.output('\u001b]633;C\u0007\u001b[31mred\u001b[0m\r\n 10 %\r 99 %\r100 %\r\n');
    recorded.end(`echo ${count}`, '/w', 0);
  }
  assert.equal(ring.read().length, 10);
  assert.deepEqual(ring.read()[0], { command: 'echo 2', cwd: '/w', output: 'red\n100 %\n', exitCode: 0 });

  const long = ring.begin();
  for (let line = 1; line <= 100_000; line++) long.output(`${line}\r\n`);
  long.end('seq 1000000', '/w', undefined);
  const kept = ring.read().at(-1);
  assert.ok(kept && kept.output.length < 4_200, `${kept?.output.length}`);
  assert.match(kept.output, /^1\n2\n[\s\S]*characters left out[\s\S]*99999\n100000\n$/);
  assert.equal(kept.exitCode, undefined);

  const editor = ring.begin();
  editor.output('\u001b[?1049h~\r\n~\r\n');
  editor.end('vi notes', '/w', 0);
  assert.equal(ring.read().at(-1)?.command, 'seq 1000000');
});

test('a command that begins with a blank, or is ours, is not kept', () => {
  assert.ok(isTold('npm test', '/store/scripts'));
  assert.ok(!isTold(' export TOKEN=1', '/store/scripts'));
  assert.ok(!isTold(". '/store/scripts/ask-bash-1'", '/store/scripts'));
  assert.ok(!isTold('  ', '/store/scripts'));
});

test('the copy in the workspace goes before the configured folder, and that before ours', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'foretell-templates-'));
  try {
    const of = { workspaceFolders: [folder], configured: '/configured', extensionFolder: '/extension' };
    assert.deepEqual(
      templateFolders(of).map((one) => one.source),
      ['configured', 'shipped'],
    );
    mkdirSync(path.join(folder, '.foretell/prompts'), { recursive: true });
    assert.deepEqual(templateFolders(of), [
      { source: 'workspace', path: path.join(folder, '.foretell/prompts') },
      { source: 'configured', path: '/configured' },
      { source: 'shipped', path: '/extension/prompts' },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const asked = {
  id: 2,
  purpose: 'output',
  title: 'npm test: what it prints',
  what: 'what it prints',
  domain: 'swe',
  begins: { question: 1, count: 1 },
  messages: [{ role: 'user', content: 'Second\n' }],
  blocks: [],
  tokens: { count: 3, exact: false },
  leftOut: [],
  redacted: [],
  conditions: [],
  thoughts: '',
  said: '',
} satisfies AskedQuestion;
const first = { ...asked, id: 1, begins: undefined, messages: [{ role: 'system' as const, content: 'First' }] };
const { begins: _, ...beginning } = first;
const questions: AskedQuestion[] = [beginning, asked];

test('a question as text has the messages that it shares with an earlier one', () => {
  assert.equal(questionText({ questions }, asked, 'prompt'), '## system\n\nFirst\n\n## user\n\nSecond\n');
  assert.deepEqual(JSON.parse(questionText({ questions }, asked, 'request')), {
    messages: [
      { role: 'system', content: 'First' },
      { role: 'user', content: 'Second\n' },
    ],
  });
  const row = JSON.parse(questionText({ questions }, asked, 'row')) as Record<string, unknown>;
  assert.equal(row['task'], 'swe');
  assert.equal(row['system_str'], 'First');
  assert.match(questionText({ questions }, asked, 'curl'), /^curl [\s\S]*\$OPENAI_API_KEY[\s\S]*"Second\\n"/);
  assert.match(questionText({ questions }, asked, 'reply'), /not complete yet/);
});

test('beside a prediction stands what was rehearsed, or the last run where the reader wants it', () => {
  const rehearsed = { exitCode: 1 };
  const last = { exitCode: 2 };
  const run = { rehearsed, last, showsLast: false } as unknown as Run;
  assert.deepEqual(besideOf(undefined), {});
  assert.deepEqual(besideOf(run), { beside: { title: 'Rehearsed', prediction: rehearsed }, hasLast: true });
  run.showsLast = true;
  assert.deepEqual(besideOf(run), { beside: { title: 'Last run', isLast: true, prediction: last }, hasLast: true });
  assert.deepEqual(besideOf({ showsLast: true } as unknown as Run), {});
});

test('a provider is loaded when it is asked, and a load that failed is tried again', async () => {
  let loads = 0;
  const told: unknown[] = [];
  const status = { ok: false as const, code: 'x', message: 'No.' };
  const real: LanguageProvider = {
    status: async () => status,
    async *complete() {
      yield { type: 'cancelled' };
    },
    countTokens: async () => ({ tokens: 7, exact: true }),
  };
  const lazy = createLazyProvider(
    async () => {
      loads += 1;
      if (loads === 1) throw new Error('no disk');
      return real;
    },
    (one) => told.push(one),
  );
  assert.equal(loads, 0);
  const { signal } = new AbortController();
  const failed = await collect(lazy.complete({ messages: [], signal }));
  assert.deepEqual(
    failed.map(({ type }) => type),
    ['failed'],
  );
  assert.match(JSON.stringify(failed), /no disk/);
  assert.deepEqual(await lazy.countTokens([], signal), { tokens: 7, exact: true });
  assert.deepEqual(await lazy.countTexts?.(['a', 'b'], signal), [undefined, undefined]);
  await lazy.status(signal);
  assert.deepEqual(told, [status]);
  assert.equal(loads, 2);
});

test('the system text stands in the first user message, because the editor has no such role', () => {
  assert.deepEqual(
    toEditorMessages([
      { role: 'system', content: 'S' },
      { role: 'user', content: 'U' },
      { role: 'assistant', content: 'A' },
    ]),
    [
      { role: 'user', content: 'S\n\nU' },
      { role: 'assistant', content: 'A' },
    ],
  );
  assert.deepEqual(toEditorMessages([{ role: 'system', content: 'S' }]), [{ role: 'user', content: 'S' }]);
});

test('of the parameters the editor takes the temperature, and the others are said to be dropped', () => {
  const { options, dropped } = toEditorOptions({ temperature: 0.6, topP: 0.9, topK: 20, seed: 1, thinking: 'on' });
  assert.deepEqual(options, { temperature: 0.6 });
  assert.deepEqual(
    dropped.map(({ name }) => name),
    ['top_p', 'top_k', 'seed', 'thinking'],
  );
});

test('each error of the editor is one sentence with a next step', () => {
  const error = (code: string, message = '', cause?: unknown) => Object.assign(new Error(message, { cause }), { code });
  const codes = [
    editorComplaint(error('NoPermissions'), 'M'),
    editorComplaint(error('Blocked'), 'M'),
    editorComplaint(error('NotFound'), 'M'),
    editorComplaint(error('Unknown', 'outer', new Error('You have exceeded your quota.')), 'M'),
    editorComplaint(error('Unknown', 'Message exceeds token limit.'), 'M'),
    editorComplaint(new Error('socket hang up\n at x'), 'M'),
    editorComplaint('a text', 'M'),
  ];
  assert.deepEqual(
    codes.map(({ code }) => code),
    ['no-permission', 'no-quota', 'model-unknown', 'no-quota', 'prompt-too-long', 'editor-model', 'editor-model'],
  );
  for (const { message } of codes) assert.match(message, /^[^\n]*[;,] [^\n]*\.$/);
});

/** An editor with one model that answers `pieces`, and then does as `end` says. */
function editorWith(pieces: string[], end: 'ends' | 'hangs' | 'fails' = 'ends') {
  const seen: { messages: unknown[]; options: unknown; cancelled: boolean } = {
    messages: [],
    options: {},
    cancelled: false,
  };
  async function* text() {
    yield* pieces;
    if (end === 'hangs') await new Promise(() => {});
    if (end === 'fails') throw Object.assign(new Error('gone'), { code: 'NotFound' });
  }
  const model = {
    name: 'Small',
    id: 'small-1',
    vendor: 'test',
    family: 'small',
    maxInputTokens: 8_000,
    async sendRequest(messages: unknown[], options: unknown) {
      seen.messages = messages;
      seen.options = options;
      return { text: text() };
    },
    countTokens: async (of: string) => of.length,
  } as unknown as vscode.LanguageModelChat;
  const access = {
    models: async () => [model],
    userMessage: (content: string) => ({ role: 'user', content }),
    assistantMessage: (content: string) => ({ role: 'assistant', content }),
    cancellation: () => ({ token: {}, cancel: () => (seen.cancelled = true), dispose() {} }),
  } as unknown as EditorAccess;
  return { access, seen };
}

async function collect(events: AsyncIterable<CompletionEvent>): Promise<CompletionEvent[]> {
  const all: CompletionEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const messages = [
  { role: 'system', content: 'S' },
  { role: 'user', content: 'U' },
] as const;

test('a model of the editor answers piece by piece, and says what was sent', async () => {
  const { access, seen } = editorWith(['one ', 'two']);
  const provider = createEditorProvider('test/small-1', access);
  const { signal } = new AbortController();
  const status = await provider.status(signal);
  assert.ok(status.ok && status.model === 'test/small-1' && status.contextTokens === 8_000);
  const events = await collect(provider.complete({ messages, signal, parameters: { temperature: 0 } }));
  assert.deepEqual(
    events.map(({ type }) => type),
    ['sent', 'content', 'content', 'usage', 'finished'],
  );
  assert.deepEqual(seen.messages, [{ role: 'user', content: 'S\n\nU' }]);
  assert.match(JSON.stringify(seen.options), /justification/);
  // Its own tokenizer counts texts.
  assert.deepEqual(await provider.countTexts?.(['four', '', 'four'], signal), [4, 0, 4]);
  const none = createEditorProvider('test/other', access);
  assert.deepEqual(await none.countTexts?.(['four'], signal), [undefined]);
});

test('a model of the editor that hangs is left at once when the user cancels', async () => {
  const { access, seen } = editorWith(['one '], 'hangs');
  const abort = new AbortController();
  setTimeout(() => abort.abort(), 20);
  const events = await collect(createEditorProvider(undefined, access).complete({ messages, signal: abort.signal }));
  assert.equal(events.at(-1)?.type, 'cancelled');
  assert.ok(seen.cancelled);
});

test('an editor without models, or without the chosen one, says so in one sentence', async () => {
  const { signal } = new AbortController();
  const none = { ...editorWith([]).access, models: async () => [] };
  const status = await createEditorProvider(undefined, none).status(signal);
  assert.ok(!status.ok && status.code === 'no-editor-model');
  const [failed] = await collect(createEditorProvider(undefined, none).complete({ messages, signal }));
  assert.equal(failed?.type, 'failed');
  const other = await createEditorProvider('other/x', editorWith([]).access).status(signal);
  assert.ok(!other.ok && other.code === 'model-unknown');
  const ended = await collect(
    createEditorProvider(undefined, editorWith(['a'], 'fails').access).complete({ messages, signal }),
  );
  assert.deepEqual(ended.at(-1)?.type, 'failed');
});
