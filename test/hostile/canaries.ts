import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { temporaryFolder } from '../temporaryFolder.ts';
import { type Identity, spawnAs } from './identity.ts';
import { machineState } from './machineState.ts';
import { processesOf } from './processes.ts';
import { compilePrograms, type Programs } from './programs.ts';
import { treeState } from './treeState.ts';

/**
 * A throw-away surrounding that belongs to one identity: workspace with a git repository, home, temporary files, and a
 * live process with sockets, ports, FIFOs, a terminal, shared memory, queues, a key and memory of its own.
 */
export interface Canaries {
  identity: Identity;
  programs: Programs;
  /** Contains all the folders. */
  base: string;
  workspace: string;
  home: string;
  /** Files that a command has no business with. */
  outside: string;
  /** What a command gets to know: environment variables that name every canary. */
  environment: Record<string, string>;
  /** Everything that must not change, by name. */
  state(): Promise<State>;
  /** What differs from `before`, one sentence each; processes that are left get a moment to end. */
  compare(before: State, isSpared?: (command: string) => boolean): Promise<string[]>;
  remove(): Promise<void>;
}

export type State = Map<string, string>;

let count = 0;

/** Makes canaries. `depth` of the machine's state: see `machineState`; `populate` adds files of its own. */
export async function makeCanaries(
  identity: Identity,
  depth: 'quick' | 'full' = 'quick',
  populate?: (workspace: string, home: string) => void,
): Promise<Canaries> {
  const programs = compilePrograms();
  const base = temporaryFolder('canaries');
  const [workspace, home, outside] = ['workspace', 'home', 'outside'].map((name) => path.join(base, name)) as [
    string,
    string,
    string,
  ];
  fillWorkspace(workspace);
  fillHome(home);
  fillOutside(outside);
  populate?.(workspace, home);
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${identity.uid}:${identity.gid}`, base]);
  const keeper = await startKeeper(programs.canary, outside, identity);
  count += 1;
  const marker = `${process.pid}.${count}`;
  const environment: Record<string, string> = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: home,
    USER: identity.name,
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    TERM: 'xterm-256color',
    FORETELL_CANARIES: marker,
    GIT_CONFIG_NOSYSTEM: '1',
    BIN: programs.folder,
    EVIL: programs.attack,
    LIBRARY: programs.library,
    HIDDEN_LIBRARY: programs.hiddenLibrary,
    DATA_LIBRARY: programs.dataLibrary,
    ALIGNED_LIBRARY: programs.alignedLibrary,
    VIEW: workspace,
    OUTSIDE: outside,
    VICTIM: path.join(outside, 'victim'),
    SECOND_VICTIM: path.join(outside, 'second'),
    TOUCH: path.join(outside, 'touched'),
    ROOT_DEVICE: String(fs.statSync('/etc').dev),
    FREE_PORT: '47613',
    ...keeper.reach,
  };
  const state = async (): Promise<State> =>
    new Map([...treeState(base), ...machineState(depth), ...(await keeper.state())]);
  return {
    identity,
    programs,
    base,
    workspace,
    home,
    outside,
    environment,
    state,
    async compare(before, isSpared = () => false) {
      const left = await leftOver(identity, marker, (one) => one.startsWith(programs.canary) || isSpared(one));
      return [...differences(before, await state()), ...left.map((line) => `process left: ${line}`)];
    },
    async remove() {
      await keeper.end();
      fs.rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Sentences about what is not the same in two states. */
export function differences(before: State, after: State): string[] {
  const lines: string[] = [];
  for (const [name, value] of before) {
    const now = after.get(name);
    if (now === undefined) lines.push(`${name} is gone`);
    else if (now !== value) lines.push(`${name}: ${value} → ${now}`);
  }
  for (const name of after.keys()) if (!before.has(name)) lines.push(`${name} is new: ${after.get(name)}`);
  return lines;
}

async function leftOver(identity: Identity, marker: string, isSpared: (command: string) => boolean): Promise<string[]> {
  const deadline = Date.now() + 1500;
  for (;;) {
    const left = processesOf(identity, marker).filter((entry) => !isSpared(entry.command));
    if (left.length === 0 || Date.now() > deadline) return left.map((entry) => `${entry.pid} ${entry.command}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function write(file: string, text: string, mode = 0o644): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode });
}

function fillWorkspace(folder: string): void {
  write(path.join(folder, 'a'), 'first line\nsecond line\n');
  write(path.join(folder, 'b'), 'content of b\n', 0o600);
  write(path.join(folder, 'sub/c'), 'content of c\n');
  write(path.join(folder, 'sub/deep/d'), 'content of d\n');
  write(path.join(folder, 'precious'), 'exists nowhere else\n');
  write(path.join(folder, 'run.sh'), '#!/bin/sh\necho ran\n', 0o755);
  write(path.join(folder, '.env'), 'SECRET=1\n', 0o600);
  fs.symlinkSync('a', path.join(folder, 'link'));
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, stdio: 'pipe', env: { PATH: process.env['PATH'], ...gitIdentity } });
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Canary');
  git('config', 'user.email', 'canary@example.invalid');
  git('add', 'a', 'b', 'sub', 'run.sh', 'link');
  git('commit', '-q', '-m', 'first');
  write(path.join(folder, 'a'), 'first line\nsecond line\nnot committed\n');
}

const gitIdentity = {
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_DATE: '2024-01-01T00:00:00Z',
  GIT_COMMITTER_DATE: '2024-01-01T00:00:00Z',
};

function fillHome(folder: string): void {
  write(path.join(folder, '.bashrc'), '# nothing\n');
  write(path.join(folder, '.gitconfig'), '[user]\n\tname = Canary\n\temail = canary@example.invalid\n');
  write(path.join(folder, '.ssh/id_ed25519'), 'not a key\n', 0o600);
  write(path.join(folder, 'notes.txt'), 'notes\n');
}

function fillOutside(folder: string): void {
  write(path.join(folder, 'victim'), 'untouched\n', 0o666);
  write(path.join(folder, 'second'), 'untouched as well\n', 0o666);
  write(path.join(folder, 'byHandle'), 'untouched by handle\n', 0o666);
}

interface Keeper {
  child: ChildProcess;
  reach: Record<string, string>;
  state(): Promise<State>;
  end(): Promise<void>;
}

async function startKeeper(binary: string, folder: string, identity: Identity): Promise<Keeper> {
  const child = spawn(binary, [folder], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'], ...spawnAs(identity) });
  const blocks = readBlocks(child);
  // Whoever fails before it is ended must not wait for it: it ends with this process.
  for (const one of [child, child.stdin, child.stdout] as (ChildProcess | Socket | null)[]) one?.unref();
  const reach = Object.fromEntries(await blocks.next());
  return {
    child,
    reach,
    async state() {
      child.stdin?.write('\n');
      return blocks.next();
    },
    async end() {
      child.ref();
      child.stdin?.end();
      child.kill('SIGCONT'); // It may have been stopped by what it watches for.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => child.kill('SIGKILL'), 500);
      await new Promise((resolve) => child.once('exit', resolve));
      clearTimeout(timer);
    },
  };
}

/** The keeper's answers: `name=value` lines up to a line that is a dot. A keeper that is dead or stopped says so. */
function readBlocks(child: ChildProcess): { next(): Promise<State> } {
  let text = '';
  let wake: (() => void) | undefined;
  let dead = false;
  child.stdin?.on('error', () => {});
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    wake?.();
  });
  child.on('exit', () => {
    dead = true;
    wake?.();
  });
  return {
    async next() {
      const deadline = Date.now() + 3000;
      for (;;) {
        const end = text.indexOf('\n.\n');
        if (end >= 0) {
          const lines = text.slice(0, end).split('\n');
          text = text.slice(end + 3);
          return new Map(lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]));
        }
        if (dead) return new Map([['process', 'the canary process is dead']]);
        if (Date.now() > deadline) return new Map([['process', 'the canary process does not answer']]);
        await new Promise<void>((resolve) => {
          wake = resolve;
          setTimeout(resolve, 50);
        });
      }
    },
  };
}
