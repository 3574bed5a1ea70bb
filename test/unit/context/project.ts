import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run, throwAway } from '../../engine/plainLooker.ts';

/** A new repository with one commit of these files, text by path; it is gone after the last test of the file. */
export function project(files: Readonly<Record<string, string>>): string {
  const folder = throwAway();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  run(folder, 'git init -q && git add -A && git commit -qm begin');
  return folder;
}
