import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';

/**
 * Runs a test file once more, in namespaces of its own, and fails where it fails. `file`: the test file as it is run; it finds
 * `FORETELL_OWN_NETWORK` there. `namespaces`: options of unshare(1). `prepare`: shell words that are run before.
 */
export async function runInNamespaces(file: string, namespaces: readonly string[], prepare: string): Promise<void> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const script = `${prepare}; exec "$0" --test-reporter=spec "$1"`;
  const child = spawn('unshare', [...namespaces, 'sh', '-c', script, process.execPath, file], {
    env: { ...env, FORETELL_OWN_NETWORK: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (output += piece));
  const status = await new Promise((resolve) => child.on('close', resolve));
  if (process.env['FORETELL_VERBOSE']) console.error(output);
  assert.equal(status, 0, output.slice(output.indexOf('failing tests')).slice(0, 8_000));
}
