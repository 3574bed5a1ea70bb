import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { holdFolder, statusIn } from '../../src/core/safetyNet/heldFolder.ts';
import { putNodes, removeNodes } from '../../src/core/safetyNet/putNodes.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

const { launcher, workspace } = throwAwayForetell('put');

/** Programs that write one line after the other until a file `stop` is there, and say then how many. */
const writers = {
  'puts new files in its place': '{ cat log.txt && echo "line $n"; } > new && mv new log.txt',
  'appends to it': 'echo "line $n" >> log.txt',
  'has it open for a while': 'exec 3>> log.txt && sleep 0.005 && echo "line $n" >&3 && exec 3>&-',
};
/** Says where the name leads to nothing. */
const watcher = 'until [[ -e stop ]]; do [[ -e log.txt ]] || echo gap; done';

for (const [name, write] of Object.entries(writers))
  test(`a writer that never stops and ${name} finds its file, and loses no line`, async () => {
    const cwd = workspace({ 'log.txt': 'round\n' });
    const file = path.join(cwd, 'log.txt');
    const start = (script: string) => {
      const { stdout, stderr } = spawn('bash', ['-c', script], { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
      return Promise.all([text(stdout), text(stderr)]);
    };
    const pause = 'sleep 0.00$((RANDOM % 8))';
    const writing = start(
      `for ((n = 1; ; n++)); do ${write} || exit; [[ -e stop ]] && { echo $n; exit; }; ${pause}; done`,
    );
    const watching = start(watcher);
    const folder = holdFolder(cwd);
    const ends = new Map<unknown, number>();
    for (let round = 0; round < 60; round++) {
      const replaces = statusIn(folder, 'log.txt');
      const bytes = Buffer.from(fs.readFileSync(file, 'utf8').replace(/^round.*/, `round ${round}`));
      const status = { mode: 0o644 };
      const put = { name: 'log.txt', node: { type: 'file' as const, bytes }, status, replaces };
      // What was written between the two looks is for the next round.
      if (bytes.length < Number(replaces?.size)) continue;
      const [end] = await putNodes(folder, [put], launcher);
      ends.set(end, (ends.get(end) ?? 0) + 1);
    }
    folder.close();
    fs.writeFileSync(path.join(cwd, 'stop'), '');
    const [[count, complaint], [gaps]] = await Promise.all([writing, watching]);
    assert.deepEqual([complaint, gaps], ['', '']);
    assert.deepEqual(fs.readdirSync(cwd).sort(), ['log.txt', 'stop']);
    const left = new Set(fs.readFileSync(file, 'utf8').split('\n'));
    const lost = Array.from({ length: Number(count) }, (_, at) => `line ${at + 1}`).filter((line) => !left.has(line));
    assert.deepEqual(lost, [], `${lost.length} of ${count} lines`);
    assert.deepEqual([...ends.keys()].sort(), ['changed', 'put'], `${[...ends].join('; ')}`);
  });

for (const by of [launcher, '/nowhere'])
  test(`only what is expected is replaced or removed, by ${path.basename(by)}`, async () => {
    const cwd = workspace({ same: 'same\n', edited: 'edited\n', gone: 'gone\n' });
    fs.symlinkSync('same', path.join(cwd, 'link'));
    const folder = holdFolder(cwd);
    const names = ['same', 'edited', 'gone', 'link'];
    const before = names.map((name) => statusIn(folder, name));
    fs.writeFileSync(path.join(cwd, 'edited'), 'edited meanwhile\n');
    fs.rmSync(path.join(cwd, 'gone'));
    const puts = names.map((name, at) => ({
      name,
      node: { type: 'file' as const, bytes: Buffer.from(`new ${name}\n`) },
      status: { mode: 0o640 },
      replaces: before[at],
    }));
    assert.deepEqual(await putNodes(folder, puts, by), ['put', 'changed', 'changed', 'put']);
    const all = () => fs.readdirSync(cwd).map((name) => `${name}: ${fs.readFileSync(path.join(cwd, name), 'utf8')}`);
    assert.deepEqual(all(), ['edited: edited meanwhile\n', 'link: new link\n', 'same: new same\n']);
    const put = statusIn(folder, 'same');
    const [was] = before;
    assert.ok(was && put);
    const nodes = [
      { name: 'same', expected: was },
      { name: 'same', expected: put },
      { name: 'gone', expected: was },
    ];
    assert.deepEqual(await removeNodes(folder, nodes, by), ['changed', 'removed', 'changed']);
    assert.deepEqual(all(), ['edited: edited meanwhile\n', 'link: new link\n']);
    folder.close();
  });
