import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeProgram } from '../../src/core/programs/describeProgram.ts';
import { leavesFiles } from '../../src/core/programs/leavesFiles.ts';
import { programs } from '../../src/core/programs/programOf.ts';
import { staticFacts } from '../../src/core/verdict/staticFacts.ts';
import { judgedInWords } from './judgedInWords.ts';

function saidOf(script: string): string[] {
  const action = { kind: 'command', script, shell: 'bash', cwd: '/home/me/w' } as const;
  const facts = staticFacts({ action, workspaceFolders: ['/home/me/w'], home: '/home/me', userId: 1000, env: {} });
  return judgedInWords(facts).map(({ level, reason }) => `${level}: ${reason}`);
}

test('a path whose last part is the name of a known program is not taken for that program', () => {
  for (const { names } of programs.filter(({ carried }) => !carried))
    for (const name of names.split(' ')) {
      assert.equal(describeProgram([`./${name}`, 'x'], '/w').known, false, name);
      assert.equal(leavesFiles([`tools/${name}`, 'x'], '/w'), undefined, name);
    }
});

test('it is said where it lies, and nothing of what its name would do', () => {
  const said = (file: string) => [
    `caution: Runs ${file}, a program of its own place that only has the name of a known one.`,
  ];
  const calls: Record<string, string> = {
    '~/.fzf/install --all': '/home/me/.fzf/install',
    './install': './install',
    './ls': './ls',
    'bin/cat a.txt': 'bin/cat',
    '/tmp/x/git status': '/tmp/x/git',
    'sudo ./install.d/install -m 755 a b': './install.d/install',
    './test x': './test',
    './build/bin/curl https://h.org': './build/bin/curl',
    '/home/me/w/bin/find .': '/home/me/w/bin/find',
  };
  for (const [script, file] of Object.entries(calls))
    assert.deepEqual(
      saidOf(script).filter((one) => !one.includes('rights of')),
      said(file),
      script,
    );
  assert.match(saidOf('./terraform destroy').join('\n'), /^danger: `.\/terraform destroy` is not known/);
});

test('what systems, people and projects install is meant by its path', () => {
  for (const word of [
    '/usr/bin/ls',
    '/usr/lib/postgresql/16/bin/pg_ctl',
    '/opt/homebrew/bin/brew',
    '~/.cargo/bin/cargo',
    '$HOME/.local/bin/pip',
    '/home/me/.nvm/versions/node/v22.1.0/bin/npm',
    '/root/.pyenv/shims/python3',
    '~/go/bin/golangci-lint',
    './node_modules/.bin/eslint',
    '.venv/bin/python',
    'vendor/bin/phpunit',
    './gradlew',
    './mvnw',
    './manage.py',
    'bin/rails',
    './configure',
  ])
    assert.equal(describeProgram([word, 'x'], '/w').known, true, word);
});
