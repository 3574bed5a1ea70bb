import fs from 'node:fs';
import type { Identity } from './identity.ts';

/** A process that this suite is responsible for. */
export interface FoundProcess {
  pid: number;
  command: string;
}

/**
 * Processes that were started from canaries: they carry the marker in their environment, or belong to the user that only
 * this suite uses. Zombies count too, but not those that only wait for process 1 to take notice of their end.
 */
export function processesOf(identity: Identity, marker: string): FoundProcess[] {
  const found: FoundProcess[] = [];
  const lonely = identity.uid !== 0 && identity.uid !== process.getuid?.();
  for (const name of fs.readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const pid = Number(name);
    if (pid === process.pid) continue;
    if (!((lonely && ownerOf(name) === identity.uid) || environmentOf(name).includes(`FORETELL_CANARIES=${marker}\0`)))
      continue;
    if (/^State:\s+[ZX][\s\S]*^PPid:\s+1$/m.test(read(`/proc/${name}/status`))) continue;
    found.push({ pid, command: commandOf(name) });
  }
  return found;
}

function ownerOf(pid: string): number {
  // The owner of /proc/<pid> is root for a process that may not be dumped; its status always tells.
  return Number(/^Uid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] ?? -1);
}

function environmentOf(pid: string): string {
  return `${read(`/proc/${pid}/environ`)}\0`;
}

function commandOf(pid: string): string {
  const line = read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim();
  return (
    line || `[${read(`/proc/${pid}/comm`).trim()}] ${/^State:.*/m.exec(read(`/proc/${pid}/status`))?.[0] ?? 'gone'}`
  );
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
