import { commandOf } from '../../worlds/language/prompt/turns/turnText.ts';
import { stepsById, type TrajectoryStep } from '../step/step.ts';
import { chainTo, lastSteps, turnOfAction } from '../step/turnOfAction.ts';
import type { ExportedTrajectory } from './exported.ts';

const typingSeconds = 0.05;

/**
 * A recording of asciinema, version 2: what was typed and what was seen, with the marks of FinalTerm (OSC 133) around every
 * command, so that it is read back exactly. It holds one trajectory; others, and steps that are no commands, are problems.
 */
export function castOfSteps(steps: readonly TrajectoryStep[]): ExportedTrajectory {
  const byId = stepsById(steps);
  const ends = lastSteps(steps);
  const last = ends.at(-1);
  const problems = ends
    .slice(0, -1)
    .map(({ id }) => `A recording holds one trajectory; the one that ends with the step ${id} was left out.`);
  const chain = last ? chainTo(byId, last) : [];
  const at = Date.parse(chain[0]?.at ?? '');
  const header = {
    version: 2,
    width: 80,
    height: 24,
    ...(Number.isNaN(at) ? {} : { timestamp: Math.floor(at / 1000) }),
    ...(chain[0]?.note === undefined ? {} : { title: chain[0].note }),
  };
  const lines = [JSON.stringify(header)];
  let now = 0;
  const print = (seconds: number, text: string) => {
    now += seconds;
    lines.push(JSON.stringify([Math.round(now * 1e6) / 1e6, 'o', text]));
  };
  let count = 0;
  for (const step of chain) {
    const turn = turnOfAction(step.action, step.domain);
    const command = turn && commandOf(turn);
    if (turn === undefined || command === undefined || !step.observation) {
      problems.push(`The step ${step.id} is no command with an observation; it was left out.`);
      continue;
    }
    const { facts, text } = step.observation;
    const output = facts ? facts.output.map((piece) => piece.text ?? '').join('') : text;
    const cwd = step.action.kind === 'edit' ? undefined : step.action.cwd;
    const folder = cwd === undefined ? '' : `\u001b]7;file://${encodeURI(cwd)}\u0007`;
    print(0.5, `${folder}\u001b]133;A\u0007$ \u001b]133;B\u0007`);
    print(typingSeconds * command.length, command.replaceAll('\n', '\r\n'));
    print(0.1, '\r\n\u001b]133;C\u0007');
    const waited = turn.kind === 'keystrokes' ? turn.keystrokes.reduce((sum, one) => sum + one.duration, 0) : 0.1;
    print(waited, output.replaceAll('\r\n', '\n').replaceAll('\n', '\r\n'));
    print(0, `\u001b]133;D${facts?.exitCode === undefined ? '' : `;${facts.exitCode}`}\u0007`);
    count += 1;
  }
  return { text: `${lines.join('\n')}\n`, count, problems };
}
