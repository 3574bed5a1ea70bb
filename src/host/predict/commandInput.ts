import * as vscode from 'vscode';
import type { PastCommand } from '../../protocol/panelProtocol.ts';
import { commandItems } from './commandItems.ts';

const mostRemembered = 100;

/** Asks for a command, with the ones before at hand. */
export interface CommandInput {
  /** `undefined`: the user thought better of it. */
  ask(folder: string): Promise<string | undefined>;
  /** For this window only: a command can hold a password. */
  remember(script: string): void;
}

/** `past`: commands of windows before, as the panel lists them. */
export function createCommandInput(past: () => Promise<readonly PastCommand[]>): CommandInput {
  let ofThisWindow: string[] = [];
  return {
    remember(script) {
      ofThisWindow = [script, ...ofThisWindow.filter((other) => other !== script)].slice(0, mostRemembered);
    },
    ask(folder) {
      const pick = vscode.window.createQuickPick<ReturnType<typeof commandItems>[number]>();
      pick.title = `Predict a command in ${folder}`;
      pick.placeholder = 'A shell command, for example: rm -rf build';
      let before = ofThisWindow;
      const show = () => {
        pick.items = commandItems(pick.value, before);
      };
      pick.onDidChangeValue(show);
      show();
      return new Promise((resolve) => {
        pick.onDidAccept(() => {
          const [active] = pick.activeItems;
          // The list is a step behind somebody who types fast; the value is not. What was chosen may stand there anew.
          const isMeant =
            active && !active.isTyped && pick.items.some((item) => !item.isTyped && item.script === active.script);
          const chosen = isMeant ? active.script : pick.value.trim();
          resolve(chosen === '' ? undefined : chosen);
          pick.hide();
        });
        pick.onDidHide(() => {
          resolve(undefined);
          pick.dispose();
        });
        pick.show();
        void past().then((earlier) => {
          before = [...new Set([...ofThisWindow, ...earlier.map(({ script }) => script)])];
          if (before.length > ofThisWindow.length) show();
        });
      });
    },
  };
}
