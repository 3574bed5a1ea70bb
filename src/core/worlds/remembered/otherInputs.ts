import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import type { PredictRequest } from '../../prediction/rehearsal.ts';
import { statusIfKnown } from '../../view/statusIfKnown.ts';
import type { OtherInputs } from './memoryStore.ts';

/** Which command in which workspace is meant. Another folder at the same path is another workspace. `undefined`: none. */
export function keyOf(request: PredictRequest): { key: string; workspace: string } | undefined {
  const { action, workspaceFolders, terminal, interactive, hash } = request;
  if (action.kind !== 'command') return undefined;
  try {
    const cwd = fs.realpathSync(action.cwd);
    const folders = workspaceFolders.map((folder) => fs.realpathSync(folder));
    const around = folders.filter((folder) => cwd === folder || cwd.startsWith(`${folder}/`));
    const workspace = around.sort((a, b) => b.length - a.length)[0] ?? cwd;
    const { ino, birthtimeNs, dev } = fs.statSync(workspace, { bigint: true });
    const identity = [workspace, String(ino), String(birthtimeNs), String(dev)];
    const command = [action.cwd, action.shell, action.script, terminal ?? null, interactive, hash];
    const key = createHash('sha256')
      .update(JSON.stringify([identity, command]))
      .digest('hex');
    return { key, workspace };
  } catch {
    return undefined;
  }
}

/** Besides files: what a run depended on, or would depend on now. */
interface Surroundings {
  version: string;
  launcher: string;
  shellState: string | undefined;
  /**
   * It looked up the time zone, and so may have asked for the hour: the run that looks for what varies has a later one, but from
   * one morning to the next nothing may tell a greeting from the afternoon's.
   */
  asksHour: boolean;
  /** Default: now. */
  at?: Date;
}

/** What else decides what a command does: its variables, and what this machine, this user and this month (or hour) are. */
export function otherInputsOf(
  { env }: PredictRequest,
  given: Surroundings,
  digest: (text: string) => string,
): OtherInputs {
  const now = given.at ?? new Date();
  const variables = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, digest(`${name}=${value}`)]));
  const machine: Record<string, string> = {
    version: `${given.version} ${fileOf(given.launcher)}`,
    kernel: `${os.release()} ${os.version()} ${os.arch()}`,
    host: `${os.hostname()} ${os.totalmem()} ${os.cpus().length}`,
    user: [process.getuid?.(), process.getgid?.(), ...(process.getgroups?.() ?? [])].join(' '),
    umask: String(process.umask()),
    limits: textOf('/proc/self/limits'),
    process: processText(),
    month: `${now.getFullYear()}-${now.getMonth() + 1} ${now.getTimezoneOffset()}`,
    ...(given.asksHour ? { [hourOf]: `${now.toDateString()} ${now.getHours()}` } : {}),
    ...(given.shellState === undefined ? {} : { shell: given.shellState }),
  };
  return {
    variables,
    machine: Object.fromEntries(Object.entries(machine).map(([name, text]) => [name, digest(text)])),
  };
}

const hourOf = 'hour';

/** Whether a kept run depends on the hour. */
export function dependsOnHour({ machine }: OtherInputs): boolean {
  return machine[hourOf] !== undefined;
}

/** Files that tell the hour of this place from that of Greenwich (tzset(3)). */
const zoneFile = /^\/etc\/(?:localtime|timezone|TZ)$|\/zoneinfo\//;

/** Whether somebody who reads these paths may want to know the hour. */
export function asksHour(paths: readonly { path: string }[]): boolean {
  return paths.some(({ path }) => zoneFile.test(path));
}

function fileOf(name: string): string {
  const status = statusIfKnown(name);
  return `${status?.size} ${status?.mtimeNs}`;
}

/** What programs have from whoever starts them: processors they may use, rights, priority and how they are scheduled (proc(5)). */
function processText(): string {
  const lines =
    textOf('/proc/self/status').match(/^(Uid|Gid|Cpus_allowed|Mems_allowed|Cap\w+|NoNewPrivs|SigIgn):.*$/gm) ?? [];
  const fields = textOf('/proc/self/stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  const own = ['timerslack_ns', 'personality', 'coredump_filter'].map((name) => textOf(`/proc/self/${name}`));
  return [...lines, os.getPriority(), fields[37], fields[38], ...own].join(' ');
}

function textOf(name: string): string {
  try {
    return fs.readFileSync(name, 'latin1');
  } catch {
    return '';
  }
}

/** Names of what is not the same in both, in order. */
export function differing(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): string[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].filter((name) => a[name] !== b[name]).sort();
}
