// What the host of the trajectory editor would send: summaries of many turns, and the details of one.

const titles = [
  'git status --short',
  'npm test',
  "grep -rn 'tide' src | head",
  'cat package.json',
  'python -m pytest -q',
];
const statuses = ['agrees', 'differs', 'agrees', 'unobserved', 'failed', 'agrees', 'cut', 'unpredicted'];

/** Summary of a turn, as of a real one. */
export function summaryOf(number, more = {}) {
  const status = statuses[number % statuses.length];
  const isAsked = status !== 'unpredicted';
  const isSeen = status !== 'unobserved' && isAsked;
  return {
    ...{ kind: 'step', id: `s${number}`, trajectory: 'tides', domain: 'swe' },
    ...(number === 1 ? {} : { after: `s${number - 1}` }),
    ...{
      title: `${titles[number % titles.length]} # ${number}`,
      status,
      hasPrediction: isAsked,
      hasObservation: isSeen,
    },
    ...(isSeen ? { observationBasis: 'rehearsed', trueExit: 0, predictedExit: number % 9 === 0 ? 1 : 0 } : {}),
    ...(isSeen && status !== 'failed' ? { factual: status === 'differs' ? 0.62 : 1 } : {}),
    ...(isAsked
      ? { model: 'Qwen/Qwen-AgentWorld-35B-A3B', promptTokens: 2000 + number, completionTokens: 431, durationMs: 2310 }
      : {}),
    ...{ others: number % 50 === 0 ? 4 : 0, canRehearse: true, ...more },
  };
}

/** Everything that is said when a file with so many turns is opened. */
export function snapshotOf(count, more = {}) {
  const lines = Array.from({ length: count }, (_, index) => summaryOf(index + 1));
  return {
    ...{ type: 'snapshot', revision: 1, lines, total: count, runs: [] },
    editor: {
      file: 'tides.trajectory.jsonl',
      trusted: true,
      model: 'Qwen/Qwen-AgentWorld-35B-A3B',
      home: '/home/ada',
    },
    ...more,
  };
}

const facts = (text, basis) => ({ output: [{ stream: 'stdout', text, basis }], exitCode: 0, files: [], effects: [] });

/** The details of a turn. */
export function detailOf(number, { predicted = 'a\nb\nc\n', real = 'a\nx\nc\n', ...more } = {}) {
  const reply = {
    ...{
      question: 1,
      raw: predicted,
      reasoning: 'First the list, then the rest.',
      observation: predicted,
      rule: 'tagged',
    },
    ...{
      finish: 'stop',
      model: 'Qwen/Qwen-AgentWorld-35B-A3B',
      url: 'http://127.0.0.1:8000/v1',
      body: {},
      dropped: [],
      warnings: [],
    },
    usage: { promptTokens: 2100, cachedTokens: 1900, completionTokens: 431, reasoningTokens: 300, exact: true },
    ...{ firstTokenMs: 90, durationMs: 2310 },
  };
  const way = {
    at: '2026-03-02T11:00:00.000Z',
    model: 'Qwen/Qwen-AgentWorld-35B-A3B',
    conditions: [],
    durationMs: 2310,
  };
  return {
    type: 'detail',
    revision: 1,
    detail: {
      ...{ id: `s${number}`, line: number, trajectory: 'tides', domain: 'swe', cwd: '/home/ada/tides' },
      action: { text: `git status # ${number}`, form: 'shell' },
      observation: { text: real, basis: 'rehearsed', source: 'foretell', facts: facts(real, 'rehearsed') },
      prediction: { text: predicted, ending: 'done', engine: 'language', facts: facts(predicted, 'imagined') },
      score: {
        lines: { truth: 3, matched: 2, extra: 1, recall: 2 / 3, exact: false },
        exitCode: { predicted: 0, truth: 0, same: true },
        files: { same: [], different: [], missing: ['/home/ada/tides/a.txt'], extra: [] },
        effects: { same: [], missing: [], extra: [] },
        score: 0.62,
      },
      uncertain: [],
      ...{ way, reply, messages: 3, parameters: { temperature: 0.6 } },
      answers: [
        { attempts: [0, 2, 3], text: predicted, line: 'b', exitCode: 0, failed: false, factual: 0.62 },
        { attempts: [1], text: real, line: 'x', exitCode: 0, failed: false, factual: 1 },
        { attempts: [4], text: 'Nothing listens at 127.0.0.1:8000.', line: 'Nothing listens', failed: true },
      ],
      attempts: [way, way, way, way, way],
      ...more,
    },
  };
}
