// Makes the .vsix. With --check: also says whether it is what we promise (size, contents).
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ensurePackages, giveUp, root } from './ensure.mjs';

ensurePackages();
const { build, parts } = await import('./build.mjs');
await build();
const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const vsix = path.join(root, `foretell-${version}.vsix`);
const made = spawnSync(
  'npx',
  [
    '--no-install',
    'vsce',
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    '--no-rewrite-relative-links',
    '--out',
    vsix,
  ],
  {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  },
);
if (made.status !== 0 || !existsSync(vsix)) giveUp('The .vsix could not be made; the lines above say why.');
console.log(`${path.basename(vsix)}: ${(statSync(vsix).size / 1e6).toFixed(2)} MB`);

if (process.argv.includes('--check')) {
  const listed = spawnSync('npx', ['--no-install', 'vsce', 'ls', '--no-dependencies'], { cwd: root, encoding: 'utf8' });
  const files = listed.stdout.split('\n').filter((line) => line && !line.startsWith('npm '));
  const sizeOf = (file) => statSync(path.join(root, file)).size;
  const launchers = ['dist/native/confine-linux-x64', 'dist/native/confine-linux-arm64'];
  const clients = ['dist/native/client-linux-x64', 'dist/native/client-linux-arm64'];
  const lock = readFileSync(path.join(root, 'package-lock.json'), 'utf8');
  // Offline: what is not in the lock file cannot be looked up.
  const clean = spawnSync('npm', ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    encoding: 'utf8',
  });
  const checks = [
    ['npm ci accepts the lock file, which names the packages of other systems as well', clean.status === 0],
    ['the lock file names no registry', !/"resolved"|:\/\/registry\./.test(lock)],
    ['the .vsix is at most 4 MB', statSync(vsix).size <= 4e6],
    ['the panel script is at most 100 kB', sizeOf('dist/media/predict.js') <= 100_000],
    ...launchers.map((file) => [
      `${file} is packed, executable and at most 250 kB`,
      files.includes(file) && sizeOf(file) <= 250_000 && (statSync(path.join(root, file)).mode & 0o111) !== 0,
    ]),
    ...clients.map((file) => [
      `${file} is packed, executable and at most 60 kB`,
      files.includes(file) && sizeOf(file) <= 60_000 && (statSync(path.join(root, file)).mode & 0o111) !== 0,
    ]),
    [
      'the command line, the hook and what shells evaluate at Enter are packed',
      ['cli.js', 'main.js', 'hook.js', 'enter/enter.bash', 'enter/enter.zsh', 'enter/enter.fish'].every((name) =>
        files.includes(`dist/${name}`),
      ),
    ],
    ['the parsers of the syntax check are packed', files.includes('dist/parsers.js')],
    ['the parsers of inline code are packed', files.includes('dist/codeParsers.js')],
    ['what the extension loads later is packed', Object.keys(parts).every((name) => files.includes(`dist/${name}.js`))],
    [
      'the help with prompt files is packed',
      ['dist/templates.js', 'dist/media/template.js', 'media/templates/foretell-prompt.tmLanguage.json'].every((file) =>
        files.includes(file),
      ),
    ],
    [
      'no source, test or dependency is packed',
      !files.some((file) => /^(src|test|docs|node_modules|\.ci|\.vscode)\//.test(file) && !file.startsWith('media/')),
    ],
    [
      'the licence, the readme and the changelog are packed',
      ['LICENSE', 'README.md', 'CHANGELOG.md'].every((name) =>
        files.some((file) => file.toLowerCase().startsWith(name.toLowerCase().split('.')[0])),
      ),
    ],
  ];
  for (const [name, isSo] of checks) console.log(`${isSo ? '✔' : '✖'} ${name}`);
  const failed = checks.filter(([, isSo]) => !isSo).length;
  console.log(`${checks.length - failed} passed, ${failed} failed`);
  process.exit(failed === 0 ? 0 : 1);
}
