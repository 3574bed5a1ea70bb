import { execFileSync } from 'node:child_process';
import { lchownSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who the commands run as. */
export interface Owner {
  uid: number;
  gid: number;
}

/** Makes `count` small text files below `root`, a hundred in a directory: `d000/f00.txt` … */
export function makeFiles(root: string, count: number): void {
  mkdirSync(root, { recursive: true });
  for (let made = 0; made < count; made += 100) {
    const folder = join(root, `d${String(made / 100).padStart(3, '0')}`);
    mkdirSync(folder);
    for (let index = 0; index < Math.min(100, count - made); index += 1) {
      const name = `f${String(index).padStart(2, '0')}.txt`;
      writeFileSync(
        join(folder, name),
        `file ${made + index}\nsome needle or other ${index % 7}\n${'text '.repeat(20)}\n`,
      );
    }
  }
}

/** Makes a git repository of `count` committed files, with three modified and two untracked ones. */
export function makeRepository(root: string, count: number): void {
  makeFiles(root, count);
  const script = `git init -q -b main; git config user.name Bench; git config user.email bench@example.com
    git config core.compression 0; git config gc.auto 0; git add .; git commit -qm all
    for f in d000/f00.txt d000/f01.txt d000/f02.txt; do echo changed >> $f; done
    echo new > untracked.txt; echo new > d000/untracked.txt; sleep 1; git status > /dev/null`;
  const env = { PATH: '/usr/bin:/bin', HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  execFileSync('bash', ['-euc', script], { cwd: root, env, stdio: ['ignore', 'ignore', 'pipe'] });
}

/** Gives a tree to somebody. Only root can, and only then it is needed. */
export function giveTree(root: string, owner: Owner): void {
  if (process.getuid?.() !== 0) return;
  lchownSync(root, owner.uid, owner.gid);
  for (const entry of readdirSync(root, { withFileTypes: true })) {
    const path = join(root, entry.name);
    if (entry.isDirectory()) giveTree(path, owner);
    else lchownSync(path, owner.uid, owner.gid);
  }
}
