import assert from 'node:assert/strict';
import { test } from 'node:test';
import { programTree, stoppedPrograms } from '../../media/later/run/programTree.ts';
import {
  type BasedChange,
  createFileTree,
  insertChange,
  type ShownFile,
  shownFiles,
} from '../../media/predict/fileTree.ts';
import { type TreeNode, treeMove, typeAhead, visibleRange, visibleRows } from '../../media/shared/tree.ts';

function change(path: string, kind: BasedChange['change'] = 'modified', more: Partial<BasedChange> = {}): BasedChange {
  return {
    path,
    change: kind,
    type: 'file',
    mode: '0644',
    sizeBytes: 10,
    volatile: false,
    basis: 'rehearsed',
    ...more,
  };
}

function treeOf(folders: string[], changes: BasedChange[], home?: string) {
  const tree = createFileTree(folders, home);
  for (const each of changes) insertChange(tree, each);
  return tree;
}

function drawing(nodes: readonly ShownFile[]): string[] {
  return visibleRows(nodes, {}).map(
    ({ node, level, open }) =>
      `${'  '.repeat(level - 1)}${open === undefined ? '' : open ? '- ' : '+ '}${node.label}${node.node.change ? ` ${node.node.change.change[0]}` : ''}`,
  );
}

test('one workspace folder is not shown as a row, chains of folders are one', () => {
  const tree = treeOf(
    ['/w'],
    [change('/w/src/core/view/a.ts'), change('/w/src/core/view/b.ts', 'created'), change('/w/README')],
  );
  assert.deepEqual(drawing(shownFiles(tree)), ['- src/core/view', '  a.ts m', '  b.ts c', 'README m']);
});

test('what lies outside of the workspace is shown with its whole path, home as ~', () => {
  const tree = treeOf(['/w'], [change('/w/a'), change('/etc/hosts'), change('/home/ada/.bashrc')], '/home/ada');
  assert.deepEqual(drawing(shownFiles(tree)), ['- w', '  a m', '/etc/hosts m', '~/.bashrc m']);
});

test('several folders are several roots', () => {
  const tree = treeOf(['/a/b', '/a'], [change('/a/x'), change('/a/b/y')]);
  assert.deepEqual(drawing(shownFiles(tree)), ['- a', '  x m', '- b', '  y m']);
  const same = treeOf(['/one/app', '/two/app'], [change('/one/app/x'), change('/two/app/y')]);
  assert.deepEqual(drawing(shownFiles(same)), ['- /one/app', '  x m', '- /two/app', '  y m']);
});

test('a folder that is changed itself is not joined', () => {
  const folder = { type: 'directory' as const, sizeBytes: 0 };
  const tree = treeOf(
    ['/w'],
    [change('/w/a', 'created', folder), change('/w/a/b', 'created', folder), change('/w/a/b/c', 'created')],
  );
  assert.deepEqual(drawing(shownFiles(tree)), ['- a c', '  - b c', '    c c']);
  assert.deepEqual({ files: tree.all.files, folders: tree.all.folders }, { files: 1, folders: 2 });
});

test('the inside of .git is one folded row, counted apart', () => {
  const tree = treeOf(['/w'], [change('/w/.git/index'), change('/w/.git/objects/aa/bb', 'created'), change('/w/a')]);
  assert.deepEqual(drawing(shownFiles(tree)), ['a m', '+ .git']);
  assert.equal(tree.all.files, 1);
  assert.equal(tree.git.files, 2);
});

test('a deleted .git folder is no internal matter', () => {
  const tree = treeOf(['/w'], [change('/w/.git', 'deleted', { type: 'directory' }), change('/w/.git/HEAD', 'deleted')]);
  assert.deepEqual(drawing(shownFiles(tree)), ['+ .git d']);
  assert.equal(tree.all.deleted, 1);
});

test('a large deleted folder starts folded, with all of it counted', () => {
  const changes = [change('/w/node_modules', 'deleted', { type: 'directory', sizeBytes: 0 })];
  for (let index = 0; index < 5000; index++)
    changes.push(change(`/w/node_modules/p${index % 50}/f${index}.js`, 'deleted'));
  const tree = treeOf(['/w'], changes);
  const shown = shownFiles(tree);
  assert.deepEqual(drawing(shown), ['+ node_modules d']);
  assert.equal(shown[0]?.node.below.files, 5000);
  assert.equal(shown[0]?.node.below.sizeBytes, 50_000);
  assert.equal(visibleRows(shown, { '/w/node_modules': true }).length, 51);
});

test('the same path twice counts once, as it was said last', () => {
  const tree = treeOf(['/w'], [change('/w/a', 'created'), change('/w/a', 'deleted', { sizeBytes: 3 })]);
  assert.equal(tree.all.created, 0);
  assert.equal(tree.all.deleted, 1);
  assert.equal(tree.all.sizeBytes, 3);
});

test('names like those of object properties are names', () => {
  const tree = treeOf(['/w'], [change('/w/__proto__/constructor'), change('/w/toString')]);
  assert.deepEqual(drawing(shownFiles(tree)), ['- __proto__', '  constructor m', 'toString m']);
});

test('keys move through a tree as in VS Code', () => {
  const roots: TreeNode[] = [
    { key: 'a', label: 'alpha', children: [{ key: 'a1', label: 'apple' }], startsOpen: true },
    { key: 'b', label: 'beta', children: [{ key: 'b1', label: 'berry' }] },
  ];
  const rows = visibleRows(roots, {});
  assert.equal(rows.length, 3);
  assert.deepEqual(treeMove(rows, 0, 'ArrowRight', 5), { type: 'go', index: 1 });
  assert.deepEqual(treeMove(rows, 0, 'ArrowLeft', 5), { type: 'fold', index: 0, open: false });
  assert.deepEqual(treeMove(rows, 1, 'ArrowLeft', 5), { type: 'go', index: 0 });
  assert.deepEqual(treeMove(rows, 2, 'ArrowRight', 5), { type: 'fold', index: 2, open: true });
  assert.deepEqual(treeMove(rows, 2, 'ArrowDown', 5), { type: 'go', index: 2 });
  assert.deepEqual(treeMove(rows, 0, 'PageDown', 5), { type: 'go', index: 2 });
  assert.deepEqual(treeMove(rows, 2, 'Home', 5), { type: 'go', index: 0 });
  assert.equal(treeMove(rows, 0, 'x', 5), undefined);
  assert.equal(treeMove([], 0, 'ArrowDown', 5), undefined);
});

test('type-ahead goes around, and on with the same letter', () => {
  const rows = visibleRows(
    ['alpha', 'apple', 'beta'].map((label) => ({ key: label, label })),
    {},
  );
  assert.equal(typeAhead(rows, 0, 'a'), 1);
  assert.equal(typeAhead(rows, 1, 'aa'), 0);
  assert.equal(typeAhead(rows, 0, 'ap'), 1);
  assert.equal(typeAhead(rows, 1, 'B'), 2);
  assert.equal(typeAhead(rows, 1, 'z'), -1);
});

test('only rows in sight are drawn', () => {
  assert.deepEqual(visibleRange(50_000, 22, 0, 220, 8), { start: 0, end: 18 });
  assert.deepEqual(visibleRange(50_000, 22, -22_000, 220, 8), { start: 992, end: 1018 });
  assert.deepEqual(visibleRange(50_000, 22, 4_000, 220, 8), { start: 0, end: 0 });
  assert.deepEqual(visibleRange(10, 22, -22_000, 220, 8), { start: 10, end: 10 });
  assert.deepEqual(visibleRange(0, 22, 0, 220), { start: 0, end: 0 });
});

test('programs hang below the one that started them', () => {
  const base = { cwd: '/w', basis: 'rehearsed' as const };
  const programs = [
    { ...base, id: 1, argv: ['bash'] },
    { ...base, id: 2, parent: 1, argv: ['env', 'make'] },
    { ...base, id: 2, parent: 1, argv: ['make', '-j 2'], gatedBecause: 'not inert' },
    { ...base, id: 3, parent: 2, argv: ['cc'], gatedBecause: 'not inert' },
    { ...base, id: 4, parent: 99, argv: ['lost'] },
  ];
  const roots = programTree(programs);
  assert.deepEqual(
    visibleRows(roots, {}).map(({ node, level }) => `${level} ${node.label}`),
    ['1 bash', '2 env make', "2 make '-j 2'", '3 cc', '1 lost'],
  );
  assert.equal(new Set(visibleRows(roots, {}).map(({ node }) => node.key)).size, 5);
  assert.deepEqual(
    stoppedPrograms({ programs, assumptions: [] }).map(({ line }) => line),
    ["make '-j 2'", 'cc'],
  );
  // Whoever was really asked is not to be rehearsed.
  const asked = [{ argv: ['cc'], assumed: '', why: '', cause: 'looked-at' as const }];
  assert.deepEqual(
    stoppedPrograms({ programs, assumptions: asked }).map(({ line }) => line),
    ["make '-j 2'"],
  );
});
