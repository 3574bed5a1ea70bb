import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { SamplingParameters } from '../../core/worlds/language/client/provider.ts';
import type { Dialect } from '../../core/worlds/language/prompt/turns/turn.ts';

import { checkedSettings } from '../checkedSettings.ts';

/** The settings about the language model, as they are now. */
export interface ModelSettings {
  provider: 'none' | 'server' | 'editor';
  /** As the user wrote it; empty: none. */
  baseUrl: string;
  /** Of a server: the name that it serves. Of the editor: `vendor/id`. Absent: the first that there is. */
  model?: string;
  parameters: SamplingParameters;
  contextTokens: number;
  mostQuestions: number;
  samples: number;
  /** Absolute; absent: none. */
  promptsFolder?: string;
  style: 'benchmark' | 'quickstart';
  dialect: Dialect;
  /** Globs of files that a model never sees. */
  excludes: string[];
  /** The last commands of the terminals may be shown to the model. */
  terminalHistory: boolean;
}

const section = 'foretell';

export function readModelSettings(): ModelSettings {
  const settings = checkedSettings(section);
  const model = settings.get('model.name', '').trim();
  const written = settings.get('prompts.folder', '').trim();
  const promptsFolder = written.startsWith('~/') ? path.join(os.homedir(), written.slice(2)) : written;
  const budget = settings.get<number | null>('model.thinkingBudgetTokens', null);
  const seed = settings.get<number | null>('model.seed', null);
  const hidden = vscode.workspace.getConfiguration('files').get<Record<string, unknown>>('exclude') ?? {};
  return {
    provider: settings.get<ModelSettings['provider']>('model.provider', 'none'),
    baseUrl: settings.get('model.baseUrl', '').trim(),
    ...(model === '' ? {} : { model }),
    parameters: {
      temperature: settings.get('model.temperature', 0.6),
      topP: settings.get('model.topP', 0.95),
      topK: settings.get('model.topK', 20),
      maxOutputTokens: settings.get('model.maxOutputTokens', 32_768),
      thinking: settings.get('model.thinking', true) ? 'on' : 'off',
      ...(budget === null ? {} : { thinkingBudgetTokens: budget }),
      ...(seed === null ? {} : { seed }),
    },
    contextTokens: settings.get('model.contextTokens', 16_000),
    mostQuestions: settings.get('model.mostQuestions', 40),
    samples: settings.get('model.samples', 1),
    ...(promptsFolder === '' ? {} : { promptsFolder }),
    style: settings.get<ModelSettings['style']>('prompts.style', 'benchmark'),
    dialect: settings.get<Dialect>('prompts.dialect', 'qwen'),
    excludes: [
      // An entry with a condition is about files that are made of others; those are no secret.
      ...Object.keys(hidden).filter((glob) => hidden[glob] === true),
      ...settings.get<string[]>('context.exclude', []),
    ],
    terminalHistory: settings.get('context.terminalHistory', true),
  };
}

/** Writes settings of the user, which on a remote machine are those of that machine. */
export async function saveModelSettings(
  values: Partial<Record<'provider' | 'baseUrl' | 'name', string | undefined>>,
): Promise<void> {
  const settings = vscode.workspace.getConfiguration(section);
  for (const [name, value] of Object.entries(values)) {
    await settings.update(`model.${name}`, value, vscode.ConfigurationTarget.Global);
  }
}

/** Calls back when something about the model has changed: then a new provider is needed. */
export function onModelSettingsChanged(listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${section}.model`)) listener();
  });
}
