import { readFileSync } from 'node:fs';
import { open, readlink } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ShellName } from '../../core/action/action.ts';
import type { TypedHint } from '../../core/hooks/typedHint.ts';
import type { Engine } from '../engine/engine.ts';
import type { EditorRequest } from '../predict/run.ts';
import { shellNamed } from '../predict/selection.ts';
import { readSettings } from '../settings.ts';
import type { Prompt } from '../terminal/prompt.ts';
import { folderOf } from '../terminal/terminals.ts';
import { createHintItem, type ShownHint } from './hintItem.ts';
import { followTyping, type Typing } from './hintWhileTyping.ts';
import { lineInMemory } from './lineInMemory.ts';

/** What a hint needs of the window. */
export interface TypingHintOptions {
  engine: Engine;
  editorRequest(): EditorRequest;
  promptOf(terminal: vscode.Terminal): Prompt;
}

/** A terminal that was closed, or has no shell that can be looked at, is looked at again after so long. */
const otherwiseMs = 1_000;

/**
 * A hint about the line that is typed in the terminal, where the setting asks for it: nothing is done, and nothing is loaded, where it
 * does not, and while somebody works in another window.
 */
export function registerTypingHint(options: TypingHintOptions): vscode.Disposable {
  let following: vscode.Disposable | undefined;
  const follow = () => {
    const { hintWhileTyping } = readSettings();
    if (hintWhileTyping === (following !== undefined)) return;
    following?.dispose();
    following = hintWhileTyping ? followTerminals(options) : undefined;
  };
  follow();
  const listener = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('foretell.hintWhileTyping')) follow();
  });
  return new vscode.Disposable(() => vscode.Disposable.from(listener, following ?? { dispose() {} }).dispose());
}

/** Looks at the line of the active terminal again and again, as long as the window has the keyboard. */
function followTerminals(options: TypingHintOptions): vscode.Disposable {
  const item = createHintItem();
  const known = new WeakMap<vscode.Terminal, Promise<Typing | undefined>>();
  const told = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: Typing | undefined;
  /** Counts what was begun: a look that was overtaken does not go on. */
  let turn = 0;

  async function typingIn(terminal: vscode.Terminal): Promise<Typing | undefined> {
    const seen = await shellSeen(terminal);
    if (!seen) known.delete(terminal);
    if (!seen) return undefined;
    if ('problem' in seen) {
      if (!told.has(seen.problem)) void vscode.window.showInformationMessage(seen.problem);
      told.add(seen.problem);
      return undefined;
    }
    const { processId } = seen;
    return followTyping<ShownHint>({
      pulse: () => pulseOf(processId),
      async line() {
        const shell = await shellIn(processId);
        const read = shell && (await lineInMemory(processId, shell));
        return read && 'line' in read ? read.line.toString('utf8') : undefined;
      },
      ask: (line, signal) => askFor(terminal, line, signal, options),
      show: (hint) => (hint ? item.show(hint) : item.hide()),
      nowMs: () => performance.now(),
    });
  }

  async function look(own: number): Promise<void> {
    const terminal = vscode.window.activeTerminal;
    let next = otherwiseMs;
    if (terminal && terminal.exitStatus === undefined) {
      const typing = known.get(terminal) ?? typingIn(terminal);
      known.set(terminal, typing);
      const found = await typing;
      if (own !== turn) return;
      current = found;
      next = (await found?.look()) ?? otherwiseMs;
    }
    if (own === turn) timer = setTimeout(() => void look(own), next);
  }

  const restart = () => {
    turn += 1;
    clearTimeout(timer);
    current?.rest();
    current = undefined;
    if (vscode.window.state.focused) void look(turn);
  };
  restart();
  const listeners = [
    vscode.window.onDidChangeActiveTerminal(restart),
    vscode.window.onDidChangeWindowState(restart),
    // Enter was pressed.
    vscode.window.onDidStartTerminalShellExecution(({ terminal }) => {
      if (terminal === vscode.window.activeTerminal) restart();
    }),
  ];
  return new vscode.Disposable(() => {
    turn += 1;
    clearTimeout(timer);
    current?.rest();
    vscode.Disposable.from(...listeners, item).dispose();
  });
}

/** The kernel's account of how long a process has run: a shell that has taken a key has another one. */
async function pulseOf(processId: number): Promise<string | undefined> {
  try {
    // Of a file without a disk that is ten times cheaper than by another thread.
    return readFileSync(`/proc/${processId}/schedstat`, 'utf8');
  } catch {
    return undefined;
  }
}

async function shellIn(processId: number): Promise<ShellName | undefined> {
  const program = await readlink(`/proc/${processId}/exe`).catch(() => undefined);
  return shellNamed(program?.replace(/ \(deleted\)$/, ''));
}

/** The process of a shell whose line can be read without its knowing, or a sentence why not; `undefined`: no shell runs there. */
async function shellSeen(terminal: vscode.Terminal): Promise<{ processId: number } | { problem: string } | undefined> {
  const processId = await terminal.processId;
  const shell = processId === undefined ? undefined : await shellIn(processId);
  if (processId === undefined || shell === undefined) return undefined;
  const none = 'so there is no hint about what is typed there.';
  if (shell !== 'bash' && shell !== 'zsh') return { problem: `${shell} lets nobody see what is typed, ${none}` };
  try {
    await (await open(`/proc/${processId}/mem`, 'r')).close();
    return { processId };
  } catch {
    const itself = shell === 'zsh' ? ' zsh can show it by itself: see docs/enter.md.' : '';
    return { problem: `This system lets no program see what is typed in ${shell}, ${none}${itself}` };
  }
}

/** Predicts a line in the place of its terminal, as *Predict Typed Terminal Line* does; no model is asked, and no program rehearsed. */
async function askFor(
  terminal: vscode.Terminal,
  line: string,
  signal: AbortSignal,
  { engine, editorRequest, promptOf }: TypingHintOptions,
): Promise<ShownHint | undefined> {
  const [foretell, { foldAll }, { hintMs, isStillOpen, typedHint }, { parseSelection }] = await Promise.all([
    engine.load(),
    import('../../core/foretell.ts'),
    import('../../core/hooks/typedHint.ts'),
    import('../../core/action/parseSelection.ts'),
  ]);
  const processId = await terminal.processId;
  const shell = processId === undefined ? undefined : await shellIn(processId);
  const cwd = await folderOf(terminal);
  if (shell === undefined || cwd === undefined || isStillOpen(line, shell)) return undefined;
  const parsed = parseSelection(line, { shell, cwd, source: 'input' });
  if (!parsed.ok || parsed.action.kind !== 'command') return undefined;
  const { action } = parsed;
  const { language: _, memory: _memory, consent: _consent, ...request } = editorRequest();
  const typedAt = await promptOf(terminal).request(request.env ?? {});
  const { events, view } = foretell.predict({
    ...{ ...request, ...typedAt, action, signal },
    limits: { ...request.limits, wallMs: hintMs },
    due: AbortSignal.timeout(hintMs),
  });
  try {
    const hint = typedHint(await foldAll(action, events), line, cwd);
    return hint && shownHint(hint, line);
  } finally {
    await view.close();
  }
}

async function shownHint({ headline, reasons, lost, recoveries }: TypedHint, line: string): Promise<ShownHint> {
  const [{ hintWord }, { namesText, wayText }] = await Promise.all([
    import('../../core/words/hintText.ts'),
    import('../../core/words/heldText.ts'),
  ]);
  const losses = [
    ...(lost.length > 0 ? [`Lost for good: ${namesText(lost)}.`] : []),
    ...(recoveries.length > 0 ? [wayText(recoveries)] : []),
  ];
  return { headline, reasons, line, word: hintWord(headline), losses };
}
