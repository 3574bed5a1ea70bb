import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { HeldFolder } from './heldFolder.ts';

/**
 * Starts the launcher with one word and gives it `input`, one character a byte. `folder`: held as its descriptor 3. Resolves to
 * what it prints; empty where it cannot be started.
 */
export async function askLauncher(
  launcher: string,
  word: 'attributes' | 'settle',
  input: string,
  folder?: HeldFolder,
): Promise<string> {
  const child = spawn(launcher, [word], {
    stdio: ['pipe', 'pipe', 'ignore', ...(folder ? [folder.descriptor] : [])],
    env: {},
    cwd: '/',
  });
  const isStarted = new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  const { stdin, stdout } = child;
  if (!stdin || !stdout || !(await isStarted)) return '';
  // Whoever ends early has not answered.
  stdin.on('error', () => {});
  stdin.end(Buffer.from(input, 'latin1'));
  return text(stdout);
}
