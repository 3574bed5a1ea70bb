import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { gitSettings } from '../../gitSettings.ts';
import { type Identity, spawnAs } from '../identity.ts';

/** A project with something of every kind that can be lost, in a throw-away folder with a home of its own. */
export interface Project {
  base: string;
  workspace: string;
  environment: Record<string, string>;
}

const script = `set -e
git init -q -b main; mkdir -p src/deep data/sub build
seq 5 > src/a; seq 6 > src/b; seq 7 > src/deep/c; seq 8 > c.txt; printf '*.db\\nbuild/\\n.env\\n' > .gitignore
git add .; git commit -qm one; seq 9 > c.txt; git commit -qam two
git branch topic HEAD~1
seq 40 > stashed; git add stashed; git stash -q
seq 5000 5040 > data/u.json; seq 5100 5140 > data/sub/v.json; seq 5200 5250 > x.db; echo KEY=5300 > .env; seq 5400 5440 > build/out
mkdir dash; seq 5500 5540 > 'dash/-odd name'; seq 5600 5640 > .hidden
echo more >> src/a; seq 5700 5740 > staged; git add staged; ln -s c.txt link; seq 5800 5840 > other; cp other twin
mkdir "$HOME/project"; seq 6000 6040 > "$HOME/project/keep"; mkdir empty
mkdir pack; seq 6100 6140 > pack/other; seq 6200 6240 > pack/new; tar cf old.tar -C pack other new; (cd pack; zip -q ../old.zip other)
printf 'clean:\\n\\trm -rf data\\n' > Makefile; printf '#!/bin/sh\\ncd data\\nrm -f *.json\\n' > wipe.sh; chmod +x wipe.sh
touch src/b`;

/** Makes one; everything in it belongs to the identity. */
export function makeProject(base: string, identity: Identity): Project {
  const [workspace, home] = [path.join(base, 'workspace'), path.join(base, 'home')];
  for (const folder of [base, workspace, home]) fs.mkdirSync(folder, { recursive: true, mode: 0o755 });
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${identity.uid}:${identity.gid}`, base]);
  const environment = {
    PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
    HOME: home,
    LC_ALL: 'C.UTF-8',
    ...gitSettings,
  };
  execFileSync('bash', ['-c', script], { cwd: workspace, env: environment, ...spawnAs(identity), stdio: 'pipe' });
  return { base, workspace, environment };
}

/** Digest of the content of every file and the target of every link below a folder, git's own files aside. */
export function contents(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  const walk = (at: string) => {
    for (const entry of fs.readdirSync(at, { withFileTypes: true })) {
      const file = path.join(at, entry.name);
      const name = path.relative(folder, file);
      if (entry.isDirectory() && entry.name !== '.git') walk(file);
      else if (entry.isSymbolicLink()) found.set(name, `→ ${fs.readlinkSync(file)}`);
      else if (entry.isFile()) found.set(name, createHash('sha1').update(fs.readFileSync(file)).digest('hex'));
    }
  };
  walk(folder);
  return found;
}
