import fs from 'node:fs';
import path from 'node:path';

/** Gives the commands of others something to bite on: names that they often mention. */
export function populate(workspace: string, home: string): void {
  const names = [
    'README.md',
    'package.json',
    'package-lock.json',
    'Makefile',
    'main.py',
    'script.sh',
    'file',
    'file.txt',
    'file1',
    'file2',
    'foo',
    'bar',
    'test.txt',
    'data.csv',
    'log.txt',
    'x',
    'secret.key',
    'dist/index.js',
    'build/out.o',
    'node_modules/left-pad/index.js',
    'src/main.c',
    'src/index.ts',
    'src/lib/util.ts',
    'target/debug/app',
    'docs/guide.md',
    'tmp/cache',
    'logs/app.log',
    '.git/hooks/pre-commit.sample',
  ];
  for (const name of names) put(path.join(workspace, name), `content of ${name}\n`);
  fs.writeFileSync(path.join(workspace, 'Makefile'), 'all:\n\techo made > made\nclean:\n\trm -rf build dist\n');
  fs.writeFileSync(
    path.join(workspace, 'package.json'),
    '{"name":"x","scripts":{"build":"echo built > dist/built"}}\n',
  );
  for (const name of [
    'Documents/letter.txt',
    'Downloads/tool.sh',
    '.aws/credentials',
    '.config/x',
    '.profile',
    'project/a',
  ])
    put(path.join(home, name), `content of ${name}\n`);
}

function put(file: string, text: string): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  if (!fs.existsSync(file)) fs.writeFileSync(file, text);
}
