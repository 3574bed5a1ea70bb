// The guide as a person sees it: it lists the server that runs here, tries it, and says what came of it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { personAt, until } from '../support/outside.mjs';

const tests = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

export async function drive(host) {
  const { words } = host;
  const person = personAt(host);
  const server = await startServer();
  try {
    await person.started();
    await person.runCommand('foretell.connectModel');
    await until('the server', async () =>
      (await words.texts('.quick-input-list .monaco-list-row')).some((row) => row.includes(server.place)),
    );
    await person.picture('connect-model');
    await words.click(`.quick-input-list .monaco-list-row:has-text("${server.place}")`);
    const said = await person.notified(/is connected/);
    assert.match(said, /It imagined “1 2 3” for “seq 3” in \d+\.\d s\./);
    await person.picture('connected-model');

    await person.runCommand('foretell.setApiKey');
    await until('the input', async () => (await words.count('.quick-input-widget input[type=password]')) > 0);
    await words.press('Escape');
  } finally {
    server.stop();
  }
}

/** The first usual port that is free. */
async function startServer() {
  for (const port of [8000, 30_000, 8080, 1234]) {
    const child = spawn(
      process.execPath,
      [path.join(tests, 'cassettes/serve.mjs'), path.join(tests, 'host/support/seqModel.mjs')],
      { stdio: ['pipe', 'pipe', 'ignore'], env: { ...process.env, FORETELL_MODEL_PORT: String(port) } },
    );
    const line = await new Promise((resolve) => {
      child.stdout.once('data', (data) => resolve(String(data)));
      child.once('close', () => resolve(''));
    });
    if (line.includes('baseUrl')) return { place: `127.0.0.1:${port}`, stop: () => child.stdin.end() };
  }
  throw new Error('no usual port is free');
}
