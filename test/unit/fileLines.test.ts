import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { fileLines } from '../../src/core/prediction/text/fileLines.ts';
import { createPainter } from '../../src/core/prediction/text/painter.ts';

/** The list of files on the command line and for agents. */

function linesOf(paths: Record<string, 'created' | 'deleted' | 'modified'>, all = false): string[] {
  const files = Object.entries(paths).map(([path, change]) => ({
    ...{ path: `/w/${path}`, change, type: 'file', mode: '0644', sizeBytes: 10, volatile: false, basis: 'rehearsed' },
  })) as unknown as Prediction['files'];
  const lines = fileLines({ files } as unknown as Prediction, createPainter(false), { all, cwd: '/w' });
  return lines.map((line) => line.replace(/^ {2}(\w) \S+/, '$1').trim());
}

const objects = Object.fromEntries(
  [...'01234567'].map((digit) => [`.git/objects/0${digit}/ab`, digit === '7' ? 'created' : 'deleted'] as const),
);

test('files of the user come first, then those of git', () => {
  const lines = linesOf({ '.git/index': 'modified', '.gitignore': 'created', 'src/a.ts': 'deleted' });
  assert.deepEqual(lines.slice(1), ['A .gitignore 10 B', 'D src/a.ts 10 B', 'M .git/index 10 B']);
});

test('many of git’s objects are told by their number, each when all is asked for', () => {
  const lines = linesOf({ ...objects, 'a.txt': 'created', '.git/HEAD': 'modified' });
  assert.deepEqual(lines.slice(1), [
    'A a.txt 10 B',
    'M .git/HEAD 10 B',
    'D .git/objects/… (7 entries, 70 B)',
    'A .git/objects/… (1 entry, 10 B)',
  ]);
  assert.equal(linesOf(objects, true).length, 9);
});
