import path from 'node:path';
import * as vscode from 'vscode';
import { quoteWord } from '../../core/shell/quoteWord.ts';
import { usualFolder } from '../predict/selection.ts';

/**
 * *Install Hooks of Agents…*: `foretell hooks install` in a terminal, which shows the difference of each settings file and asks
 * before it writes.
 */
export function installHooks(extensionFolder: string): void {
  const script = path.join(extensionFolder, 'dist', 'cli.js');
  const call = `${quoteWord(process.execPath)} ${quoteWord(script)} hooks install`;
  const terminal = vscode.window.createTerminal({
    name: 'Foretell: Hooks',
    cwd: usualFolder(),
    shellPath: '/bin/sh',
    shellArgs: ['-c', `${call}; printf '\\n%s ' 'Press Enter to close.'; read -r _`],
    // The editor's own program runs scripts only where it is told to.
    env: process.versions['electron'] === undefined ? {} : { ELECTRON_RUN_AS_NODE: '1' },
    iconPath: new vscode.ThemeIcon('telescope'),
  });
  terminal.show();
}
