import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import path from 'node:path';
import { describe, test } from 'node:test';
import { startServer } from '../cassettes/server.ts';

/** Runs the built command line with this on standard input. */
function run(args: string[], input: string) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(process.execPath, [path.resolve('dist/cli.js'), ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

const log = [
  { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_order', arguments: { id: 6 } } },
  { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: '{"id":6,"state":"sent"}' }] } },
  { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'get_order', arguments: { id: 7 } } },
];
const text = log.map((one) => `info ${JSON.stringify(one)}`).join('\n');

describe('what a tool call would return', () => {
  test('the last call of a log is predicted with the prompt of its domain and what came before', async (context) => {
    const bodies: string[] = [];
    const server = await startServer({
      dialect: 'vllm',
      answer(body) {
        bodies.push(JSON.stringify(body));
        return { content: '<predicted_observation>\n{"id":7,"state":"open"}\n</predicted_observation>' };
      },
    });
    context.after(() => server.close());
    const { code, stdout, stderr } = await run(['tool-result', '-', '--json', '--model-url', server.baseUrl], text);
    assert.equal(code, 0, stderr);
    const said = JSON.parse(stdout) as { output: { text: string; basis: string }[]; action: { domain: string } };
    assert.deepEqual(
      said.output.map(({ text: printed, basis }) => [printed.trim(), basis]),
      [['{"id":7,"state":"open"}', 'imagined']],
    );
    assert.equal(said.action.domain, 'mcp');
    const asked = bodies.find((body) => body.includes('get_order')) ?? '';
    assert.match(asked, /Model Context Protocol/);
    assert.match(asked, /\\"state\\":\\"sent\\"|state.{1,12}sent/);
  });

  test('without a model, without a call or with another domain it says what to do', () => {
    const cli = path.resolve('dist/cli.js');
    const said = (...args: string[]) =>
      spawnSync(process.execPath, [cli, 'tool-result', ...args], { input: 'no call', encoding: 'utf8' });
    assert.match(said('-').stderr, /needs a model/);
    const url = ['--model-url', 'http://127.0.0.1:9'];
    assert.match(said('-', ...url).stderr, /There is no tool call in this text/);
    assert.match(said('-', '--domain', 'email', ...url).stderr, /no domain called email; choose from mcp/);
    assert.equal(said('a', 'b', ...url).status, 64);
  });
});
