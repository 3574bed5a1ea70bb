import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { createCallLog } from '../../../src/core/hooks/calls/callLog.ts';
import type { HookAnswer, HookCall, HookDeed } from '../../../src/core/hooks/hookCall.ts';
import { hookFolder } from '../../../src/core/hooks/hookFolder.ts';
import { emptyPrediction } from '../../../src/core/prediction/fold.ts';
import type { Prediction } from '../../../src/core/prediction/prediction.ts';
import type { View } from '../../../src/core/view/view.ts';
import { drive, folder, inProject, press, runCommand, sleep, until } from './window.ts';

/** The view of agents' calls, as a selector. */
export const view = '[id="workbench.view.explorer"] .tree-explorer-viewlet-tree-view';
/** Its rows; those that are out of sight are not in the page. */
export const rows = `${view} .monaco-list-row`;

const hooks = hookFolder(process.env);
const calls = new Map<string, HookCall>();
const by = (session = 's1') => ({ agent: 'claude', session }) as const;

interface Asked {
  deed: HookDeed;
  answer?: HookAnswer;
  more?: Partial<Prediction>;
  texts?: Record<string, [string?, string?]>;
  at?: number;
  session?: string;
  cwd?: string;
  net?: string;
}

/** A call as the hook keeps it. */
export async function ask({ deed, answer = { kind: 'nothing' }, more, texts = {}, ...rest }: Asked): Promise<string> {
  const { at = Date.now(), session = 's1', cwd = folder(), net } = rest;
  const call: HookCall = { deed, cwd, id: `${session} t${calls.size}`, by: by(session) };
  const log = createCallLog(hooks, by(session), cwd);
  const key = log.asked(call, { cwd, shell: 'bash' }, at) ?? assert.fail('it is kept');
  calls.set(key, call);
  const action = { kind: 'command', script: 'x', shell: 'bash', cwd } as const;
  const prediction: Prediction = {
    ...{ ...emptyPrediction(action), ending: 'done', exitCode: 0, durationMs: 5 },
    verdict: { level: 'safe', reasons: [] },
    ...more,
  };
  const read = async (file: string, moment: 'before' | 'after') => {
    const text = texts[file]?.[moment === 'before' ? 0 : 1];
    return text === undefined ? undefined : Buffer.from(text);
  };
  const said = { prediction, view: { read } as unknown as View, ...(net === undefined ? {} : { net }) };
  await log.predicted(key, said, { answer, isLate: false, now: at });
  return key;
}

/** A command, as an agent asks about it. */
export const command = (script: string): HookDeed => ({ kind: 'command', script });
/** A file that would change. */
export const changed = (file: string, change: 'modified' | 'deleted' = 'modified'): Prediction['files'][number] => ({
  ...{ path: file, change, type: 'file', mode: '0644', sizeBytes: 4, volatile: false, basis: 'rehearsed' },
});

/** What a call that was asked about came out as: everything that was compared is as predicted. */
export function cameOut(key: string): void {
  const call = calls.get(key) ?? assert.fail('it was asked about');
  const entry = { version: 1 as const, at: '', kind: 'command' as const, programs: [], basis: 'rehearsed' as const };
  const hits = { output: 'unknown', exitCode: 'hit', files: 'hit' } as const;
  createCallLog(hooks, by(), folder()).made(call, { exitCode: 0 }, { ...entry, ...hits }, Date.now());
}

/** The hook itself, as Claude Code calls it. `done`: what came of it; absent: it is about to be made. Gives the answer. */
function hook(tool: string, given: object, name: string, done?: object): Promise<string> {
  return hookOf('claude', {
    ...{ session_id: 'real', cwd: folder(), tool_name: tool, tool_input: given, tool_use_id: name },
    ...(done ? { hook_event_name: 'PostToolUse', tool_response: done } : { hook_event_name: 'PreToolUse' }),
  });
}

/** A command that one of these agents is about to run, in a session of its own, as it tells its hook. Gives the answer. */
export function callHook(agent: 'claude' | 'codex' | 'gemini', script: string, name: string): Promise<string> {
  const isGemini = agent === 'gemini';
  return hookOf(agent, {
    ...{ session_id: `driven ${agent}`, cwd: folder(), tool_use_id: name, tool_input: { command: script } },
    tool_name: isGemini ? 'run_shell_command' : 'Bash',
    hook_event_name: isGemini ? 'BeforeTool' : 'PreToolUse',
  });
}

async function hookOf(agent: string, event: object): Promise<string> {
  const extension =
    vscode.extensions.all.find(({ packageJSON }) => packageJSON.name === 'foretell')?.extensionPath ?? '';
  const script = path.join(extension, 'dist', 'hook.js');
  const child = spawn(process.execPath, [script, agent, '--within', '60'], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(event));
  let said = '';
  child.stdout.on('data', (text) => {
    said += text;
  });
  await once(child, 'close');
  return said;
}

/** A session as people have them: looks, an edit, tests that nobody knows, and work that would be lost. */
export async function usualSession(): Promise<void> {
  await hook('Bash', { command: 'git log --oneline' }, 't1');
  const stdout = execFileSync('git', ['log', '--oneline'], { cwd: folder(), encoding: 'utf8' });
  await hook('Bash', { command: 'git log --oneline' }, 't1', { stdout, stderr: '' });
  const edit = { file_path: inProject('CHANGES.md'), content: '# Changes\n' };
  await hook('Write', edit, 't2');
  await writeFile(edit.file_path, edit.content);
  await hook('Write', edit, 't2', {});
  await hook('Bash', { command: 'npm test' }, 't3');
  assert.match(await hook('Bash', { command: 'rm -rf docs data/*.csv' }, 't4'), /"deny"/);
}

/** Room for the view of agents' calls. */
export async function widenAgents(): Promise<void> {
  const box = (await drive('box', '.part.sidebar')) as { x: number; y: number; width: number; height: number };
  const edge = box.x + box.width;
  await drive('mouseDrag', { x: edge, y: 300 }, { x: edge + 260, y: 300 });
  const head = (await drive('box', '[aria-label="Agents Section"]')) as { x: number; y: number };
  await drive('mouseDrag', { x: head.x + 60, y: head.y }, { x: head.x + 60, y: 330 });
}

/** Puts the keyboard into the view; what opens meanwhile may take it once more. */
export async function focusView(): Promise<void> {
  // What was opened before takes the keyboard when it is shown.
  await sleep(500);
  await until('the keyboard in the view', async () => {
    await runCommand('foretell.showAgents');
    await sleep(300);
    return drive('evaluate', `document.activeElement?.closest(${JSON.stringify(view)}) != null`);
  });
}

/** Shows the first row. */
export async function toTop(): Promise<void> {
  await focusView();
  await press('Home');
  await until('the first row', async () => ((await drive('count', `${rows}[data-index="0"].focused`)) as number) > 0);
}
