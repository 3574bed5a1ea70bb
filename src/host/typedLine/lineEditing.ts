import { readFile } from 'node:fs/promises';
import os from 'node:os';
import type * as vscode from 'vscode';
import type { ShellName } from '../../core/action/action.ts';
import type { Engine } from '../engine/engine.ts';

/** How keys edit a line in a shell. */
export type LineEditing = 'emacs' | 'vi';

const probes: Partial<Record<ShellName, string>> = {
  // The bindings that are used to ask; whoever has changed them is not asked by keys.
  zsh: `zsh -i -c 'bindkey -lL main; bindkey -M vicmd :; bindkey -M emacs "^[x"' 2>/dev/null`,
  fish: `fish -i -c 'echo keys $fish_key_bindings; bind --user' 2>/dev/null`,
};

const answers: readonly [ShellName, RegExp, LineEditing][] = [
  ['zsh', /^bindkey -A emacs main$[\s\S]*^"\^\[x" execute-named-cmd$/m, 'emacs'],
  ['zsh', /^bindkey -A vi\w+ main$[\s\S]*^":" execute-named-cmd$/m, 'vi'],
  [
    'fish',
    /^keys .*(?:default|emacs)_key_bindings$(?![\s\S]*^bind (?:.* )?(?:\\e\\?<|\\c[kyx]|\\r|ctrl-[kyx]|alt-<|enter)(?:\\| ))/m,
    'emacs',
  ],
  ['fish', /^keys .*vi_key_bindings$/m, 'vi'],
];

/**
 * Says how keys edit a line in the shell of a terminal: the same shell is started with the same environment and start
 * files, confined, and asked. A key that means something else would change the typed line, or even run it.
 *
 * `undefined`: it did not say, or its keys are unusual.
 */
export function createLineEditing(
  engine: Engine,
): (terminal: vscode.Terminal, shell: ShellName) => Promise<LineEditing | undefined> {
  const known = new WeakMap<vscode.Terminal, Promise<LineEditing | undefined>>();
  return (terminal, shell) => {
    let asked = known.get(terminal);
    if (!asked) {
      asked = ask(engine, terminal, shell).catch(() => undefined);
      known.set(terminal, asked);
    }
    return asked;
  };
}

async function ask(engine: Engine, terminal: vscode.Terminal, shell: ShellName): Promise<LineEditing | undefined> {
  const script = probes[shell];
  if (script === undefined) return undefined;
  const [foretell, { foldAll }, env] = await Promise.all([
    engine.load(),
    import('../../core/foretell.ts'),
    environmentOf(terminal),
  ]);
  const action = { kind: 'command', script, shell: 'sh', cwd: env['HOME'] ?? os.homedir() } as const;
  const { events, view } = foretell.predict({
    action,
    env,
    limits: { wallMs: 3_000 },
    signal: AbortSignal.timeout(8_000),
  });
  try {
    const { output } = await foldAll(action, events);
    const said = output.map((piece) => (piece.stream === 'stdout' ? (piece.text ?? '') : '')).join('');
    return answers.find(([name, pattern]) => name === shell && pattern.test(said))?.[2];
  } finally {
    void view.close();
  }
}

/** The environment that the shell was started with, without what VS Code added for its own start files. */
async function environmentOf(terminal: vscode.Terminal): Promise<Record<string, string>> {
  const text = await readFile(`/proc/${await terminal.processId}/environ`, 'utf8').catch(() => '');
  const env: Record<string, string> = {};
  for (const entry of text.split('\0')) {
    const end = entry.indexOf('=');
    if (end > 0) env[entry.slice(0, end)] = entry.slice(end + 1);
  }
  // VS Code's own folder of zsh start files stands before the user's.
  const { USER_ZDOTDIR, ZDOTDIR: _ours, VSCODE_INJECTION: _injected, ...rest } = env;
  return USER_ZDOTDIR === undefined ? rest : { ...rest, ZDOTDIR: USER_ZDOTDIR };
}
