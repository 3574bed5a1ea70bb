import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import * as fs from 'node:fs';
import { test } from 'node:test';
import type { Loss } from '../../src/core/facts/loss.ts';
import { analyseLoss } from '../../src/core/loss/analyseLoss.ts';
import { folderOf } from '../../src/core/loss/bytePath.ts';
import { isGitInternal } from '../../src/core/loss/destroyed.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { withLossText } from '../../src/core/words/lossText.ts';
import { everyKind } from './lossFixture.ts';
import { asBytes, fixtureEnv, inCopy, type Pair, pairChanges, pairView, plainLooker, rehearse } from './plainLooker.ts';

/**
 * Each command is really run; then everything that is gone is really looked for, by other means than the analysis has: in
 * the files that the command wrote (byte by byte, or with diff), and in the object database that is left.
 */
const commands = [
  'rm pushed.txt',
  'rm local.txt',
  'rm staged.txt',
  'rm modified.txt',
  'rm both.txt',
  'rm untracked.txt',
  'rm -r notes',
  'rm blob.bin',
  'rm stashed.txt',
  'rm dangling.txt',
  'rm branch.txt',
  'rm .env data.sqlite debug.log',
  'rm -rf node_modules dist',
  'rm src/pushed.txt',
  'rm link',
  'rm -- "with space " $\'new\\nline\' \'"quoted"\' ümlaut',
  "rm $'raw\\xff'",
  'rm -rf -- * .env .gitignore',
  'find . -name .git -prune -o -type f -print0 | xargs -0 rm -f',
  'find . -name "*.txt" -not -path "./.git/*" -delete',
  'git clean -qfd',
  'git clean -qfdx',
  'git clean -qfdX',
  'git reset -q --hard',
  'git reset -q --hard HEAD~1',
  'git reset -q --hard origin/main',
  'git checkout -q -- .',
  'git checkout -q -f topic',
  'git restore --staged --worktree .',
  'git restore modified.txt both.txt',
  'git stash -q',
  'git stash -q -u',
  'git stash -q -a',
  'git rm -q -f both.txt staged.txt',
  'git rm -q --cached pushed.txt; rm pushed.txt',
  'git add -A; git commit -qm all; rm untracked.txt modified.txt',
  'mv untracked.txt elsewhere.txt',
  'mv untracked.txt modified.txt',
  'mv notes archive',
  'mv src/pushed.txt local.txt',
  'git mv local.txt moved.txt',
  'cp untracked.txt copy.txt; rm untracked.txt',
  'cp pushed.txt untracked.txt',
  'cat untracked.txt > modified.txt',
  'echo more >> untracked.txt; echo more >> modified.txt; echo more >> pushed.txt',
  "sed -i 's/^7$/seven/' untracked.txt modified.txt pushed.txt",
  "sed -i '10,20d' untracked.txt",
  "sed -i '1i first' untracked.txt",
  'sort -r -o untracked.txt untracked.txt',
  ': > untracked.txt; : > modified.txt; : > local.txt',
  'truncate -s 10 untracked.txt',
  'tac untracked.txt > t && mv t untracked.txt',
  'gzip untracked.txt',
  'tar cf all.tar notes && rm -r notes',
  'ln -sf /etc/hostname untracked.txt',
  'ln -sfn local.txt link',
  'rm link; echo file > link',
  'chmod 600 untracked.txt; touch local.txt',
  'rm -rf notes; mkdir notes; echo new > notes/deep',
  'rm untracked.txt; seq 70 > untracked.txt',
  'dd if=/dev/zero of=untracked.txt bs=16 count=1 conv=notrunc status=none',
  'rm dangling.txt; git gc -q --prune=now',
  'rm stashed.txt; git stash drop -q; git reflog expire --expire=now --all; git gc -q --prune=now',
];

const fixture = everyKind();

for (const command of commands) {
  test(command, async () => {
    const pair = rehearse(fixture, command);
    const files = pairChanges(pair);
    const losses = await analyseLoss({
      files,
      view: pairView(pair),
      looker: plainLooker(),
      inView: plainLooker((place) => inCopy(pair, place)),
      signal: new AbortController().signal,
    });
    const told = new Map(losses.map((loss) => [loss.path, withLossText(loss)]));
    for (const change of files) {
      const before = content(change.path);
      if (before === undefined || isGitInternal(change.path) || change.change === 'mode') continue;
      const loss = told.get(change.path);
      told.delete(change.path);
      const name = change.path.slice(fixture.length + 1);
      if (stillThere(pair, change, before, files))
        assert.equal(loss, undefined, `${name} is still there: ${JSON.stringify(loss)}`);
      else checkLoss(pair, name, before, loss);
    }
    assert.deepEqual([...told.keys()], [], 'losses of paths that nothing happened to');
  });
}

function content(path: string): Buffer | undefined {
  if (!fs.existsSync(asBytes(folderOf(path)))) return undefined;
  if (!fs.statSync(asBytes(folderOf(path))).isDirectory()) return undefined;
  const status = fs.lstatSync(asBytes(path), { throwIfNoEntry: false });
  if (status?.isSymbolicLink()) return fs.readlinkSync(asBytes(path), { encoding: 'buffer' });
  return status?.isFile() ? fs.readFileSync(asBytes(path)) : undefined;
}

function stillThere(pair: Pair, change: FileChange, before: Buffer, files: readonly FileChange[]): boolean {
  const written = files.filter((one) => one.change !== 'deleted' && one.change !== 'mode' && !isGitInternal(one.path));
  // An empty file under another name is not a copy of an empty file.
  if (before.length > 0 && written.some((one) => content(inCopy(pair, one.path))?.equals(before))) return true;
  // What gzip packed is as good as moved.
  if (written.some((one) => unpacked('gzip -dc', inCopy(pair, one.path))?.equals(before))) return true;
  const after = content(inCopy(pair, change.path));
  if (change.change !== 'modified' || after === undefined || change.type !== 'file') return false;
  if (change.before?.type === 'symlink') return false;
  const diff = spawnSync('diff', ['-a', change.path, inCopy(pair, change.path)], { encoding: 'utf8' });
  return diff.status === 1 && !/^</m.test(diff.stdout);
}

function unpacked(command: string, path: string): Buffer | undefined {
  const [program = '', ...options] = command.split(' ');
  const result = spawnSync(program, [...options, path], { stdio: ['ignore', 'pipe', 'ignore'] });
  return result.status === 0 ? result.stdout : undefined;
}

/** What the archives that the command made have in them, one file behind the other. */
function isInArchive(pair: Pair, before: Buffer): boolean {
  const archives = fs.readdirSync(pair.copy).filter((one) => one.endsWith('.tar'));
  const inside = archives.map((archive) => unpacked('tar -xOf', `${pair.copy}/${archive}`));
  return inside.some((bytes) => bytes?.includes(before));
}

function checkLoss(pair: Pair, name: string, before: Buffer, loss: Loss | undefined): void {
  assert.ok(loss, `${name} is gone, and nothing was said`);
  assert.equal(loss.sizeBytes, before.length, name);
  if (loss.class === 'reproducible') {
    assert.match(name, /^(node_modules|dist)\//);
    return;
  }
  if (fs.lstatSync(asBytes(loss.path)).isSymbolicLink()) {
    assert.match(loss.recoverable, /^yes/, name);
    return;
  }
  const id = execFileSync('git', ['hash-object', '--stdin'], {
    input: before,
    env: fixtureEnv,
    encoding: 'utf8',
  }).trim();
  const restored = spawnSync('git', ['cat-file', 'blob', id], { cwd: pair.copy, env: fixtureEnv });
  const isInGit = restored.status === 0 && restored.stdout.equals(before);
  const isKept = isInGit || isInArchive(pair, before);
  assert.equal(loss.recoverable === 'no', !isKept, `${name}: ${JSON.stringify(loss)}, in git: ${isInGit}`);
  if (loss.class === 'committed-pushed') {
    const pushed = spawnSync('git', ['cat-file', 'blob', id], { cwd: `${fixture}/../origin.git`, env: fixtureEnv });
    assert.ok(pushed.stdout.equals(before), `${name} is on the remote`);
  }
  if (loss.class === 'committed-local') {
    const pushed = spawnSync('git', ['cat-file', 'blob', id], { cwd: `${fixture}/../origin.git`, env: fixtureEnv });
    assert.notEqual(pushed.status, 0, `${name} is not on the remote`);
  }
  if (loss.recoverable === 'no') assert.equal(loss.lines, linesGone(pair, name, before), `${name}: lines`);
}

/** Lines that neither the index nor what stands there afterwards has, counted with diff. */
function linesGone(pair: Pair, name: string, before: Buffer): number | undefined {
  if (before.includes(0)) return undefined;
  const index = spawnSync('git', ['cat-file', 'blob', `:${name}`], { cwd: pair.real, env: fixtureEnv });
  const head = spawnSync('git', ['cat-file', 'blob', `HEAD:${name}`], { cwd: pair.real, env: fixtureEnv });
  const after = content(inCopy(pair, `${pair.real}/${name}`));
  const survivors = [index.status === 0 ? index.stdout : '', head.status === 0 ? head.stdout : '', after ?? ''];
  // In this fixture no text has a line twice, so a set is enough.
  const left = new Set(survivors.flatMap((text) => text.toString('latin1').split('\n')));
  return before
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '' && !left.has(line)).length;
}
