import * as vscode from 'vscode';
import type { EditorParts } from '../editorParts.ts';
import { usualFolder } from '../predict/selection.ts';
import { canImagine } from './languageMessages.ts';

export interface ModelCommandsOptions extends EditorParts {
  /** Folder of our own files. */
  storage: vscode.Uri;
}

/** Registers the commands of package.json that are about the language model. */
export function registerModelCommands(options: ModelCommandsOptions): vscode.Disposable {
  const { context, engine, language, storage } = options;
  const { apiKeys } = language;
  // What they do is loaded when it is asked for.
  const handlers: Record<string, (...args: never[]) => unknown> = {
    imagine: (given?: unknown) => imagine(options, given),
    connectModel: async () => {
      const { connectModel } = await import('./connectModel.ts');
      const folder = vscode.Uri.joinPath(storage, 'trial');
      await connectModel({ context, language, engine: engine.load, folder });
    },
    setApiKey: async () => (await import('./keyCommands.ts')).setApiKey(apiKeys),
    forgetApiKey: async () => (await import('./keyCommands.ts')).forgetApiKey(apiKeys),
    customizePrompts: () => language.promptFiles.customize(),
  };
  const registered = Object.entries(handlers).map(([name, handler]) =>
    vscode.commands.registerCommand(`foretell.${name}`, handler),
  );
  return vscode.Disposable.from(...registered);
}

/** The command that is shown, else one that is typed. `given`: a command from a keybinding or another extension. */
async function imagine(
  { language, panel, predictions, predictPointed, input }: ModelCommandsOptions,
  given: unknown,
): Promise<void> {
  await panel.reveal();
  if (!canImagine(language, panel)) return;
  const shown = predictions.current()?.action;
  const shownScript = shown?.kind === 'command' ? shown.script : undefined;
  const script = typeof given === 'string' ? given : (shownScript ?? (await input.ask(usualFolder())));
  if (script !== undefined) await predictPointed.script(script, { whole: true });
}
