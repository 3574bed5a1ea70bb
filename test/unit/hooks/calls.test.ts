import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, describe, test } from 'node:test';
import { asksForAgents, runAgents } from '../../../src/cli/hooks/agents.ts';
import { createCallBook, isAwaited, outcomeOf } from '../../../src/core/hooks/calls/agentCall.ts';
import { readCallDetails } from '../../../src/core/hooks/calls/callDetails.ts';
import type { AskedLine, MadeLine, PredictedLine } from '../../../src/core/hooks/calls/callLine.ts';
import { callLogFolder } from '../../../src/core/hooks/calls/callLine.ts';
import { createCallLog } from '../../../src/core/hooks/calls/callLog.ts';
import { stepsOfCalls } from '../../../src/core/hooks/calls/callSteps.ts';
import { callText } from '../../../src/core/hooks/calls/callText.ts';
import { followCalls } from '../../../src/core/hooks/calls/followCalls.ts';
import { type CallSession, createCallReader, isMadeIn } from '../../../src/core/hooks/calls/readCalls.ts';
import type { HookCall, HookDeed } from '../../../src/core/hooks/hookCall.ts';
import { hookFolder } from '../../../src/core/hooks/hookFolder.ts';
import { emptyPrediction } from '../../../src/core/prediction/fold.ts';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import { TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';
import type { View } from '../../../src/core/view/view.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-calls-'));
after(() => fs.rmSync(root, { recursive: true, force: true }));
let count = 0;
const place = () => path.join(root, String(count++));
const now = Date.UTC(2026, 10, 24, 12);
const by = { agent: 'claude', session: 's1' } as const;
const bash = 'bash' as const;

const command = (script: string): HookDeed => ({ kind: 'command', script });
const callOf = (deed: HookDeed, id: string | undefined = 's1 t1'): HookCall => ({ deed, cwd: '/p', id, by });

/** A view of texts: before and after, by path. */
function viewOf(texts: Record<string, [string?, string?]>): View {
  const read = async (file: string, moment: 'before' | 'after') => {
    const text = texts[file]?.[moment === 'before' ? 0 : 1];
    return text === undefined ? undefined : Buffer.from(text);
  };
  return { read } as unknown as View;
}

function prediction(script: string, more: Partial<Prediction> = {}): Prediction {
  const action = { kind: 'command', script, shell: bash, cwd: '/p' } as const;
  return { ...emptyPrediction(action), ending: 'done', exitCode: 0, durationMs: 5, ...more };
}

const changed = (file: string, sizeBytes = 4): Prediction['files'][number] => ({
  ...{ path: file, change: 'modified', type: 'file', mode: '0644', sizeBytes, volatile: false, basis: 'rehearsed' },
});

async function sessionsIn(folder: string): Promise<CallSession[]> {
  const reader = createCallReader(folder, () => true);
  await reader.read();
  return reader.sessions();
}

describe('calls are kept as they come', () => {
  test('asked, predicted, made: one row, with the texts for a diff', async () => {
    const folder = place();
    const log = createCallLog(folder, by, '/p');
    const call = callOf(command('sed -i s/one/two/ a.txt'));
    const key = log.asked(call, { cwd: '/p', shell: bash }, now) ?? assert.fail('it is kept');
    const view = viewOf({ '/p/a.txt': ['one\n', 'two\n'] });
    const made = prediction('sed', { files: [changed('/p/a.txt')] });
    await log.predicted(
      key,
      { prediction: made, view, net: '4f81c0' },
      { answer: { kind: 'nothing' }, isLate: false, now },
    );
    const entry = { version: 1 as const, at: '', basis: 'rehearsed' as const, kind: 'command' as const, programs: [] };
    const hits = { output: 'unknown', exitCode: 'hit', files: 'hit' } as const;
    log.made(call, { exitCode: 0, output: [{ stream: 'stdout', text: '' }] }, { ...entry, ...hits }, now + 50);
    const [session, ...others] = await sessionsIn(folder);
    assert.ok(session);
    assert.deepEqual(others, []);
    assert.equal(session.agent, 'claude');
    assert.equal(session.name, 's1');
    const [only] = session.calls;
    assert.ok(only);
    assert.equal(only.asked.title, 'sed -i s/one/two/ a.txt');
    assert.equal(only.answered?.net, '4f81c0');
    assert.deepEqual(only.answered?.prediction?.files, [
      { path: '/p/a.txt', change: 'modified', type: 'file', hasTexts: true },
    ]);
    assert.deepEqual(outcomeOf(only, now, true), { kind: 'agrees' });
    const details = readCallDetails(folder, key);
    assert.deepEqual(details?.texts, [{ path: '/p/a.txt', before: 'one\n', after: 'two\n' }]);
    assert.match(callText(only, { now, awaited: true, details }), /-one\n\+two/);
  });

  test('only the user can read it, and nobody else’s folder is used', () => {
    const folder = place();
    const log = createCallLog(folder, by, '/p');
    assert.ok(log.asked(callOf(command('ls')), { cwd: '/p', shell: bash }, now));
    const logs = callLogFolder(folder);
    assert.equal(fs.statSync(logs).mode & 0o777, 0o700);
    for (const name of fs.readdirSync(logs)) assert.equal(fs.statSync(path.join(logs, name)).mode & 0o777, 0o600);
    fs.chmodSync(logs, 0o755);
    assert.equal(log.asked(callOf(command('ls')), { cwd: '/p', shell: bash }, now), undefined);
  });

  test('a log that is a link is not written through', () => {
    const folder = place();
    createCallLog(folder, by, '/p').asked(callOf(command('ls')), { cwd: '/p', shell: bash }, now);
    const logs = callLogFolder(folder);
    const [name = ''] = fs.readdirSync(logs);
    const elsewhere = path.join(root, 'elsewhere');
    fs.writeFileSync(elsewhere, '');
    fs.rmSync(path.join(logs, name));
    fs.symlinkSync(elsewhere, path.join(logs, name));
    const key = createCallLog(folder, by, '/p').asked(callOf(command('ls')), { cwd: '/p', shell: bash }, now);
    assert.equal(key, undefined);
    assert.equal(fs.readFileSync(elsewhere, 'utf8'), '');
  });

  test('secrets are taken out of everything: the command, arguments, texts, outputs', async () => {
    const folder = place();
    const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY';
    const line = `AWS_SECRET_ACCESS_KEY=${secret}`;
    const log = createCallLog(folder, by, '/p');
    const view = viewOf({ '/p/.env': [`${line}\n`, `${line}x\n`] });
    const edit: HookDeed = {
      ...{ kind: 'edit', agent: 'claude' },
      call: { name: 'Edit', arguments: { file_path: '/p/.env', old_string: line, new_string: `${line}x` } },
    };
    for (const [index, deed] of [command(`${line} make`), edit].entries()) {
      const call = callOf(deed, `s1 t${index}`);
      const key = log.asked(call, { cwd: '/p', shell: bash }, now) ?? '';
      const output = [{ stream: 'stdout', text: `${line}\n`, basis: 'rehearsed' } as const];
      const told = prediction('make', { files: [changed('/p/.env', 60)], output });
      await log.predicted(key, { prediction: told, view }, { answer: { kind: 'nothing' }, isLate: false, now });
      log.made(call, { output: [{ stream: 'stdout', text: `${line}\n` }] }, undefined, now);
    }
    const files = fs.readdirSync(callLogFolder(folder), { recursive: true, encoding: 'utf8' });
    for (const file of files) {
      const at = path.join(callLogFolder(folder), file);
      if (fs.statSync(at).isFile()) assert.ok(!fs.readFileSync(at, 'utf8').includes(secret), file);
    }
    const [session] = await sessionsIn(folder);
    assert.ok(session?.calls.every(({ asked }) => asked.secrets > 0));
    assert.ok(files.length >= 4);
  });

  test('a log is put aside when it is large, and what was read of it is not read again', async () => {
    const folder = place();
    const log = createCallLog(folder, by, '/p');
    const reader = createCallReader(folder, () => true);
    const long = `: ${'x'.repeat(60_000)}`;
    for (let index = 0; index < 80; index += 1) {
      log.asked(callOf(command(`${long}${index}`), `s1 t${index}`), { cwd: '/p', shell: bash }, now + index);
      if (index % 30 === 0) await reader.read();
    }
    await reader.read();
    const names = fs.readdirSync(callLogFolder(folder)).filter((name) => name.endsWith('.jsonl'));
    assert.equal(names.length, 2);
    const [session] = reader.sessions();
    assert.equal(session?.calls.length, 80);
    assert.deepEqual(await reader.read(), new Set());
    const [fresh] = await sessionsIn(folder);
    assert.deepEqual(
      fresh?.calls.map(({ asked }) => asked.at),
      session?.calls.map(({ asked }) => asked.at),
    );
  });

  test('what is older than a week goes when a session begins', () => {
    const folder = place();
    createCallLog(folder, by, '/p').asked(callOf(command('ls')), { cwd: '/p', shell: bash }, now);
    const [name = ''] = fs.readdirSync(callLogFolder(folder));
    const old = new Date(now - 8 * 24 * 3_600_000);
    fs.utimesSync(path.join(callLogFolder(folder), name), old, old);
    createCallLog(folder, { agent: 'codex', session: 'x' }, '/p').asked(
      callOf(command('ls')),
      { cwd: '/p', shell: bash },
      now,
    );
    const left = fs.readdirSync(callLogFolder(folder));
    assert.equal(left.length, 1);
    assert.match(left[0] ?? '', /^codex-/);
  });

  test('lines that are no lines, and half a line, are no calls', async () => {
    const folder = place();
    const log = createCallLog(folder, by, '/p');
    log.asked(callOf(command('one')), { cwd: '/p', shell: bash }, now);
    const [name = ''] = fs.readdirSync(callLogFolder(folder));
    const file = path.join(callLogFolder(folder), name);
    const [whole = ''] = fs.readFileSync(file, 'utf8').split('\n');
    fs.appendFileSync(file, `nonsense\n{"is":"asked"}\n${whole.slice(0, 40)}`);
    const reader = createCallReader(folder, () => true);
    await reader.read();
    assert.equal(reader.sessions()[0]?.calls.length, 1);
    // The rest of the line comes later.
    fs.appendFileSync(file, `${whole.slice(40).replace('one', 'two')}\n`);
    await reader.read();
    assert.equal(reader.sessions()[0]?.calls.length, 1, 'the same key is the same call');
  });
});

const asked = (key: string, more: Partial<AskedLine> = {}): AskedLine => ({
  ...{ version: 1, is: 'asked', key: key.padStart(20, '0'), at: new Date(now).toISOString(), agent: 'gemini' },
  ...{ cwd: '/p', kind: 'command', title: 'ls', secrets: 0, ...more },
});
const answered = (key: string, answer: PredictedLine['answer']): PredictedLine => ({
  ...{ version: 1, is: 'predicted', key: key.padStart(20, '0'), at: new Date(now).toISOString(), answer },
});
const made = (call: string, hits: Partial<MadeLine['hits']> = {}): MadeLine => ({
  ...{ version: 1, is: 'made', call, at: new Date(now).toISOString() },
  hits: { output: 'unknown', exitCode: 'unknown', files: 'unknown', ...hits },
});

describe('what came of a call', () => {
  const outcome = (lines: Parameters<ReturnType<typeof createCallBook>['take']>[0][], later = 0, awaited = true) => {
    const book = createCallBook();
    for (const line of lines) book.take(line);
    const [first] = book.calls();
    return first && outcomeOf(first, now + later, awaited);
  };

  test('each way it can go', () => {
    const call = asked('1', { call: 'c' });
    assert.deepEqual(outcome([call]), { kind: 'predicting' });
    assert.deepEqual(outcome([call], 60_000), { kind: 'unpredicted' });
    assert.deepEqual(outcome([call, answered('1', 'deny')]), { kind: 'denied' });
    assert.deepEqual(outcome([call, answered('1', 'note')]), { kind: 'waiting' });
    assert.deepEqual(outcome([call, answered('1', 'note')], 0, false), { kind: 'untold' });
    assert.deepEqual(outcome([call, answered('1', 'note')], 4_000_000), { kind: 'untold' });
    assert.deepEqual(outcome([call, answered('1', 'nothing'), made('c')]), { kind: 'unchecked' });
    assert.deepEqual(outcome([call, answered('1', 'nothing'), made('c', { files: 'hit' })]), { kind: 'agrees' });
    assert.deepEqual(outcome([call, answered('1', 'deny'), made('c')]), { kind: 'madeAnyway' });
    assert.deepEqual(outcome([call, answered('1', 'nothing'), made('c', { files: 'hit', output: 'miss' })]), {
      kind: 'differs',
      parts: ['output'],
    });
  });

  test('where an agent calls equal calls the same, what was made is the last one that was let through', () => {
    const book = createCallBook();
    const lines = [asked('1', { call: 'c' }), answered('1', 'deny'), asked('2', { call: 'c' }), answered('2', 'note')];
    for (const line of [...lines, made('c', { exitCode: 'hit' })]) book.take(line);
    assert.deepEqual(
      book.calls().map((call) => outcomeOf(call, now, true).kind),
      ['denied', 'agrees'],
    );
  });

  test('of calls that are made at once none is given up as long as no later one is over', () => {
    const book = createCallBook();
    const kinds = () => {
      const calls = book.calls();
      return calls.map((call, index) => outcomeOf(call, now, isAwaited(calls, index)).kind);
    };
    for (const name of ['1', '2', '3']) {
      book.take(asked(name, { call: `c${name}` }));
      book.take(answered(name, 'nothing'));
    }
    assert.deepEqual(kinds(), ['waiting', 'waiting', 'waiting']);
    book.take(made('c2', { files: 'hit' }));
    assert.deepEqual(kinds(), ['untold', 'agrees', 'waiting']);
    book.take(made('c1', { files: 'hit' }));
    assert.deepEqual(kinds(), ['agrees', 'agrees', 'waiting']);
  });

  test('of a long session the oldest calls are forgotten', () => {
    const book = createCallBook(10);
    for (let index = 0; index < 25; index += 1) book.take(asked(String(index), { call: `c${index}` }));
    assert.equal(book.calls().length, 10);
    assert.equal(book.take(made('c3')), undefined);
    assert.ok(book.take(made('c20')));
  });
});

describe('calls are followed', () => {
  test('a call in another folder is none of ours', async () => {
    assert.ok(isMadeIn('/p/a', ['/q', '/p']));
    assert.ok(isMadeIn('/p', ['/p']));
    assert.ok(isMadeIn('/p', ['/']));
    assert.ok(!isMadeIn('/pa', ['/p']));
    const folder = place();
    const log = createCallLog(folder, by, '/p');
    for (const cwd of ['/p', '/other']) log.asked(callOf(command('ls')), { cwd, shell: bash }, now);
    const reader = createCallReader(folder, (cwd) => isMadeIn(cwd, ['/p']));
    await reader.read();
    assert.deepEqual(
      reader.sessions().map(({ calls }) => calls.map(({ asked: { cwd } }) => cwd)),
      [['/p']],
    );
  });

  test('one is told as it comes, also where there was nothing before', { timeout: 30_000 }, async () => {
    const folder = place();
    const reader = createCallReader(folder, () => true);
    const abort = new AbortController();
    let tell = () => {};
    const told = new Promise<void>((resolve) => {
      tell = resolve;
    });
    followCalls(folder, reader, () => tell(), abort.signal);
    createCallLog(folder, by, '/p').asked(callOf(command('ls')), { cwd: '/p', shell: bash }, now);
    await told;
    abort.abort();
    assert.equal(reader.sessions().length, 1);
  });

  test('what was forgotten is gone', async () => {
    const folder = place();
    createCallLog(folder, by, '/p').asked(callOf(command('ls')), { cwd: '/p', shell: bash }, now);
    const reader = createCallReader(folder, () => true);
    await reader.read();
    fs.rmSync(callLogFolder(folder), { recursive: true });
    assert.equal((await reader.read()).size, 1);
    assert.deepEqual(reader.sessions(), []);
  });
});

test('a session becomes a trajectory: every call a step, with what was predicted and what was seen', async () => {
  const folder = place();
  const log = createCallLog(folder, by, '/p');
  const one = callOf(command('echo hi'), 's1 t1');
  const key = log.asked(one, { cwd: '/p', shell: bash }, now) ?? '';
  const output = [{ stream: 'stdout', text: 'hi\n', basis: 'rehearsed' } as const];
  const view = viewOf({});
  await log.predicted(
    key,
    { prediction: prediction('echo hi', { output }), view },
    { answer: { kind: 'nothing' }, isLate: false, now },
  );
  log.made(one, { exitCode: 0, output: [{ stream: 'stdout', text: 'hi\n' }] }, undefined, now);
  const two = callOf(command('rm -rf x'), 's1 t2');
  const second = log.asked(two, { cwd: '/p', shell: bash }, now) ?? '';
  log.answered(second, { answer: { kind: 'deny', toAgent: 'no', toUser: 'no', code: 'abcdef' }, isLate: false, now });
  log.asked(callOf(command(`: ${'x'.repeat(100_000)}`), 's1 t3'), { cwd: '/p', shell: bash }, now);
  const [session] = await sessionsIn(folder);
  assert.ok(session);
  const steps = stepsOfCalls(session, (name) => readCallDetails(folder, name));
  for (const step of steps) assert.ok(TrajectoryStep.safeParse(JSON.parse(JSON.stringify(step))).success);
  const [first, denied, long] = steps;
  assert.equal(first?.prediction?.output[0]?.text, 'hi\n');
  assert.deepEqual(first?.observation?.known, ['output', 'exitCode']);
  assert.equal(denied?.after, first?.id);
  assert.equal(denied?.observation, undefined);
  assert.match(denied?.note ?? '', /denied/);
  assert.equal(long?.action.kind, 'turn');
});

describe('foretell agents', () => {
  const hostile = 'printf "\u001b[2J\u202e" [x](command:workbench.action.quit)\n<img src=x>';
  const env = { XDG_STATE_HOME: path.join(root, 'state') };
  const run = async (...args: string[]) => {
    let said = '';
    const status = await runAgents(args, {
      ...{ cwd: '/p', env, signal: new AbortController().signal },
      say: async (text) => (said += text),
      tell: (line) => (said += `${line}\n`),
    });
    return { status, said };
  };

  test('lists, shows one, and forgets; what agents write is text', async () => {
    assert.match((await run()).said, /foretell hooks install/);
    const log = createCallLog(hookFolder(env), by, '/p');
    const key = log.asked(callOf(command(hostile)), { cwd: '/p/inner', shell: bash }, now) ?? '';
    log.answered(key, { answer: { kind: 'deny', toAgent: 'x', toUser: 'x', code: 'abcdef' }, isLate: false, now });
    const { said } = await run();
    assert.match(said, /denied/);
    const shown = await run(key.slice(0, 8));
    assert.equal(shown.status, 0);
    assert.match(shown.said, /foretell allow abcdef/);
    for (const text of [said, shown.said]) assert.doesNotMatch(text, /[\u001b\u202e]/);
    const { calls } = JSON.parse((await run('--json')).said);
    assert.equal(calls[0].deed.script, hostile);
    assert.deepEqual(calls[0].outcome, { kind: 'denied' });
    const [step] = (await run('--trajectory')).said.split('\n');
    assert.equal(TrajectoryStep.parse(JSON.parse(step ?? '')).note, 'Foretell denied this call.');
    assert.equal((await run('0123456789')).status, 3);
    assert.equal((await run('--last', 'x')).status, 64);
    assert.match((await run('--forget')).said, /1 session/);
    assert.match((await run('--json')).said, /"calls":\[\]/);
  });

  test('a program that is called so is predicted', () => {
    assert.ok(asksForAgents(['agents']));
    assert.ok(asksForAgents(['agents', '--follow']));
    assert.ok(asksForAgents(['agents', '733d43e1']));
    assert.ok(!asksForAgents(['agents', 'start']));
    assert.ok(!asksForAgents(['agent', '--task']));
  });
});
