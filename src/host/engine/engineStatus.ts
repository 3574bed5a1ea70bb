import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import * as vscode from 'vscode';
import type { Language } from '../model/language.ts';
import { readModelSettings } from '../model/modelSettings.ts';
import { localFolders, usualShell } from '../predict/selection.ts';
import { readSettings } from '../settings.ts';
import type { Engine } from './engine.ts';

/** Kernel settings that decide whether an ordinary user may build a confinement. */
const kernelSettings = [
  'kernel/unprivileged_userns_clone',
  'kernel/apparmor_restrict_unprivileged_userns',
  'user/max_user_namespaces',
];

/** What somebody needs to know who asks why a command could not be predicted. No command and no file content is in it. */
export async function describeEngine(
  context: vscode.ExtensionContext,
  engine: Engine,
  language: Language,
): Promise<string> {
  const startedAt = performance.now();
  const status = await engine.status();
  const tookMs = performance.now() - startedAt;
  const settings = readSettings();
  const version: unknown = context.extension.packageJSON.version;
  const shells = await Promise.all(['bash', 'zsh', 'fish', 'git'].map(versionOf));
  const kernel = await Promise.all(kernelSettings.map(readKernelSetting));
  const word = (is: boolean) => (is ? 'yes' : 'no');
  return [
    'Foretell: what this machine can do',
    '',
    status.sentence,
    '',
    `  Commands that change something   ${word(status.copy)}`,
    `  Commands that only read          ${word(status.look)}`,
    `  Asked in                         ${tookMs.toFixed(1)} ms`,
    '',
    'Where it runs',
    '',
    `  Foretell                         ${String(version)}`,
    `  VS Code                          ${vscode.version}${vscode.env.remoteName ? ` (${vscode.env.remoteName})` : ''}`,
    `  System                           ${os.type()} ${os.release()} ${process.arch}`,
    `  User                             ${process.getuid?.() === 0 ? 'root' : 'ordinary'}`,
    `  Node                             ${process.versions.node}`,
    ...kernel,
    ...shells,
    '',
    'How it is set up',
    '',
    `  Workspace                        ${vscode.workspace.isTrusted ? 'trusted' : 'not trusted: nothing is run for real'}`,
    `  Folders                          ${localFolders().join(', ') || 'none'}`,
    `  Shell                            ${usualShell(settings)}`,
    `  Interactive shell                ${word(settings.interactiveShell)}`,
    `  Limits                           ${settings.limits.wallMs / 1000} s (programs that you let run: ${settings.rehearsalMs / 1000} s), ${settings.limits.processes} processes, ${megabytes(settings.limits.memoryBytes)} MB memory, ${megabytes(settings.limits.diskBytes)} MB written, ${megabytes(settings.limits.outputBytes)} MB printed`,
    ...(await describeModel(language)),
    '',
  ].join('\n');
}

/** How long a model server may take to say what it is. */
const modelPatienceMs = 5_000;

async function describeModel({ model, apiKeys }: Language): Promise<string[]> {
  const line = (name: string, value: string) => `  ${name.padEnd(33)}${value}`;
  const provider = model.provider();
  if (!provider) {
    const why = vscode.workspace.isTrusted ? 'none' : 'none in a workspace that is not trusted';
    return [line('Language model', `${why}: what may not run is assumed to succeed and to change nothing`)];
  }
  const settings = readModelSettings();
  const status = await provider.status(AbortSignal.timeout(modelPatienceMs));
  const lines = [line('Language model', status.ok ? `${status.model}, ${status.name}` : status.message)];
  if (status.ok && status.contextTokens) lines.push(line('Its context', `${status.contextTokens} tokens`));
  if (status.ok) lines.push(line('Tokens', status.countsExactly ? 'counted by the server' : 'estimated'));
  if (settings.provider === 'server') {
    const has = (await apiKeys.read(settings.baseUrl)) !== undefined;
    lines.push(line('Base URL', settings.baseUrl), line('API key', has ? 'kept for this address' : 'none'));
  }
  return lines;
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}

async function readKernelSetting(name: string): Promise<string> {
  const value = await readFile(`/proc/sys/${name}`, 'utf8').catch(() => undefined);
  return `  ${name.replaceAll('/', '.').slice(0, 32).padEnd(33)}${value?.trim() ?? 'not there'}`;
}

function versionOf(program: string): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: 2_000 }, (error, printed) => {
      const line = error ? 'not installed' : (printed.split('\n')[0] ?? '');
      resolve(`  ${program.padEnd(33)}${line}`);
    });
  });
}
