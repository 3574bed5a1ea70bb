import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { becomeOrdinary } from '../language/ordinaryUser.ts';
import { asBashDoes } from './asBashDoes.ts';

/**
 * Overlays have empty folders in the place of `/dev/shm` and `/run`: what lies there is not called absent, however it is named, and a
 * workspace may lie there itself.
 */

becomeOrdinary();
const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
const project = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-covered-')));
const memory = inMemory();
const skip = memory === project && 'There is no /dev/shm to write to.';
after(() => {
  for (const folder of [project, memory]) fs.rmSync(folder, { recursive: true, force: true });
});

/** The project itself where there is no memory. */
function inMemory(): string {
  try {
    return fs.realpathSync(fs.mkdtempSync('/dev/shm/covered-'));
  } catch {
    return project;
  }
}

/** `MEMORY` is a folder below `/dev/shm`, to which `cache` and the `in` of `folder` lead. */
const scripts = [
  'touch x; cat MEMORY/f',
  'touch x; ls MEMORY',
  'touch x; cat cache/f',
  'touch x; ls cache/',
  'touch x; cat folder/in/f',
  'echo a > cache/new; ls cache/',
  'cd cache && echo a > new; ls',
  'rm MEMORY/f; ls MEMORY; ls -d cache',
  'cp MEMORY/f here; read line < MEMORY/f; echo "$line"',
  'touch x; dd if=cache/f of=y status=none; cat y',
  'echo a > x; test -d /run && ls -d /run/.',
];

function fill(): void {
  for (const folder of [project, memory])
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true });
  fs.writeFileSync(path.join(memory, 'f'), 'kept in memory\n');
  fs.mkdirSync(path.join(project, 'folder'));
  for (const link of ['cache', 'folder/in']) fs.symlinkSync(memory, path.join(project, link));
}

function compare(command: string, cwd: string, options: readonly string[] = []): void {
  fill();
  asBashDoes(command, cwd, env, options);
}

for (const script of scripts)
  test(`what the view covers: ${script}`, { skip }, () => compare(script.replaceAll('MEMORY', memory), project));

const letIn = [
  `python3 -c 'print(open("MEMORY/f").read())'`,
  `python3 -c 'import os; print(os.path.exists("cache/f"), os.listdir("folder/in"))'`,
  `python3 -c 'import os; print(os.path.isdir("/run/lock") or os.listdir("/run") != [])'`,
  `python3 -c 'open("y", "w").write(open("cache/f").read())'; cat y`,
  'cp MEMORY/f here && cat here',
  'cat cache/f; ls MEMORY',
];
for (const script of letIn)
  test(`what the view covers, where programs run: ${script}`, { skip }, () =>
    compare(script.replaceAll('MEMORY', memory), project, ['--fresh', '--open-gate']),
  );

for (const script of ['echo a > new; ls', 'rm f; ls -A', 'sed -i s/memory/mind/ f; cat f'])
  test(`a workspace in memory: ${script}`, { skip }, () => compare(script, memory));
