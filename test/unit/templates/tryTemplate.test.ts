import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { templateReport, templateTotals } from '../../../src/core/bench/templates/templateReport.ts';
import {
  spread,
  stepsToTry,
  type TriedStep,
  type TryTemplateOptions,
  triedTrajectory,
  tryTemplate,
} from '../../../src/core/bench/templates/tryTemplate.ts';
import type { ForetellPrediction, ForetellRequest } from '../../../src/core/foretell.ts';
import { allInWords } from '../../../src/core/prediction/factEvent.ts';
import { readTrajectory, trajectoryText } from '../../../src/core/trajectory/file/trajectoryFile.ts';
import { importTrajectory } from '../../../src/core/trajectory/importTrajectory.ts';
import { stepMessagesOf, stepsById, type TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';
import { imagineTurn } from '../../../src/core/worlds/language/imagine/imagineTurn.ts';
import type { LanguageRequest } from '../../../src/core/worlds/language/imagine/languageRequest.ts';
import { renderPrompt } from '../../../src/core/worlds/language/prompt/prompt.ts';
import { toAgentWorldRow } from '../../../src/core/worlds/language/prompt/promptRow.ts';
import { exampleTurns } from '../../../src/core/worlds/language/prompt/turns/exampleTurns.ts';
import type { Domain, Turn } from '../../../src/core/worlds/language/prompt/turns/turn.ts';
import { plainLooker } from '../../engine/plainLooker.ts';
import { setUp } from '../language/clientTools.ts';

const shipped = (domain: Domain) =>
  readFileSync(path.join(process.cwd(), 'prompts', domain, 'system_prompt.txt'), 'utf8');
const inTags = (text: string) => `<predicted_observation>\n${text}\n</predicted_observation>`;

/** The part of the engine that predicts turns, without a launcher. */
const foretell = {
  predict({ action, language, signal }: ForetellRequest): ForetellPrediction {
    assert.equal(action.kind, 'turn');
    const { events, view } = imagineTurn({ language, looker: plainLooker(), signal }, action as never);
    return { events: allInWords(events), view };
  },
};

const shell = (command: string): Turn['action'] => ({
  kind: 'tool',
  name: 'run_shell_command',
  arguments: { command },
});
const reply = (output: string, exitCode = 0) =>
  `Command: x\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${exitCode}`;

/** Rows as a benchmark has them, made by the renderer of prompts. */
function rows(domain: Domain, turns: Turn['action'][], observations: string[], values = {}): string {
  return turns
    .map((_, index) => {
      const before = turns.slice(0, index + 1).map((action, at): Turn => {
        const isLast = at === index;
        return {
          action,
          part: isLast ? 'action' : 'history',
          ...(isLast ? {} : { observation: observations[at] ?? '' }),
        };
      });
      const prompt = renderPrompt({
        ...{ domain, style: 'benchmark', dialect: 'qwen', template: shipped(domain), turns: before, values },
      });
      assert.ok(prompt.ok);
      const id = `${domain}-${index}`;
      return JSON.stringify(
        toAgentWorldRow({ domain, id, messages: prompt.messages, observation: observations[index] ?? '' }),
      );
    })
    .join('\n');
}

async function sourceOf(text: string, domain: Domain) {
  const imported = await importTrajectory(text, { fileName: `${domain}_test.jsonl` });
  assert.ok('steps' in imported);
  return { all: stepsById(imported.steps), steps: stepsToTry(imported.steps, domain) };
}

type Answer = (asked: string, system: string) => string;

async function bench(context: TestContext, answer: Answer, more: Partial<LanguageRequest> = {}) {
  const { provider, server } = await setUp(context, {
    dialect: 'vllm',
    answer(body) {
      const messages = body['messages'] as { role: string; content: string }[];
      return answer(messages.at(-1)?.content ?? '', messages[0]?.content ?? '');
    },
  });
  const language: LanguageRequest = { provider, templateFolders: [], ...more };
  const run = (of: Pick<TryTemplateOptions, 'all' | 'steps'>, text: string, rest: Partial<TryTemplateOptions> = {}) =>
    tryTemplate(
      {
        foretell,
        language,
        known: [shipped('swe'), shipped('mcp')],
        signal: new AbortController().signal,
        ...of,
        ...rest,
      },
      { name: 'mine', text },
    );
  return { server, run };
}

const source = () =>
  sourceOf(
    rows(
      'swe',
      [shell('ls'), shell('cat a'), shell('false')],
      [reply('a\nb'), reply('one\ntwo\nthree'), reply('(empty)', 1)],
    ),
    'swe',
  );

test('steps of a benchmark are asked with the template in the place of theirs, and scored', async (context) => {
  const of = await source();
  assert.equal(of.steps.length, 3);
  const { run, server } = await bench(context, (asked, system) => {
    assert.match(system, /^My own rules\n[\s\S]*run_shell_command/);
    assert.ok(!system.includes('{tool_definitions}'));
    if (/command\\?": \\?"ls/.test(asked)) return inTags(reply('a\nb'));
    if (/cat a/.test(asked)) return inTags(reply('one\n2\nthree\nthree'));
    return inTags(reply('(empty)', 0));
  });
  const done: string[] = [];
  const tried = await run(of, 'My own rules\n{tool_definitions}\n', { onDone: ({ step }) => done.push(step.id) });
  assert.equal(done.length, 3);
  assert.deepEqual(
    tried.map(({ step }) => step.id),
    of.steps.map(({ id }) => id),
  );
  const [ls, cat, no] = tried;
  assert.deepEqual([ls?.score?.score, ls?.score?.lines.exact, ls?.missing, ls?.extra], [1, true, [], []]);
  assert.deepEqual([cat?.missing, cat?.extra], [['two'], ['2', 'three']]);
  assert.deepEqual([no?.score?.exitCode.predicted, no?.score?.exitCode.truth], [0, 1]);
  // What stands before the turn is sent as the row has it.
  const bodies = server.completions().map(({ body }) => body?.['messages'] as { role: string; content: string }[]);
  assert.ok(
    bodies.some((messages) => messages.map(({ role }) => role).join() === 'system,user,assistant,user,assistant,user'),
  );
  const { attempt } = cat ?? assert.fail();
  assert.equal(attempt.template?.name, 'mine');
  assert.match(attempt.template?.sha256 ?? '', /^[0-9a-f]{64}$/);
  assert.equal(attempt.prediction?.text, reply('one\n2\nthree\nthree'));
  assert.equal(attempt.messages?.[0]?.content.startsWith('My own rules'), true);
});

test('values of other domains are read out of the kept prompt; without them a step says why it was not asked', async (context) => {
  const { action, values } = exampleTurns.mcp;
  const text = rows('mcp', [action], ['[]'], values);
  const of = await sourceOf(text, 'mcp');
  const { run, server } = await bench(context, (_, system) => {
    assert.ok(system.includes('list_events'));
    return inTags('[]');
  });
  const [found] = await run(of, 'T {tool_definitions} D {demonstrations}');
  assert.equal(found?.score?.score, 1);
  const asked = server.completions().length;
  const [unknown] = await run(of, 'T {tool_definitions}', { known: ['another one {tool_definitions}'] });
  assert.match(unknown?.reason ?? '', /^The step mcp\/mcp-0#1 was not asked: The template has \{tool_definitions\}/);
  assert.equal(server.completions().length, asked);
});

test('steps without a prompt are laid out anew, without secrets', async (context) => {
  const secret = 'ghp_0123456789abcdefghijABCDEFGHIJ012345';
  const step = (id: string, command: string, text: string, after?: string): TrajectoryStep => ({
    ...{
      version: 1,
      id,
      trajectory: 't',
      domain: 'swe',
      action: { kind: 'turn', domain: 'swe', turn: shell(command) },
    },
    ...(after === undefined ? {} : { after }),
    observation: { text: reply(text), basis: 'observed', source: 'foretell' },
  });
  const steps = [step('1', 'cat .env', `TOKEN=${secret}`), step('2', 'ls', 'a', '1')];
  const { run, server } = await bench(context, () => inTags(reply('a')));
  const all = stepsById(steps);
  const [, tried] = await run({ all, steps }, 'R {tool_definitions} {demonstrations}', { atOnce: 1 });
  assert.equal(tried?.score?.score, 1);
  const sent = server.completions().map(({ body }) => JSON.stringify(body));
  assert.equal(sent.length, 2);
  assert.ok(!sent.some((body) => body.includes(secret)));
  assert.ok(sent[1]?.includes('cat .env'));
});

test('a failing server leaves steps without an answer, counted as nothing, and an abort keeps what is done', async (context) => {
  const of = await source();
  const { run } = await bench(context, (asked) => (/cat a/.test(asked) ? 'x'.repeat(10) : inTags(reply('a\nb'))));
  const abort = new AbortController();
  const cut = await run(of, 'R', { atOnce: 1, signal: abort.signal, onDone: () => abort.abort() });
  assert.equal(cut.length, 1);
  const { run: broken } = await bench(context, () => '');
  const failed = await broken({ all: of.all, steps: of.steps.slice(0, 1) }, 'R');
  assert.match(failed[0]?.reason ?? '', /^\S.*; .*\.$/);
  assert.equal(templateTotals('x', failed).score, 0);
  assert.equal(templateTotals('x', failed).answered, 0);
});

test('what came is a trajectory: the first template as its prediction, the others beside it, with what was before', async (context) => {
  const of = await source();
  const last = of.steps.at(-1) ?? assert.fail();
  const { run } = await bench(context, () => inTags(reply('(empty)', 1)));
  const one = await run({ all: of.all, steps: [last] }, 'First');
  const two = await run({ all: of.all, steps: [last] }, 'Second');
  const steps = triedTrajectory(of.all, [one, two]);
  assert.equal(steps.length, 3, 'the steps before it belong to it');
  const file = readTrajectory(trajectoryText(steps));
  assert.ok(file.lines.every(({ kind }) => kind === 'step'));
  const kept = steps.find(({ id }) => id === last.id);
  assert.equal(kept?.messages?.[0]?.content, 'First');
  const prompts = kept?.others?.map((other) => stepMessagesOf(steps, other)?.[0]?.content.slice(0, 6));
  assert.deepEqual(prompts, ['Second', '# Role'], 'also the prompt that came with it');
  assert.equal(kept?.begins, undefined);
  assert.deepEqual(kept?.observation, last.observation);
  const scored = kept?.scores?.factual?.score;
  assert.equal(scored, 1);
  assert.ok(steps.filter(({ id }) => id !== last.id).every(({ messages, prediction }) => !messages && !prediction));
});

test('some of many steps are the same ones each time, evenly spread', () => {
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  assert.deepEqual(spread(numbers, 4), [0, 25, 50, 75]);
  assert.deepEqual(spread([1, 2], 5), [1, 2]);
  for (let most = 0; most <= 120; most += 7) {
    const taken = spread(numbers, most);
    assert.equal(taken.length, Math.min(most, 100));
    assert.equal(new Set(taken).size, taken.length);
  }
});

test('the report has totals, a line for each step, and the lines that differ, all of it text', async (context) => {
  const of = await source();
  const evil = '``` </td> | # [x](command:y)';
  const { run } = await bench(context, (_, system) => inTags(reply(system.startsWith('A') ? 'a\nb' : evil)));
  const versions: { name: string; tries: TriedStep[] }[] = [
    { name: 'A | *x*', tries: await run(of, 'A') },
    { name: 'B', tries: await run(of, 'B') },
  ];
  const report = templateReport({ source: 'swe_test.jsonl', domain: 'swe', versions, isCut: false });
  assert.match(report, /^- \*\*A\*\* `A \\\| \*x\*`$[\s\S]*^\| A +\| +0\.\d{3} \| +1 \| +3 of 3 \|/m);
  assert.match(report, /\| `swe\/swe-0#1` \| +1\.000 \| +0\.\d{3} \| −0\.\d{3} \|/);
  const fences = [...report.matchAll(/^(`{3,})diff\n([\s\S]*?)\n\1$/gm)];
  assert.ok(fences.length >= 3);
  const outside = report.replace(/^(`{3,})diff\n[\s\S]*?\n\1$/gm, '');
  assert.ok(!outside.includes('command:y'));
  assert.ok(fences.some((fence) => fence[2]?.includes(`+ ${evil}`)));
});
