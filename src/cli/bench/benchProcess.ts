import path from 'node:path';
import { createForetell, type Foretell } from '../../core/foretell.ts';
import { launcherPath } from '../../core/launcherPath.ts';

/** How often progress is told where it cannot overwrite itself. */
const progressPauseMs = 10_000;

/** The process around `foretell bench`: its streams, its signals, its engine. `distFolder` has the launchers. */
export function benchProcess(distFolder: string): BenchProcess {
  const abort = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    // Whoever presses Ctrl+C again does not want to wait for what is under way.
    if (abort.signal.aborted) process.exit(130);
    abort.abort(signal);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  let foretell: Foretell | undefined;
  let isOpen = false;
  let toldAtMs = 0;
  const close = () => {
    if (isOpen) process.stderr.write('\r\x1b[K');
    isOpen = false;
  };
  return {
    extensionFolder: path.dirname(distFolder),
    cwd: process.cwd(),
    foretell: (spareLaunchers = 0) =>
      (foretell ??= createForetell({ launcher: launcherPath(distFolder), spareLaunchers })),
    say(text) {
      close();
      return new Promise((resolve) => {
        process.stdout.write(text, () => resolve());
      });
    },
    tell(line) {
      close();
      process.stderr.write(`${line}\n`);
    },
    progress(line) {
      if (process.stderr.isTTY) {
        process.stderr.write(`\r\x1b[K${line.slice(0, Math.max(20, (process.stderr.columns ?? 80) - 1))}`);
        isOpen = true;
      } else if (performance.now() - toldAtMs > progressPauseMs) {
        toldAtMs = performance.now();
        process.stderr.write(`${line}\n`);
      }
    },
    signal: abort.signal,
  };
}

/** What the words of `foretell bench` need of the command line around them. */
export interface BenchProcess {
  /** The folder that has `prompts/`. */
  extensionFolder: string;
  /** The working directory; relative paths start there. */
  cwd: string;
  /** Made when it is first called; the one way to predict. `spareLaunchers`: how many are started ahead; default 0. */
  foretell(spareLaunchers?: number): Foretell;
  /** Writes to standard output. */
  say(text: string): Promise<void>;
  /** Writes one line to standard error. */
  tell(line: string): void;
  /** Progress: overwrites its last line on a terminal, and is a line of its own now and then elsewhere. */
  progress(line: string): void;
  signal: AbortSignal;
}

/** One word of `foretell bench`. */
export interface BenchWord {
  /** One line for `foretell bench --help`. */
  summary: string;
  /** Loads what the word needs and runs it; `args` come after the word. Gives the exit status. */
  run(args: string[], around: BenchProcess): Promise<number>;
}
