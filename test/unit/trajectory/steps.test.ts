import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreAttempt, verdictOf } from '../../../src/core/bench/score/scoreStep.ts';
import { answerGroups } from '../../../src/core/trajectory/attempts/answerGroups.ts';
import {
  allAttempts,
  attemptsChange,
  promptChange,
  withWholePrompt,
} from '../../../src/core/trajectory/attempts/keptAttempts.ts';
import { changedLine, lineSplices } from '../../../src/core/trajectory/file/lineEdit.ts';
import { readTrajectoryLine, stepLine } from '../../../src/core/trajectory/file/trajectoryFile.ts';
import { placesOf, trajectoryRows } from '../../../src/core/trajectory/file/trajectoryRows.ts';
import { actionText, actionTitle, withActionText } from '../../../src/core/trajectory/step/actionText.ts';
import {
  type StepAttempt,
  stepMessagesOf,
  stepsById,
  type TrajectoryStep,
} from '../../../src/core/trajectory/step/step.ts';
import { createStepSearch, passes } from '../../../src/core/trajectory/step/stepFilter.ts';
import { stepPrompt } from '../../../src/core/trajectory/step/stepPrompt.ts';
import { summarizeLine } from '../../../src/core/trajectory/step/summarizeLine.ts';
import { factsOfText } from '../../../src/core/trajectory/step/turnOfStep.ts';
import { seeded } from '../language/seeded.ts';

const reply = (output: string, exitCode = 0) =>
  `Command: x\nDirectory: (root)\nOutput: ${output}\nError: (none)\nExit Code: ${exitCode}`;

function stepOf(id: string, script: string, more: Partial<TrajectoryStep> = {}): TrajectoryStep {
  const action = { kind: 'command' as const, script, shell: 'bash' as const, cwd: '/w' };
  return { version: 1, id, trajectory: 't', domain: 'swe', action, ...more };
}

function attempt(step: TrajectoryStep, text: string): StepAttempt {
  return { prediction: { ...factsOfText(step, text, 'imagined'), engine: 'language', ending: 'done', text } };
}

const observed = (text: string) => ({ observation: { text, basis: 'observed' as const } });
const summary = (step: TrajectoryStep) => summarizeLine(readTrajectoryLine(stepLine(step)), verdictOf);

test('a prediction is compared part by part, and only in what an observation can say', () => {
  const step = stepOf('1', 'ls', observed(reply('a\nb')));
  const scoreOf = (text: string) => scoreAttempt(step, attempt(step, text));
  assert.equal(scoreOf(reply('a\nb'))?.score, 1);
  assert.equal(scoreOf(reply('a\nb', 2))?.exitCode.same, false);
  assert.deepEqual(scoreOf(reply('a\nc'))?.lines, { truth: 2, matched: 1, extra: 1, recall: 0.5, exact: false });
  // The engine saw a file too; nobody asked the model for it.
  const file = { path: '/w/a', change: 'created', type: 'file', mode: '0644', sizeBytes: 1, volatile: false } as const;
  const facts = { ...factsOfText(step, reply('a\nb'), 'rehearsed'), files: [{ ...file, basis: 'rehearsed' as const }] };
  const rehearsed = stepOf('1', 'ls', { observation: { text: reply('a\nb'), basis: 'rehearsed', facts } });
  assert.equal(scoreAttempt(rehearsed, attempt(rehearsed, reply('a\nb')))?.score, 1);
  assert.equal(scoreAttempt(stepOf('1', 'ls'), attempt(step, 'x')), undefined);
});

test('a predicted screen is compared with what a command printed, not with prompts', () => {
  const facts = {
    output: [{ stream: 'stdout' as const, text: 'a\nb\n', basis: 'observed' as const }],
    exitCode: 0,
    files: [],
    effects: [],
  };
  const step = stepOf('1', 'ls', {
    domain: 'terminal',
    observation: { text: 'a\nb\n', basis: 'observed', facts, known: ['output', 'exitCode'] },
  });
  const score = scoreAttempt(step, attempt(step, 'user@host:/w$ ls\na\nb\nuser@host:/w$'));
  assert.deepEqual([score?.score, score?.lines.exact, score?.exitCode.truth], [1, true, undefined]);
});

test('a summary says how a step stands', () => {
  const step = stepOf('1', 'ls\n-la', observed(reply('a')));
  const statusOf = (more: Partial<TrajectoryStep>) => {
    const line = summary({ ...step, ...more });
    return line.kind === 'step' ? line.status : line.kind;
  };
  const failed = { output: [], files: [], effects: [], engine: 'language', ending: 'failed' as const };
  assert.equal(statusOf({}), 'unpredicted');
  assert.equal(statusOf(attempt(step, reply('a'))), 'agrees');
  assert.equal(statusOf(attempt(step, reply('b'))), 'differs');
  assert.equal(statusOf({ prediction: failed }), 'failed');
  assert.equal(statusOf({ prediction: { ...failed, ending: 'abstained' } }), 'unknown');
  const line = summary({ ...step, ...attempt(step, reply('a', 3)) });
  assert.ok(line.kind === 'step');
  assert.deepEqual([line.title, line.predictedExit, line.trueExit, line.canRehearse], ['ls ⏎ -la', 3, 0, true]);
  assert.equal(passes(line, 'wrongExit', false), true);
  assert.equal(passes(line, 'noObservation', false), false);
  assert.equal(passes(line, 'edited', true), true);
});

test('bad lines stand where they are in the file, also those with an id that is taken', () => {
  const lines = [
    stepLine(stepOf('1', 'a')),
    '{"broken',
    stepLine(stepOf('2', 'b', { after: '1' })),
    '',
    stepLine(stepOf('1', 'c')),
  ];
  const read = lines.map((text) => summarizeLine(readTrajectoryLine(text), verdictOf));
  const rows = trajectoryRows(read, placesOf(read), { filters: [] });
  assert.deepEqual(
    rows.map((row) => [row.kind, row.index]),
    [
      ['step', 0],
      ['bad', 1],
      ['step', 2],
      ['bad', 4],
    ],
  );
  assert.match(rows[3]?.kind === 'bad' ? rows[3].problem : '', /The id 1 stands on line 1 already/);
  assert.deepEqual(trajectoryRows(read, placesOf(read), { filters: ['bad'] }).length, 2);
  assert.deepEqual(trajectoryRows(read, placesOf(read), { filters: [], found: new Set([2]) }).length, 1);
});

test('several trajectories have headings', () => {
  const steps = [
    stepOf('1', 'a'),
    stepOf('2', 'b', { trajectory: 'u' }),
    stepOf('3', 'c', { trajectory: 'u', after: '2' }),
  ];
  const read = steps.map(summary);
  const rows = trajectoryRows(read, placesOf(read), { filters: [] });
  assert.deepEqual(
    rows.map((row) => (row.kind === 'trajectory' ? `${row.name} ${row.turns}` : row.index)),
    ['t 1', 0, 'u 2', 1, 2],
  );
});

test('answers that say the same are one group, the largest first, failures last', () => {
  const step = stepOf('1', 'ls');
  const failed = {
    prediction: { output: [], files: [], effects: [], engine: 'language', ending: 'failed' as const, reason: 'no' },
  };
  const attempts = [reply('b'), reply('a'), `${reply('a')}\nSignal: (none)`, reply('a', 1)].map((text) =>
    attempt(step, text),
  );
  const groups = answerGroups([...attempts, failed, {}]);
  assert.deepEqual(
    groups.map(({ attempts: of, failed: isFailed }) => [of, isFailed]),
    [
      [[1, 2], false],
      [[0], false],
      [[3], false],
      [[4], true],
    ],
  );
  assert.equal(groups[3]?.text, 'no');
  assert.deepEqual(
    groups.map(({ line }) => line),
    ['a', 'b', 'a', 'no'],
  );
});

test('an action is edited as a text and comes back; what is none is refused with a sentence', () => {
  const command = stepOf('1', 'ls').action;
  assert.deepEqual(withActionText(command, 'pwd'), { ok: true, action: { ...command, script: 'pwd' } });
  assert.match((withActionText(command, ' ') as { message: string }).message, /empty; type/);
  const tool = {
    kind: 'turn' as const,
    domain: 'swe',
    turn: { kind: 'tool' as const, name: 'run_shell_command', arguments: { command: 'ls', directory: '/w' } },
  };
  assert.deepEqual(actionText(tool), { text: 'ls', form: 'shell' });
  const other = withActionText(tool, 'pwd');
  assert.ok(other.ok && other.action.kind === 'turn' && other.action.turn.kind === 'tool');
  assert.deepEqual(other.action.turn.arguments, { command: 'pwd', directory: '/w' });
  const keys = {
    kind: 'turn' as const,
    domain: 'terminal',
    turn: { kind: 'keystrokes' as const, keystrokes: [{ keystrokes: 'ls\n', duration: 1 }] },
  };
  assert.deepEqual(withActionText(keys, actionText(keys).text), { ok: true, action: keys });
  assert.match((withActionText(keys, '[{}]') as { message: string }).message, /no such action/);
  assert.match((withActionText(keys, '[') as { message: string }).message, /not JSON/);
  const read = {
    kind: 'turn' as const,
    domain: 'swe',
    turn: { kind: 'tool' as const, name: 'read_file', arguments: { absolute_path: '/w/a' } },
  };
  assert.equal(actionTitle(read), 'read_file /w/a');
});

test('a search finds what people read, in whatever case and however it is written', () => {
  const step = stepOf('1', 'echo "Grüße"', { ...observed('Zeile 1\nZeile "2"'), reply: undefined as never });
  const text = stepLine(stepOf('1', 'echo "Grüße"', observed('Zeile 1\nZeile "2"')));
  const finds = (query: string, line = text) => createStepSearch(query).finds(line, () => step);
  assert.ok(finds('grüße') && finds('zeile "2"') && finds('1\nZeile'));
  assert.ok(!finds('basis') && !finds('version'), 'names of fields are not found');
  const ascii = text.replace(/[^\u0020-\u007e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  assert.ok(finds('grüße', ascii));
});

test('a changed line keeps every field that it does not change', () => {
  const text =
    '{"version":1,"id":"1","trajectory":"t","domain":"swe","mine":{"a":[1]},"action":{"kind":"command","script":"ls","shell":"bash","cwd":"/w","more":2},"note":"n"}';
  const changed = JSON.parse(changedLine(text, { note: undefined, state: 's' }));
  assert.deepEqual([changed.mine, changed.action.more, changed.state, 'note' in changed], [{ a: [1] }, 2, 's', false]);
});

test('splices make the old lines the new ones, and touch few', () => {
  const { below } = seeded(3);
  assert.deepEqual(lineSplices(['a', 'b', 'c', 'd'], ['a', 'X', 'c', 'Y']), [
    { start: 3, removed: 1, end: 4 },
    { start: 1, removed: 1, end: 2 },
  ]);
  for (let round = 0; round < 500; round++) {
    const before = Array.from({ length: below(8) }, () => String(below(3)));
    const after = Array.from({ length: below(8) }, () => String(below(3)));
    const lines = [...before];
    for (const { start, removed, end } of lineSplices(before, after))
      lines.splice(start, removed, ...after.slice(start, end));
    assert.deepEqual(lines, after);
  }
});

test('prompts are kept once: what a step shares with the one before, and a try with the step', () => {
  const message = (content: string) => ({ role: 'user' as const, content });
  const first = stepOf('1', 'a', { messages: [message('system'), message('one')] });
  const second = stepOf('2', 'b', { after: '1' });
  const whole = [message('system'), message('one'), message('two')];
  const change = attemptsChange(second, { messages: whole }, [{ messages: whole, model: 'x' }], {
    id: '1',
    messages: first.messages ?? [],
  });
  const kept = JSON.parse(changedLine(stepLine(second), change)) as TrajectoryStep;
  assert.deepEqual(kept.messages, [message('two')]);
  assert.deepEqual(kept.others?.[0]?.messages, []);
  const steps = stepsById([first, kept]);
  for (const one of allAttempts(kept)) assert.deepEqual(stepMessagesOf(steps, one), whole);
  assert.deepEqual(withWholePrompt(kept.others?.[0] ?? {}, steps), { model: 'x', messages: whole });
  // The prompt before becomes another one: the step that begins with it has its own from then on.
  assert.equal(
    promptChange(kept, steps, { id: '1', messages: [message('system'), message('one'), message('new')] }),
    undefined,
  );
  const moved = promptChange(kept, steps, { id: '1', messages: [message('system'), message('other')] });
  assert.deepEqual(moved, { begins: { step: '1', count: 1 }, messages: [message('one'), message('two')] });
});

test('the prompt of a step is its branch; an observation from before an edit gives way to what was predicted', async () => {
  const first = stepOf('1', 'a', {
    ...observed('real'),
    prediction: {
      ...factsOfText(stepOf('1', 'a'), 'x', 'imagined'),
      engine: 'language',
      ending: 'done',
      text: 'imagined',
    },
  });
  const path = (isOld: boolean) => [
    { step: first, observationIsOld: isOld },
    {
      step: stepOf('2', 'curl -H "Authorization: Bearer sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD"'),
      observationIsOld: false,
    },
  ];
  const promptOf = async (isOld: boolean) => {
    const prompt = await stepPrompt({ path: path(isOld), restsOnEdited: false });
    assert.ok('turns' in prompt);
    return prompt.turns;
  };
  assert.deepEqual(
    (await promptOf(false)).map(({ observation, part }) => [observation, part]),
    [
      ['real', 'history'],
      [undefined, 'action'],
    ],
  );
  assert.equal((await promptOf(true))[0]?.observation, 'imagined');
  assert.doesNotMatch(JSON.stringify(await promptOf(false)), /abcdefghijklmnopqrstuvwxyz/);
});

test('a prompt that came with a step is sent as it came, or with what was asked for', async () => {
  const messages = [
    { role: 'system' as const, content: 'be the shell' },
    { role: 'user' as const, content: '### Turn 3\n**Action:**\nls' },
  ];
  const step = stepOf('1', 'ls', { domain: 'terminal', ...observed('x') });
  const path = [{ step, observationIsOld: false }];
  assert.deepEqual(await stepPrompt({ path, messages, restsOnEdited: false }), { messages });
  const under = await stepPrompt({
    path,
    messages,
    restsOnEdited: false,
    template: 'T',
    conditions: { freeText: 'It rains.' },
  });
  assert.ok('messages' in under);
  assert.match(under.messages[0]?.content ?? '', /^T\n\n# Conditions[\s\S]*It rains\.$/);
  const edited = await stepPrompt({
    path: [{ step: stepOf('1', 'pwd', { domain: 'terminal' }), observationIsOld: false }],
    messages,
    restsOnEdited: true,
  });
  assert.ok('messages' in edited);
  assert.match(edited.messages[1]?.content ?? '', /^### Turn 3\n[\s\S]*pwd\\n[\s\S]*predicted_observation/);
});
