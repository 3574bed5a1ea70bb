import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import type { FoundLoss } from '../../src/core/facts/loss.ts';
import type { OtherSpelling } from '../../src/core/facts/otherSpelling.ts';
import { type Mount, type NameSystem, readMounts } from '../../src/core/loss/spelling/nameSystem.ts';
import { otherSpellings } from '../../src/core/loss/spelling/otherSpellings.ts';
import type { Facts } from '../../src/core/verdict/facts.ts';
import { judge } from '../../src/core/verdict/verdict.ts';
import type { FileChange } from '../../src/core/view/fileChange.ts';
import { riskText } from '../../src/core/words/riskText.ts';

/** A made-up tree: paths, and where links lead. `folds`: names that the file system takes for one. */
interface Tree {
  paths: string[];
  links?: Record<string, string>;
  folds?: (name: string) => string;
  mounts?: Mount[];
  /** Paths that are the same file as others. */
  same?: Record<string, string>;
}

function systemOf({ paths, links = {}, folds = (name) => name, mounts = [], same = {} }: Tree): NameSystem {
  const folders = new Map<string, Map<string, boolean>>();
  for (const path of [...paths, ...Object.keys(links)]) {
    for (let at = path; at !== '/'; at = posix.dirname(at)) {
      const names = folders.get(posix.dirname(at)) ?? new Map<string, boolean>();
      names.set(posix.basename(at), at in links);
      folders.set(posix.dirname(at), names);
    }
  }
  return {
    async node(path) {
      let at = '/';
      for (const part of path.split('/').filter((one) => one !== '')) {
        const found = [...(folders.get(at)?.keys() ?? [])].find((name) => folds(name) === folds(part));
        if (found === undefined) return undefined;
        at = posix.join(at, found);
      }
      const target = links[at];
      return { identity: same[at] ?? at, ...(target === undefined ? {} : { target }) };
    },
    names: async (folder) => folders.get(folder),
    mounts: async () => mounts,
  };
}

const gone = (path: string, type: FileChange['type'] = 'file'): FileChange => ({
  ...{ path, change: 'deleted', type, mode: '0644', sizeBytes: 3, volatile: false },
});

test('a word is looked up once', async () => {
  const system = systemOf({ paths: ['/w/docs/a'], folds: lower });
  const asked: string[] = [];
  const node = (path: string) => {
    asked.push(path);
    return system.node(path);
  };
  const input = { files: [gone('/w/docs/a')], loss: [], workFolders: ['/w'], signal: new AbortController().signal };
  const spellings = await otherSpellings({
    ...input,
    written: [{ words: ['DOCS/a'], cwd: '/w' }],
    system: { ...system, node },
  });
  assert.equal(spellings.length, 1);
  assert.equal(asked.filter((path) => path === '/w/DOCS').length, 1, asked.join(' '));
});

async function found(tree: Tree, words: string[], deleted: string[], cwd = '/w'): Promise<OtherSpelling[]> {
  return otherSpellings({
    written: [{ words, cwd }],
    files: deleted.map((path) => gone(path)),
    loss: [],
    workFolders: [cwd],
    system: systemOf(tree),
    signal: new AbortController().signal,
  });
}

const told = (spellings: readonly OtherSpelling[]) =>
  spellings.map(({ written, real, because }) => [written, real, because]);
const lower = (name: string) => name.normalize('NFC').toLowerCase();

test('a name in other letters is told by the name in the folder, whatever the prediction lists', async () => {
  const tree: Tree = { paths: ['/w/docs/sub/a.txt', '/w/other'], folds: lower };
  const expected = [['DOCS', '/w/docs', 'spelling']];
  assert.deepEqual(told(await found(tree, ['-rf', 'DOCS'], ['/w/DOCS', '/w/DOCS/sub/a.txt'])), expected);
  assert.deepEqual(told(await found(tree, ['DOCS/'], ['/w/docs'])), [['DOCS/', '/w/docs', 'spelling']]);
  assert.deepEqual(told(await found(tree, ['./DOCS'], ['/w/docs'])), [['./DOCS', '/w/docs', 'spelling']]);
  assert.deepEqual(told(await found(tree, ['/w/DOCS'], ['/w/docs'])), [['/w/DOCS', '/w/docs', 'spelling']]);
  assert.deepEqual(told(await found(tree, ['DOCS/Sub/a.txt'], ['/w/docs/sub/a.txt'])), [
    ['DOCS/Sub', '/w/docs/sub', 'spelling'],
  ]);
  assert.deepEqual(told(await found(tree, ['--output=DOCS/sub/a.txt'], ['/w/docs/sub/a.txt'])), expected);
});

test('what no word names is told by the name that the prediction lists', async () => {
  const tree: Tree = { paths: ['/w/readme.md'], folds: lower };
  assert.deepEqual(told(await found(tree, ['-xf', 'a.tar'], ['/w/README.md'])), [
    ['/w/README.md', '/w/readme.md', 'spelling'],
  ]);
});

test('two Unicode forms of a name are one where the file system says so, and told apart by their codes', async () => {
  const tree: Tree = { paths: ['/w/caf\u00e9/a'], folds: (name) => name.normalize('NFC') };
  const [spelling] = await found(tree, ['cafe\u0301'], ['/w/cafe\u0301/a']);
  assert.equal(spelling?.real, '/w/caf\u00e9');
  assert.match(
    riskText({ fact: { kind: 'otherSpelling', ...(spelling as OtherSpelling) } }),
    /cafe\\u0301.* is .*café/,
  );
  assert.deepEqual(
    await found(
      { ...tree, paths: ['/w/caf\u00e9/a', '/w/cafe\u0301/a'], folds: (name) => name },
      ['cafe\u0301'],
      ['/w/cafe\u0301/a'],
    ),
    [],
  );
});

test('letters that look like others, and such as nobody sees, are told by their codes', async () => {
  const folds = (name: string) => name.normalize('NFKC').replaceAll('\u200c', '').toLowerCase();
  const sentence = async (written: string, real: string) => {
    const [spelling] = await found({ paths: [`/w/${real}/a`], folds }, [written], [`/w/${real}`]);
    return riskText({ fact: { kind: 'otherSpelling', ...(spelling as OtherSpelling) } }).split(' (')[0];
  };
  assert.equal(await sentence('\u212aeys', 'keys'), '`\\u212aeys` is `keys`');
  assert.equal(await sentence('\u212bre', '\u00e5re'), "`\\u212bre` is `'åre'`");
  assert.equal(await sentence('.g\u200cit', '.git'), '`.g\\u200cit` is `.git`');
  assert.equal(await sentence('\ufb01les', 'files'), '`\\ufb01les` is `files`');
  assert.equal(await sentence('ÉTÉ', 'été'), "`'ÉTÉ'` is `'été'`");
});

test('a link in the path, at its end, or behind a trailing slash leads to what is destroyed', async () => {
  const tree: Tree = {
    paths: ['/home/me/real/a', '/w/b'],
    links: { '/w/link': '/home/me/real', '/w/b2': 'b', '/w/way': 'link' },
  };
  const link = [['link', '/home/me/real', 'link']];
  assert.deepEqual(told(await found(tree, ['link/a'], ['/home/me/real/a'])), link);
  assert.deepEqual(told(await found(tree, ['link/'], ['/home/me/real/a'])), [['link/', '/home/me/real', 'link']]);
  assert.deepEqual(told(await found(tree, ['way/a'], ['/home/me/real/a'])), [['way', '/home/me/real', 'link']]);
  assert.deepEqual(told(await found(tree, ['b2'], ['/w/b'])), [['b2', '/w/b', 'link']]);
});

test('a link that is itself deleted is what was written', async () => {
  const tree: Tree = { paths: ['/w/real/a'], links: { '/w/link': 'real' } };
  assert.deepEqual(await found(tree, ['link'], ['/w/link']), []);
  assert.deepEqual(await found(tree, ['-rf', 'real', 'link'], ['/w/link', '/w/real', '/w/real/a']), []);
  // `find . -type l -delete`, `rm link real/a`: what else goes where it leads to has other names.
  assert.deepEqual(await found(tree, ['.', '-delete'], ['/w/link', '/w/real/a']), []);
  assert.deepEqual(await found(tree, ['link', 'real/a'], ['/w/link', '/w/real/a']), []);
  assert.deepEqual(told(await found(tree, ['link/', 'link'], ['/w/link', '/w/real/a'])), [
    ['link/', '/w/real', 'link'],
  ]);
});

test('a link that is moved is what was written, whatever becomes of what it leads to', async () => {
  const moved: FileChange = { ...gone('/w/LINK', 'symlink'), change: 'renamed', from: '/w/link' };
  const told = async (files: FileChange[]) =>
    otherSpellings({
      written: [{ words: ['link', 'LINK'], cwd: '/w' }],
      files: [gone('/w/a'), ...files],
      loss: [],
      workFolders: ['/w'],
      system: systemOf({ paths: ['/w/a'], links: { '/w/link': '/w/a' } }),
      signal: new AbortController().signal,
    });
  assert.equal((await told([])).length, 1);
  assert.deepEqual(await told([moved]), []);
});

test('.. is counted from where a folder really is', async () => {
  const tree: Tree = {
    paths: ['/data/deep/in/x', '/data/deep/y', '/w/y', '/w/src/a'],
    links: { '/w/link': '/data/deep/in' },
  };
  assert.deepEqual(told(await found(tree, ['link/../y'], ['/data/deep/y'])), [['link/../y', '/data/deep/y', 'parent']]);
  assert.deepEqual(told(await found(tree, ['../y'], ['/data/deep/y'], '/w/link')), [
    ['../y', '/data/deep/y', 'parent'],
  ]);
  assert.deepEqual(await found(tree, ['src/../y'], ['/w/y']), [], 'everybody reads that as y');
  assert.deepEqual(await found(tree, ['../y'], ['/w/y'], '/w/src'), []);
  assert.deepEqual(await found(tree, ['./y', 'y', '/w/y', '/w//y', '/w/./y'], ['/w/y']), []);
});

test('/proc/self/cwd and root are those of the program', async () => {
  const tree: Tree = { paths: ['/w/a', '/w/b', '/proc/1'] };
  for (const self of ['self', 'thread-self', '4242']) {
    assert.deepEqual(told(await found(tree, [`/proc/${self}/cwd/a`], ['/w/a'])), [[`/proc/${self}/cwd`, '/w', 'link']]);
    assert.deepEqual(told(await found(tree, [`/proc/${self}/root/w/a`], ['/w/a'])), [
      [`/proc/${self}/root`, '/', 'link'],
    ]);
  }
});

test('a folder that is mounted twice is told by its other name, unless the user works there', async () => {
  const mounts = readMounts(
    '1 0 8:1 / / rw - ext4 x rw\n2 1 8:1 /data/my\\040work /b rw - ext4 x rw\n3 1 0:5 / /proc rw - proc proc rw\n',
  );
  const tree: Tree = {
    paths: ['/data/my work/a', '/b/a', '/w/x'],
    mounts,
    same: { '/b': '/data/my work', '/b/a': '/data/my work/a' },
  };
  assert.deepEqual(told(await found(tree, ['/b/a'], ['/b/a'])), [['/b/a', '/data/my work/a', 'mount']]);
  assert.deepEqual(await found(tree, ['a'], ['/b/a'], '/b'), []);
  assert.deepEqual(await found({ ...tree, same: {} }, ['/b/a'], ['/b/a']), [], 'another file stands at that name');
});

test('nothing is said of what is not destroyed, is not there, or leads in a circle', async () => {
  const tree: Tree = { paths: ['/w/real/a', '/w/c'], links: { '/w/link': 'real', '/w/x': 'y', '/w/y': 'x' } };
  assert.deepEqual(await found(tree, ['link/a'], []), []);
  assert.deepEqual(await found(tree, ['link/a', 'x', 'x/a', 'none', '', '-', '--', '=', 'a=', '\0'], ['/w/c']), []);
});

test('a working directory behind a link names its own files as they are', async () => {
  const tree: Tree = { paths: ['/data/p/a'], links: { '/w': '/data/p' } };
  assert.deepEqual(await found(tree, ['a', './a'], ['/data/p/a'], '/w'), []);
});

const facts = (listed: string, real: string, loss: FoundLoss[]): Facts => ({
  action: { kind: 'command', script: 'x', shell: 'bash', cwd: '/w' },
  ...{ workspaceFolders: ['/w'], home: '/home/me', userId: 1000, env: {}, programs: [], effects: [], errors: '' },
  files: [gone(listed)],
  loss,
  otherSpellings: [{ written: listed.slice(3), real, folder: '/w', because: 'spelling', listedAt: [listed] }],
});
const lost = (path: string): FoundLoss => ({
  ...{
    path,
    class: 'untracked',
    because: { kind: 'untracked' },
    recovery: { kind: 'none' },
    sizeBytes: 900,
    lines: 40,
  },
});
const levelOf = (given: Facts) => judge(given).find(({ fact }) => fact.kind === 'otherSpelling')?.level;

test('it is the first reason, as bad as what is lost there and never less than a caution', () => {
  assert.equal(levelOf(facts('/w/DOCS', '/w/docs', [lost('/w/DOCS')])), 'danger');
  assert.equal(levelOf(facts('/w/DOCS', '/w/docs', [lost('/w/elsewhere')])), 'caution');
  assert.equal(levelOf(facts('/w/DOCS', '/w/docs', [])), 'caution');
  const [first] = judge(facts('/w/DOCS', '/w/docs', [lost('/w/DOCS')]));
  assert.equal(first && riskText(first).startsWith('`DOCS` is `docs` ('), true);
  assert.deepEqual(first?.evidence, [{ kind: 'path', path: '/w/docs' }]);
});

test('the level does not depend on the names', () => {
  for (const name of ['safe', 'rm -rf', '/w/../etc', 'prod', "a'b", 'node_modules', 'tmp', 'x'.repeat(300)]) {
    assert.equal(levelOf(facts(`/w/${name}`, `/w/${name.toLowerCase()}x`, [lost(`/w/${name}`)])), 'danger', name);
    assert.equal(levelOf(facts(`/w/${name}`, `/w/${name.toLowerCase()}x`, [])), 'caution', name);
  }
});
