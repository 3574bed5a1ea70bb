import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';

const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'foretell-home-')));
after(() => fs.rmSync(folder, { recursive: true, force: true }));

test('a prediction leaves the home of somebody who has installed nothing as it is', () => {
  const home = path.join(folder, 'home');
  fs.mkdirSync(path.join(home, 'work'), { recursive: true });
  fs.writeFileSync(path.join(home, 'work/a'), 'a\n');
  const before = fs.readdirSync(home, { recursive: true });
  for (const args of [
    ['rm a'],
    ['--json', 'cat a > b'],
    ['--safer', 'rm -rf ~'],
    ['compare', 'rm a', 'mv a b'],
    ['status'],
  ]) {
    const { status, stderr } = spawnSync(process.execPath, [path.resolve('dist/cli.js'), ...args], {
      cwd: path.join(home, 'work'),
      env: { PATH: '/usr/bin:/bin', HOME: home },
      encoding: 'utf8',
    });
    assert.ok(status !== null && status < 3, `${args.join(' ')}: ${stderr}`);
    assert.deepEqual(fs.readdirSync(home, { recursive: true }), before, args.join(' '));
  }
});
