import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOutOfPlace } from '../../src/core/programs/outOfPlace.ts';

/** Where systems, version managers and projects keep the programs that they installed, and what projects carry with them. */
const inPlace = [
  ...[
    'git',
    '/usr/bin/git',
    '/usr/local/go/bin/go',
    '/opt/homebrew/bin/brew',
    '/usr/games/fortune',
    '/var/lib/snapd/snap/bin/go',
  ],
  ...[
    '~/.cargo/bin/cargo',
    '$HOME/.local/bin/poetry',
    '/root/.nvm/versions/node/v20/bin/node',
    '/home/u/.rbenv/shims/ruby',
  ],
  ...[
    '/home/u/.pyenv/versions/3.12/bin/python',
    '/home/u/miniconda3/envs/x/bin/python',
    '/home/u/miniforge3/bin/conda',
  ],
  ...['/home/u/.dotnet/dotnet', '/Users/u/Library/pnpm/pnpm', '~/google-cloud-sdk/bin/gcloud'],
  ...[
    'node_modules/.bin/jest',
    '../node_modules/.bin/tsc',
    '.venv/bin/python',
    './venv311/bin/pytest',
    '.venv-dev/bin/pip',
  ],
  ...['.tox/py311/bin/python', 'vendor/bin/phpunit', '$VIRTUAL_ENV/bin/python', '$(npm bin)/eslint'],
  ...['./gradlew', './mvnw', './bin/rails', './manage.py', './configure'],
];

const outOfPlace = [
  './test',
  './install',
  '~/.fzf/install',
  'bin/cat',
  '/tmp/x/ls',
  './docker',
  '/home/u/downloads/git',
  '../curl',
];

test('a path names a known program only where systems, people and projects install theirs', () => {
  assert.deepEqual(
    inPlace.filter((word) => isOutOfPlace(word)),
    [],
  );
  assert.deepEqual(
    outOfPlace.filter((word) => !isOutOfPlace(word)),
    [],
  );
});
