import { compareCommands } from './compareCommands.ts';
import { explainLoss } from './explainLoss.ts';
import { predictPlan } from './predictPlan.ts';
import { closeSession, predictCommand, predictEdit } from './predictTools.ts';
import type { Tool } from './tool.ts';

/** Every tool that agents are offered, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  predictCommand,
  predictEdit,
  predictPlan,
  compareCommands,
  explainLoss,
  closeSession,
];
