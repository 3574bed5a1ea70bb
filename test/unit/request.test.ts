import assert from 'node:assert/strict';
import os from 'node:os';
import { test } from 'node:test';
import type { EditAction, LiveAction } from '../../src/core/action/action.ts';
import { completeRequest, defaultLimits, type GivenRequest } from '../../src/core/prediction/request.ts';

const { signal } = new AbortController();
const here = os.tmpdir();

function command(script: string, cwd: string): LiveAction {
  return { kind: 'command', script, shell: 'bash', cwd };
}

function edit(more: Partial<EditAction>): LiveAction {
  return { kind: 'edit', changes: [], ...more };
}

const action = command('ls', here);

test('what a caller leaves out is completed, and nothing else is', () => {
  const { request, refused } = completeRequest({ action, signal }, false);
  assert.equal(refused, undefined);
  assert.deepEqual(
    { ...request, env: undefined, home: undefined, userId: undefined },
    {
      ...{
        action,
        signal,
        cwd: here,
        workspaceFolders: [here],
        localHistoryFolders: [],
        promptShell: undefined,
        unsavedPaths: [],
      },
      ...{ limits: defaultLimits, terminal: undefined, answers: undefined, handOver: undefined },
      ...{
        interactive: false,
        inertMs: 10_000,
        hash: false,
        openGate: false,
        trusted: false,
        faults: undefined,
        consent: undefined,
        looks: [],
        due: undefined,
        traced: false,
        compared: false,
        withheld: [],
        namedSecrets: [],
        env: undefined,
        home: undefined,
        userId: undefined,
      },
    },
  );
  assert.ok(request.home.startsWith('/'));
  const given: GivenRequest = {
    ...{ action, signal, env: { HOME: '/somebody' }, workspaceFolders: [], limits: { wallMs: 5 }, hash: true },
    ...{ terminal: { columns: 80, rows: 24 }, unsavedPaths: ['/a'], openGate: true, interactive: true },
  };
  const complete = completeRequest(given, false).request;
  assert.deepEqual({ ...complete, ...given, limits: complete.limits }, complete);
  assert.deepEqual(complete.limits, { ...defaultLimits, wallMs: 5 });
  assert.equal(complete.home, '/somebody');
});

test('the environment of this process is given without secrets that the command does not name', () => {
  process.env['FORETELL_TEST_TOKEN'] = 'abc';
  const envOf = (script: string) => completeRequest({ action: command(script, here), signal }, false).request.env;
  assert.equal(envOf('ls')['FORETELL_TEST_TOKEN'], undefined);
  const { withheld } = completeRequest({ action: command('ls', here), signal }, false).request;
  assert.deepEqual(
    withheld.find(({ name }) => name === 'FORETELL_TEST_TOKEN'),
    { name: 'FORETELL_TEST_TOKEN', standIns: ['xxx', 'yyy'] },
  );
  assert.equal(envOf('echo $FORETELL_TEST_TOKEN')['FORETELL_TEST_TOKEN'], 'abc');
  delete process.env['FORETELL_TEST_TOKEN'];
});

test('an edit stands in its own folder, in the first of the workspace, or nowhere', () => {
  const cwdOf = (given: Partial<GivenRequest>) =>
    completeRequest({ action: edit({}), signal, ...given }, false).request.cwd;
  assert.equal(cwdOf({ action: edit({ cwd: here }), workspaceFolders: ['/w'] }), here);
  assert.equal(cwdOf({ workspaceFolders: ['/w', '/v'] }), '/w');
  assert.equal(cwdOf({}), '/');
});

const bad: [what: string, given: Partial<GivenRequest>, says: RegExp][] = [
  [
    'a folder that is not there',
    { action: command('ls', '/no/such') },
    /^The folder \/no\/such does not exist; choose/,
  ],
  ['a folder below a file', { action: command('ls', '/etc/passwd/x') }, /a part of it is a file; choose/],
  ['a file', { action: command('ls', '/etc/passwd') }, /^\/etc\/passwd is not a folder; choose/],
  ['a relative folder', { action: command('ls', 'some/where') }, /^The folder some\/where is not absolute; give/],
  ['no folder', { action: command('ls', '') }, /is not absolute; give/],
  ['a folder with NUL', { action: command('ls', '/tmp\0') }, /no name of a folder; choose/],
  ['a folder with a long name', { action: command('ls', `/${'x'.repeat(300)}`) }, /a name that is too long; choose/],
  ['NUL in a script', { action: command('echo a\0; rm x', here) }, /has a NUL character in it.*; remove it/],
  [
    'a patch for no folder',
    { action: edit({ cwd: '/no/such', patch: { text: '', tool: 'patch', strip: 0 } }) },
    /\/no\/such does not exist/,
  ],
  ['calls for no folder', { action: edit({ cwd: '/no/such', calls: [] }) }, /\/no\/such does not exist/],
  ['a relative folder of an edit', { action: edit({ cwd: 'x' }) }, /^The folder x is not absolute/],
  [
    'a relative path of an edit',
    { action: edit({ changes: [{ path: 'x', after: '' }] }) },
    /^x is no absolute path; give/,
  ],
  [
    'a path of an edit with NUL',
    { action: edit({ operations: [{ kind: 'delete', path: '/x\0' }] }) },
    /no absolute path; give/,
  ],
  ['NUL in a variable', { env: { A: 'b\0c' } }, /^The variable A has a character.*; leave it out/],
  ['a variable with two names', { env: { 'A=B': 'c' } }, /^The variable A=B has a character/],
  ['a relative workspace folder', { workspaceFolders: ['/w', 'x'] }, /^The workspace folder x is not absolute; give/],
  ['a terminal without columns', { terminal: { columns: 0, rows: 24 } }, /not 0 and 24; give such a size/],
  ['a terminal of a negative size', { terminal: { columns: -1, rows: 24 } }, /not -1 and 24/],
  ['a terminal that is too large', { terminal: { columns: 80, rows: 1e9 } }, /not 80 and 1000000000/],
  ['half a column', { terminal: { columns: 1.5, rows: 1 } }, /not 1\.5 and 1/],
  ['a negative time limit', { limits: { wallMs: -5 } }, /^The time limit.* not -5\.$/],
  ['no time at all', { limits: { wallMs: 0 } }, /not 0\.$/],
  ['a time limit that is no number', { limits: { wallMs: Number.NaN } }, /not NaN\.$/],
  ['a time limit beyond every clock', { limits: { wallMs: 1e30 } }, /not 1e\+30\.$/],
  ['endless memory', { limits: { memoryBytes: Number.POSITIVE_INFINITY } }, /^The limit of memory.* not Infinity\.$/],
];

for (const [what, given, says] of bad)
  test(`refused with one sentence: ${what}`, () => {
    const { request, refused } = completeRequest({ action, signal, ...given }, false);
    assert.match(refused?.message ?? '', says);
    assert.match(refused?.message ?? '', /^[^\n]{10,300}\.$/);
    assert.ok(request.cwd.startsWith('/'));
  });

test('a folder that an earlier command of the session may have made is not looked for; a name that is none is refused', () => {
  const refusalOf = (cwd: string) => completeRequest({ action: command('ls', cwd), signal }, true).refused;
  assert.equal(refusalOf('/no/such'), undefined);
  assert.equal(refusalOf('such')?.code, 'no-folder');
});

test('programs that the user lets run have more time than inert ones', () => {
  const action = { kind: 'command', script: 'npm test', shell: 'bash', cwd: '/tmp' } as const;
  const signal = new AbortController().signal;
  const timesOf = (more: Partial<GivenRequest>) => {
    const { limits, inertMs } = completeRequest({ action, signal, ...more }, false).request;
    return [limits.wallMs, inertMs];
  };
  assert.deepEqual(timesOf({}), [10_000, 10_000]);
  assert.deepEqual(timesOf({ rehearsalMs: 60_000 }), [10_000, 10_000]);
  assert.deepEqual(timesOf({ openGate: true }), [120_000, 10_000]);
  assert.deepEqual(timesOf({ consent: { folder: '/tmp', programs: 'all' } }), [120_000, 10_000]);
  assert.deepEqual(timesOf({ openGate: true, rehearsalMs: 60_000 }), [60_000, 10_000]);
  // Who says one limit means it for both.
  assert.deepEqual(timesOf({ openGate: true, limits: { wallMs: 3_000 } }), [3_000, 3_000]);
  const { refused } = completeRequest({ action, signal, rehearsalMs: -1 }, false);
  assert.equal(refused?.code, 'bad-request');
});
