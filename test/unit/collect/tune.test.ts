import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, test } from 'node:test';
import { type TuneReport, tune } from '../../../src/core/bench/templates/tune.ts';
import { tuneCsv, tuneMarkdown, tuneText } from '../../../src/core/bench/templates/tuneText.ts';
import { createForetell } from '../../../src/core/foretell.ts';
import { launcherPath } from '../../../src/core/launcherPath.ts';
import type { TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';
import { createOpenAiProvider } from '../../../src/core/worlds/language/client/client.ts';
import { renderShellReply } from '../../../src/core/worlds/language/prompt/turns/turnTextShell.ts';
import { startServer } from '../../cassettes/server.ts';
import { makeFolder, seen } from '../loop/loopFixture.ts';

const reply = (command: string, stdout: string) => renderShellReply('qwen', { command, stdout, exitCode: 0 });

function step(id: string, command: string, stdout: string, folder: string): TrajectoryStep {
  return {
    version: 1,
    id,
    trajectory: id,
    domain: 'swe',
    action: {
      kind: 'turn',
      domain: 'swe',
      cwd: folder,
      turn: { kind: 'tool', name: 'run_shell_command', arguments: { command } },
    },
    observation: { text: reply(command, stdout), basis: 'rehearsed' },
  };
}

describe('tuning a prompt', () => {
  test('variants × commands × models, scored against the truth', async (context) => {
    const folder = makeFolder(context);
    const server = await startServer({
      dialect: 'vllm',
      models: ['good', 'bad'],
      answer(body) {
        const messages = body['messages'] as { content: string }[];
        const last = messages.at(-1)?.content ?? '';
        const command = last.includes('cat b.txt') ? 'cat b.txt' : 'wc -l a.txt';
        const truth = command === 'cat b.txt' ? 'gamma\n' : '2 a.txt\n';
        const isMine = messages[0]?.content.startsWith('My own template') === true;
        if (body['model'] === 'bad')
          return command === 'cat b.txt' ? seen('[[unknown: no idea]]') : seen(reply(command, '3 `a.txt`\n'));
        return seen(reply(command, isMine ? truth : 'gamma\nand more\n'));
      },
    });
    context.after(() => server.close());
    const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')), spareLaunchers: 0 });
    context.after(() => foretell.dispose());
    const language = { templateFolders: [{ source: 'shipped' as const, path: path.resolve('prompts') }] };
    const steps = [step('one', 'cat b.txt', 'gamma\n', folder), step('two', 'wc -l a.txt', '2 a.txt\n', folder)];
    const { observation: _, ...silent } = step('three', 'ls', '', folder);
    const report: TuneReport = await tune({
      foretell,
      steps: [...steps, silent],
      variants: [
        { name: 'shipped', language },
        { name: 'mine', language, template: 'My own template {braces}', isGrounded: false },
      ],
      models: ['good', 'bad'].map((name) => ({
        name,
        provider: createOpenAiProvider({ baseUrl: server.baseUrl, model: name }),
      })),
      signal: new AbortController().signal,
    });
    assert.equal(report.cells.length, 8);
    assert.deepEqual(
      report.leftOut.map(({ step: id }) => id),
      ['three'],
    );
    const [best] = report.summaries;
    assert.deepEqual(
      [best?.variant, best?.model, best?.exact, best?.answered, best?.score?.mean],
      ['mine', 'good', 2, 2, 1],
    );
    const bad = report.summaries.find(({ variant, model }) => variant === 'mine' && model === 'bad');
    assert.deepEqual([bad?.answered, bad?.asked], [1, 2]);
    assert.ok((bad?.score?.mean ?? 1) < 0.5, 'what is not answered counts as 0');
    const grounded = server.completions().filter(({ body }) => JSON.stringify(body).includes('a.txt'));
    assert.ok(grounded.length >= 4);
    const text = tuneText(report, { mostCells: 10, mostLines: 10 });
    assert.match(text, /^variant +model +score/);
    assert.match(text, /- Output: 3 `a\.txt`\n +\+ Output: 2 a\.txt/);
    assert.match(text, /unknown/);
    const markdown = tuneMarkdown(report, { mostCells: 10, mostLines: 10 });
    assert.match(markdown, /\| mine \| good \| 100\.0/);
    assert.match(markdown, /```diff\n/);
    const csv = tuneCsv(report);
    assert.equal(
      csv.split('\r\n')[0],
      'step,domain,command,variant,model,outcome,score,exact,line_recall,exit_code_same,prompt_tokens,completion_tokens,duration_ms,difference',
    );
    assert.match(csv, /\r\none,swe,cat b\.txt,mine,good,answered,1\.0000,true,/);
  });
});
