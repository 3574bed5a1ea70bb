import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { engineChoice } from '../engineChoice.ts';
import type { Canaries } from './canaries.ts';
import { spawnAs } from './identity.ts';

/** One request of `foretell batch`. */
export interface BatchRequest {
  script: string;
  cwd?: string;
  openGate?: boolean;
  timeLimitMs?: number;
  tty?: { columns: number; rows: number };
  env?: Record<string, string>;
}

/** What these tests read of a prediction; see the design, section 4. */
export interface BatchAnswer {
  id: string;
  ending: string;
  reason?: string;
  exitCode?: number;
  output?: { stream: string; text?: string; base64?: string }[];
  files?: { path: string; change: string; type?: string; from?: string; basis?: string }[];
  effects?: { effect: string; detail: string }[];
  programs?: { argv: string[]; basis: string }[];
  verdict?: { level?: string; reasons: { text: string }[] };
  durationMs?: number;
}

/** A warm `foretell batch` process of one identity. */
export interface Batch {
  child: ChildProcess;
  /** Answers come in the order of the requests. Rejects when the process ends, or after `deadlineMs` for all. */
  ask(requests: readonly BatchRequest[], deadlineMs?: number): Promise<BatchAnswer[]>;
  close(): Promise<void>;
}

export interface BatchOptions {
  environment?: Record<string, string>;
  /** Program and arguments that start node. */
  wrapper?: readonly string[];
  cli?: string;
  cwd?: string;
}

const projectFolder = path.resolve(process.env['FORETELL_PROJECT'] ?? process.cwd());

/** The command line that was built. */
export const cliFile = path.join(process.env['FORETELL_DIST'] ?? path.join(projectFolder, 'dist'), 'cli.js');

/** Starts `foretell batch` in the workspace of the canaries. */
export function startBatch(
  canaries: Pick<Canaries, 'base' | 'workspace' | 'environment' | 'identity'>,
  jobs: number,
  options: BatchOptions = {},
): Batch {
  const [program = process.execPath, ...first] = [...(options.wrapper ?? []), process.execPath];
  const child = spawn(program, [...first, options.cli ?? cliFile, 'batch', '--jobs', String(jobs)], {
    cwd: options.cwd ?? canaries.workspace,
    env: {
      ...engineChoice(),
      ...canaries.environment,
      XDG_CACHE_HOME: `${canaries.base}.cache`,
      ...options.environment,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    ...spawnAs(canaries.identity),
  });
  const waiting: { resolve(answer: BatchAnswer): void; reject(error: Error): void }[] = [];
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint = `${complaint}${chunk.toString()}`.slice(-2000);
  });
  child.stdin.on('error', () => {});
  const strays: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    const next = waiting.shift();
    try {
      const answer = JSON.parse(line) as BatchAnswer;
      if (next) next.resolve(answer);
      else strays.push(line);
    } catch {
      next?.reject(new Error(`not one JSON object a line: ${line.slice(0, 300)}`));
    }
  });
  child.on('close', (code, signal) => {
    for (const one of waiting.splice(0)) one.reject(new Error(`batch ended (${signal ?? code}): ${complaint}`));
  });
  let id = 0;
  return {
    child,
    async ask(requests, deadlineMs = 120_000) {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error(`batch has ended: ${complaint}`);
      const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
      try {
        const answers = requests.map((request) => {
          id += 1;
          const answer = new Promise<BatchAnswer>((resolve, reject) => waiting.push({ resolve, reject }));
          child.stdin.write(`${JSON.stringify({ id: String(id), ...request })}\n`);
          return answer;
        });
        return await Promise.all(answers);
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      if (strays.length > 0) throw new Error(`more answers than questions: ${strays[0]?.slice(0, 300)}`);
      if (child.exitCode !== null || child.signalCode !== null) return;
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.stdin.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
      await closed;
      clearTimeout(timer);
    },
  };
}

/** Processes of the engine itself, which stay while a batch process is warm. */
export function isEngine(command: string): boolean {
  return command.includes('cli.js batch') || /\/confine-linux-\w+$|^\[confine-linux/.test(command.trim());
}
