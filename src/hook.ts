import { currentFolder } from './cli/currentFolder.ts';
import { runHook } from './cli/hooks/hook.ts';

/** The hook of agents as a program of its own: what does not concern us is answered without loading the engine. */
const write = (text: string) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));

process.stdout.on('error', () => process.exit(0));
runHook(process.argv.slice(2), {
  distFolder: __dirname,
  cwd: currentFolder() ?? '/',
  env: process.env,
  isAtTerminal: process.stdin.isTTY === true,
  input: process.stdin,
  say: write,
  tell: (line) => process.stderr.write(`${line}\n`),
  sinceStart: () => performance.now(),
}).then(
  (code) => process.exit(code),
  () => process.exit(0),
);
