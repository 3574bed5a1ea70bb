import * as vscode from 'vscode';
import { createCalibrationStore } from '../../core/trajectory/calibrationStore.ts';
import type { CalibrationMessage } from '../../protocol/calibrationProtocol.ts';
import type { Observed } from '../../protocol/panelProtocol.ts';
import type { Run } from '../predict/run.ts';
import { createCalibrationPage } from './calibrationPage.ts';

/** How predictions compare with the real runs that followed them: kept on this machine, and shown on a page. */
export interface Calibration extends vscode.Disposable {
  /** Keeps what came of a prediction, unless the user has switched it off. Never rejects. */
  compared(run: Run, observed: Observed): Promise<void>;
}

const setting = 'calibration.enabled';
const isEnabled = () => vscode.workspace.getConfiguration('foretell').get(setting, true);

/** Registers the command that shows the page. */
export function createCalibration(context: vscode.ExtensionContext, log: vscode.LogOutputChannel): Calibration {
  const store = createCalibrationStore(context.globalStorageUri.fsPath);

  async function message(): Promise<CalibrationMessage> {
    const { calibrate, readCalibration } = await import('../../core/trajectory/calibration.ts');
    return { type: 'calibration', enabled: isEnabled(), ...calibrate(readCalibration(await store.read())) };
  }

  const page = createCalibrationPage(context, log, {
    message,
    deleteAll: () => store.deleteAll(),
    openSettings: () => vscode.commands.executeCommand('workbench.action.openSettings', `foretell.${setting}`),
  });
  const listeners = vscode.Disposable.from(
    vscode.commands.registerCommand('foretell.showCalibration', page.show),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(`foretell.${setting}`)) void page.refresh();
    }),
    page,
  );
  return {
    async compared(run, observed) {
      if (observed.state !== 'ended' || !isEnabled()) return;
      // A command whose result was put in place was not run: that says nothing of how well it was predicted.
      if (observed.isApplied && run.action.kind === 'command') return;
      try {
        const { calibrationEntry } = await import('../../core/trajectory/calibration.ts');
        await store.add(calibrationEntry(run.prediction, observed, new Date().toISOString()));
        await page.refresh();
      } catch (error) {
        log.warn(`A comparison could not be kept: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    dispose: () => listeners.dispose(),
  };
}
