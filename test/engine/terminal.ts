import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { until } from './servicePlace.ts';

/** An interactive shell at a pseudo terminal, as a person has it. */
export interface Terminal {
  shell: TerminalShell;
  /** Types keys; each key stands for itself. */
  type(keys: string): void;
  /** All that it has shown, without the sequences that only move and paint. */
  shown(): string;
  /** How many prompts there were. */
  prompts(): number;
  /** Types keys and waits for the next prompt. */
  enter(keys: string): Promise<void>;
  close(): Promise<void>;
}

const mark = 'ft> ';

/** Start files: each prompt is counted in a file, so that nobody has to guess when the shell is ready. */
const starts = {
  bash: (count: string) => ({
    rc: `PS1='${mark}'; PROMPT_COMMAND='printf x >>${count}'; HISTCONTROL=; HISTSIZE=1000; HISTFILE=`,
    words: (file: string) => `bash --noprofile --rcfile ${file} -i`,
  }),
  zsh: (count: string) => ({
    rc: `PS1='${mark}'; precmd() { printf x >>${count} }; HISTSIZE=1000; unset zle_bracketed_paste_highlight`,
    words: (file: string) => `env ZDOTDIR=${file.replace(/\/[^/]*$/, '')} zsh -i -o NO_GLOBAL_RCS`,
  }),
  fish: (count: string) => ({
    rc: `function count_prompts --on-event fish_prompt --on-event fish_cancel; printf x >>${count}; end; function fish_prompt; printf '${mark}'; end; function fish_greeting; end; function fish_title; end`,
    words: (file: string) => `fish --no-config -i -C 'source ${file}'`,
  }),
};

export type TerminalShell = keyof typeof starts;

/** `folder`: for its start file, made here. `more`: commands at the end of that. */
export async function openTerminal(
  shell: TerminalShell,
  { folder, cwd, env, more = [] }: { folder: string; cwd: string; env: Record<string, string>; more?: string[] },
): Promise<Terminal> {
  fs.mkdirSync(folder, { recursive: true });
  const count = `${folder}/prompts`;
  fs.writeFileSync(count, '');
  const start = starts[shell](count);
  const rc = `${folder}/${shell === 'zsh' ? '.zshrc' : 'rc'}`;
  fs.writeFileSync(rc, `${[start.rc, ...more].join('\n')}\n`);
  const isVi = shell === 'fish' && more.includes('fish_vi_key_bindings');
  if (isVi) {
    // Without configuration fish knows no other keys than its own; with it, it remembers lines of other shells.
    fs.mkdirSync(`${folder}/fish`, { recursive: true });
    const history = `set -g fish_history ${folder.replace(/\W/g, '_')}\n`;
    fs.writeFileSync(`${folder}/fish/config.fish`, `${history}${fs.readFileSync(rc, 'utf8')}`);
  }
  const words = isVi ? `env XDG_CONFIG_HOME=${folder} fish -i` : start.words(rc);
  const child = spawn('script', ['-qfec', `stty cols 120 rows 40; exec ${words}`, '/dev/null'], {
    cwd,
    env: { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    screen += piece;
  });
  child.stdin.on('error', () => {});
  const gone = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const shown = () =>
    screen
      .replaceAll(/\u001b\][^\u0007]*\u0007|\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b[()][A-Z0-9]|\u001b[=>78]/g, '')
      .replaceAll('\r', '\n');
  const prompts = () => fs.statSync(count).size;
  const isReady = () => shown().trimEnd().endsWith(mark.trimEnd());
  await until(() => prompts() > 0 && isReady());
  const type = (keys: string) => void child.stdin.write(keys);
  return {
    ...{ shell, type, shown, prompts },
    async enter(keys) {
      const before = prompts();
      type(keys);
      await until(() => prompts() > before && isReady()).catch(() => {
        throw new Error(`no prompt after ${JSON.stringify(keys)}: ${JSON.stringify(shown().slice(-300))}`);
      });
    },
    async close() {
      child.stdin.end();
      child.kill('SIGHUP');
      const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
      await gone;
      clearTimeout(timer);
    },
  };
}
