import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { estimateTokens } from '../../../src/core/context/estimateTokens.ts';
import type { Observation, WorkspaceContext } from '../../../src/core/context/workspaceContext.ts';
import type { ChatMessage } from '../../../src/core/worlds/language/client/provider.ts';
import { conditionPresets } from '../../../src/core/worlds/language/conditions/conditionPresets.ts';
import { type PromptRequest, renderPrompt } from '../../../src/core/worlds/language/prompt/prompt.ts';
import { asCurl } from '../../../src/core/worlds/language/prompt/promptCurl.ts';
import { fromAgentWorldRow, toAgentWorldRow } from '../../../src/core/worlds/language/prompt/promptRow.ts';
import { groundingTurns, terminalState } from '../../../src/core/worlds/language/prompt/turns/groundingTurns.ts';
import { type Domain, domains, type Turn } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import { typeCommand } from '../../../src/core/worlds/language/prompt/turns/turnTextScreen.ts';
import { shellAction } from '../../../src/core/worlds/language/prompt/turns/turnTextTools.ts';
import { seeded } from './seeded.ts';

const templateOf = (domain: Domain) =>
  readFileSync(path.join(process.cwd(), 'prompts', domain, 'system_prompt.txt'), 'utf8');
const place = { user: 'user', host: 'host', home: '/home/user', cwd: '/work/app' };

function contextOf(observations: Pick<Observation, 'look' | 'text'>[]): WorkspaceContext {
  return {
    observations: observations.map((one) => ({ ...one, why: 'a test', tokens: 1, volatility: 0 })),
    leftOut: [],
    redacted: [],
    tokens: 1,
    budgetTokens: 16_000,
    durationMs: 1,
  };
}

function rendered(request: PromptRequest) {
  const prompt = renderPrompt(request);
  assert.ok(prompt.ok, prompt.ok ? '' : prompt.message);
  return prompt;
}

/** What a server makes of the messages before it looks into its prefix cache (Qwen's chat template). */
const asOneText = (messages: readonly ChatMessage[]) =>
  messages.map((one) => `<|im_start|>${one.role}\n${one.content}<|im_end|>\n`).join('');

function assertCovered({ messages, blocks }: ReturnType<typeof rendered>): void {
  let message = 0;
  let at = 0;
  for (const block of blocks) {
    while (message < block.message && at === (messages[message]?.content.length ?? 0)) {
      message += 1;
      at = 0;
    }
    assert.deepEqual([block.message, block.start], [message, at]);
    assert.ok(block.end > block.start && block.title !== '');
    at = block.end;
  }
  while (message < messages.length - 1 && at === messages[message]?.content.length) {
    message += 1;
    at = 0;
  }
  assert.deepEqual([message, at], [messages.length - 1, messages.at(-1)?.content.length ?? 0]);
}

test('the blocks of any prompt cover every character, once and in order', () => {
  const { text, pick, below } = seeded(77);
  const parts = ['a', '\n', '{tool_definitions}', '{demonstrations}', '$&', '```', '<|im_end|>', 'ü😀', '', '{x}'];
  for (let round = 0; round < 2000; round++) {
    const turn = (part: Turn['part']): Turn => ({
      action:
        below(2) === 0 ? typeCommand(text(parts, 4)) : shellAction(pick(['qwen', 'claude']), text(parts, 4), '/w'),
      observation: text(parts, 5),
      part,
    });
    const grounding = Array.from({ length: below(4) }, () => turn('grounding'));
    const prompt = rendered({
      domain: pick(domains),
      style: pick(['benchmark', 'quickstart']),
      dialect: pick(['qwen', 'claude']),
      template: text(parts, 6),
      values: { tool_definitions: text(parts, 2), demonstrations: text(parts, 2) },
      currentState: text(parts, 2),
      turns: [...grounding, turn('history'), turn('action')],
      conditions: { freeText: text(parts, 1), fictionalWorld: text(parts, 1) },
    });
    assertCovered(prompt);
    const roles = prompt.messages.map((one) => one.role);
    assert.deepEqual(roles.slice(0, 2), ['system', 'user']);
    assert.ok(roles.slice(1).every((role, index) => role === (index % 2 === 0 ? 'user' : 'assistant')));
    assert.ok(!prompt.messages.slice(1).some((one) => one.content.includes('<|im_end|>')));
  }
});

test('a prompt that cannot be made says why in one sentence', () => {
  const base: PromptRequest = {
    domain: 'mcp',
    style: 'benchmark',
    dialect: 'qwen',
    template: 'a {tool_definitions}',
    turns: [],
  };
  const action: Turn = { action: typeCommand('ls'), part: 'action' };
  const code = (request: Partial<PromptRequest>) => {
    const prompt = renderPrompt({ ...base, ...request });
    assert.ok(!prompt.ok);
    assert.match(prompt.message, /^[A-Z].*\.$/);
    return prompt.code;
  };
  assert.equal(code({}), 'no-turns');
  assert.equal(code({ turns: [action, action] }), 'turn-without-observation');
  assert.equal(code({ turns: [action] }), 'unfilled-placeholder');
  const { template: _none, ...untold } = base;
  const prompt = renderPrompt({ ...untold, turns: [action] });
  assert.ok(!prompt.ok && prompt.code === 'no-template');
});

test('the suffix stands in the last user message only, and explains the marker where the template does not', () => {
  const turns: Turn[] = [
    { action: typeCommand('ls'), observation: 'a', part: 'history' },
    { action: typeCommand('pwd'), observation: 'never sent', part: 'action' },
  ];
  const own = rendered({
    domain: 'terminal',
    style: 'benchmark',
    dialect: 'qwen',
    template: templateOf('terminal'),
    turns,
  });
  assert.equal(own.messages.filter((one) => one.content.includes('<predicted_observation>')).length, 1);
  assert.ok(!own.messages.at(-1)?.content.includes('[[unknown'));
  assert.ok(!own.messages.some((one) => one.content.includes('never sent')));
  const foreign = rendered({
    domain: 'terminal',
    style: 'benchmark',
    dialect: 'qwen',
    template: 'You are a terminal.',
    turns,
  });
  assert.ok(foreign.messages.at(-1)?.content.includes('[[unknown: reason]]'));
  const silent = rendered({
    domain: 'terminal',
    style: 'benchmark',
    dialect: 'qwen',
    template: 'x',
    turns,
    allowsUnknown: false,
  });
  assert.ok(!silent.messages.at(-1)?.content.includes('[[unknown'));
});

/** A workspace of about 16,000 tokens, as the capture would give it. */
function realisticContext(seed: number, budgetTokens: number): WorkspaceContext {
  const { pick, below } = seeded(seed);
  const words = [
    'const',
    'value',
    'return',
    'if (a > b) {',
    '}',
    'import x from "y";',
    'await run(name);',
    '// a note',
    'tide',
  ];
  const observations: Observation[] = [];
  const add = (look: Observation['look'], text: string, volatility: number) => {
    observations.push({ look, text, why: 'it is there', tokens: estimateTokens(text), volatility });
  };
  add({ kind: 'run', command: 'node --version', cwd: place.cwd, exitCode: 0 }, 'v22.1.0\n', 0);
  add({ kind: 'list', path: place.cwd }, 'README.md\nnode_modules/\npackage.json\nsrc/\n', 0);
  while (observations.reduce((sum, one) => sum + one.tokens, 0) < budgetTokens) {
    const lines = Array.from({ length: 40 + below(100) }, () => `${pick(words)} ${pick(words)} ${below(1000)}\n`);
    add({ kind: 'read', path: `${place.cwd}/src/file${observations.length}.ts` }, lines.join(''), 4);
  }
  add(
    { kind: 'run', command: 'git status --short --branch', cwd: place.cwd, exitCode: 0 },
    '## main\n M src/file3.ts\n',
    9,
  );
  return { observations, leftOut: [], redacted: [], tokens: budgetTokens, budgetTokens, durationMs: 100 };
}

test('of two predictions in a row at least 90 % of the prompt is the same prefix', () => {
  const { text, pick } = seeded(15);
  const parts = [
    'npm run build',
    ' && ',
    'rm -rf dist',
    ' | tee log',
    'cargo test',
    "printf '%s\\n' a",
    '\n',
    'x'.repeat(80),
  ];
  for (let round = 0; round < 200; round++) {
    const domain = pick(['terminal', 'swe'] as const);
    const dialect = pick(['qwen', 'claude'] as const);
    const context = realisticContext(round, pick([4_000, 16_000]));
    const grounding = groundingTurns(context, { domain, dialect, place });
    const prompt = (command: string, changed: Turn[] = []) => {
      const action =
        domain === 'terminal' ? typeCommand(command, { asksExitCode: true }) : shellAction(dialect, command, place.cwd);
      const currentState = domain === 'terminal' ? { currentState: terminalState(place) } : {};
      const turns: Turn[] = [...grounding, ...changed, { action, part: 'action' }];
      return asOneText(
        rendered({ domain, style: 'benchmark', dialect, template: templateOf(domain), turns, ...currentState })
          .messages,
      );
    };
    const [one, two] = [prompt(text(parts, 6)), prompt(text(parts, 6))];
    let same = 0;
    while (same < one.length && one[same] === two[same]) same += 1;
    assert.ok(same / Math.max(one.length, two.length) >= 0.9, `${same} of ${one.length} and ${two.length}`);
  }
});

test('conditions close the system message, so that everything before them stays the same', () => {
  const request: PromptRequest = {
    domain: 'swe',
    style: 'benchmark',
    dialect: 'claude',
    template: templateOf('swe'),
    turns: [{ action: shellAction('claude', 'ls'), part: 'action' }],
  };
  const plain = rendered(request);
  const full = rendered({
    ...request,
    conditions: { presets: [conditionPresets[0]], fictionalWorld: 'A ship.' },
  });
  assert.ok(full.messages[0]?.content.startsWith(plain.messages[0]?.content ?? 'none'));
  assert.equal(full.messages.filter((one) => one.role === 'system').length, 1);
  assert.deepEqual(full.messages.slice(1), plain.messages.slice(1));
  const block = full.blocks.find((one) => one.part === 'condition');
  assert.equal(block?.title, 'Fictional world, Disk full');
});

test('a workspace is worded as keystrokes, as tools of both dialects, and in the quickstart style', () => {
  const context = contextOf([
    { look: { kind: 'list', path: '/work/app' }, text: 'a file\nsrc/\n' },
    { look: { kind: 'list', path: '/work/app/src' }, text: 'total 4\n-rw-r--r-- 1 u u 3 Jan  1 00:00 a.ts\n' },
    { look: { kind: 'read', path: '/work/app/a file' }, text: 'no end' },
    { look: { kind: 'read', path: '/work/app/b', firstLine: 3, lastLine: 4, totalLines: 9 }, text: 'c\nd\n' },
    { look: { kind: 'read', path: '/etc/hosts', firstLine: 1, lastLine: 2, totalLines: 2 }, text: 'e\nf\n' },
    { look: { kind: 'run', command: 'git status', cwd: '/work/app', exitCode: 128 }, text: 'fatal: no' },
    { look: { kind: 'run', command: 'make -v', cwd: '/work/app/src', exitCode: 0 }, text: 'GNU\n' },
  ]);
  const actions = (turns: Turn[]) =>
    turns.map(({ action }) =>
      action.kind === 'tool'
        ? [action.name, ...Object.values(action.arguments)]
        : action.kind === 'keystrokes'
          ? action.keystrokes.map((one) => one.keystrokes)
          : [action.text],
    );
  const terminal = groundingTurns(context, { domain: 'terminal', dialect: 'qwen', place });
  assert.deepEqual(actions(terminal), [
    ['ls -1Ap\n'],
    ['ls -la src\n'],
    ["cat 'a file'\n"],
    ["sed -n '3,4p' b\n"],
    ['cat /etc/hosts\n'],
    ['git status\n', 'echo $?\n'],
    ['(cd src && make -v)\n'],
  ]);
  assert.equal(terminal[2]?.observation, "user@host:/work/app$ cat 'a file'\nno enduser@host:/work/app$");
  assert.equal(
    terminal[5]?.observation,
    'user@host:/work/app$ git status\nfatal: no\nuser@host:/work/app$ echo $?\n128\nuser@host:/work/app$',
  );
  assert.equal(terminal[0]?.note, './, because a test');
  assert.deepEqual(actions(groundingTurns(context, { domain: 'swe', dialect: 'qwen', place })), [
    ['list_directory', '/work/app'],
    ['run_shell_command', 'ls -la src'],
    ['read_file', '/work/app/a file'],
    ['read_file', '/work/app/b', 2, 2],
    ['read_file', '/etc/hosts'],
    ['run_shell_command', 'git status'],
    ['run_shell_command', 'make -v', '/work/app/src'],
  ]);
  const claude = groundingTurns(context, { domain: 'swe', dialect: 'claude', place });
  assert.deepEqual(actions(claude)[6], ['Bash', 'cd /work/app/src && make -v']);
  assert.deepEqual(
    [claude[3]?.observation, claude[5]?.observation],
    ['     3\tc\n     4\td', 'Exit code 128\nfatal: no'],
  );
  const quickstart = groundingTurns(context, { domain: 'swe', dialect: 'qwen', style: 'quickstart', place });
  assert.deepEqual(actions(quickstart)[2], ['execute_bash', "cat 'a file'"]);
  assert.equal(quickstart[2]?.observation, 'no end');
});

test('a prompt becomes a benchmark row and comes back', () => {
  const context = realisticContext(1, 2_000);
  const turns: Turn[] = [
    ...groundingTurns(context, { domain: 'terminal', dialect: 'qwen', place }),
    { action: typeCommand('ls'), part: 'action' },
  ];
  const { messages } = rendered({
    domain: 'terminal',
    style: 'benchmark',
    dialect: 'qwen',
    template: templateOf('terminal'),
    turns,
  });
  const row = toAgentWorldRow({ domain: 'terminal', id: 7, messages, observation: 'a\n' });
  assert.deepEqual(Object.keys(row), [
    'task',
    'id',
    'prompt',
    'response',
    'current_prompt',
    'system_str',
    'turn_idx',
    'total_turns',
  ]);
  assert.deepEqual(
    [row.turn_idx, row.total_turns, row.prompt.length, row.response.length],
    [turns.length, turns.length, turns.length, turns.length],
  );
  assert.equal(row.response.at(-1), '**Environment Observation:**\na\n');
  const back = fromAgentWorldRow(JSON.parse(JSON.stringify(row)));
  assert.ok(back.ok);
  assert.deepEqual(back.messages, messages);
});

test('rows are read by the rule of the benchmark', () => {
  const row = {
    task: 'lwm/mcp',
    id: 'x',
    prompt: ['p1', 'p2', 'p3'],
    response: ['r1', 'r2', 'r3'],
    current_prompt: 'other',
    system_str: 's',
    turn_idx: 2,
    total_turns: 3,
    more: true,
  };
  const texts = (given: unknown) => {
    const read = fromAgentWorldRow(given);
    return read.ok ? read.messages.map((one) => `${one.role[0]}:${one.content}`) : read.message;
  };
  const plain = { ...row, current_prompt: '' };
  assert.deepEqual(texts(plain), ['s:s', 'u:p1', 'a:r1', 'u:p2']);
  assert.deepEqual(texts({ ...plain, system_str: '', turn_idx: 1 }), ['u:p1']);
  assert.deepEqual(texts({ ...plain, prompt: 'p', response: 'r', turn_idx: 1 }), ['s:s', 'u:p']);
  // As in the evaluation script, the prompt that the row names counts.
  assert.deepEqual(texts(row), ['s:s', 'u:p1', 'a:r1', 'u:other']);
  assert.deepEqual(texts({ ...row, prompt: ['p1'] }), ['s:s', 'u:p1', 'a:r1', 'u:other']);
  assert.deepEqual(texts({ ...plain, turn_idx: 0 }), ['s:s', 'u:p1']);
  assert.deepEqual(texts({ ...plain, system_str: null, current_prompt: null, turn_idx: 1 }), ['u:p1']);
  const { system_str: _, current_prompt: __, ...bare } = row;
  assert.deepEqual(texts({ ...bare, turn_idx: 1 }), ['u:p1']);
  assert.match(String(texts({ ...row, prompt: 3 })), /^This is no AgentWorldBench row: prompt .*\.$/);
  assert.match(String(texts(null)), /^This is no AgentWorldBench row: the row .*\.$/);
  assert.match(
    String(texts({ ...row, prompt: [], current_prompt: '' })),
    /^The row has 0 prompts and asks for turn 2\.$/,
  );
});

test('a request copied as curl arrives as it was, through a real bash', () => {
  const { text } = seeded(4);
  const parts = ["'", '"', '\\', '$HOME', '`id`', '!!', '\n', 'ü😀', '\u0001', '$(id)', 'END_OF_BODY', '\u2028', ' '];
  const script = `curl() { for word in "$@"; do printf '%s\\0' "$word"; done; case "$*" in *@-*) cat;; esac; }\n`;
  for (let round = 0; round < 12; round++) {
    const filler = round % 3 === 0 ? 'a\'!"\n'.repeat(60_000) : '';
    const body = { model: "it's", messages: [{ role: 'user', content: text(parts, 30) + filler }], temperature: 0.6 };
    const url = "http://127.0.0.1:8000/v1/chat/completions?a='b'&c=$d";
    const ran = spawnSync('bash', [], {
      input: script + asCurl(url, body),
      encoding: 'utf8',
      maxBuffer: 1e8,
      env: { PATH: process.env['PATH'] ?? '', OPENAI_API_KEY: "sk 'x'" },
    });
    assert.equal(ran.stderr, '');
    const words = ran.stdout.split('\0');
    assert.ok(words.includes(url));
    assert.ok(words.includes("Authorization: Bearer sk 'x'"));
    assert.deepEqual(JSON.parse(words[words.indexOf('--data-raw') + 1 || words.length - 1] ?? ''), body);
  }
  assert.ok(!asCurl('http://a', {}).includes('sk'));
});
