import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { becomeOrdinary } from '../language/ordinaryUser.ts';
import { asBashDoes } from './asBashDoes.ts';

/**
 * An ordinary user's copy is made of several overlays, between which nothing can be renamed or linked: what the machine says,
 * whose mounts are others, is what is predicted. The kernel looks at the mounts before it asks who may write.
 */

becomeOrdinary();
const env = { PATH: '/usr/bin:/bin', HOME: '/nonexistent', LC_ALL: 'C.UTF-8' };
const make = (parent: string) => fs.realpathSync(fs.mkdtempSync(path.join(parent, 'foretell-across-')));
const folders = [make(os.tmpdir()), make('/var/tmp')] as const;
after(() => {
  for (const folder of folders) fs.rmSync(folder, { recursive: true, force: true });
});

/** `OTHER` is a folder of another overlay. */
const scripts = [
  'mv -v a OTHER/b && ls OTHER',
  'mv -v folder OTHER/ && ls OTHER/folder',
  'echo x > new; ln new OTHER/b; stat -c %h new',
  'mv -v a /etc/foretell-b; echo $?',
  'mv /dev/null b; echo $?',
  'ln a /dev/foretell-b; echo $?',
  'ln -f a /dev/zero; echo $?',
  `python3 -c 'import os; os.rename("a", "OTHER/b"); print(os.listdir("OTHER"))'`,
  `python3 -c 'import os
try: os.rename("a", "/etc/foretell-b")
except OSError as e: print(e.errno)'`,
  `python3 -c 'import os; os.replace("folder", "OTHER/folder"); os.link("OTHER/folder/in", "in"); print(os.stat("in").st_nlink)'`,
];

function workspace(): string {
  const [project, other] = folders;
  for (const folder of folders)
    for (const name of fs.readdirSync(folder)) fs.rmSync(path.join(folder, name), { recursive: true });
  fs.writeFileSync(path.join(project, 'a'), 'a\n');
  fs.mkdirSync(path.join(project, 'folder'));
  fs.writeFileSync(path.join(project, 'folder/in'), 'in\n');
  return other;
}

for (const script of scripts) {
  test(`between two overlays: ${script}`, () => {
    const other = workspace();
    const [cwd] = folders;
    const command = script.replaceAll('OTHER', other);
    asBashDoes(command, cwd, env);
  });
}
