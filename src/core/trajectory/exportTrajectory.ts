import type { RowOptions } from './formats/agentWorld.ts';
import type { ExportedTrajectory } from './formats/exported.ts';
import type { TrajectoryStep } from './step/step.ts';
import { formatOf, type TrajectoryFormat } from './trajectoryFormats.ts';

/** Writes steps in another format. Never fails: what cannot be written is a problem. */
export function exportTrajectory(
  steps: readonly TrajectoryStep[],
  format: TrajectoryFormat,
  options: RowOptions = {},
): ExportedTrajectory {
  return formatOf(format).write(steps, options);
}
