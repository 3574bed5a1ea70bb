import * as fs from 'node:fs';
import { analyseLoss } from '../../src/core/loss/analyseLoss.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { plainLooker, run, throwAway } from './plainLooker.ts';

// How long `analyseLoss` takes on 50,053 tracked, 5,204 ignored and 500 untracked files. Looks here are plain process
// starts, so the launcher's own cost is not in it. Not a test: bundle it and run it with node.

const write = `import os
def w(folder, count, end):
    for i in range(count):
        name = '%s/d%d/f%d%s' % (folder, i // 50, i, end)
        os.makedirs(os.path.dirname(name), exist_ok=True)
        open(name, 'w').write(''.join('%s line %d\\n' % (name, j) for j in range(20)))
`;
const base = throwAway();
fs.writeFileSync(`${base}/w.py`, write);
run(
  base,
  `git init -q --bare o.git; git init -q -b main p; cd p; git remote add origin ../o.git
printf 'node_modules/\\n' > .gitignore; echo '{}' > package-lock.json; echo > a
python3 -c "exec(open('../w.py').read()); w('src', 50050, '.ts')"; git add -A; git commit -qm one; git push -q -u origin main
python3 -c "exec(open('../w.py').read()); w('node_modules', 5204, '.js'); w('notes', 500, '.md')"; sleep 1; git status`,
);
const real = `${base}/p`;
const changes: FileChange[] = [];
function list(folder: string): void {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    const path = `${folder}/${entry.name}`;
    const common = { path, change: 'deleted', volatile: false } as const;
    if (entry.isDirectory()) {
      changes.push({ ...common, type: 'directory', mode: '0755', sizeBytes: 0 });
      list(path);
    } else changes.push({ ...common, type: 'file', mode: '0644', sizeBytes: fs.statSync(path).size });
  }
}
list(real);

async function measure(name: string, files: FileChange[], rounds: number): Promise<void> {
  const times: number[] = [];
  let looks = 0;
  for (let i = 0; i < rounds; i++) {
    const looker = plainLooker();
    const view = { read: (path: string) => fs.promises.readFile(path).catch(() => undefined), close: async () => {} };
    const start = performance.now();
    await analyseLoss({ files, view, looker, signal: new AbortController().signal });
    times.push(performance.now() - start);
    looks = looker.looks.length;
  }
  times.sort((a, b) => a - b);
  const p50 = times[times.length >> 1] ?? 0;
  console.log(`${name.padEnd(24)} min ${times[0]?.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms, ${looks} looks`);
}

const files = changes.filter((change) => change.type === 'file');
const inFolder = (name: string) => files.filter((change) => change.path.startsWith(`${real}/${name}/`));
const [source, modules, notes] = [inFolder('src'), inFolder('node_modules'), inFolder('notes')];
await measure('everything', changes, 9);
await measure('10,000 paths', [...source.slice(0, 7000), ...modules.slice(0, 2500), ...notes], 9);
await measure('500 untracked', notes, 15);
await measure('node_modules', modules, 15);
await measure('one tracked', source.slice(0, 1), 25);
await measure('one untracked', notes.slice(0, 1), 25);
