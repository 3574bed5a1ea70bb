import type { CommandAction } from '../../src/core/action/action.ts';
import { type Foretell, foldAll } from '../../src/core/foretell.ts';
import { rehearsedObservation } from '../../src/core/trajectory/step/rehearsedObservation.ts';
import type { TrajectoryStep } from '../../src/core/trajectory/step/step.ts';
import type { ScriptedModel } from '../../src/core/worlds/language/client/scripted.ts';

/** Where the agent of the tour worked. */
const shownFolder = '/home/robin/harbour';

interface TourTurn {
  script: string;
  /** What of the script stands in its prompt as it is, and in no other of the tour. */
  asks: string;
  /** What the model says, one after the other; made of the truth. */
  says: readonly { reasoning: string; says: (truth: string) => string }[];
  /** The same where the disk is full. */
  whenFull?: { reasoning: string; says: (truth: string) => string };
}

const same = (truth: string) => truth;

/** Replaces the output and the exit code of an observation. */
const instead = (error: string, exitCode: number) => (truth: string) =>
  truth
    .replace(/Output: [\s\S]*?\nError:/, 'Output: (empty)\nError:')
    .replace(/Error: [\s\S]*?\nExit Code: \d+/, `Error: ${error}\nExit Code: ${exitCode}`);

const turns: readonly TourTurn[] = [
  {
    script: 'ls -1',
    asks: 'ls -1',
    says: [
      {
        reasoning:
          'Nothing was shown of this folder yet. It is called harbour and has a package.json in most projects of its kind. I list what is usual.',
        says: (truth) => truth.replace(/Dockerfile\n/, '').replace(/\nserver\.log/, '\nnode_modules'),
      },
      {
        reasoning:
          'Nothing was shown of this folder yet. A small project with data, docs and src; a Makefile is likely.',
        says: (truth) => truth.replace(/\nserver\.log/, ''),
      },
    ],
  },
  {
    script: 'git status --short',
    asks: 'git status',
    says: [
      {
        reasoning: 'The listing shows data and docs. Without any other sign I assume that there is one modified file.',
        says: (truth) => truth.replace(/\n\?\? [^\n]*/, ''),
      },
      { reasoning: 'A file was staged and one was modified; notes in docs are often untracked.', says: same },
    ],
  },
  {
    script: 'wc -l data/*.csv',
    asks: 'wc -l',
    says: [
      {
        reasoning: 'There are tables of four ports. I count their lines and add them up. The sum is the last line.',
        says: (truth) => truth.replace(/(\d+) total/, (_, sum) => `${Number(sum) + 1} total`),
      },
      { reasoning: 'Four tables; their lines are added up in the last line.', says: same },
      { reasoning: 'Four tables; their lines are added up in the last line.', says: same },
    ],
  },
  {
    script: 'cat docs/missing.md',
    asks: 'docs/missing.md',
    says: [
      {
        reasoning: 'docs was never listed. A file of this name could be empty, so nothing is printed.',
        says: instead('(none)', 0),
      },
      { reasoning: 'The name says it: the file is missing. cat says so and fails.', says: same },
    ],
  },
  {
    script: 'mkdir -p out && cp data/*.csv out/ && ls out',
    asks: 'mkdir -p out',
    says: [{ reasoning: 'The tables are copied and then listed in the order of their names.', says: same }],
    whenFull: {
      reasoning: 'The disk is full. A folder may still be made, but the first copy cannot be written.',
      says: instead("cp: error writing 'out/bergen.csv': No space left on device", 1),
    },
  },
  {
    script: 'rm -rf out && ls -d out',
    asks: 'rm -rf out',
    says: [{ reasoning: 'out was made in the turn before and is deleted here, so ls does not find it.', says: same }],
  },
];

/** The files of the tour, with what the engine really sees on a copy of `folder`. */
export async function tourFiles(
  foretell: Foretell,
  folder: string,
): Promise<{ steps: TrajectoryStep[]; model: ScriptedModel }> {
  const session = foretell.openSession({ newShells: true });
  const steps: TrajectoryStep[] = [];
  const answers: ScriptedModel['answers'] = [];
  try {
    for (const [index, { script, asks, says, whenFull }] of turns.entries()) {
      const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: folder };
      const step: TrajectoryStep = {
        version: 1,
        id: `harbour-${index + 1}`,
        trajectory: 'harbour',
        ...(index === 0 ? {} : { after: `harbour-${index}` }),
        domain: 'swe',
        action,
      };
      const request = { action, hash: true, signal: new AbortController().signal };
      const prediction = await foldAll(action, session.predict(request).events);
      const seen = rehearsedObservation(step, prediction, `2026-03-02T10:00:0${index}.000Z`);
      if (!seen.ok) throw new Error(`${script}: ${seen.message}`);
      const shown = JSON.parse(
        JSON.stringify({ ...step, observation: seen.observation }).replaceAll(folder, shownFolder),
      );
      steps.push(shown);
      const truth: string = shown.observation.text;
      const reply = (one: { reasoning: string; says: (truth: string) => string }) => ({
        reasoning: one.reasoning,
        content: `<predicted_observation>\n${one.says(truth)}\n</predicted_observation>`,
      });
      if (whenFull) answers.push({ asks: [asks], under: 'ENOSPC', replies: [reply(whenFull)] });
      answers.push({ asks: [asks], replies: says.map(reply) });
    }
  } finally {
    await session.close();
  }
  return { steps, model: { model: 'tour-script', contextTokens: 32_768, answers } };
}
