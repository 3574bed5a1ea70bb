import os from 'node:os';
import type { Prediction } from '../../prediction/prediction.ts';
import { renderScreen } from '../../worlds/language/prompt/turns/turnTextScreen.ts';
import { renderShellReply } from '../../worlds/language/prompt/turns/turnTextShell.ts';
import type { StepObservation, TrajectoryStep } from './step.ts';
import { stepPrediction } from './step.ts';
import { commandOfStep } from './turnOfStep.ts';

/**
 * What the confined engine says of a step, as an observation of basis `rehearsed`, in the form of its domain's terminal or
 * tool. Not ok: a part of it is not known to be true; the message says why.
 */
export function rehearsedObservation(
  step: Pick<TrajectoryStep, 'action' | 'domain'>,
  prediction: Prediction,
  at: string,
): { ok: true; observation: StepObservation } | { ok: false; message: string } {
  const command = commandOfStep(step);
  const { ending, endingReason, exitCode, assumptions } = prediction;
  if (!command || exitCode === undefined || ending !== 'done' || assumptions.length > 0) {
    const why =
      endingReason ?? assumptions[0]?.why ?? (command ? 'it has no exit code' : 'it is no command in a folder');
    return { ok: false, message: `The engine cannot rehearse this whole step: ${why}` };
  }
  const said = (stream: 'stdout' | 'stderr') =>
    prediction.output
      .filter((piece) => piece.stream === stream)
      .map((piece) => piece.text ?? '')
      .join('');
  const { output, files, effects } = stepPrediction(prediction);
  return {
    ok: true,
    observation: {
      text: textFor(step, command, { stdout: said('stdout'), stderr: said('stderr'), exitCode }, prediction.cwd),
      basis: 'rehearsed',
      facts: { output, exitCode, files, effects },
      source: 'foretell',
      at,
    },
  };
}

function textFor(
  { action, domain }: Pick<TrajectoryStep, 'action' | 'domain'>,
  { script, cwd }: { script: string; cwd: string },
  outcome: { stdout: string; stderr: string; exitCode: number },
  afterCwd: string | undefined,
): string {
  if (domain === 'terminal') {
    const user = process.getuid?.() === 0 ? 'root' : 'user';
    const place = { user, host: 'host', home: os.homedir(), cwd };
    const output = `${outcome.stdout}${outcome.stderr}`;
    return renderScreen(place, script, output, afterCwd === undefined ? {} : { afterCwd });
  }
  const tool = action.kind === 'turn' && action.turn.kind === 'tool' ? action.turn.name : '';
  return renderShellReply(tool === 'Bash' ? 'claude' : 'qwen', { command: script, cwd, ...outcome });
}
