import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Sizes of what is shipped, in bytes, by name. */
export function sizes(): Map<string, number> {
  const found = new Map<string, number>();
  const add = (file: string) => {
    if (existsSync(file)) found.set(file, statSync(file).size);
  };
  for (const name of ['main.js', 'extension.js']) add(join('dist', name));
  for (const folder of ['dist/media', 'dist/native']) {
    if (!existsSync(folder)) continue;
    for (const name of readdirSync(folder).sort()) if (/\.js$|^confine-/.test(name)) add(join(folder, name));
  }
  for (const folder of ['.', 'dist']) {
    for (const name of readdirSync(folder)) if (name.endsWith('.vsix')) add(join(folder, name));
  }
  return found;
}

/** Memory of one process in bytes, now and at its highest; `undefined` when it is gone. */
export function memoryOf(pid: number): { now: number; peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const kilobytes = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0);
    return { now: kilobytes('VmRSS') * 1024, peak: kilobytes('VmHWM') * 1024 };
  } catch {
    return undefined;
  }
}

/** Watches all descendants of a process; gives the highest sum of their memory in bytes, the process itself left out. */
export function watchDescendants(pid: number): { stop(): number } {
  let highest = 0;
  const timer = setInterval(() => {
    const sum = descendantsOf(pid).reduce((total, child) => total + (memoryOf(child)?.now ?? 0), 0);
    highest = Math.max(highest, sum);
  }, 25);
  return {
    stop() {
      clearInterval(timer);
      return highest;
    },
  };
}

function descendantsOf(pid: number): number[] {
  try {
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    const own = children === '' ? [] : children.split(' ').map(Number);
    return [...own, ...own.flatMap(descendantsOf)];
  } catch {
    return [];
  }
}

export function shortName(file: string): string {
  return file.startsWith('dist/native') ? basename(file) : file;
}
