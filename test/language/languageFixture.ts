import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Identity, truthEnvironment } from '../truth/fixture.ts';
import { createStandIns, type StandIns } from './standIns.ts';

/** A throw-away project in which scripts with gated programs are predicted and really run. */
export interface Place {
  base: string;
  /** What is compared: the project, a home and a temporary folder. */
  root: string;
  cwd: string;
  env: Record<string, string>;
  standIns: StandIns;
  /** Sets the root right by making it anew. */
  renew(): void;
  remove(): void;
}

const files: Readonly<Record<string, string>> = {
  '.gitignore': 'node_modules/\ndist/\nbuild/\n*.log\n',
  'README.md': '# Shop\n\nA small shop.\n',
  'package.json':
    '{\n  "name": "shop",\n  "version": "1.2.0",\n  "scripts": {\n    "build": "node build.js",\n    "lint": "eslint . && node check.js",\n    "clean": "rm -rf dist"\n  }\n}\n',
  'build.js': 'console.log("building");\n',
  'check.js': 'process.exit(0);\n',
  'src/index.js': 'export const shop = 1;\n',
  'src/cart.js': 'export const cart = [];\n',
  'src/main.c': '#include <stdio.h>\nint main(void) { puts("hi"); return 0; }\n',
  'src/util.c': 'int twice(int a) { return 2 * a; }\n',
  'scripts/deploy.sh': '#!/bin/sh\nset -e\necho deploying "$1"\nnode scripts/upload.js "$1"\necho deployed\n',
  'scripts/lib.sh': 'build() { node build.js "$@"; }\nlog() { echo "[log] $*"; }\n',
  'tools/gen': '#!/usr/bin/env node\nconsole.log("generated");\n',
  'data/users.csv': 'id,name\n1,Ada\n2,Bob\n3,Cyd\n',
  'data/list.txt': 'alpha\nbeta\ngamma\n',
  'packages/app/package.json': '{ "name": "app", "version": "0.1.0" }\n',
  'packages/app/index.js': 'export const app = true;\n',
  'packages/lib/index.js': 'export const lib = true;\n',
  'db/schema.sql': 'create table t(id int);\n',
  Makefile: [
    'NAME = shop',
    'all: build test',
    'build: dist/app.js',
    'dist/app.js: src/index.js',
    '\tmkdir -p dist',
    '\tnode build.js > $@',
    'test:',
    '\t@npm test',
    'check:',
    '\t-eslint .',
    '\t@echo checked',
    'object: src/main.c src/util.c',
    '\tcc -c src/main.c -o main.o',
    '\tcc -c src/util.c -o util.o',
    '\tls *.o | sort',
    'version:',
    '\t@echo $(shell node -p 1)-$(NAME)',
    'clean:',
    '\trm -rf dist *.o',
    '.PHONY: all build test check object version clean',
    '',
  ].join('\n'),
};
const executable = /^(scripts\/deploy\.sh|tools\/gen)$/;

/**
 * Builds the project below `/var/tmp`: into `/tmp` a model may write, so that it could not be seen there what is outside.
 * The process must be the identity already.
 */
export function createPlace(identity: Identity): Place {
  const base = realpathSync(mkdtempSync('/var/tmp/foretell-language-'));
  const root = join(base, 'run');
  const template = join(base, 'template');
  const cwd = join(root, 'project');
  const standIns = createStandIns(base);
  const env = { ...truthEnvironment(root, identity), PATH: `${standIns.folder}:/usr/local/bin:/usr/bin:/bin` };
  for (const folder of ['project', 'home', 'tmp']) mkdirSync(join(template, folder), { recursive: true });
  const put = (place: string, text: string) => {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text, { mode: executable.test(place.slice(template.length + 9)) ? 0o755 : 0o644 });
  };
  for (const [name, text] of Object.entries(files)) put(join(template, 'project', name), text);
  put(join(template, 'home/.gitconfig'), '[user]\n\tname = Shop\n\temail = shop@example.com\n');
  symlinkSync(join(standIns.folder, 'app'), join(template, 'project/app'));
  const git = (where: string, script: string) =>
    execFileSync('bash', ['-euc', script], {
      cwd: where,
      env: { ...env, HOME: join(template, 'home') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  git(
    join(template, 'project'),
    `git init -q -b main; git add .; git commit -qm 'Begin the shop'
    echo 'export const more = 2;' >> src/cart.js
    mkdir drafts; echo 'not tracked' > drafts/note.md
    mkdir dist; echo 'built before' > dist/old.js`,
  );
  const renew = () => {
    rmSync(root, { recursive: true, force: true });
    execFileSync('cp', ['-a', template, root]);
    // The index caches inode numbers: without this the first `git status` of a script would write it.
    git(cwd, 'git status --short');
  };
  renew();
  return { base, root, cwd, env, standIns, renew, remove: () => rmSync(base, { recursive: true, force: true }) };
}
