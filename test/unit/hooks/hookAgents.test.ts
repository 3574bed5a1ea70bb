import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { describe, test } from 'node:test';
import { type HookProcess, runHook } from '../../../src/cli/hooks/hook.ts';
import { hookAgents } from '../../../src/core/hooks/hookAgents.ts';
import type { Fields, HookAgentName, HookAnswer } from '../../../src/core/hooks/hookCall.ts';
import { takenBy } from './agentRules.ts';

const agents = Object.keys(hookAgents) as HookAgentName[];
const answers: readonly HookAnswer[] = [
  { kind: 'nothing' },
  { kind: 'note', toAgent: 'CAUTION: Edits 1 file.\n--- a/x', toUser: 'Foretell: CAUTION: Edits 1 file.' },
  { kind: 'allow', toUser: 'Foretell: A rule “x” allows it.' },
  { kind: 'deny', toAgent: 'Denied.\nLost for good: "x"', toUser: 'Foretell denied it.' },
];
const expected = { nothing: 'asks', note: 'asks', deny: 'refused' } as const;
/** Agents that have a word for a call that is made without a question, and whose own denials count all the same. */
const knowAllow: ReadonlySet<HookAgentName> = new Set<HookAgentName>(['claude', 'vscode', 'copilot']);
const takenAs = (name: HookAgentName, kind: HookAnswer['kind']) =>
  kind === 'allow' ? (knowAllow.has(name) ? 'allowed' : 'asks') : expected[kind];

/** An event of an agent, what is read of it, and the answers in the agent's form. */
interface Fixture {
  event: Fields;
  call?: unknown;
  said?: Record<HookAnswer['kind'], string>;
}

describe('each agent is read and answered in its own form', () => {
  for (const name of agents) {
    const folder = path.join('test/fixtures/hooks', name);
    for (const file of fs.readdirSync(folder)) {
      test(`${name}/${file}`, () => {
        const at = path.join(folder, file);
        const fixture = JSON.parse(fs.readFileSync(at, 'utf8')) as Fixture;
        const agent = hookAgents[name];
        const said = Object.fromEntries(answers.map((answer) => [answer.kind, agent.write(answer, fixture.event)]));
        const call = JSON.parse(JSON.stringify(agent.read(fixture.event) ?? null));
        if (process.env['UPDATE_GOLDEN'])
          fs.writeFileSync(at, `${JSON.stringify({ event: fixture.event, call, said }, undefined, 2)}\n`);
        else assert.deepEqual({ call, said }, { call: fixture.call, said: fixture.said });
        const isAsked = call !== null && call.observed === undefined;
        for (const { kind } of answers) {
          const taken = takenBy[name](said[kind] ?? '');
          assert.equal(taken, isAsked ? takenAs(name, kind) : taken);
          if (kind !== 'allow') assert.notEqual(taken, 'allowed');
        }
      });
    }
  }
});

/** Numbers by chance that are the same each time (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const strange: readonly unknown[] = [
  null,
  true,
  0,
  -1.5,
  '',
  'x',
  '{',
  '{"command":"ls"}',
  [],
  {},
  [null],
  { command: 7 },
  '\u0000',
  '\ud800',
  { __proto__: null, command: ['a', 1] },
];

/** A fixture's event with something wrong in it, as bytes. */
function spoilt(events: readonly Fields[], chance: () => number): Buffer {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
  const event: Record<string, unknown> = structuredClone(pick(events));
  const fields = (value: Record<string, unknown>) => {
    const key = pick([...Object.keys(value), 'hook_event_name', 'tool_input', 'constructor']);
    if (chance() < 0.3) delete value[key];
    else value[key] = chance() < 0.2 ? pick(Object.keys(value)) : structuredClone(pick(strange));
  };
  for (let times = Math.floor(chance() * 4); times > 0; times--) {
    const inner = event[pick(Object.keys(event).length > 0 ? Object.keys(event) : ['x'])];
    fields(chance() < 0.5 && typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : event);
  }
  let text = JSON.stringify(event);
  const kind = chance();
  if (kind < 0.15) text = text.slice(0, Math.floor(chance() * text.length));
  else if (kind < 0.2) text = `${text}${pick(['}', '\n', ' x', '\u0000', text])}`;
  else if (kind < 0.23) text = `${'['.repeat(5_000)}${text}`;
  else if (kind < 0.231) text = text.replace('rm -rf build', `echo ${'x'.repeat(1_000_000)}`);
  const bytes = Buffer.from(text);
  if (kind > 0.9 && bytes.length > 0) bytes[Math.floor(chance() * bytes.length)] = Math.floor(chance() * 256);
  return bytes;
}

test('a patch in a command of Codex is an edit, and nothing else is', () => {
  const read = (command: string) =>
    hookAgents.codex.read({ hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command }, cwd: '/w' })
      ?.deed;
  const patch = '*** Begin Patch\n*** Delete File: a\n*** End Patch';
  const deed = read(`cd x && apply_patch <<'EOF'\n${patch}\nEOF`);
  assert.deepEqual(deed, {
    kind: 'edit',
    call: { name: 'apply_patch', arguments: { input: patch, folder: ['x'] } },
    agent: 'codex',
  });
  for (const command of [`apply_patch <<'EOF'\n${patch}\nEOF\nrm -rf x`, 'apply_patch a', 'echo apply_patch'])
    assert.equal(read(command)?.kind, 'command', command);
});

test('10,000 spoilt events: always an answer of the form, exit status 0, nothing on standard error', async () => {
  const eventsOf = (name: string) =>
    fs
      .readdirSync(path.join('test/fixtures/hooks', name))
      .map((file) => JSON.parse(fs.readFileSync(path.join('test/fixtures/hooks', name, file), 'utf8')) as Fixture)
      .map(({ event }) => event);
  const events = Object.fromEntries(agents.map((name) => [name, eventsOf(name)]));
  const chance = chanceOf(Number(process.env['FORETELL_SEED'] ?? 20261123));
  const counts = { asked: 0, refused: 0, allowed: 0 };
  for (let round = 0; round < 10_000; round++) {
    const name = agents[round % agents.length] ?? 'claude';
    const bytes = spoilt(events[name] ?? [], chance);
    let said = '';
    let answered: HookAnswer | undefined;
    let isMade = false;
    const around: HookProcess = {
      distFolder: '/nowhere',
      cwd: '/',
      env: {},
      isAtTerminal: false,
      input: (async function* () {
        yield bytes;
      })(),
      say: async (text) => {
        said += text;
      },
      tell: (line) => assert.fail(line),
      sinceStart: () => 0,
      async answer(call) {
        counts.asked += 1;
        isMade = call.observed !== undefined;
        answered = answers[Math.floor(chance() * answers.length)];
        if (chance() < 0.05) {
          answered = undefined;
          throw new Error('a bug of ours');
        }
        return { answer: answered ?? { kind: 'nothing' }, close: async () => {} };
      },
    };
    assert.equal(await runHook([name], around), 0);
    const taken = takenBy[name](said);
    // What a rule did not allow, and what failed, is never taken for a yes.
    if (taken === 'allowed') assert.equal(answered?.kind, 'allow');
    if (taken === 'allowed') counts.allowed += 1;
    if (taken === 'refused') counts.refused += 1;
    // A denial is one that the agent obeys, and nothing else is taken for one.
    if (taken === 'refused') assert.equal(answered?.kind, 'deny');
    if (answered?.kind === 'deny' && !isMade) assert.equal(taken, 'refused', `${name}: ${bytes}`);
  }
  assert.ok(counts.asked > 1_000 && counts.refused > 200 && counts.allowed > 200, JSON.stringify(counts));
});

test('an answer comes, whatever hangs, and no wrong use is told to an agent', async () => {
  const around = (input: HookProcess['input']): [HookProcess, () => string] => {
    let said = '';
    const made: HookProcess = {
      distFolder: '/nowhere',
      cwd: '/',
      env: {},
      isAtTerminal: false,
      input,
      say: async (text) => {
        said += text;
      },
      tell: (line) => assert.fail(line),
      sinceStart: () => 0,
      answer: () => new Promise(() => {}),
    };
    return [made, () => said];
  };
  async function* never(): AsyncGenerator<Uint8Array> {
    await new Promise((resolve) => setTimeout(resolve, 30_000).unref());
    yield Buffer.from('');
  }
  async function* once(): AsyncGenerator<Uint8Array> {
    yield fs.readFileSync('test/fixtures/hooks/codex/bash.json');
  }
  const [silent, saidNothing] = around(never());
  assert.equal(await runHook(['codex', '--within', '0.05'], silent), 0);
  assert.equal(saidNothing(), '');
  const event = (JSON.parse(fs.readFileSync('test/fixtures/hooks/codex/bash.json', 'utf8')) as Fixture).event;
  async function* asked(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(JSON.stringify(event));
  }
  const [hanging, said] = around(asked());
  assert.equal(await runHook(['codex', '--within', '0.05'], hanging), 0);
  assert.match(said(), /could not predict this call within 0\.05 s/);
  const [late, saidLate] = around(asked());
  assert.equal(await runHook(['codex', '--within', '0.05'], { ...late, sinceStart: () => 5_000 }), 0);
  assert.match(saidLate(), /could not predict this call within/);
  assert.equal(takenBy.codex(said()), 'asks');
  // Where the machine is so busy that the process begins too late, what is judged all the same counts.
  const [starved, saidAll] = around(asked());
  const denied: HookAnswer = { kind: 'deny', toAgent: 'Denied.', toUser: 'Denied.' };
  const answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 100));
    return { answer: denied, close: async () => {} };
  };
  assert.equal(await runHook(['codex'], { ...starved, sinceStart: () => 5_000, answer }), 0);
  assert.equal(takenBy.codex(saidAll()), 'refused');
  for (const args of [['nobody'], [], ['codex', 'claude'], ['codex', '--within', 'x'], ['codex', '--nothing']]) {
    const [wrong, told] = around(once());
    assert.equal(await runHook(args, wrong), 0);
    assert.equal(told(), '');
  }
});
