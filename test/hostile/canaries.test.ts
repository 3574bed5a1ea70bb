import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { makeCanaries } from './canaries.ts';
import { availableIdentities } from './identity.ts';

// Whoever fails before canaries are taken away must neither wait for them nor leave them behind.
if (process.env['FORETELL_ROLE'] === 'forgetful') {
  const [identity] = availableIdentities();
  assert.ok(identity);
  const canaries = await makeCanaries(identity);
  await canaries.state();
  console.log(canaries.base);
} else {
  test('canaries that nobody takes away end with the process that made them', async () => {
    const child = spawn(process.execPath, [process.argv[1] ?? ''], {
      env: { ...process.env, FORETELL_ROLE: 'forgetful' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const limit = setTimeout(() => child.kill('SIGTERM'), 60_000);
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    const code = await new Promise((resolve) => child.once('close', (status, signal) => resolve(signal ?? status)));
    clearTimeout(limit);
    assert.equal(code, 0);
    const base = printed.trim();
    assert.match(base, /canaries-/);
    assert.equal(fs.existsSync(base), false);
  });
}
