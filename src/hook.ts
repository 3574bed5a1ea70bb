import { currentFolder } from './cli/currentFolder.ts';
import { runHook } from './cli/hooks/hook.ts';

/** The hook of agents as a program of its own: what does not concern us is answered without loading the engine. */
const write = (text: string) => new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));

process.stdout.on('error', () => process.exit(0));
// An editor that starts us with its own Node says so in the environment; no command should see that.
if (process.versions['electron'] !== undefined) delete process.env['ELECTRON_RUN_AS_NODE'];
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
