import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { readRegularFile } from '../../src/core/view/regularFile.ts';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'regular-'));
after(() => fs.rmSync(root, { recursive: true }));
const at = (name: string) => path.join(root, name);

test('a regular file of a bounded length is read, also behind a link, and nothing else', () => {
  fs.writeFileSync(at('file'), 'four');
  fs.symlinkSync('file', at('link'));
  fs.symlinkSync('/dev/zero', at('endless'));
  execFileSync('mkfifo', [at('fifo')]);
  for (const name of ['file', 'link']) assert.equal(readRegularFile(at(name), 4)?.toString(), 'four');
  assert.equal(readRegularFile(at('file'), 3), undefined);
  for (const name of ['fifo', 'endless', '.', 'absent']) assert.equal(readRegularFile(at(name), 100), undefined, name);
});
