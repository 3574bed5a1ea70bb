// Runs single test files at once: only they and what they import are bundled, nothing else is built.
//   npm run test:one test/unit/verdict.test.ts           or a part of the path: npm run test:one verdict.test
//   npm run test:one verdict.test -- --test-name-pattern=git    options go to Node's test runner
// What tests of the rings engine, language, faults and panel find in dist/ is kept new by `npm run watch`.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { ensurePackages, giveUp, root } from '../src/tools/ensure.mjs';
import { bundleTests, findFiles } from './bundleTests.mjs';

const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('-')).map((arg) => path.normalize(arg));
const options = args.filter((arg) => arg.startsWith('-'));
if (wanted.length === 0)
  giveUp('Which test? Name its file, or a part of it: npm run test:one test/unit/verdict.test.ts');

const tests = [...findFiles('test', '.test.ts'), ...findFiles('test', '.test.mjs')];
const files = tests.filter((file) => wanted.some((part) => file.includes(part)));
const missing = wanted.find((part) => !files.some((file) => file.includes(part)));
if (missing !== undefined) {
  giveUp(`No test file has ${missing} in its path; \`git ls-files test | grep .test.\` lists them all.`);
}

ensurePackages();
const folder = `one-${process.pid}`;
const bundles = await bundleTests(
  files.filter((file) => file.endsWith('.ts')),
  folder,
);
const programs = [...bundles, ...files.filter((file) => file.endsWith('.mjs'))];
// A single file needs no process that watches over others.
const runner = programs.length > 1 ? ['--test'] : [];
const { status } = spawnSync(
  process.execPath,
  ['--enable-source-maps', '--test-reporter=spec', ...options, ...runner, ...programs],
  { cwd: root, stdio: 'inherit' },
);
rmSync(path.join(root, 'test/.cache/bundles', folder), { recursive: true, force: true });
process.exit(status ?? 1);
