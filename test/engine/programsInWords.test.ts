import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CommandAction } from '../../src/core/action/action.ts';
import { foldAll } from '../../src/core/foretell.ts';
import type { Prediction } from '../../src/core/prediction/prediction.ts';
import { createPainter } from '../../src/core/prediction/text/painter.ts';
import { renderPrediction } from '../../src/core/prediction/text/renderPrediction.ts';
import { programText } from '../../src/core/words/programText.ts';
import { shownPrograms } from '../../src/core/words/shownPrograms.ts';
import { throwAwayForetell } from '../throwAwayForetell.ts';

/** Programs are told as a person would say them, and none of what we start to hold them together is. */

const plain = createPainter(false);
const { foretell, folder } = throwAwayForetell('words');

// Programs that may not run, whatever is installed; named like the real ones.
const fronts = ['npm', 'npx', 'yarn', 'pnpm', 'bun', 'sudo', 'doas', 'node', 'composer', 'deno', 'gmake'];

function write(file: string, text: string, mode = 0o644): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text, { mode });
}

function workspace(): { place: string; env: Record<string, string> } {
  const place = fs.mkdtempSync(path.join(folder, 'w-'));
  const bin = path.join(place, '.bin');
  fs.mkdirSync(bin);
  for (const name of fronts) fs.symlinkSync(process.execPath, path.join(bin, name));
  const scripts = {
    ...{ prebuild: 'rm -rf dist', build: 'node tsc -p .', postbuild: 'touch done', clean: 'rm -rf dist' },
    ...{ all: 'npm run clean && npm run build', slow: 'rm -rf dist && node x.js && rm -rf lib' },
  };
  write(
    path.join(place, 'package.json'),
    JSON.stringify({ name: 'p', version: '1.0.0', workspaces: ['packages/*'], scripts }),
  );
  write(path.join(place, 'packages/a/package.json'), '{"name":"a","scripts":{"prex":"echo pre","x":"rm -rf lib"}}');
  write(path.join(place, 'dist/a'), 'x');
  write(path.join(place, 'node_modules/.bin/rimraf'), '#!/bin/sh\nrm -rf "$@"\n', 0o755);
  write(path.join(place, 'composer.json'), '{"scripts":{"clean":["rm -rf dist","@more"],"more":"touch done"}}');
  write(path.join(place, 'deno.jsonc'), '{"tasks":{"clean":"rm -rf dist",},} // all\n');
  write(path.join(place, 'Makefile'), 'all:\n\tcd dist && rm -f a\n\tnpm run clean\n');
  return { place, env: { PATH: `${bin}:/usr/bin:/bin`, HOME: '/nonexistent', LC_ALL: 'C.UTF-8' } };
}

async function predict(script: string, { place, env } = workspace()): Promise<Prediction> {
  const action: CommandAction = { kind: 'command', script, shell: 'bash', cwd: place };
  const { events, view } = foretell.predict({ action, env, signal: new AbortController().signal });
  try {
    return await foldAll(action, events);
  } finally {
    await view.close();
  }
}

const listed = ({ programs }: Prediction) => shownPrograms(programs).map(programText);

/** What stands in our own scripts and nowhere else here. */
const ours = /INIT_CWD|npm_(lifecycle|package|config)|exit \$\?|exec env|exec "\$@"|cd "\$0"|printf %s/;

const cases: readonly (readonly [script: string, programs: string[]])[] = [
  [
    'npm run build',
    [
      'npm run build',
      'prebuild: rm -rf dist',
      'rm -rf dist',
      'build: node tsc -p .',
      'node tsc -p .',
      'postbuild: touch done',
      'touch done',
    ],
  ],
  ['npm run clean', ['npm run clean', 'clean: rm -rf dist', 'rm -rf dist']],
  ['yarn clean', ['yarn clean', 'clean: rm -rf dist', 'rm -rf dist']],
  ['pnpm run clean', ['pnpm run clean', 'clean: rm -rf dist', 'rm -rf dist']],
  ['bun run clean', ['bun run clean', 'clean: rm -rf dist', 'rm -rf dist']],
  ['composer clean', ['composer clean', 'clean: rm -rf dist', 'rm -rf dist', 'more: touch done', 'touch done']],
  ['cd packages && deno task clean a', ['deno task clean a', 'clean: rm -rf dist a', 'rm -rf dist a']],
  ['npm -w a run x', ['npm -w a run x', 'prex: echo pre', 'x: rm -rf lib', 'rm -rf lib']],
  ['cd packages/a; npm run x', ['npm run x', 'prex: echo pre', 'x: rm -rf lib', 'rm -rf lib']],
  [
    'cd packages && npm run clean -- a "b c"',
    ["npm run clean -- a 'b c'", "clean: rm -rf dist a 'b c'", "rm -rf dist a 'b c'"],
  ],
  ['npx rimraf dist', ['npx rimraf dist', 'rimraf dist', 'rm -rf dist']],
  ['cd packages && pnpm exec rimraf "a b"', ["pnpm exec rimraf 'a b'", "rimraf 'a b'", "rm -rf 'a b'"]],
  ['sudo rm -rf dist', ['sudo rm -rf dist', 'rm -rf dist']],
  ['sudo -s rm -rf dist', ['sudo -s rm -rf dist', 'rm -rf dist']],
  ['awk \'BEGIN{system("rm -rf dist")}\'', ['awk \'BEGIN{system("rm -rf dist")}\'', 'rm -rf dist']],
  ['make', ['make', 'cd dist && rm -f a', 'rm -f a', 'npm run clean', 'clean: rm -rf dist', 'rm -rf dist']],
  ['gmake -s', ['gmake -s', 'cd dist && rm -f a', 'rm -f a', 'npm run clean', 'clean: rm -rf dist', 'rm -rf dist']],
  ['env A=b rm -rf dist', ['env A=b rm -rf dist', 'rm -rf dist']],
  [
    "find dist -name a -exec sh -c 'rm {}' ';'",
    ["find dist -name a -exec sh -c 'rm {}' ';'", "sh -c 'rm dist/a'", 'rm dist/a'],
  ],
  ['echo dist | xargs rm -rf', ['xargs rm -rf', 'rm -rf dist']],
];

for (const [script, programs] of cases) {
  test(`${script} lists what a person would say`, async () => {
    const prediction = await predict(script);
    assert.deepEqual(listed(prediction), programs);
    assert.doesNotMatch(JSON.stringify(prediction), ours);
    assert.doesNotMatch(renderPrediction(prediction, plain, { all: true, cwd: '/' }), ours);
  });
}

test('what would be otherwise names scripts, not what holds them together', async () => {
  const prediction = await predict('npm run all && rm -rf lib');
  const details = prediction.otherwise.map(({ detail }) => detail);
  assert.equal(details.length > 0, true);
  assert.match(details.join('\n'), /`postbuild: touch done`/);
  assert.doesNotMatch(JSON.stringify(prediction), ours);
});

test('a hook of git is told as one', async () => {
  const { place, env } = workspace();
  execFileSync('git', ['init', '-q'], { cwd: place });
  write(path.join(place, '.git/hooks/pre-commit'), '#!/bin/sh\nrm -rf dist\n', 0o755);
  const prediction = await predict('git -c user.name=a -c user.email=a@b commit --allow-empty -qm x', { place, env });
  assert.ok(listed(prediction).includes('hook: pre-commit'), listed(prediction).join('\n'));
});

test('a version manager leaves one line: the program as it was called', async () => {
  const { place, env } = workspace();
  const home = path.join(place, '.pyenv');
  const real = path.join(home, 'versions/3.12/bin/python3');
  write(real, '#!/usr/bin/env node\n', 0o755);
  const which =
    '#!/usr/bin/env bash\ndir=$(cd "${BASH_SOURCE%/*}" && readlink pyenv || pwd)\necho "$PYENV_ROOT/versions/3.12/bin/$1"\n';
  write(path.join(home, 'libexec/pyenv-which'), which, 0o755);
  write(
    path.join(home, 'libexec/pyenv-exec'),
    '#!/usr/bin/env bash\np=$(pyenv-which "$1")\nshift\nexec "$p" "$@"\n',
    0o755,
  );
  write(
    path.join(home, 'libexec/pyenv'),
    '#!/usr/bin/env bash\nPATH="${0%/*}:$PATH"\nc=$1; shift\nexec "pyenv-$c" "$@"\n',
    0o755,
  );
  const shim = `#!/usr/bin/env bash\nexport PYENV_ROOT=${home}\nexec ${home}/libexec/pyenv exec "\${0##*/}" "$@"\n`;
  write(path.join(home, 'shims/python3'), shim, 0o755);
  const PATH = `${home}/shims:${env['PATH']}`;
  const prediction = await predict("python3 -c 'print(1)' && ls", { place, env: { ...env, PATH } });
  assert.deepEqual(listed(prediction), ["python3 -c 'print(1)'", 'ls']);
  assert.equal(prediction.assumptions.map(programText).join(), "python3 -c 'print(1)'");
  const text = renderPrediction(prediction, plain, { all: true, cwd: place });
  assert.doesNotMatch(text, /pyenv|readlink/);
});

test('so does one that finds a script and its interpreter, with the help of other programs', async () => {
  const { place, env } = workspace();
  const home = path.join(place, '.asdf');
  const finds =
    '#!/usr/bin/env bash\nname=$2; shift 2\nv=$(ls "${0%/bin/asdf}/installs" | grep "^v" | head -n 1)\n' +
    'found=$(uname -s; cd "${0%/bin/asdf}" && pwd | tail -n 1)\nexec "${0%/bin/asdf}/installs/$v/$name" "$@"\n';
  write(path.join(home, 'bin/asdf'), finds, 0o755);
  fs.mkdirSync(path.join(home, 'installs/v1'), { recursive: true });
  fs.symlinkSync(process.execPath, path.join(home, 'installs/v1/node'));
  write(path.join(home, 'installs/v1/tool'), '#!/usr/bin/env node\n', 0o755);
  for (const name of ['node', 'tool'])
    write(path.join(home, 'shims', name), `#!/usr/bin/env bash\nexec ${home}/bin/asdf exec ${name} "$@"\n`, 0o755);
  const PATH = `${home}/shims:${env['PATH']}`;
  const prediction = await predict('tool a && ls', { place, env: { ...env, PATH } });
  assert.deepEqual(listed(prediction), ['tool a', 'ls']);
  assert.doesNotMatch(renderPrediction(prediction, plain, { all: true, cwd: place }), /asdf|grep|uname|shims/);
});

test('what a subshell of a script starts stands beneath the script', async () => {
  const { place, env } = workspace();
  write(path.join(place, 'x.sh'), '(cd dist; ls | tail -n 1)\necho "$(uname -s)"\n');
  const { programs } = await predict('bash x.sh', { place, env });
  const script = programs.find(({ argv }) => argv[0] === 'bash');
  const beneath = programs.flatMap(({ argv, parent }) => (parent === script?.id ? [argv[0]] : []));
  assert.deepEqual(beneath.toSorted(), ['ls', 'tail', 'uname']);
});

test('what happens to several repositories stands in a block for each, and commits are no paths', async () => {
  const { place, env } = workspace();
  for (const name of ['one', 'two'])
    execFileSync(
      'bash',
      ['-ec', 'git init -q -b main $0; cd $0; for n in 1 2; do git commit -q --allow-empty -m "$0 $n"; done', name],
      {
        cwd: place,
        env: {
          ...env,
          GIT_AUTHOR_NAME: 'a',
          GIT_AUTHOR_EMAIL: 'a@b',
          GIT_COMMITTER_NAME: 'a',
          GIT_COMMITTER_EMAIL: 'a@b',
        },
      },
    );
  const script = 'git -C one reset -q --hard HEAD~1; git -C two branch x; git -C one tag v1';
  const text = renderPrediction(await predict(script, { place, env }), plain, { all: true, cwd: place });
  const [, effects = ''] = text.split('\nEffects\n');
  assert.match(
    effects,
    /^ {2}git in one\n {4}● moves branch main [^\n]*\n {4}● creates tag v1[^\n]*\n {2}git in two\n {4}● creates branch x/,
  );
  assert.doesNotMatch(effects, new RegExp(`in ${place}`));
  assert.match(text, /Can be brought back\n {2}main: from the reflog/);
});
