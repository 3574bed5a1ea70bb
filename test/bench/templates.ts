/**
 * `node test/bench.mjs templates`: what the help with prompts costs. How long a look at a template takes; how long a
 * preview takes from the change of the text to the whole prompt, with the context of a real workspace; what counting the
 * blocks costs: calls, and time to the first piece of the reply with and without it.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CommandAction } from '../../src/core/action/action.ts';
import { templateReport } from '../../src/core/bench/templates/templateReport.ts';
import { type TriedStep, tryTemplate } from '../../src/core/bench/templates/tryTemplate.ts';
import { createForetell, foldAll } from '../../src/core/foretell.ts';
import { launcherPath } from '../../src/core/launcherPath.ts';
import { stepsById, type TrajectoryStep } from '../../src/core/trajectory/step/step.ts';
import { createOpenAiProvider } from '../../src/core/worlds/language/client/client.ts';
import { createPreviewProvider } from '../../src/core/worlds/language/template/previewProvider.ts';
import { lintTemplate } from '../../src/core/worlds/language/template/templateLint.ts';
import { templateSections } from '../../src/core/worlds/language/template/templateSections.ts';
import { startServer } from '../cassettes/server.ts';

const never = new AbortController().signal;
const prompts = path.resolve('prompts');
const template = readFileSync(path.join(prompts, 'swe/system_prompt.txt'), 'utf8');

process.exitCode = await main();

async function main(): Promise<number> {
  const base = mkdtempSync(path.join(tmpdir(), 'foretell-templates-'));
  const cwd = path.join(base, 'harbour');
  execFileSync(process.execPath, ['src/tools/sampleProject.mjs', cwd]);
  const foretell = createForetell({ launcher: launcherPath(path.resolve('dist')) });
  try {
    const large = template.repeat(Math.ceil(500_000 / template.length));
    print('look at the shipped template', await times(200, () => lintTemplate(template, 'swe')));
    print('look at one of 500 kB', await times(5, () => lintTemplate(large, 'swe')));
    print('its parts', await times(5, () => templateSections(large)));

    const action: CommandAction = { kind: 'command', script: 'npm run build', shell: 'bash', cwd };
    const common = { templateFolders: [{ source: 'shipped' as const, path: prompts }], mostQuestions: 1 };
    let round = 0;
    const preview = await times(20, async () => {
      round += 1;
      const templates = { swe: `${template}\n${round}\n` };
      const language = { ...common, provider: createPreviewProvider(), templates };
      const { events, view } = foretell.predict({ action, workspaceFolders: [cwd], language, signal: never });
      const { questions } = await foldAll(action, events);
      await view.close();
      if (questions.length === 0) throw new Error('no prompt was rendered');
    });
    print('preview of a command with its context', preview);

    for (const countsBlocks of [false, true]) {
      const content = '<predicted_observation>\nok\n</predicted_observation>';
      const server = await startServer({ dialect: 'vllm', replies: [content] });
      const provider = createOpenAiProvider({ baseUrl: server.baseUrl });
      await provider.status(never);
      const first: number[] = [];
      for (let count = 0; count < 30; count++) {
        const language = { ...common, provider, countsBlocks };
        const { events, view } = foretell.predict({ action, workspaceFolders: [cwd], language, signal: never });
        const { questions } = await foldAll(action, events);
        await view.close();
        first.push(questions[0]?.reply?.firstTokenMs ?? Number.NaN);
      }
      const calls = server.requests.filter(({ path: asked, body }) => asked === '/tokenize' && body?.['prompt']).length;
      print(`first piece of a reply, ${countsBlocks ? 'counting' : 'not counting'} blocks`, first);
      console.log(`  ${calls - 1} texts were counted for 30 predictions`);
      await server.close();
    }
    await manySteps(foretell);
    return 0;
  } finally {
    await foretell.dispose();
    rmSync(base, { recursive: true, force: true });
  }
}

/** Steps on a server of 100 ms latency, four and sixteen at once, against the ideal. */
async function manySteps(foretell: ReturnType<typeof createForetell>): Promise<void> {
  const steps = Array.from({ length: 100 }, (_, index): TrajectoryStep => {
    const command = { command: `echo ${index}` };
    const turn = { kind: 'tool' as const, name: 'run_shell_command', arguments: command };
    return {
      ...{ version: 1, id: String(index), trajectory: String(index), domain: 'swe' },
      action: { kind: 'turn', domain: 'swe', turn },
      observation: { text: `Output: ${index}`, basis: 'observed', source: 'agentworldbench' },
    };
  });
  const server = await startServer({
    dialect: 'vllm',
    answer: async () => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      return '<predicted_observation>\nOutput: 1\nExit Code: 0\n</predicted_observation>';
    },
  });
  const provider = createOpenAiProvider({ baseUrl: server.baseUrl });
  const language = { provider, templateFolders: [] };
  for (const atOnce of [4, 16]) {
    const startedAt = performance.now();
    const tries: TriedStep[] = await tryTemplate(
      { foretell, language, all: stepsById(steps), steps, known: [], signal: never, atOnce },
      { name: 'shipped', text: template },
    );
    const took = performance.now() - startedAt;
    const ideal = (steps.length / atOnce) * 100;
    console.log(`${tries.length} steps, ${atOnce} at once: ${took.toFixed(0)} ms, ideal ${ideal} ms`);
    templateReport({ source: 'x', domain: 'swe', versions: [{ name: 'shipped', tries }], isCut: false });
  }
  await server.close();
}

async function times(count: number, work: () => unknown): Promise<number[]> {
  const took: number[] = [];
  for (let index = 0; index < count; index++) {
    const startedAt = performance.now();
    await work();
    took.push(performance.now() - startedAt);
  }
  return took;
}

function print(what: string, took: readonly number[]): void {
  const sorted = [...took].sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(1);
  console.log(`${what}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms (${took.length} times)`);
}
