import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineUnit } from '../../src/core/programs/lineUnit.ts';

const place = { cwd: '/w', home: '/home/u', env: {} };

test('the unit of a line is its one program that may not run by itself, with what stands before it for the shell', () => {
  for (const [line, unit] of [
    ['npm test 2>&1 | tail -20', 'npm test 2>&1 | cat'],
    ['npm test | grep -A3 FAIL | sort', 'npm test | cat'],
    ['cd x && CI=1 npm test 2>&1 | tail -20; echo "EXIT $?"', 'cd x && CI=1 npm test 2>&1 | cat'],
    ['cd x\nnpx tsc --noEmit 2>/dev/null | wc -l', 'cd x && npx tsc --noEmit 2>/dev/null | cat'],
    ['ls -la; npm test && git status', 'npm test; :'],
    ['go build ./... && echo ok || echo failed', 'go build ./...; :'],
  ])
    assert.equal(lineUnit(line ?? '', place)?.script, unit, line);
});

test('how much of it is read is known of `head` alone, where nobody sees whether its writer was told', () => {
  assert.equal(lineUnit('npm test 2>&1 | head', place)?.mostLines, 10);
  assert.equal(lineUnit('npm test 2>&1 | grep x | head -n 3', place)?.mostLines, 3);
  assert.equal(lineUnit('npm test 2>&1 | tail -3', place)?.mostLines, undefined);
  for (const line of [
    'npm test | head -3',
    'npm test 2>&1 | head -c 9',
    'npm test 2>&1 | sed 3q',
    'npm test 2>&1 | grep -A2 x | head',
  ])
    assert.equal(lineUnit(line, place), undefined, line);
  assert.equal(lineUnit('npm test 2>&1 | head -3; echo ${PIPESTATUS[0]}', place), undefined);
  assert.equal(lineUnit('set -o pipefail; npm test 2>&1 | head -3', place), undefined);
});

test('other lines have none', () => {
  for (const line of [
    ...['npm test', 'cd x && npm test', 'ls | wc -l', 'npm test | npx sort-it', 'npm run a && npm run b'],
    ...[
      'npm test > out; cat out',
      'npm test | tee out',
      'cat x | npm test | tail',
      'npm test 2>&1 | tail &',
      '(npm test | tail)',
    ],
    ...[
      'for i in 1 2; do npm test | tail; done',
      'f() { npm test; }; f | tail',
      'npm test $X | tail',
      'npm test *.js | tail',
    ],
    ...[
      'npm test $(cat args) | tail',
      'umask 0; npm test | tail',
      'ulimit -n 9; npm test | tail',
      'trap "" PIPE; npm test | tail',
    ],
    ...[
      'rm x; npm test | tail',
      'echo y > x; npm test | tail',
      'npm test | tail; rm x',
      'npm run build; ls -l dist',
      '! npm test | tail',
    ],
    ...[
      'npm test <<< x | tail',
      'cd - && npm test | tail',
      'cd "$X" && npm test | tail',
      'exec npm test | tail',
      'npm test | xargs echo',
    ],
    ...['timeout 9 npm test | tail', 'export A=$X; npm test | tail', 'npm test 2> errors | tail', 'npm test | tail "'],
  ])
    assert.equal(lineUnit(line, place), undefined, line);
});
