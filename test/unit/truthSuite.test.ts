import assert from 'node:assert/strict';
import {
  chmodSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseCases, readCases } from '../truth/cases.ts';
import { destroyedDifference, labelPath } from '../truth/destroyed.ts';
import { gradeRecall } from '../truth/mkrwwGrader.ts';
import { judge, percent, type Tally, tally, tallyTable } from '../truth/report.ts';
import type { CaseResult } from '../truth/runTruth.ts';
import { readPristine, readTree, restoreTree, touchedPaths } from '../truth/tree.ts';

describe('the cases', () => {
  test('lines, blocks, steps and identities', () => {
    const text = '# comment\nls\n\n#: root\nid\n<<<\ncat <<EOF\n# not a comment\nEOF\n>>>\n<<<\ncd a\n===\nls\n>>>\n';
    assert.deepEqual(parseCases('k', text), [
      { id: 'k:2', kind: 'k', steps: ['ls'] },
      { id: 'k:5', kind: 'k', steps: ['id'], only: 'root' },
      { id: 'k:6', kind: 'k', steps: ['cat <<EOF\n# not a comment\nEOF'] },
      { id: 'k:11', kind: 'k', steps: ['cd a', 'ls'] },
    ]);
    assert.throws(() => parseCases('k', '<<<\nls\n'), /k\.txt:1/);
  });

  test('there are at least 1,000 different commands of at least 15 kinds', () => {
    const cases = readCases('test/truth/cases');
    assert.ok(new Set(cases.map((one) => one.steps.join('\n'))).size >= 1_000);
    assert.ok(new Set(cases.map((one) => one.kind)).size >= 15);
    assert.deepEqual(
      cases.filter((one) => one.steps.some((step) => step.trim() === '')).map((one) => one.id),
      [],
    );
  });
});

describe('setting a tree right', () => {
  /** A tree with whole-second times, as the fixture has. */
  function makeTree(root: string): void {
    mkdirSync(join(root, 'd/e'), { recursive: true });
    writeFileSync(join(root, 'd/file'), 'content\n');
    writeFileSync(Buffer.concat([Buffer.from(`${root}/caf`), Buffer.of(0xe9)]), 'latin\n');
    writeFileSync(join(root, 'one'), 'linked\n');
    linkSync(join(root, 'one'), join(root, 'd/two'));
    symlinkSync('d/file', join(root, 'link'));
    chmodSync(join(root, 'd/file'), 0o600);
    for (const path of [...readTree(root).keys()].reverse()) {
      lutimesSync(Buffer.from(path === '' ? root : `${root}/${path}`, 'latin1'), 1_700_000_000, 1_700_000_000);
    }
  }

  const damages: [string, (root: string) => void][] = [
    ['nothing', () => {}],
    ['a file is written', (root) => writeFileSync(join(root, 'd/file'), 'other\n')],
    ['a file is deleted', (root) => rmSync(join(root, 'd/file'))],
    [
      'everything is deleted',
      (root) => {
        for (const name of ['d', 'one', 'link']) rmSync(join(root, name), { recursive: true });
      },
    ],
    ['a name of a linked file is written', (root) => writeFileSync(join(root, 'd/two'), 'x')],
    ['a name of a linked file is deleted', (root) => rmSync(join(root, 'd/two'))],
    [
      'a directory becomes a file',
      (root) => {
        rmSync(join(root, 'd/e'), { recursive: true });
        writeFileSync(join(root, 'd/e'), '');
      },
    ],
    [
      'a file becomes a directory',
      (root) => {
        rmSync(join(root, 'd/file'));
        mkdirSync(join(root, 'd/file/x'), { recursive: true });
      },
    ],
    ['a mode changes', (root) => chmodSync(join(root, 'd'), 0o700)],
    [
      'something is new',
      (root) => {
        mkdirSync(join(root, 'n/m'), { recursive: true });
        writeFileSync(join(root, 'n/m/f'), '');
      },
    ],
    ['only a time changes', (root) => lutimesSync(join(root, 'd/file'), 5, 5)],
  ];
  for (const [name, damage] of damages) {
    test(name, () => {
      const root = mkdtempSync(join(tmpdir(), 'tree-test-'));
      try {
        makeTree(root);
        const pristine = readPristine(root);
        damage(root);
        const touched = touchedPaths(pristine.tree, readTree(root));
        assert.equal(touched.length > 0, name !== 'nothing');
        restoreTree(pristine, touched);
        assert.deepEqual(touchedPaths(pristine.tree, readTree(root)), []);
        assert.equal(readFileSync(join(root, 'link'), 'utf8'), 'content\n');
        assert.equal(statSync(join(root, 'one')).ino, statSync(join(root, 'd/two')).ino);
        assert.equal(statSync(join(root, 'd/file')).mode & 0o777, 0o600);
      } finally {
        rmSync(root, { recursive: true, force: true });
      }
    });
  }
});

describe('the demands', () => {
  const good: Tally = {
    kind: 'all',
    total: 1000,
    claimed: 950,
    exact: 949,
    wrong: 1,
    wrongFiles: 0,
    abstained: 50,
    volatile: 0,
  };
  test('met', () => assert.deepEqual(judge(good), []));
  test('too many wrong', () => assert.equal(judge({ ...good, exact: 948, wrong: 2 }).length, 1));
  test('one wrong file', () => assert.equal(judge({ ...good, wrongFiles: 1 }).length, 1));
  test('too little claimed', () => assert.equal(judge({ ...good, claimed: 919, exact: 919, wrong: 0 }).length, 1));
  test('nothing was run', () => assert.notDeepEqual(judge({ ...good, total: 0, claimed: 0, exact: 0, wrong: 0 }), []));
  test('percentages are not rounded up', () => assert.equal(percent(9999, 10_000), '99.9 %'));

  test('results are counted by kind', () => {
    const result = (kind: string, outcome: 'exact' | 'wrong' | 'abstained', part?: 'file'): CaseResult => ({
      case: { id: `${kind}:1`, kind, steps: ['ls'] },
      comparison: { outcome, reason: '', differences: part ? [{ part, text: '' }] : [], volatileParts: [] },
      unsteady: [],
      marks: [],
      invalid: '',
      predictMs: 1,
      realMs: 1,
    });
    const rows = tally([
      result('b', 'exact'),
      result('a', 'wrong', 'file'),
      result('a', 'abstained'),
      { ...result('a', 'wrong'), invalid: 'too long' },
    ]);
    assert.deepEqual(
      rows.map((row) => [row.kind, row.total, row.claimed, row.exact, row.wrong, row.wrongFiles, row.abstained]),
      [
        ['a', 2, 1, 0, 1, 1, 1],
        ['b', 1, 1, 1, 0, 0, 0],
        ['all', 3, 2, 1, 1, 1, 1],
      ],
    );
    assert.equal(tallyTable(rows).split('\n').length, 5);
  });
});

describe('the recall grader of MKRWW', () => {
  test('lines are found wherever they stand, blanks and case do not count', () => {
    assert.equal(gradeRecall('$ ls\nA   b\nc', { stdout: 'a b\nC\n', stderr: '' }), 100);
    assert.equal(gradeRecall('a', { stdout: 'a\nb', stderr: '' }), 50);
  });
  test('standard error weighs less than standard output', () => {
    assert.equal(Math.round(gradeRecall('out', { stdout: 'out', stderr: 'err' })), 57);
    assert.equal(Math.round(gradeRecall('err', { stdout: 'out', stderr: 'err' })), 43);
  });
  test('silence is golden', () => {
    assert.equal(gradeRecall('', { stdout: '', stderr: '\n' }), 100);
    assert.equal(gradeRecall('rm: cannot remove x', { stdout: '', stderr: '' }), 30);
  });
});

describe('labelled paths', () => {
  const same = (path: string) => path;
  test('labels are paths below the working directory, the home directory, or absolute', () => {
    const paths = ['a', './b/', '.', '~/c', '~', '/tmp/d', './~/e'].map((label) => labelPath(label, '/w', '/h'));
    assert.deepEqual(paths, ['/w/a', '/w/b', '/w', '/h/c', '/h', '/tmp/d', '/w/~/e']);
  });
  test('exact, too much, too little', () => {
    assert.equal(destroyedDifference([{ path: '/w/a/x' }, { path: '/w/b' }], ['/w/a', '/w/b'], same), '');
    assert.match(destroyedDifference([{ path: '/w/ab' }], ['/w/a'], same), /not in the label/);
    assert.match(destroyedDifference([{ path: '/w/a' }], ['/w/a', '/w/b'], same), /in the label only: \/w\/b/);
    assert.match(destroyedDifference([], ['/w/a'], same), /in the label only/);
    assert.equal(destroyedDifference([{ path: '/w/b', from: '/w/a' }], ['/w/a', '/w/b'], same), '');
  });
  test('a label may name the link', () => {
    assert.equal(
      destroyedDifference([{ path: '/w/target' }], ['/w/link'], () => '/w/target'),
      '',
    );
  });
});
