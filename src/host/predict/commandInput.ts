import * as vscode from 'vscode';

/** Commands of this window only: they are kept nowhere else, because a command can hold a password. */
const mostRemembered = 100;

/** Asks for a command, with the ones before at hand. */
export interface CommandInput {
  /** `undefined`: the user thought better of it. */
  ask(folder: string): Promise<string | undefined>;
  remember(script: string): void;
}

export function createCommandInput(): CommandInput {
  let history: string[] = [];
  return {
    remember(script) {
      history = [script, ...history.filter((other) => other !== script)].slice(0, mostRemembered);
    },
    ask(folder) {
      const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { script: string; isTyped?: true }>();
      pick.title = `Predict a command in ${folder}`;
      pick.placeholder = 'A shell command, for example: rm -rf build';
      pick.matchOnDescription = false;
      const show = () => {
        const typed = pick.value.trim();
        const before = history
          .filter((script) => script !== typed && script.includes(typed))
          .map((script) => ({
            label: firstLine(script),
            script,
            iconPath: new vscode.ThemeIcon('history'),
            alwaysShow: true,
          }));
        const own = {
          label: firstLine(typed),
          script: typed,
          isTyped: true as const,
          iconPath: new vscode.ThemeIcon('telescope'),
          alwaysShow: true,
        };
        pick.items = typed === '' ? before : [own, ...before];
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
      });
    },
  };
}

function firstLine(script: string): string {
  const [line = '', ...more] = script.split('\n');
  return more.length > 0 ? `${line} …` : line;
}
