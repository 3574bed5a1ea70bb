import { execFileSync, spawn } from 'node:child_process';
import { chownSync, closeSync, constants as fileConstants, openSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants } from 'node:os';
import { join } from 'node:path';
import type { NodeState, RealRun } from './compare.ts';
import type { Identity } from './fixture.ts';
import type { Guard } from './guard.ts';
import { wordsWithin } from './identity.ts';
import { type BytePath, hashFile, type Pristine, readTree, type Tree, type TreeNode, touchedPaths } from './tree.ts';

/** What a shell printed and returned. `late` says that it, or what it left running, had to be killed. */
export interface ShellResult {
  stdout: Buffer;
  stderr: Buffer;
  exitCode: number;
  late: boolean;
}

export interface ShellOptions {
  cwd: string;
  env: Record<string, string>;
  identity: Identity;
  /** FIFOs of `makePipes`: what Node calls a pipe is a socket, and programs notice (`> /dev/stderr`). */
  pipes: readonly [string, string];
  /** Where everything else is read-only; needed for root. */
  guard?: Guard;
  /** Default 20,000. */
  limitMs?: number;
}

/** Options of `spawn` that make the child run as somebody; empty when that is who we are. */
export function credentialsOf(identity: Identity): { uid?: number; gid?: number } {
  if (wordsWithin(identity).length > 0) return {};
  return process.getuid?.() === 0 && identity.uid !== 0 ? { uid: identity.uid, gid: identity.gid } : {};
}

/**
 * Really runs `bash -c script`, in a session of its own, with nothing on standard input and pipes for its output.
 * Waits a while where the machine has no process left to give.
 */
export async function runShell(script: string, options: ShellOptions): Promise<ShellResult> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await runOnce(script, options);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || attempt === 30) throw error;
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

function runOnce(script: string, options: ShellOptions): Promise<ShellResult> {
  return new Promise((resolve, reject) => {
    const outputs = [openPipe(options.pipes[0]), openPipe(options.pipes[1])] as const;
    const [program, ...words] = [
      ...(options.guard?.prefix(options.cwd) ?? []),
      ...wordsWithin(options.identity),
      ...['bash', '-c', script],
    ];
    const child = spawn(program ?? 'bash', words, {
      cwd: options.cwd,
      env: options.env,
      stdio: ['ignore', outputs[0].writeEnd, outputs[1].writeEnd],
      detached: true,
      ...credentialsOf(options.identity),
    });
    for (const output of outputs) closeSync(output.writeEnd);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      // Its own process group only.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      for (const output of outputs) output.socket.destroy();
    }, options.limitMs ?? 20_000);
    const ended = new Promise<number>((end) => {
      child.on('exit', (code, signal) => end(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
    child.on('error', (error) => {
      clearTimeout(timer);
      for (const output of outputs) output.socket.destroy();
      reject(error);
    });
    Promise.all([ended, outputs[0].content, outputs[1].content]).then(([exitCode, stdout, stderr]) => {
      clearTimeout(timer);
      resolve({ stdout, stderr, exitCode, late });
    }, reject);
  });
}

/** Makes the two FIFOs that the outputs of real runs go through; they belong to the identity, as its own pipes would. */
export function makePipes(folder: string, identity: Identity): readonly [string, string] {
  const pipes = [join(folder, 'stdout'), join(folder, 'stderr')] as const;
  execFileSync('mkfifo', [...pipes]);
  if (process.getuid?.() === 0) for (const pipe of pipes) chownSync(pipe, identity.uid, identity.gid);
  return pipes;
}

/** Opens both ends of a FIFO. `content` is everything that was written, once all writers are gone. */
function openPipe(path: string): { writeEnd: number; socket: Socket; content: Promise<Buffer> } {
  const readEnd = openSync(path, fileConstants.O_RDONLY | fileConstants.O_NONBLOCK);
  const writeEnd = openSync(path, fileConstants.O_WRONLY);
  const socket = new Socket({ fd: readEnd, readable: true, writable: false });
  const pieces: Buffer[] = [];
  const content = new Promise<Buffer>((resolve, reject) => {
    socket.on('data', (piece: Buffer) => pieces.push(piece));
    socket.on('close', () => resolve(Buffer.concat(pieces)));
    socket.on('error', reject);
  });
  return { writeEnd, socket, content };
}

/** The compared part of a node's status, without its content: how large a directory gets is its file system's affair. */
export function stateOf(node: TreeNode, sha256: string | undefined): NodeState {
  const { type, mode, uid, gid, target } = node;
  const sizeBytes = type === 'directory' ? 0 : node.sizeBytes;
  return {
    type,
    mode,
    uid,
    gid,
    sizeBytes,
    ...(sha256 === undefined ? {} : { sha256 }),
    ...(target === undefined ? {} : { target }),
  };
}

/** States of a whole pristine tree. */
export function statesOf(pristine: Pristine): Map<BytePath, NodeState> {
  return new Map([...pristine.tree].map(([path, node]) => [path, stateOf(node, pristine.hashes.get(path))]));
}

/** What differs below the root from its pristine state, apart from times, and every path that was touched at all. */
export function readChanges(pristine: Pristine): { changes: RealRun['changes']; touched: BytePath[] } {
  const now: Tree = readTree(pristine.root);
  const touched = touchedPaths(pristine.tree, now);
  const changes: RealRun['changes'] = new Map();
  for (const path of touched) {
    const node = now.get(path);
    const old = pristine.tree.get(path);
    if (!node) {
      changes.set(path, null);
      continue;
    }
    const sha256 = node.type === 'file' ? hashFile(pristine.root, path) : undefined;
    const same =
      old !== undefined &&
      old.type === node.type &&
      old.mode === node.mode &&
      old.uid === node.uid &&
      old.gid === node.gid &&
      old.target === node.target &&
      pristine.hashes.get(path) === sha256;
    if (!same) changes.set(path, stateOf(node, sha256));
  }
  return { changes, touched };
}
