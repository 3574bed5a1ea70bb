import os from 'node:os';
import * as vscode from 'vscode';
import type { EngineStatus } from '../../core/worlds/confined/engine.ts';
import type { WorkspaceState } from '../../protocol/panelProtocol.ts';
import { type Engine, shownPlatform } from '../engine/engine.ts';
import { nextStepsOf } from '../engine/nextSteps.ts';
import type { Model } from '../model/model.ts';
import type { EditorRequest } from './run.ts';
import { localFolders } from './selection.ts';

/** The first question to the engine waits, so that it does not delay the first prediction. */
const patienceMs = 500;

/** What the panel stands in, as far as it is known now. */
export interface WorkspaceWatch {
  read(): WorkspaceState;
}

/**
 * `model`: the language model that is connected. `editorRequest`: what a prediction would be given now. `changed` is called when more is known.
 */
export function watchWorkspace(
  engine: Engine,
  model: Pick<Model, 'name'>,
  editorRequest: () => Pick<EditorRequest, 'env' | 'interactive'>,
  changed: () => void,
): WorkspaceWatch {
  // Until the engine has been asked: it works on nearly every machine, and a prediction that fails says why.
  let refused: EngineStatus | undefined;
  let asked = false;
  async function ask(): Promise<void> {
    const status = await engine.status();
    if (status.available) {
      const { env, interactive } = editorRequest();
      if (env && interactive) (await engine.load()).readStartFiles(env);
      return;
    }
    refused = status;
    changed();
  }
  return {
    read() {
      if (!asked) setTimeout(() => void ask(), patienceMs);
      asked = true;
      return {
        trusted: vscode.workspace.isTrusted,
        // Of folders within each other the inner one names a file.
        folders: localFolders().sort((one, other) => other.length - one.length),
        home: os.homedir(),
        engine: refused
          ? {
              available: false,
              sentence: refused.sentence,
              errands: nextStepsOf(refused.because, {
                platform: shownPlatform(),
                hasModel: model.name() !== undefined,
              }),
            }
          : { available: true, name: 'confined' },
      };
    },
  };
}
