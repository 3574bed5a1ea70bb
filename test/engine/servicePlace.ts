import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { installClient } from '../../src/core/hooks/staticClient.ts';

/** What a command line said. */
export interface CommandLine {
  stdout: string;
  stderr: string;
  status: number | null;
}

/** A command line, with variables beside the user's own. */
export interface AskedLine {
  args: string[];
  cwd: string;
  input?: string;
  env?: Record<string, string>;
}

/** A user of the static client with folders of his own, so that his service is nobody else's. */
export interface ServicePlace {
  env: Record<string, string>;
  /** `foretell-hook`, as it is installed. */
  hook: string;
  /** `foretell`, as it is installed. */
  program: string;
  /** Runs `foretell`. */
  foretell(asked: AskedLine): CommandLine;
  /** The same without any service, as a process of Node. */
  foretellItself(asked: AskedLine): CommandLine;
  /** Runs the hook with an event; `more` variables. */
  call(event: string, args?: string[], more?: Record<string, string>): { stdout: string; status: number | null };
  /** The same without any service, as a process of Node. */
  callItself(event: string, args?: string[], more?: Record<string, string>): { stdout: string; status: number | null };
  /** Begins a call, and does not wait for it. */
  begin(event: string, args?: string[]): ChildProcess & { answered: Promise<string> };
  /** Process numbers of the services that listen. */
  services(): number[];
  /** Starts the service by a call, and waits until it listens. Gives its process number. */
  start(): Promise<number>;
  /** Ends every service of this user. */
  end(): Promise<void>;
}

/** `distFolder`: of the built command line. `node`: what it is run by. */
export function servicePlace(folder: string, distFolder = path.resolve('dist'), node = process.execPath): ServicePlace {
  const env: Record<string, string> = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    XDG_STATE_HOME: path.join(folder, 'state'),
    XDG_DATA_HOME: path.join(folder, 'data'),
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    XDG_CACHE_HOME: path.join(folder, 'cache'),
  };
  const hook = installClient({ distFolder, version: '1.0', node, isElectron: false }, env) ?? '';
  const serviceFolder = path.join(folder, 'state/foretell/service');
  const run = (program: string, args: string[], input: string, more: Record<string, string>) => {
    const { stdout, status } = spawnSync(program, args, {
      input,
      env: { ...env, ...more },
      encoding: 'utf8',
      cwd: '/',
    });
    return { stdout, status };
  };
  const line = (program: string, first: string[], { args, cwd, input = '', env: more = {} }: AskedLine) => {
    const options = { input, env: { ...env, ...more }, encoding: 'utf8', cwd } as const;
    const { stdout, stderr, status } = spawnSync(program, [...first, ...args], options);
    return { stdout, stderr, status };
  };
  const program = path.join(path.dirname(hook), 'foretell');
  const usual = ['claude', '--within', '60'];
  const services = () =>
    fs
      .readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((id) => textOf(`/proc/${id}/cmdline`).includes(`service\0run\0--folder\0${serviceFolder}\0`))
      .map(Number);
  const listens = () =>
    fs.existsSync(serviceFolder) && fs.readdirSync(serviceFolder).some((name) => name.endsWith('.socket'));
  return {
    env,
    hook,
    program,
    foretell: (asked) => line(program, [], asked),
    foretellItself: (asked) => line(process.execPath, [path.join(distFolder, 'cli.js')], asked),
    services,
    call: (event, args = usual, more = {}) => run(hook, args, event, more),
    callItself: (event, args = usual, more = {}) =>
      run(process.execPath, [path.join(distFolder, 'hook.js'), ...args], event, more),
    begin(event, args = usual) {
      const child = spawn(hook, args, { env, cwd: '/', stdio: ['pipe', 'pipe', 'inherit'] });
      child.stdin.end(event);
      let text = '';
      child.stdout.on('data', (piece) => {
        text += piece;
      });
      const answered = new Promise<string>((resolve) => child.once('close', () => resolve(text)));
      return Object.assign(child, { answered });
    },
    async start() {
      if (!listens() || services().length === 0) run(hook, usual, '{}', {});
      await until(() => listens() && services().length === 1);
      return services()[0] ?? -1;
    },
    async end() {
      for (const id of services()) process.kill(id, 'SIGKILL');
      await until(() => services().length === 0);
    },
  };
}

/** Waits for a condition; fails after a minute. */
export async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 3_000) throw new Error(`not within a minute: ${isSo}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
}

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
