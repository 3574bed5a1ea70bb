import * as vscode from 'vscode';
import { type Calibration, createCalibration } from '../calibration/calibration.ts';
import type { Engine } from '../engine/engine.ts';
import { registerRecording } from './recordTerminal.ts';

/**
 * What is kept of what happened: the comparison of predictions with real runs, recordings of terminals, and files of other
 * formats. `ownFolder`: our own files, absolute.
 */
export function createTrajectories(
  context: vscode.ExtensionContext,
  engine: Engine,
  ownFolder: string,
  log: vscode.LogOutputChannel,
): Calibration {
  const calibration = createCalibration(context, log);
  const converting = () => import('./convertTrajectory.ts');
  const parts = vscode.Disposable.from(
    calibration,
    registerRecording(engine, ownFolder, log),
    vscode.commands.registerCommand('foretell.importTrajectory', async (given: unknown) =>
      (await converting()).importCommand(context.extensionPath, given),
    ),
    vscode.commands.registerCommand('foretell.exportTrajectory', async (given: unknown) =>
      (await converting()).exportCommand(context.extensionPath, given),
    ),
  );
  return { compared: calibration.compared, dispose: () => parts.dispose() };
}
