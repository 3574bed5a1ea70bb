import fs from 'node:fs';
import path from 'node:path';
import { isPrivateFolder } from '../../view/statusIfKnown.ts';
import { callDetailsFolder, callLogFolder } from './callLine.ts';

/** Forgets every call that was kept, of all agents and folders. `folder`: see `hookFolder`. Gives how many sessions there were. */
export function forgetCalls(folder: string): number {
  const place = callLogFolder(folder);
  if (!isPrivateFolder(place)) return 0;
  const logs = fs.readdirSync(place).filter((name) => name.endsWith('.jsonl'));
  for (const name of logs) fs.rmSync(path.join(place, name), { force: true });
  fs.rmSync(callDetailsFolder(folder), { recursive: true, force: true });
  return new Set(logs.map((name) => name.replace(/(?:\.old)?\.jsonl$/, ''))).size;
}
