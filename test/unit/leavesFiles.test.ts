import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leavesFiles } from '../../src/core/programs/leavesFiles.ts';
import { assumedText, notKnownText } from '../../src/core/words/assumptionText.ts';

const of = (line: string) => {
  const found = leavesFiles(line.split(' '), '/w');
  return found && [...found.own, ...(found.runsProject ? ['+'] : [])].join(' ');
};

test('a program that checks, tests or lists changes nothing in the workspace, as a rule', () => {
  for (const [line, expected] of [
    ['pytest -q tests', '.pytest_cache __pycache__ +'],
    ['python3 -m pytest -x', '.pytest_cache __pycache__ +'],
    ['go test ./...', '+'],
    ['go vet ./...', '+'],
    ['eslint .', '.eslintcache .stylelintcache +'],
    ['npx eslint src', '.eslintcache .stylelintcache +'],
    ['ruff check .', '.ruff_cache'],
    ['ruff format src --check', '.ruff_cache'],
    ['flake8', ''],
    ['mypy src', '.mypy_cache'],
    ['golangci-lint run ./...', ''],
    ['tsc --noEmit', '*.tsbuildinfo'],
    ['tsc -p . --noEmit', '*.tsbuildinfo'],
    ['black --check .', ''],
    ['cargo test', 'target Cargo.lock +'],
    ['cargo clippy', 'target Cargo.lock +'],
    ['vitest run', '+'],
    ['node --test', '+'],
    ['gh pr view 3', ''],
    ['gh run list', ''],
    ['kubectl get pods', ''],
    ['docker ps', ''],
  ] as const)
    assert.equal(of(line), expected, line);
});

test('of one that writes what it would change, a report or snapshots it is not known', () => {
  for (const line of [
    'eslint --fix .',
    'prettier --write .',
    'ruff check --fix .',
    'ruff check --fix-only .',
    'ruff format .',
    'black .',
    'black -l 100 .',
    'jest -u',
    'vitest run --update',
    'vitest run --coverage',
    'pytest --cov=src --cov-report=xml',
    'pytest --junitxml=out.xml',
    'pytest --snapshot-update',
    'go test -c ./x',
    'go test -coverprofile=c.out ./...',
    'go test ./... -update',
    'go build ./...',
    'gofmt -w .',
    'tsc',
    'tsc --noEmit false',
    'tsc -b --noEmit',
    'golangci-lint run --fix',
    'cargo build',
    'cargo clippy --fix',
    'gh pr checkout 3',
    'gh pr create',
    'kubectl apply -f x.yaml',
    'docker run x',
    'node x.js',
    'python3 x.py',
    'npm install',
    './anything',
  ])
    assert.equal(of(line), undefined, line);
});

test('it is said as a rule, beside what is not known', () => {
  const part = { kind: 'leavesFiles', own: ['.pytest_cache', '__pycache__'], runsProject: true } as const;
  const parts = [
    { kind: 'exits', exitCode: 0 } as const,
    { kind: 'printsNothing' } as const,
    { kind: 'changesNothing' } as const,
    { ...part, own: [...part.own] },
  ];
  assert.equal(
    notKnownText('`pytest`', parts),
    "What `pytest` prints and returns is not known; as a rule it changes nothing in the workspace but .pytest_cache and __pycache__, unless the project's own code does.",
  );
  assert.equal(
    assumedText(parts),
    "exits 0, prints nothing, changes nothing; as a rule it changes nothing in the workspace but .pytest_cache and __pycache__, unless the project's own code does",
  );
  const plain = { kind: 'leavesFiles', own: [], runsProject: false } as const;
  assert.equal(
    notKnownText('it', [
      { kind: 'exits', exitCode: 0 },
      { ...plain, own: [] },
    ]),
    'What it returns is not known; as a rule it changes nothing in the workspace.',
  );
});
