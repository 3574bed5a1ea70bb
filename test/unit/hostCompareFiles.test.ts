import assert from 'node:assert/strict';
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { emptyPrediction } from '../../src/core/prediction/fold.ts';
import { compareFiles, newContents } from '../../src/host/panel/compareFiles.ts';

const command = (script: string): CommandAction => ({ kind: 'command', script, shell: 'bash', cwd: '/' });

test('files are compared by content, and what nobody predicted is told', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'foretell-compare-'));
  try {
    const file = (name: string) => path.join(folder, name);
    for (const name of ['same', 'other', 'extra', 'left']) writeFileSync(file(name), name, { mode: 0o644 });
    const prediction = emptyPrediction(command('x'));
    const change = { type: 'file', mode: '0644', volatile: false, basis: 'rehearsed' } as const;
    prediction.files.push(
      { ...change, path: file('same'), change: 'created', sizeBytes: 4 },
      { ...change, path: file('other'), change: 'modified', sizeBytes: 5 },
      { ...change, path: file('left'), change: 'deleted', sizeBytes: 4 },
      { ...change, path: file('missing'), change: 'created', sizeBytes: 1 },
    );
    const view = {
      read: async (name: string) => Buffer.from(name.endsWith('same') ? 'same' : 'OTHER'),
      close: async () => {},
    };
    const compared = await compareFiles(prediction, view, new Map([[file('extra'), 'created']]), new Map());
    assert.deepEqual(
      compared.map((one) => [path.basename(one.path), one.agrees, one.detail]),
      [
        ['same', true, 'same content'],
        ['other', false, 'has other content'],
        ['left', false, 'is still there'],
        ['missing', false, 'is not there'],
        ['extra', false, 'created, not predicted'],
      ],
    );
    // Another name of a file that is another one by now: what it was before counts.
    const held = await newContents(prediction, view);
    assert.deepEqual(
      [...held.keys()].map((name) => path.basename(name)),
      ['same', 'missing'],
    );
    const later = { ...view, read: async () => Buffer.from('diff') };
    const [same] = await compareFiles(prediction, later, new Map(), held);
    assert.equal(same?.agrees, true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file whose mode alone was predicted to change has its content still, or differs', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'foretell-compare-'));
  try {
    const contents = { kept: 'kept', longer: 'longer still', others: 'OTHERS', unread: 'unread' };
    const prediction = emptyPrediction(command('chmod +x *'));
    for (const [name, text] of Object.entries(contents)) {
      writeFileSync(path.join(folder, name), text, { mode: 0o755 });
      const file = { path: path.join(folder, name), change: 'mode', type: 'file', mode: '0755' } as const;
      prediction.files.push({ ...file, sizeBytes: 6 - (name === 'kept' ? 2 : 0), volatile: false, basis: 'rehearsed' });
    }
    const view = {
      read: async (at: string) => (at.endsWith('unread') ? undefined : Buffer.from(path.basename(at))),
      close: async () => {},
    };
    const compared = await compareFiles(prediction, view, new Map(), new Map());
    assert.deepEqual(
      compared.map((one) => [path.basename(one.path), one.agrees, one.detail]),
      [
        ['kept', true, 'same mode'],
        ['longer', false, 'has 12 bytes, predicted were 6'],
        ['others', false, 'has other content'],
        ['unread', true, 'same mode'],
      ],
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a file that both runs wrote as it was is as predicted; one that the view does not have of its own tells nothing', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'foretell-compare-'));
  try {
    const names = ['alike', 'foreign', 'otherwise', 'mode'];
    const file = (name: string) => path.join(folder, name);
    for (const name of names) writeFileSync(file(name), name, { mode: 0o644 });
    const view = {
      read: async (at: string) => Buffer.from(at.endsWith('otherwise') ? 'OTHERWISE' : path.basename(at)),
      status: async (at: string) => {
        const real = lstatSync(at, { bigint: true });
        const mtimeNs = at.endsWith('foreign') ? real.mtimeNs : real.mtimeNs - 1n;
        const mode = at.endsWith('mode') ? 0o755 : 0o644;
        return { type: 'file' as const, mode, uid: 0, gid: 0, sizeBytes: Number(real.size), mtimeNs, links: 1 };
      },
      close: async () => {},
    };
    const touched = new Map(names.map((name) => [file(name), 'modified' as const]));
    const compared = await compareFiles(emptyPrediction(command('make')), view, touched, new Map());
    assert.deepEqual(
      compared.map((one) => [path.basename(one.path), one.detail]),
      names.slice(1).map((name) => [name, 'modified, not predicted']),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
