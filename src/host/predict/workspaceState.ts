import os from 'node:os';
import * as vscode from 'vscode';
import type { WorkspaceState } from '../../protocol/panelProtocol.ts';
import type { Engine } from '../engine/engine.ts';
import { localFolders } from './selection.ts';

/** The first question to the engine waits, so that it does not delay the first prediction. */
const patienceMs = 500;

/** What the panel stands in, as far as it is known now. */
export interface WorkspaceWatch {
  read(): WorkspaceState;
}

/** `changed` is called when more is known. */
export function watchWorkspace(engine: Engine, changed: () => void): WorkspaceWatch {
  // Until the engine has been asked: it works on nearly every machine, and a prediction that fails says why.
  let answer: WorkspaceState['engine'] = { available: true, name: 'confined' };
  let asked = false;
  async function ask(): Promise<void> {
    const status = await engine.status();
    if (status.available) return;
    answer = { available: false, sentence: status.sentence };
    changed();
  }
  return {
    read() {
      if (!asked) setTimeout(() => void ask(), patienceMs);
      asked = true;
      return {
        trusted: vscode.workspace.isTrusted,
        folders: localFolders(),
        home: os.homedir(),
        engine: answer,
      };
    },
  };
}
