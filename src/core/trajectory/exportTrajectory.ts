import { trajectoryText } from './file/trajectoryFile.ts';
import { type RowOptions, rowsOfSteps } from './formats/agentWorld.ts';
import { castOfSteps } from './formats/asciicastExport.ts';
import { sessionOfSteps } from './formats/claudeCodeExport.ts';
import type { ExportedTrajectory } from './formats/exported.ts';
import { chatsOfSteps } from './formats/openAi.ts';
import { logOfSteps } from './formats/sweAgentExport.ts';
import { commandsOfSteps } from './formats/terminalCommands.ts';
import type { TrajectoryStep } from './step/step.ts';

/** Formats that trajectories are written in. */
export const exportFormats = [
  'foretell',
  'agentworld',
  'openai',
  'claude-code',
  'swe-agent',
  'asciicast',
  'terminal',
] as const;
/** One of the formats. */
export type ExportFormat = (typeof exportFormats)[number];

/** Writes steps in another format. Never fails: what cannot be written is a problem. */
export function exportTrajectory(
  steps: readonly TrajectoryStep[],
  format: ExportFormat,
  options: RowOptions = {},
): ExportedTrajectory {
  if (format === 'foretell') return { text: trajectoryText(steps), count: steps.length, problems: [] };
  if (format === 'agentworld') {
    const { rows, problems } = rowsOfSteps(steps, options);
    return lines(rows, problems);
  }
  if (format === 'openai') {
    const { chats, problems } = chatsOfSteps(steps);
    return lines(chats, problems);
  }
  if (format === 'terminal') {
    const { commands, problems } = commandsOfSteps(steps);
    return lines(commands, problems);
  }
  if (format === 'claude-code') return lines(...sessionOfSteps(steps));
  if (format === 'swe-agent') return logOfSteps(steps);
  return castOfSteps(steps);
}

function lines(values: readonly unknown[], problems: string[]): ExportedTrajectory {
  return { text: values.map((value) => `${JSON.stringify(value)}\n`).join(''), count: values.length, problems };
}
