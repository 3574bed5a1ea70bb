import type { CommandAction } from '../../src/core/action/action.ts';
import { scoreAttempt } from '../../src/core/bench/score/scoreStep.ts';
import { type Foretell, foldAll } from '../../src/core/foretell.ts';
import { trajectoryText } from '../../src/core/trajectory/file/trajectoryFile.ts';
import { rehearsedObservation } from '../../src/core/trajectory/step/rehearsedObservation.ts';
import type { StepAttempt, TrajectoryStep } from '../../src/core/trajectory/step/step.ts';
import { factsOfText } from '../../src/core/trajectory/step/turnOfStep.ts';

/** A turn of the sample, and how a model gets it wrong. `null`: nobody predicted it. */
interface SampleTurn {
  script: string;
  predicted?: ((truth: string) => string) | null;
  /** The prediction was cut, or failed with this sentence. */
  ends?: 'cut' | string;
  reasoning?: string;
  /** Nobody looked. */
  unobserved?: boolean;
}

const same = (truth: string) => truth;

const turns: readonly SampleTurn[] = [
  {
    script: 'ls -1',
    predicted: same,
    reasoning: 'The listing was shown in the workspace context. Nothing has changed it since.',
  },
  { script: 'git status --short', predicted: (truth) => truth.replace(/\n[^\n]*notes[^\n]*/, '') },
  { script: 'cat package.json', predicted: same },
  { script: 'wc -l data/*.csv', predicted: (truth) => truth.replace(/\d+ total/, '11 total') },
  { script: "grep -rn 'high' data | head -5", predicted: (truth) => truth.split('\n').slice(0, -3).join('\n') },
  {
    script: 'cat docs/missing.md',
    predicted: (truth) => truth.replace(/Exit Code: 1/, 'Exit Code: 0').replace(/Error: [^\n]*/, 'Error: (none)'),
    reasoning: 'docs/ was never listed. A file of this name would be an overview. I assume that it is empty.',
  },
  { script: "sed -n '1,12p' src/tides.js", predicted: same },
  { script: 'npm test', predicted: null, unobserved: true },
  { script: 'mkdir -p out && cp data/*.csv out/ && ls out', predicted: same },
  { script: "awk -F, '{ print $3 }' out/oban.csv | sort | uniq -c", predicted: (truth) => truth, ends: 'cut' },
  { script: 'git log --oneline -3', predicted: same },
  { script: 'rm -rf out && ls', predicted: null, ends: 'Nothing listens at 127.0.0.1:8000; start the model server.' },
];

/** Steps with what the engine really saw on a copy of `folder`, and predictions as a model makes them. */
export async function sampleSteps(foretell: Foretell, folder: string): Promise<TrajectoryStep[]> {
  const session = foretell.openSession();
  const steps: TrajectoryStep[] = [];
  try {
    for (const [index, turn] of turns.entries()) {
      const action: CommandAction = { kind: 'command', script: turn.script, shell: 'bash', cwd: folder };
      const step: TrajectoryStep = {
        version: 1,
        id: `tides-${index + 1}`,
        trajectory: 'tides',
        ...(index === 0 ? {} : { after: `tides-${index}` }),
        domain: 'swe',
        action,
      };
      if (!turn.unobserved) {
        const request = { action, hash: true, signal: new AbortController().signal };
        const seen = rehearsedObservation(
          step,
          await foldAll(action, session.predict(request).events),
          `2026-03-02T10:00:${String(index).padStart(2, '0')}.000Z`,
        );
        if (!seen.ok) throw new Error(`${turn.script}: ${seen.message}`);
        step.observation = seen.observation;
      }
      Object.assign(step, attemptAt(step, turn, index));
      const score = scoreAttempt(step, step);
      if (score) step.scores = { factual: { ...score } };
      steps.push(step);
    }
  } finally {
    await session.close();
  }
  return steps;
}

/** The sample as a file. */
export async function sampleText(foretell: Foretell, folder: string): Promise<string> {
  return trajectoryText(await sampleSteps(foretell, folder));
}

function attemptAt(step: TrajectoryStep, turn: SampleTurn, index: number): StepAttempt {
  const {
    predicted,
    ends,
    reasoning = 'The command reads files that were shown. Its output follows from them.',
  } = turn;
  const common = {
    at: `2026-03-02T11:00:${String(index).padStart(2, '0')}.000Z`,
    model: 'Qwen/Qwen-AgentWorld-35B-A3B',
    template: { name: 'swe/system_prompt.txt', sha256: '0'.repeat(64) },
    parameters: { temperature: 0.6, topP: 0.95, topK: 20, maxOutputTokens: 32_768 },
  };
  if (predicted === null) {
    if (ends === undefined) return {};
    return {
      ...common,
      prediction: { output: [], files: [], effects: [], engine: 'language', ending: 'failed', reason: ends },
    };
  }
  const text = (predicted ?? same)(step.observation?.text ?? '');
  const isCut = ends === 'cut';
  return {
    ...common,
    messages: [
      { role: 'system', content: 'You are the environment of a software engineer. Predict what the tool replies.' },
      { role: 'user', content: `### Turn ${index + 1}\n**Action:**\n${turn.script}` },
    ],
    reply: {
      question: 1,
      raw: `<think>${reasoning}</think>\n<predicted_observation>\n${text}\n</predicted_observation>`,
      reasoning,
      observation: text,
      rule: isCut ? 'unclosed' : 'tagged',
      finish: isCut ? 'length' : 'stop',
      model: common.model,
      url: 'http://127.0.0.1:8000/v1/chat/completions',
      body: { model: common.model, temperature: 0.6, stream: true },
      dropped: [],
      warnings: [],
      usage: {
        promptTokens: 2_100 + 180 * index,
        cachedTokens: 1_900 + 150 * index,
        completionTokens: 240 + ((index * 97) % 700),
        reasoningTokens: 130 + ((index * 53) % 400),
        exact: true,
      },
      firstTokenMs: 80 + index * 3,
      durationMs: 1_900 + ((index * 811) % 4_000),
    },
    prediction: { ...factsOfText(step, text, 'imagined'), engine: 'language', ending: 'done', text },
  };
}
