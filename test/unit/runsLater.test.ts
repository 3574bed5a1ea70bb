import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namedByRunner } from '../../src/core/programs/namedByRunner.ts';
import { runsLater, runsSame } from '../../src/core/programs/runsLater.ts';

describe('who runs what stands in a file', () => {
  for (const [path, by] of [
    ['/w/Makefile', 'build'],
    ['/w/lib/rules.mk', 'build'],
    ['/w/compose.override.yaml', 'build'],
    ['/w/Dockerfile.prod', 'build'],
    ['/w/package.json', 'packages'],
    ['/w/.yarn/releases/yarn-4.1.0.cjs', 'packages'],
    ['/w/app/.gitattributes', 'git'],
    ['/w/.githooks/pre-commit', 'git'],
    ['/w/scripts/prepare-commit-msg', 'git'],
    ['/w/.husky/_/husky.sh', 'gitHooks'],
    ['/w/.pre-commit-config.yaml', 'gitHooks'],
    ['/w/tests/conftest.py', 'tools'],
    ['/w/vite.config.ts', 'tools'],
    ['/w/venv/lib/python3.12/site-packages/a.pth', 'tools'],
    ['/w/.idea/runConfigurations/all.xml', 'editor'],
    ['/w/.envrc', 'shell'],
    ['/w/action.yml', 'otherMachines'],
  ] as const)
    test(`${by}: ${path}`, () => assert.equal(runsLater(path), by));

  for (const path of [
    '/w/src/makefile.ts',
    '/w/src/dockerfile.ts',
    '/w/docs/Dockerfile.md',
    '/w/docs/Makefile.md',
    '/w/package-lock.json',
    '/w/src/config.ts',
    '/w/src/conftest.pyi',
    '/w/commit-message.txt',
    '/w/.idea',
    '/w/post-commitment',
    '/w/README.md',
    '/w/.github/ISSUE_TEMPLATE/bug.md',
    '/w/src/package.json/notes.txt',
  ])
    test(`nobody: ${path}`, () => assert.equal(runsLater(path), undefined));
});

describe('what of a file decides what is run', () => {
  const manifest = (more: object) => JSON.stringify({ name: 'a', version: '1.0.0', ...more });
  const same = (path: string, before: string, after: string) => runsSame(path, before, after);

  test('a manifest: scripts, settings of tools and addresses do, versions and descriptions do not', () => {
    const path = '/w/package.json';
    const before = manifest({ scripts: { test: 'node --test' }, dependencies: { a: '^1.0.0' } });
    const with_ = (more: object) =>
      manifest({ scripts: { test: 'node --test' }, dependencies: { a: '^1.0.0' }, ...more });
    assert.ok(same(path, before, with_({ version: '2.0.0', description: 'x', keywords: ['y'] })));
    assert.ok(same(path, before, with_({ dependencies: { a: '^1.0.0', b: '~2.3.4-beta.1', c: '>=1 <3 || 4.x' } })));
    assert.ok(!same(path, before, with_({ scripts: { test: 'node --test', prepare: 'x' } })));
    assert.ok(!same(path, before, with_({ dependencies: { a: 'git+ssh://x/y' } })));
    assert.ok(!same(path, before, with_({ dependencies: { a: 'npm:b@1' } })));
    assert.ok(!same(path, before, with_({ dependencies: { a: 'file:../b' } })));
    assert.ok(!same(path, before, with_({ 'lint-staged': { '*': 'x' } })));
    assert.ok(!same(path, before, with_({ packageManager: 'yarn@https://x' })));
    assert.ok(!same(path, before, `${before} // no JSON`));
    assert.ok(same(path, '', manifest({})));
  });

  test('attributes: what names a program does', () => {
    const path = '/w/.gitattributes';
    assert.ok(same(path, '', '*.png binary\n* text=auto eol=lf\n*.lock -diff\n'));
    assert.ok(!same(path, '', '* filter=x\n'));
    assert.ok(!same(path, '*.md diff=a\n', '*.md diff=b\n'));
    assert.ok(!same(path, '[attr]m filter=x\n', '[attr]m filter=x\n* m\n'));
  });

  test('pyproject.toml: tables that only describe do not', () => {
    const path = '/w/pyproject.toml';
    const before = '[project]\nname = "a"\ndependencies = ["b"]\n\n[tool.ruff]\nline-length = 88\n';
    assert.ok(same(path, before, before.replace('"b"', '"b", "c>=2"').replace('88', '100')));
    assert.ok(!same(path, before, before.replace('"b"', '"b @ git+https://x/y"')));
    assert.ok(!same(path, before, `${before}\n[tool.poe.tasks]\ntest = "x"\n`));
    assert.ok(!same(path, before, `[build-system]\nbackend-path = ["."]\n${before}`));
    assert.ok(!same(path, before, `tool.poe.tasks.test = "x"\n${before}`));
  });

  test('anything else: its whole text', () => {
    assert.ok(same('/w/Makefile', 'all:\n', 'all:\n'));
    assert.ok(!same('/w/Makefile', 'all:\n', 'all:\n\tx\n'));
  });
});

describe('files that are run because others name them', () => {
  test('a makefile: what it includes, and what its recipes start', () => {
    const text = [
      'include config/defs other.inc # more.inc',
      '-include rules/*.rules',
      'include $(TOP)/unknown.inc',
      'all: a.c',
      '\t@cc -o a a.c',
      '\t-./tools/gen.sh \\',
      '\t  data.txt',
      '\tcd sub && python3 make_it.py in.txt',
    ].join('\n');
    const isNamed = namedByRunner('build', text, '/w');
    const named = ['/w/config/defs', '/w/other.inc', '/w/rules/a.rules', '/w/tools/gen.sh', '/w/sub/make_it.py'];
    for (const path of named) assert.ok(isNamed(path), path);
    for (const path of ['/w/more.inc', '/w/a.c', '/w/data.txt', '/w/sub/in.txt', '/w/rules/a.txt', '/unknown.inc'])
      assert.ok(!isNamed(path), path);
  });

  test('a manifest: what its scripts start', () => {
    const scripts = {
      build: 'NODE_ENV=x node scripts/build && tsc -p .',
      clean: 'sh ./tools/clean.sh dist',
      x: '. ./env',
    };
    const isNamed = namedByRunner('packages', JSON.stringify({ scripts }), '/w');
    for (const path of ['/w/scripts/build.mjs', '/w/scripts/build/index.js', '/w/tools/clean.sh', '/w/env'])
      assert.ok(isNamed(path), path);
    for (const path of ['/w/dist', '/w/src/build.mjs', '/w/scripts/builder.mjs', '/w/tsc'])
      assert.ok(!isNamed(path), path);
    assert.ok(!namedByRunner('packages', '{', '/w')('/w/a'));
  });
});
