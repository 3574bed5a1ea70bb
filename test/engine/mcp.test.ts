import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { gitSettings } from '../gitSettings.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';
import { cli, type McpAnswer, modernClient } from './mcpClient.ts';

const { workspace } = throwAwayForetell('mcp');

const secret = 'hunter2-and-more';

function project(): string {
  const folder = workspace({ 'f.txt': 'a\nb\nc\n', 'build/out': 'x\ny\n', '.env': `DB_PASSWORD=${secret}\n` });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, env: { ...process.env, ...gitSettings } });
  git('init', '-q');
  git('add', 'f.txt');
  git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'first');
  return folder;
}

/** Every file of a folder with its content. */
function stateOf(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .map((name) => `${name} ${fs.readFileSync(path.join(folder, name), 'base64')}`)
    .sort();
}

/** What is used of the official client. It is loaded by name: whoever only checks types need not have it. */
interface OfficialClient {
  connect(transport: unknown): Promise<void>;
  getServerVersion(): { name: string } | undefined;
  getInstructions(): string | undefined;
  listTools(): Promise<{ tools: { name: string; annotations?: { readOnlyHint?: boolean } }[] }>;
  callTool(
    call: { name: string; arguments: object },
    options?: { signal?: AbortSignal; onprogress?: (progress: { progress: number }) => void },
  ): Promise<{ content: { text: string }[]; structuredContent?: Record<string, unknown>; isError?: boolean }>;
  close(): Promise<void>;
}
type Constructor<T> = new (...args: object[]) => T;

async function officialClient(cwd: string, mode: 'legacy' | 'auto' | { pin: string }): Promise<OfficialClient> {
  const name = '@modelcontextprotocol/client';
  const { Client } = (await import(name)) as { Client: Constructor<OfficialClient> };
  const { StdioClientTransport } = (await import(`${name}/stdio`)) as { StdioClientTransport: Constructor<object> };
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp'], cwd }));
  return client;
}

for (const mode of ['legacy', 'auto', { pin: '2026-07-28' }] as const) {
  test(`the official client calls the tools, ${typeof mode === 'string' ? mode : mode.pin}`, async () => {
    const folder = project();
    const before = stateOf(folder);
    const client = await officialClient(folder, mode);
    try {
      assert.equal(client.getServerVersion()?.name, 'foretell');
      assert.match(client.getInstructions() ?? '', /Nothing is touched/);
      const { tools } = await client.listTools();
      assert.ok(tools.some(({ name }) => name === 'predict_command'));
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true));
      const command = { command: 'sed -i s/b/B/ f.txt && rm -rf build' };
      const { content, structuredContent, isError } = await client.callTool({
        name: 'predict_command',
        arguments: command,
      });
      assert.ok(!isError);
      const text = content[0]?.text ?? '';
      assert.match(text, /^DANGER Deletes 1 file with 2 uncommitted lines that exist nowhere else\.$/m);
      assert.match(text, /^Lost for good\n {2}build\/out {2}2 lines, untracked$/m);
      assert.match(text, /^ {2}M \[rehearsed\] f\.txt 6 B \+1 -1$/m);
      assert.match(text, /^@@ -1,3 \+1,3 @@\n a\n-b\n\+B\n c$/m);
      assert.match(text, /^exit code 0 · \[rehearsed\] · done/m);
      assert.ok(structuredContent);
      assert.equal(structuredContent['version'], 1);
      assert.equal((structuredContent['verdict'] as { level: string }).level, 'danger');
      assert.match(String(structuredContent['diff']), /^-b\n\+B$/m);
      // Arguments that are wrong are refused, and the connection goes on.
      await assert.rejects(
        client.callTool({ name: 'predict_command', arguments: { comand: 'ls' } }),
        (error: { code?: number; message: string }) =>
          error.code === -32602 && error.message.includes('has no argument comand'),
      );
      const missing = await client.callTool({
        name: 'predict_command',
        arguments: { command: 'ls', cwd: '/nowhere-x' },
      });
      assert.equal(missing.isError, true);
      assert.match(missing.content[0]?.text ?? '', /does not exist/);
    } finally {
      await client.close();
    }
    assert.deepEqual(stateOf(folder), before);
  });
}

/** The data of a result. */
function dataOf(result: McpAnswer['result']): Record<string, unknown> {
  assert.ok(result);
  return result['structuredContent'] as Record<string, unknown>;
}

test('a call that is called off is not answered, and the next one is', async () => {
  const client = modernClient(project());
  const slow = client.ask(
    'tools/call',
    { name: 'predict_command', arguments: { command: 'while :; do :; done' } },
    { id: 900 },
  );
  const fast = await client.ask('tools/call', { name: 'predict_command', arguments: { command: 'cat f.txt' } });
  assert.match(JSON.stringify(fast.result), /\\n {2}b\\n/);
  client.notify('notifications/cancelled', { requestId: 900 });
  const later = await client.ask('tools/call', { name: 'predict_command', arguments: { command: 'pwd' } });
  assert.equal(later.result?.['isError'], false);
  assert.equal(await Promise.race([slow, Promise.resolve('open')]), 'open');
  assert.equal(await client.end(), 0);
  assert.ok(client.lines.every((line) => (JSON.parse(line) as { id?: number }).id !== 900));
});

test('a session goes on from what its steps leave, and its handle is good once it is opened', async () => {
  const folder = project();
  const client = modernClient('/');
  const call = async (name: string, given: object) =>
    (await client.ask('tools/call', { name, arguments: given })) ?? {};
  const { result: first } = await call('predict_command', {
    command: 'mv f.txt g.txt; cd build; export GONE=1',
    cwd: folder,
    session: 'new',
  });
  const { handle, cwd } = dataOf(first)['session'] as { handle: string; cwd: string };
  assert.equal(cwd, `${folder}/build`);
  const { result: second } = await call('predict_command', {
    command: 'cat ../g.txt; echo "[$GONE]"; pwd',
    session: handle,
  });
  const { output, session } = dataOf(second) as {
    output: { text: string }[];
    session: { steps: number };
  };
  assert.equal(output.map(({ text }) => text).join(''), `a\nb\nc\n[]\n${folder}/build\n`);
  assert.equal(session.steps, 2);
  assert.equal((await call('close_session', { session: handle })).result?.['isError'], false);
  for (const [name, given] of [
    ['predict_command', { command: 'ls' }],
    ['close_session', {}],
  ] as const) {
    const { error } = await call(name, { ...given, session: handle });
    assert.equal(error?.code, -32602);
    assert.match(error?.message ?? '', /no open session/);
  }
  assert.equal(await client.end(), 0);
});

test('no secret is told, neither in the text nor in the data', async () => {
  const folder = project();
  const client = modernClient(folder);
  for (const [name, given] of [
    ['predict_command', { command: 'cat .env; cp .env copy.env; sed -i s/hunter2/other-than-before/ .env' }],
    ['predict_plan', { steps: [{ command: `export DB_PASSWORD=${secret}; cat .env > copy` }, { command: 'rm .env' }] }],
    [
      'predict_edit',
      { edit: { name: 'Write', arguments: { file_path: `${folder}/.env`, content: `DB_PASSWORD=${secret}2\n` } } },
    ],
  ] as const) {
    const { result } = await client.ask('tools/call', { name, arguments: given });
    assert.equal(result?.['isError'], false, JSON.stringify(result));
    assert.match(JSON.stringify(result), /\[redacted: /);
    assert.ok(!JSON.stringify(result).includes(secret), name);
  }
  assert.equal(await client.end(), 0);
});

test('it ends with its input: what is piped in is answered first, and nothing else is printed', async () => {
  const folder = project();
  const child = spawn(process.execPath, [cli, 'mcp'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const requests = [
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: {} },
    },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'explain_loss', arguments: { paths: ['f.txt', 'build', 'no'] } },
    },
  ];
  child.stdin.end(requests.map((request) => JSON.stringify(request)).join('\n'));
  const status = await new Promise((resolve) => child.once('close', resolve));
  assert.equal(status, 0);
  const answers = Buffer.concat(chunks)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    answers.map(({ id }) => id),
    [1, 2],
  );
  const { text } = answers[1].result.content[0];
  assert.match(text, /f\.txt: from commit [0-9a-f]+.*; git checkout [0-9a-f]+ -- .*f\.txt$/m);
  assert.match(text, /build: 1 would be lost for good\.\n {2}lost for good: .*build\/out \(2 lines, untracked\)$/m);
  assert.match(text, /no: nothing is there\.$/m);
});

test('it ends when it is told to, with what it started', async () => {
  const client = modernClient(project());
  await client.ask('server/discover');
  void client.ask('tools/call', { name: 'predict_command', arguments: { command: 'while :; do :; done' } });
  await client.ask('tools/list');
  const exited = new Promise((resolve) => client.child.once('exit', resolve));
  client.child.kill('SIGTERM');
  assert.equal(await exited, 0);
});
