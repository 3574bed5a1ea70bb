/**
 * `node test/bench.mjs modelOverhead`: what we add to the time of a model server. Option: `--rounds N` (default 40).
 *
 * - To the first token: time until the first text of a reply, through the client, less the same request through a bare
 *   `fetch`, each against a server on this machine that answers at once. Prompts of about 4,000 and 16,000 tokens.
 * - After the last reply: how long the rest of a pipeline and everything that is computed of it takes. This is the most that
 *   could be saved by handing the output of an imagined program on while the model still writes.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { CommandAction } from '../../src/core/action/action.ts';
import { createForetell } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { createOpenAiProvider } from '../../src/core/worlds/language/client/client.ts';
import type { ChatMessage } from '../../src/core/worlds/language/client/provider.ts';
import { startServer } from '../cassettes/server.ts';

const { values: flags } = parseArgs({ options: { rounds: { type: 'string', default: '40' } } });
const rounds = Number(flags.rounds);
const at = (values: readonly number[], share: number) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
/** Median, and the fastest tenth, which other work of the machine hardly touches. */
const both = (make: (share: number) => number) => `${make(0.5).toFixed(1)} (${make(0.1).toFixed(1)}) ms`;
const milliseconds = (values: readonly number[]) => both((share) => at(values, share));

const said = (output: string) =>
  `<predicted_observation>\nCommand: x\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: 0\n</predicted_observation>`;

await firstToken();
await afterReply();

async function firstToken(): Promise<void> {
  const server = await startServer({ dialect: 'vllm', replies: [said('a')] });
  const provider = createOpenAiProvider({ baseUrl: server.baseUrl });
  const { signal } = new AbortController();
  console.log('Median, and in brackets the fastest tenth.\n');
  console.log('| prompt | bare request | through the client | added |\n| --: | --: | --: | --: |');
  for (const tokens of [4_000, 16_000]) {
    const line = 'export const value = compute(input, 42);\n';
    const messages: ChatMessage[] = Array.from({ length: 20 }, (_, index) => ({
      role: index === 0 ? 'system' : index % 2 === 1 ? 'user' : 'assistant',
      content: line.repeat(Math.round(tokens / 20 / 10)),
    }));
    const bare: number[] = [];
    const ours: number[] = [];
    let body = '';
    for (let round = -5; round < rounds; round += 1) {
      const from = performance.now();
      for await (const event of provider.complete({ messages, signal })) {
        if (event.type === 'sent') body = JSON.stringify(event.body);
        if (event.type === 'content' || event.type === 'reasoning') {
          if (round >= 0) ours.push(performance.now() - from);
          break;
        }
      }
      const bareFrom = performance.now();
      const response = await fetch(`${server.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      });
      const reader = response.body?.getReader();
      await reader?.read();
      if (round >= 0) bare.push(performance.now() - bareFrom);
      await reader?.cancel();
    }
    console.log(
      `| ${tokens} tokens | ${milliseconds(bare)} | ${milliseconds(ours)} | ${both((share) => at(ours, share) - at(bare, share))} |`,
    );
  }
  await server.close();
}

async function afterReply(): Promise<void> {
  const server = await startServer({
    dialect: 'vllm',
    answer: (body) => (JSON.stringify(body).includes('mmin -1') ? said('(empty)') : said('b\na\nb')),
  });
  const cwd = mkdtempSync(join(tmpdir(), 'foretell-overhead-'));
  const foretell = createForetell({ launcher: launcherPath(resolve('dist')) });
  const provider = createOpenAiProvider({ baseUrl: server.baseUrl });
  const templateFolders = [{ source: 'shipped' as const, path: resolve('prompts') }];
  const rest: number[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const action: CommandAction = { kind: 'command', script: 'node list.js | sort | uniq -c', shell: 'bash', cwd };
    const { events, view } = foretell.predict({
      action,
      language: { provider, templateFolders },
      signal: new AbortController().signal,
    });
    let repliedAt = 0;
    for await (const event of events) if (event.type === 'reply') repliedAt = performance.now();
    if (round >= 0) rest.push(performance.now() - repliedAt);
    await view.close();
  }
  console.log(
    `\nFrom the last reply to the end of \`node list.js | sort | uniq -c\`: ${milliseconds(rest)} (${rounds} rounds).`,
  );
  await foretell.dispose();
  await server.close();
  rmSync(cwd, { recursive: true, force: true });
}
