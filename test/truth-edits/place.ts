import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** What stands at a path of a case, before it begins. Text and bytes are files of mode 0644. */
export type Entry = string | Uint8Array | { text: string | Uint8Array; mode: number } | { link: string };
export type Files = Readonly<Record<string, Entry>>;

/** Writes files below a folder. */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, entry] of Object.entries(files)) {
    const file = path.join(folder, name);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    if (typeof entry === 'string' || entry instanceof Uint8Array) fs.writeFileSync(file, entry);
    else if ('link' in entry) fs.symlinkSync(entry.link, file);
    else {
      fs.writeFileSync(file, entry.text);
      fs.chmodSync(file, entry.mode);
    }
  }
}

/** Every node below a folder, by its path: kind, mode, target or digest. `.git` is left out. */
export function snapshot(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  walk(folder, '', (name, status, file) => {
    const mode = (status.mode & 0o7777).toString(8).padStart(4, '0');
    if (status.isSymbolicLink()) found.set(name, `symlink ${fs.readlinkSync(file)}`);
    else if (status.isDirectory()) found.set(name, `directory ${mode}`);
    else found.set(name, `file ${mode} ${digest(file)}`);
  });
  return found;
}

/** Every time and number that would betray a touch, `.git` included. */
export function fingerprint(folder: string): string {
  const lines: string[] = [];
  walk(
    folder,
    '',
    (name, _status, file) => {
      const { ino, mode, size, mtimeNs, ctimeNs } = fs.lstatSync(file, { bigint: true });
      lines.push(`${name} ${ino} ${mode} ${size} ${mtimeNs} ${ctimeNs}`);
    },
    true,
  );
  return lines.join('\n');
}

function walk(
  folder: string,
  below: string,
  see: (name: string, status: fs.Stats, file: string) => void,
  withGit = false,
): void {
  for (const name of fs.readdirSync(path.join(folder, below)).sort()) {
    if (name === '.git' && !withGit) continue;
    const inner = below === '' ? name : `${below}/${name}`;
    const file = path.join(folder, inner);
    const status = fs.lstatSync(file);
    see(inner, status, file);
    if (status.isDirectory() && (status.mode & 0o500) === 0o500) walk(folder, inner, see, withGit);
  }
}

function digest(file: string): string {
  try {
    return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
  } catch {
    return 'unreadable';
  }
}

/** What a real tool printed and returned. */
export interface RealResult {
  stdout: string;
  stderr: string;
  exitCode: number;
}

/** The environment of real and of predicted tools. */
export function environmentOf(home: string): Record<string, string> {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home, LC_ALL: 'C.UTF-8', TZ: 'UTC', GIT_CONFIG_NOSYSTEM: '1' };
}

/** Really runs a tool in a throw-away folder: in a session of its own, so that it has no terminal to ask at. */
export function runTool(argv: string[], cwd: string, input: string | Uint8Array, home: string): Promise<RealResult> {
  return new Promise((resolve, reject) => {
    const [program = '', ...words] = argv;
    const file = path.join(home, `input-${process.pid}`);
    fs.writeFileSync(file, input);
    const stdin = fs.openSync(file, 'r');
    const child = spawn(program, words, {
      cwd,
      env: environmentOf(home),
      detached: true,
      stdio: [stdin, 'pipe', 'pipe'],
    });
    fs.closeSync(stdin);
    const pieces: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] };
    child.stdout?.on('data', (piece: Buffer) => pieces.stdout.push(piece));
    child.stderr?.on('data', (piece: Buffer) => pieces.stderr.push(piece));
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({
        stdout: Buffer.concat(pieces.stdout).toString('latin1'),
        stderr: Buffer.concat(pieces.stderr).toString('latin1'),
        exitCode: code ?? -1,
      }),
    );
  });
}
