import { createRedactor, type RedactedKind } from '../../context/secrets/redactValue.ts';
import type { TrajectoryStep } from './step.ts';

/**
 * Takes the secrets out of every text of the steps, whatever field it stands in, as before a text is sent to a model. What
 * a step's names and structure are stays; `id`, `trajectory` and `after` too, or steps would lose each other. Rejects when
 * the scanner cannot be loaded: then the steps may not be kept.
 */
export async function redactSteps(
  steps: readonly TrajectoryStep[],
): Promise<{ steps: TrajectoryStep[]; redacted: RedactedKind[] }> {
  const redactor = createRedactor();
  const kept: TrajectoryStep[] = [];
  for (const step of steps) {
    const { version, id, trajectory, after, begins, ...rest } = step;
    const redacted = (await redactor.redact(rest, readPath(step))) as Omit<
      TrajectoryStep,
      'version' | 'id' | 'trajectory'
    >;
    kept.push({
      version,
      id,
      trajectory,
      ...(after === undefined ? {} : { after }),
      ...(begins === undefined ? {} : { begins }),
      ...redacted,
    } as TrajectoryStep);
  }
  return { steps: kept, redacted: redactor.found() };
}

/** The file that a step reads or writes: of some files everything is a secret. */
function readPath({ action }: TrajectoryStep): string | undefined {
  if (action.kind !== 'turn' || action.turn.kind !== 'tool') return undefined;
  const { file_path, absolute_path, path, filename } = action.turn.arguments;
  return [file_path, absolute_path, path, filename].find((one) => typeof one === 'string' && one !== '') as
    | string
    | undefined;
}
