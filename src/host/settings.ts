import * as vscode from 'vscode';
import type { ShellName } from '../core/action/action.ts';
import type { Limits } from '../core/prediction/rehearsal.ts';
import type { MemoryUse } from '../core/worlds/remembered/memoryStore.ts';
import type { PanelSettings } from '../protocol/panelProtocol.ts';
import { checkedSettings } from './checkedSettings.ts';

/** The settings that the extension obeys, read anew for every prediction. */
export interface Settings {
  codeLens: boolean;
  /** What is typed in a terminal is predicted when somebody pauses. */
  hintWhileTyping: boolean;
  /** What is selected is predicted before anybody asks, while the panel is open. */
  predictAhead: boolean;
  /** Absent: that of new terminals. */
  shell?: ShellName | undefined;
  interactiveShell: boolean;
  workingDirectory: 'workspaceFolder' | 'fileFolder';
  confirmBeforeRun: 'danger' | 'caution' | 'always';
  limits: Limits;
  /** Longest time of a run of programs that the user lets run. */
  rehearsalMs: number;
  /** Room for what real runs would lose, which is kept for a week; 0: nothing is. */
  safetyNetBytes: number;
  /** What is remembered of rehearsals; absent: nothing. */
  memory?: Pick<MemoryUse, 'mostBytes' | 'mostAgeMs'> | undefined;
}

const section = 'foretell';
const megabyte = 1024 ** 2;

export function readSettings(): Settings {
  const settings = checkedSettings(section);
  const shell = settings.get<ShellName | 'auto'>('shell', 'auto');
  return {
    codeLens: settings.get('codeLens.enabled', true),
    hintWhileTyping: settings.get('hintWhileTyping', false),
    predictAhead: settings.get('predictAhead', true),
    ...(shell === 'auto' ? {} : { shell }),
    interactiveShell: settings.get('interactiveShell', true),
    workingDirectory: settings.get<Settings['workingDirectory']>('workingDirectory', 'workspaceFolder'),
    confirmBeforeRun: settings.get<Settings['confirmBeforeRun']>('confirmBeforeRun', 'danger'),
    limits: {
      wallMs: settings.get('limits.seconds', 10) * 1000,
      processes: settings.get('limits.processes', 512),
      memoryBytes: settings.get('limits.memoryMegabytes', 2048) * megabyte,
      diskBytes: settings.get('limits.diskMegabytes', 1024) * megabyte,
      outputBytes: settings.get('limits.outputMegabytes', 16) * megabyte,
    },
    rehearsalMs: settings.get('limits.rehearsalSeconds', 120) * 1000,
    safetyNetBytes: settings.get('safetyNet.megabytes', 1024) * megabyte,
    ...(settings.get('memory.enabled', true)
      ? {
          memory: {
            mostBytes: settings.get('memory.megabytes', 200) * megabyte,
            mostAgeMs: settings.get('memory.hours', 24) * 3_600_000,
          },
        }
      : {}),
  };
}

/** Calls back when a setting that the panel or a lens shows has changed. */
export function onSettingsChanged(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(section) || event.affectsConfiguration('terminal.integrated')) listener();
  });
}

/** Settings that the panel shows. The key is the one we contribute: no API tells what the user made of it. */
export function readPanelSettings(): PanelSettings {
  const terminal = vscode.workspace.getConfiguration('terminal.integrated');
  const family = terminal.get<string>('fontFamily') || vscode.workspace.getConfiguration('editor').get('fontFamily');
  const sizePixels = terminal.get<number>('fontSize');
  return {
    keys: { predict: process.platform === 'darwin' ? '⌃⌥P' : 'Alt+P' },
    terminalFont: { ...(family ? { family } : {}), ...(sizePixels ? { sizePixels } : {}) },
  };
}
