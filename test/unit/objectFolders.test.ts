import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { markObjectFolders } from '../../src/core/worlds/confined/certainty/objectFolders.ts';

const change = (path: string, type: FileChange['type'], volatile: boolean): FileChange => ({
  ...{ path, change: 'created', type, mode: '0644', sizeBytes: 1, volatile },
});

test('a folder of objects is as volatile as what it holds', () => {
  const files = [
    change('/r/.git/objects/e1', 'directory', false),
    change('/r/.git/objects/e1/aa', 'file', true),
    change('/r/.git/objects/e2', 'directory', false),
    change('/r/.git/objects/e2/aa', 'file', true),
    change('/r/.git/objects/e2/bb', 'file', false),
    change('/r/.git/objects/e3', 'directory', false),
    change('/r/out', 'directory', false),
    change('/r/out/aa', 'file', true),
  ];
  markObjectFolders(files);
  assert.deepEqual(
    files.filter(({ type, volatile }) => type === 'directory' && volatile).map(({ path }) => path),
    ['/r/.git/objects/e1'],
  );
});
