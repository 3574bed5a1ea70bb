import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkTrajectory,
  lineOf,
  readTrajectory,
  stepLine,
  stepsOf,
  trajectoryText,
  writeTrajectory,
} from '../../../src/core/trajectory/file/trajectoryFile.ts';
import { stepMessagesOf, type TrajectoryStep } from '../../../src/core/trajectory/step/step.ts';
import { seeded } from '../language/seeded.ts';

const step = (more: Partial<TrajectoryStep> = {}): TrajectoryStep => ({
  version: 1,
  id: 's1',
  trajectory: 't',
  domain: 'terminal',
  action: { kind: 'command', script: 'ls', shell: 'bash', cwd: '/w' },
  ...more,
});

test('any text comes back byte for byte, whatever its lines are', () => {
  const line = stepLine(step());
  const parts = [
    '\n',
    '\r\n',
    '\r',
    '\ufeff',
    ' ',
    '\t',
    '{',
    '}',
    '[]',
    'null',
    '"a',
    '\u2028',
    '\u0000',
    '\ud83d\ude00',
    line,
  ];
  for (let seed = 1; seed <= 3_000; seed++) {
    const { text } = seeded(seed);
    const file = text(parts, 14);
    assert.equal(writeTrajectory(readTrajectory(file)), file, JSON.stringify(file));
  }
});

test('line breaks of either kind, a byte order mark and a missing last break stay', () => {
  const line = stepLine(step());
  for (const text of [
    '',
    '\n',
    line,
    `${line}\r\n${line}\n${line}`,
    `\ufeff${line}\r\n`,
    `${line}\n\n\r\n`,
    '\ufeff',
  ]) {
    const file = readTrajectory(text);
    assert.equal(writeTrajectory(file), text);
    assert.equal(file.lines.filter(({ kind }) => kind === 'bad').length, 0);
  }
  assert.equal(stepsOf(readTrajectory(`\ufeff${line}\r\n${line}\n`)).length, 2);
});

test('a line that was changed takes the line break of its file, the others stay as they stood', () => {
  const odd =
    '{ "version":1, "id":"x" ,"trajectory":"t","domain":"swe","action":{"kind":"turn","domain":"swe","turn":{"kind":"text","text":"é"}}}';
  const file = readTrajectory(`${stepLine(step())}\r\n${odd}\n  \r\nnot json\r\n`);
  assert.deepEqual(
    file.lines.map(({ kind }) => kind),
    ['step', 'step', 'blank', 'bad'],
  );
  file.lines[0] = lineOf(step({ note: 'mine' }));
  assert.equal(writeTrajectory(file), `${stepLine(step({ note: 'mine' }))}\r\n${odd}\n  \r\nnot json\r\n`);
});

test('fields of later versions are kept at every depth when a step is written anew', () => {
  const later = {
    ...step(),
    ownField: { deep: [1, null] },
    nothing: null,
    action: {
      kind: 'turn',
      domain: 'swe',
      turn: { kind: 'tool', name: 'Read', arguments: { a: 1 }, id: 'c1' },
      extra: true,
    },
    observation: { text: 'x', basis: 'observed', more: { a: 'b' } },
    messages: [{ role: 'user', content: 'q', name: 'me' }],
  };
  const [read] = stepsOf(readTrajectory(JSON.stringify(later)));
  assert.ok(read);
  assert.deepEqual(JSON.parse(stepLine(read)), later);
});

test('fields stand in the same order however a step was made', () => {
  const one = step({ note: 'n', after: 's0' });
  const other = {
    note: 'n',
    action: one.action,
    after: 's0',
    domain: 'terminal',
    trajectory: 't',
    id: 's1',
    version: 1 as const,
  };
  assert.equal(stepLine(one), stepLine(other));
});

test('lines that are no steps are told with their number, and so are names that lead nowhere', () => {
  const file = readTrajectory(
    [
      stepLine(step()),
      '{"version":2}',
      '',
      'oops',
      stepLine(step()),
      stepLine(step({ id: 's2', after: 'gone', begins: { step: 'lost', count: 1 } })),
    ].join('\n'),
  );
  const problems = checkTrajectory(file);
  assert.deepEqual(
    problems.map(({ line }) => line),
    [2, 4, 5, 6, 6],
  );
  assert.match(problems[0]?.message ?? '', /no step: version/);
  assert.match(problems[1]?.message ?? '', /not JSON/);
  assert.match(problems[2]?.message ?? '', /that of line 1/);
  assert.match(problems[3]?.message ?? '', /step gone/);
  assert.match(problems[4]?.message ?? '', /step lost/);
});

test('the whole prompt is found through the steps before', () => {
  const message = (content: string) => ({ role: 'user' as const, content });
  const steps = [
    step({ id: 'a', messages: ['0', '1', '2'].map(message) }),
    step({ id: 'b', begins: { step: 'a', count: 2 }, messages: ['3', '4'].map(message) }),
    step({ id: 'c', begins: { step: 'b', count: 3 }, messages: [message('5')] }),
    step({ id: 'd', begins: { step: 'c', count: 4 } }),
    step({ id: 'short', begins: { step: 'a', count: 9 }, messages: [] }),
    step({ id: 'lost', begins: { step: 'nowhere', count: 1 }, messages: [] }),
    step({ id: 'loop', begins: { step: 'loop', count: 1 }, messages: [message('6')] }),
    step({ id: 'none' }),
  ];
  const texts = steps.map((one) =>
    stepMessagesOf(steps, one)
      ?.map(({ content }) => content)
      .join(''),
  );
  assert.deepEqual(texts, ['012', '0134', '0135', '0135', undefined, undefined, undefined, undefined]);
});

test('prompts of random chains come back as they were', () => {
  for (let seed = 1; seed <= 300; seed++) {
    const { below, pick } = seeded(seed);
    const prompts: string[][] = [];
    const steps: TrajectoryStep[] = [];
    for (let index = 0; index < 12; index++) {
      const from = index === 0 ? -1 : below(index);
      const base = prompts[from] ?? [];
      const count = below(base.length + 1);
      const own = Array.from({ length: below(4) }, () => pick(['x', 'y', 'z']));
      prompts.push([...base.slice(0, count), ...own]);
      steps.push(
        step({
          id: String(index),
          ...(from < 0 ? {} : { begins: { step: String(from), count } }),
          messages: own.map((content) => ({ role: 'user', content })),
        }),
      );
    }
    const found = steps.map((one) => stepMessagesOf(steps, one)?.map(({ content }) => content));
    assert.deepEqual(found, prompts, `seed ${seed}`);
  }
});

test('a file of 50 MB comes back byte for byte', () => {
  const big = step({ observation: { text: 'line of output\n'.repeat(1_400), basis: 'observed' } });
  const steps = Array.from({ length: 2_400 }, (_, index) => ({ ...big, id: `s${index}` }));
  const text = trajectoryText(steps);
  assert.ok(text.length > 50_000_000, `${text.length}`);
  const file = readTrajectory(text);
  assert.equal(stepsOf(file).length, 2_400);
  assert.ok(writeTrajectory(file) === text);
});
