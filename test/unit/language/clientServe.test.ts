import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { test } from 'node:test';
import { createOpenAiProvider } from '../../../src/core/worlds/language/client/client.ts';
import { complete, endOf, textOf } from './clientTools.ts';

test('the cassette server runs as a process of its own, with a model in a function', async (context) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'foretell-serve-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  const script = path.join(folder, 'script.mjs');
  writeFileSync(script, `export default { dialect: 'sglang', answer: (body) => 'asked ' + body.messages.length };`);
  const child = spawn(process.execPath, ['test/cassettes/serve.mjs', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  const lines = readline.createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { baseUrl } = JSON.parse(String((await lines.next()).value)) as { baseUrl: string };
  const events = await complete(createOpenAiProvider({ baseUrl }));
  assert.equal(endOf(events), 'finished stop');
  assert.equal(textOf(events, 'content'), 'asked 2');
  const seen = JSON.parse(String((await lines.next()).value)) as { path: string };
  assert.equal(seen.path, '/v1/models');
  child.stdin.end();
  assert.equal(await ended, 0);
});
