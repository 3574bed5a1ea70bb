import { spawn } from 'node:child_process';
import { terminalEnvironment } from '../../src/core/bench/collect/typedCommand.ts';
import type { Identity } from '../truth/fixture.ts';
import type { Guard } from '../truth/guard.ts';
import { credentialsOf } from '../truth/realRun.ts';

/** An interactive bash at a real pseudo terminal. */
export interface RealTerminal {
  /** Types a command and a line break; gives the screen from its prompt to the next one, without the blank at the end. */
  type(command: string): Promise<string>;
  close(): Promise<void>;
}

export interface TerminalPlace {
  cwd: string;
  env: Record<string, string>;
  identity: Identity;
  guard?: Guard;
}

const limitMs = 15_000;

/** Opens a terminal of 120 × 40 with the prompt that screens of trajectories have. script(1) makes the pseudo terminal. */
export async function openTerminal({ cwd, env, identity, guard }: TerminalPlace): Promise<RealTerminal> {
  const user = identity.uid === 0 ? 'root' : 'user';
  // A bash that runs a script forgets the prompt of its environment.
  const shell =
    'stty cols 120 rows 40; exec env -u PROMPT_OF_TEST PS1="$PROMPT_OF_TEST" bash --norc --noprofile --noediting -i';
  const [program = '', ...words] = [...(guard?.prefix(cwd) ?? []), 'script', '-qfec', shell, '/dev/null'];
  const child = spawn(program, words, {
    cwd,
    env: { ...env, ...terminalEnvironment, PROMPT_OF_TEST: `${user}@host:\\w\\$ ` },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...credentialsOf(identity),
  });
  const prompt = new RegExp(`${user}@host:[^\\n]*[$#] $`);
  let screen = '';
  let wake = () => {};
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    screen += piece;
    wake();
  });
  child.stdin.on('error', () => {});
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const untilPrompt = async () => {
    const endsAt = performance.now() + limitMs;
    while (!prompt.test(screen)) {
      const more = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const late = new Promise<'late'>((resolve) =>
        setTimeout(() => resolve('late'), Math.max(1, endsAt - performance.now())).unref(),
      );
      if ((await Promise.race([more, gone.then(() => 'gone' as const), late])) !== undefined)
        throw new Error(`the terminal gave no prompt: ${JSON.stringify(screen.slice(-500))}`);
    }
  };
  await untilPrompt();
  return {
    async type(command) {
      const before = screen.replaceAll('\r\n', '\n');
      screen = '';
      child.stdin.write(`${command}\n`);
      await untilPrompt();
      return `${before}${screen}`
        .replaceAll('\r\n', '\n')
        .slice(before.lastIndexOf('\n') + 1)
        .trimEnd();
    },
    async close() {
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 2_000);
      await gone;
      clearTimeout(timer);
    },
  };
}
